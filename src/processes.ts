// Other processes of this machine, by their pid.

import { readFileSync } from "node:fs";

/** Whether it runs: one that has ended, and that nobody has buried yet, does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false; // somebody else's, but alive
  }
  try {
    // The name before the state may hold anything, brackets too.
    return !/^\s*[ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\)/s, ""));
  } catch {
    return true; // there was one a moment ago, and /proc need not be there
  }
}

/** Whether it is one of ours: a pid that was written down may be anybody's by now. */
export function isSantral(pid: number): boolean {
  try {
    return isRunning(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("santral");
  } catch {
    return false;
  }
}
