// Ends whatever a process has started and nobody else has ended, by pid: its descendants, and those whose parents were
// killed, which are known by a mark in their environment.

import { readdirSync, readFileSync } from "node:fs";

/** `mark`: a line of the environment, such as `RUN=7`. */
export type Starter = { pid: number; mark: string };

/** Whoever is about to start another is ended before he has, or seen at the next look. */
const LOOKS = 20;

/** What is still there, in no order. */
export function leftBehind({ pid: first, mark }: Starter): number[] {
  const parents = new Map(processes().map((pid) => [pid, parentOf(pid)]));
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === first || isBelow(parents.get(pid)));
  const isMarked = (pid: number) => read(pid, "environ").split("\0").includes(mark);
  return [...parents.keys()].filter((pid) => pid !== first && (isBelow(pid) || isMarked(pid)));
}

/** How many it were. Without a pause, so that this process starts nothing meanwhile. */
export function endLeftBehind(starter: Starter): number {
  const ended = new Set<number>();
  for (let look = 0; look < LOOKS; look++) {
    const left = leftBehind(starter).filter((pid) => !ended.has(pid));
    if (left.length === 0) break;
    for (const pid of left) {
      ended.add(pid);
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // it went by itself
      }
    }
  }
  return ended.size;
}

const processes = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Behind the name, which may hold anything. A zombie has nothing left to end. */
function parentOf(pid: number): number | undefined {
  const [state, parent] = read(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
  return state === "Z" || parent === undefined ? undefined : Number(parent);
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return ""; // it is gone, or somebody else's
  }
}
