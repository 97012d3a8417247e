// The machine as its console shows it: the server's own facts, and the backups it keeps.

import { statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Arrears } from "../arrears/arrears.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { SystemFacts, SystemOffice } from "../http/console/operation/system-office.ts";
import { countJobs } from "../jobs/jobs.ts";
import type { Log } from "../log.ts";
import { commandFile, programVersion } from "../places.ts";
import type { RunProgram } from "../programs/program.ts";
import type { Database } from "../store/db.ts";
import { sql } from "../store/sql.ts";
import { openBackupKeeper } from "./backup-keeper.ts";
import type { WatchedReadiness } from "./readiness.ts";

export type SystemNeeds = {
  config: Pick<Config, "operators">;
  /** Sees every exchange. */
  all: Pick<Database, "query">;
  clock: Clock;
  log: Log;
  runProgram: RunProgram;
  dataFolder: string;
  readiness: Pick<WatchedReadiness, "ask">;
  arrears: Pick<Arrears, "state">;
};

export function openSystemOffice(needs: SystemNeeds): SystemOffice & { close(): Promise<void> } {
  const { config, all, clock, log, runProgram, dataFolder } = needs;
  const startedMs = clock.wall();
  const keeper = openBackupKeeper({
    folder: join(dataFolder, "backups"),
    command: (file) => ({
      command: process.execPath,
      words: [commandFile, "backup", file, "--yes", "--json"],
      isOurs: true,
    }),
    runProgram,
    clock,
    log,
  });
  return {
    async isOperator(exchangeId) {
      if (config.operators !== undefined) return config.operators === exchangeId;
      const others = await all.query(sql`select 1 from exchanges where id <> $1 limit 1`, [exchangeId]);
      return others.length === 0;
    },
    facts: () => readFacts(needs, startedMs),
    backups: keeper.look,
    makeBackup: () => keeper.make("made"),
    removeBackup: keeper.remove,
    planBackups: keeper.plan,
    lendBackup: keeper.lend,
    openLent: keeper.openLent,
    close: keeper.close,
  };
}

async function readFacts(
  { all, dataFolder, readiness, arrears }: SystemNeeds,
  startedMs: number,
): Promise<SystemFacts> {
  const [ready, disk, jobs, [database]] = await Promise.all([
    readiness.ask(),
    statfs(dataFolder),
    countJobs(all as Database),
    all.query<{ bytes: number }>(sql`select pg_database_size(current_database()) as bytes`),
  ]);
  return {
    version: programVersion(),
    node: process.version,
    startedMs,
    notReady: ready.ready ? null : ready.because,
    diskFreeBytes: disk.bavail * disk.bsize,
    diskBytes: disk.blocks * disk.bsize,
    databaseBytes: database!.bytes, // a select without a table has one row
    jobs,
    owed: arrears.state().entries,
  };
}
