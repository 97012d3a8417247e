// The registry of metrics that /metrics prints: the process's own, and what the parts add to it.

import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Database } from "../store/db.ts";
import { eachWithin } from "../store/limit.ts";
import { sql } from "../store/sql.ts";

const ANSWER_WITHIN_SECONDS = 3;

export function openMetrics(db: Database): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "santral_jobs",
    help: "Background work that waits, and work that was given up",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      // Without the database everything else is told all the same, and then above all.
      const { waiting, dead } = await countJobs(db).catch(() => ({ waiting: Number.NaN, dead: Number.NaN }));
      this.set({ state: "waiting" }, waiting);
      this.set({ state: "dead" }, dead);
    },
  });
  return registry;
}

async function countJobs(db: Database): Promise<{ waiting: number; dead: number }> {
  const [count] = await db.within(eachWithin(ANSWER_WITHIN_SECONDS)).query<{ waiting: number; dead: number }>(
    sql`select count(*) filter (where dead_at is null) as waiting, count(*) filter (where dead_at is not null) as dead
       from jobs`,
  );
  return count!; // an aggregate without a group has one row
}
