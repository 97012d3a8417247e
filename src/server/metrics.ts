// The registry of metrics that /metrics prints: the process's own, and what the parts add to it.

import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { countArchived } from "../store/archives.ts";
import { countContactSources } from "../store/contact-sources.ts";
import type { Db } from "../store/db.ts";
import { sql } from "../store/sql.ts";

export function openMetrics(db: Db): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "santral_jobs",
    help: "Background work that waits, and work that was given up",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const [count] = await db.query<{ waiting: number; dead: number }>(
        sql`select count(*) filter (where dead_at is null) as waiting, count(*) filter (where dead_at is not null) as dead
         from jobs`,
      );
      this.set({ state: "waiting" }, count!.waiting); // an aggregate without a group has one row
      this.set({ state: "dead" }, count!.dead);
    },
  });
  new Gauge({
    name: "santral_archived_recordings",
    help: "Recordings of exchanges with an archive: in a store outside, waiting for it, failing, to be removed there",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const { archived, waiting, failing, toRemove } = await countArchived(db);
      this.set({ state: "archived" }, archived);
      this.set({ state: "waiting" }, waiting);
      this.set({ state: "failing" }, failing);
      this.set({ state: "to_remove" }, toRemove);
    },
  });
  new Gauge({
    name: "santral_contact_sources",
    help: "Sources of contacts: working, failing, paused, or with a removal that waits for a word",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      for (const [state, count] of Object.entries(await countContactSources(db))) this.set({ state }, count);
    },
  });
  return registry;
}
