// Which process a number means: numbers come round again, the moment at which a process began does not.

import { readFileSync } from "node:fs";

/** `began` is missing where the system does not tell, and in what older versions wrote. */
export type ProcessMark = { pid: number; began?: string | undefined };

export function ownMark(): ProcessMark {
  return { pid: process.pid, began: beganOf(process.pid) };
}

/** Whether it is this very process that runs, and not a later one of the same number. */
export function isRunning({ pid, began }: ProcessMark): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false; // 0 and less mean groups of processes
  return began === undefined ? isAlive(pid) : beganOf(pid) === began;
}

/** The start of the machine, and how long after it the process began (field 22 of its stat); nothing for the dead. */
function beganOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // its name may hold anything
    if (/[ZXx]/.test(state)) return undefined; // killed, and its parent has not looked yet
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${fields[18]}`;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"; // somebody else's, but alive
  }
}
