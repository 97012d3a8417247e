// Whether this server can be sent work: its database takes a write, there is room on the disk, records are written as
// calls end, and no stop is under way.

import { statfs } from "node:fs/promises";
import type { Arrears } from "../arrears/arrears.ts";
import { type Clock, pause } from "../clock.ts";
import type { Config } from "../config.ts";
import { nodeNameOf } from "../config-cluster.ts";
import type { Readiness } from "../http/operations.ts";
import type { Log } from "../log.ts";
import type { Database } from "../store/db.ts";
import { READ_ONLY } from "../store/hosts.ts";
import { eachWithin } from "../store/limit.ts";
import { giveSignOfLife } from "../store/live-calls.ts";

export type ReadinessNeeds = {
  config: Pick<Config, "cluster" | "nodeName">;
  db: Database;
  clock: Clock;
  log: Log;
  dataFolder: string;
  /** What keeps the embedded database from running. */
  trouble(): string | undefined;
  /** How long the record of a call that is over has waited to be written. */
  journalLagMs(): number;
  arrears: Pick<Arrears, "state">;
};

/** However many ask, and whatever it costs: so often the database is written to, and so long it is waited for. */
const ASK_EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 3_000;
/** Below this neither the database nor a recording can be written for long. */
const LEAST_FREE_BYTES = 32 * 1024 ** 2;
const LONGEST_LAG_MS = 10_000;

const DISK_FULL = "53100";

export type WatchedReadiness = {
  ask(): Promise<Readiness>;
  /** The calls that are up are waited for, and no new ones are taken. */
  drain(): void;
  close(): Promise<void>;
};

export function watchReadiness(needs: ReadinessNeeds): WatchedReadiness {
  const { clock, log } = needs;
  let stopping: "draining" | "stopping" | undefined;
  let asking: Promise<Readiness> | undefined;
  let last: Readiness = { ready: true };
  const look = async (): Promise<Readiness> => {
    const why = await whyNot(needs);
    const now: Readiness = why === undefined ? { ready: true } : { ready: false, because: why };
    if (now.ready !== last.ready) {
      if (now.ready) log.info({}, "ready again");
      else log.error({ because: why }, "not ready");
    }
    last = now;
    clock.after(ASK_EVERY_MS, () => {
      asking = undefined;
    });
    return now;
  };
  return {
    ask() {
      if (stopping) return Promise.resolve({ ready: false, because: stopping });
      asking ??= look();
      return asking;
    },
    drain() {
      stopping = "draining";
    },
    async close() {
      stopping = "stopping";
    },
  };
}

async function whyNot(needs: ReadinessNeeds): Promise<string | undefined> {
  const said = [await diskTrouble(needs), await databaseTrouble(needs), journalTrouble(needs)];
  const reasons = said.filter((it) => it !== undefined);
  return reasons.length === 0 ? undefined : reasons.join("; ");
}

async function diskTrouble({ dataFolder }: ReadinessNeeds): Promise<string | undefined> {
  const found = await statfs(dataFolder).catch(() => undefined);
  return found && found.bavail * found.bsize < LEAST_FREE_BYTES ? "the disk is full" : undefined;
}

async function databaseTrouble({ config, db, clock, trouble }: ReadinessNeeds): Promise<string | undefined> {
  const known = trouble();
  if (known !== undefined) return `the database does not answer: ${known}`;
  const written = writeTrouble(db, nodeNameOf(config), clock.wall());
  return Promise.race([written, pause(clock, ANSWER_WITHIN_MS).then(() => "the database does not answer")]);
}

/** A real write, to a row that is written all the time. */
async function writeTrouble(db: Database, node: string, nowMs: number): Promise<string | undefined> {
  try {
    await giveSignOfLife(db.within(eachWithin(ANSWER_WITHIN_MS / 1_000)), node, nowMs);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === READ_ONLY) return "the database takes no writes";
    if (code === DISK_FULL) return "the database's disk is full";
    return "the database does not answer";
  }
}

function journalTrouble({ journalLagMs, arrears }: ReadinessNeeds): string | undefined {
  if (arrears.state().isFull) return "no more can be kept on disk for the database: new calls are refused";
  const lagMs = journalLagMs();
  if (lagMs < LONGEST_LAG_MS) return undefined;
  return `records of calls have waited ${Math.round(lagMs / 1_000)} s to be written`;
}
