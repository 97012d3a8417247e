// The database server inside a data folder, as its faults are played: frozen, or gone and unable to start again.

import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { lockOf } from "../../src/store/postmaster.ts";
import { childrenOf } from "./children.ts";
import { whenOver } from "./when-over.ts";

/** Its number; undefined while it is not there, also in the moment in which a later one puts the file of a dead one away. */
export function databaseIn(data: string): number | undefined {
  return lockOf(join(data, "pg"))?.pid || undefined;
}

/** Of one that runs. */
export function databasePidIn(data: string): number {
  const pid = databaseIn(data);
  if (pid === undefined) throw new Error(`no database runs in ${data}`);
  return pid;
}

/** The server of the database and all its children. */
function processesIn(data: string): number[] {
  const pid = databasePidIn(data);
  return [pid, ...childrenOf(pid)];
}

export function freezeDatabase(data: string): { thaw(): void } {
  const frozen = processesIn(data);
  for (const pid of frozen) process.kill(pid, "SIGSTOP");
  const thaw = () => {
    for (const pid of frozen.splice(0)) process.kill(pid, "SIGCONT");
  };
  whenOver(thaw);
  return { thaw };
}

/** Killed, and without the file that it needs to start, until that is given back. */
export function takeDatabaseAway(data: string): { giveBack(): void } {
  const control = join(data, "pg", "global", "pg_control");
  renameSync(control, `${control}.away`);
  for (const pid of processesIn(data)) process.kill(pid, "SIGKILL");
  const giveBack = () => {
    if (existsSync(`${control}.away`)) renameSync(`${control}.away`, control);
  };
  whenOver(giveBack);
  return { giveBack };
}
