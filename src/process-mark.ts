// Which process a number means: numbers come round again, the moment at which a process began does not.

import { readFileSync } from "node:fs";

/** `began` is missing where the system does not tell, and in what older versions wrote. */
export type ProcessMark = { pid: number; began?: string | undefined };

export function ownMark(): ProcessMark {
  return markOf(process.pid);
}

export function markOf(pid: number): ProcessMark {
  return { pid, began: beganOf(pid) };
}

/** Whether it is this very process that runs, and not a later one of the same number; one that has ended does not run. */
export function isRunning({ pid, began }: ProcessMark): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false; // 0 and less mean groups of processes
  return began === undefined ? isThere(pid) && !hasEnded(pid) : beganOf(pid) === began;
}

/** The start of the machine, and how long after it the process began (field 22 of its stat); nothing for the dead. */
function beganOf(pid: number): string | undefined {
  const fields = statOf(pid);
  if (!fields || isOver(fields)) return undefined;
  return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${fields[19]}`;
}

/** Killed, and its parent has not looked yet. */
function hasEnded(pid: number): boolean {
  const fields = statOf(pid);
  return fields !== undefined && isOver(fields);
}

const isOver = ([state = ""]: string[]): boolean => /[ZXx]/.test(state);

/** From the state on; undefined for the dead, and where the system does not tell. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" "); // its name may hold anything
  } catch {
    return undefined;
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"; // somebody else's, but alive
  }
}
