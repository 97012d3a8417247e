// The registry of metrics that /metrics prints: the process's own, and what the parts add to it.

import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { countArchived } from "../store/archives.ts";
import { countContactSources } from "../store/contact-sources.ts";
import type { Database, Db } from "../store/db.ts";
import { eachWithin } from "../store/limit.ts";
import { countLocked } from "../store/locked.ts";
import { sql } from "../store/sql.ts";
import { NEVER_LOOKS_MS, tellLoopLag } from "./loop-lag.ts";

const ANSWER_WITHIN_SECONDS = 3;

export function openMetrics(database: Database): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_LOOKS_MS });
  tellLoopLag(registry);
  const db = askedByMetrics(database);
  countStates(
    registry,
    "santral_jobs",
    "Background work that waits, of it what is due and waits for a turn, and work that was given up",
    () => countJobs(db),
  );
  countStates(
    registry,
    "santral_locked",
    "Accounts of staff, and mailboxes, that are locked for wrong passwords and PINs",
    async () => ({ ...(await countLocked(db)) }),
  );
  countStates(
    registry,
    "santral_archived_recordings",
    "Recordings of exchanges with an archive: in a store outside, waiting for it, failing, to be removed there",
    async () => {
      const { archived, waiting, failing, toRemove } = await countArchived(db);
      return { archived, waiting, failing, to_remove: toRemove };
    },
  );
  countStates(
    registry,
    "santral_contact_sources",
    "Sources of contacts: working, failing, paused, or with a removal that waits for a word",
    () => countContactSources(db),
  );
  return registry;
}

/** Whoever reads metrics does not wait long for the database. */
export const askedByMetrics = (database: Database): Db => database.within(eachWithin(ANSWER_WITHIN_SECONDS));

/** A gauge by state, counted by the database; without the database it is silent, and everything else is told all the same. */
function countStates(
  registry: Registry,
  name: string,
  help: string,
  count: () => Promise<Record<string, number>>,
): void {
  new Gauge({
    name,
    help,
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      this.reset();
      const counts = await count().catch(() => ({}));
      for (const [state, value] of Object.entries(counts)) this.set({ state }, value);
    },
  });
}

type JobCounts = { waiting: number; due: number; dead: number };

async function countJobs(db: Db): Promise<JobCounts> {
  const [count] = await db.query<JobCounts>(
    sql`select count(*) filter (where dead_at is null) as waiting, count(*) filter (where dead_at is not null) as dead,
         count(*) filter (where dead_at is null and lease is null and not held and run_at <= now()) as due
       from jobs`,
  );
  return count!; // an aggregate without a group has one row
}
