// Time that one process and the next count alike: it goes on evenly until the machine itself starts anew, whatever the
// clock on the wall is set to.

import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

const NANOSECONDS = 1_000_000;

/** Milliseconds of this machine's life. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / NANOSECONDS;
}

/** What to add to `performance.now()` of this thread, which counts from the thread's own beginning. */
export function machineMsAtZero(): number {
  return machineMs() - performance.now();
}

/** Another one after each start of the machine; empty where the system does not tell. */
export function machineStart(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return "";
  }
}
