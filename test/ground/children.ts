// Children of a process, as the kernel lists them. Whatever is looked at may end meanwhile: then it is none of them.

import { readdirSync, readFileSync } from "node:fs";

/** Those of all its threads. */
export function childrenOf(pid: number): number[] {
  return threadsOf(pid)
    .flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(" "))
    .filter((text) => /^\d+$/.test(text))
    .map(Number);
}

/** The child in whose command line these words are. */
export function childOf(pid: number, words: string): number | undefined {
  return childrenOf(pid).find((child) => read(`/proc/${child}/cmdline`).includes(words));
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
