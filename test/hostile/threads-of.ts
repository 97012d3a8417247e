// How much of the machine a process has: its threads, its memory, and what lies in the folder of its drafts.

import { readdirSync, readFileSync } from "node:fs";

export function threadsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).length;
}

/** What it has in memory now. */
export function megabytesOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}
