// How many files and sockets the process may have open at once, and what of it HTTP may take.

import { readFile } from "node:fs/promises";
import { type ConnectionLimits, USUAL_CONNECTIONS } from "../http/door/connections.ts";

/** Undefined where the kernel does not say. */
export async function openFilesLimit(): Promise<number | undefined> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/** A quarter: the rest is for voice, SIP, the database and the files of calls. */
export async function connectionLimits(openFiles = openFilesLimit()): Promise<ConnectionLimits> {
  const quarter = Math.floor(((await openFiles) ?? Number.POSITIVE_INFINITY) / 4);
  const all = Math.min(USUAL_CONNECTIONS.all, quarter);
  return { all, ofOne: Math.min(USUAL_CONNECTIONS.ofOne, Math.floor(all / 2)) };
}
