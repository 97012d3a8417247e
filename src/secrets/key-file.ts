// The file of the ring: readable for its owner alone, made once, changed only as a whole, and on the disk before anything
// is sealed with what is in it.

import { readFileSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createDurably, writeDurably } from "../durable-file.ts";
import { newKey, parseRing, printRing, type Ring } from "./ring.ts";

export type NoRing = { missing: "no-file" | "not-a-ring"; why: string };

/** Without a promise: it is read in the middle of sealing, is a few hundred bytes long and rarely asked for. */
export function readRing(path: string): Ring | NoRing {
  try {
    return parseRing(readFileSync(path, "utf8")) ?? { missing: "not-a-ring", why: `${path} is not a file of keys` };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "ENOENT") return { missing: "no-file", why: `the file of keys ${path} is not there` };
    return { missing: "not-a-ring", why: `the file of keys cannot be read: ${error.message}` };
  }
}

/** A ring with one key, unless there is a file already, whatever is in it. */
export async function makeRing(path: string, nowMs: number): Promise<boolean> {
  const key = newKey(nowMs);
  return createDurably(path, printRing({ current: key.id, keys: [key] }));
}

/** Read and written again in one go, since whoever works beside us may have added a key. */
export async function changeRing(path: string, change: (ring: Ring) => Ring): Promise<Ring> {
  const ring = readRing(path);
  if ("missing" in ring) throw new Error(ring.why);
  const changed = change(ring);
  await writeRing(path, changed);
  return changed;
}

/** What the name leads to is replaced, not a link that the operator made. */
export async function writeRing(path: string, ring: Ring): Promise<void> {
  const place = await realpath(path).catch(() => path); // not there yet
  await writeDurably(place, printRing(ring));
}

export async function isOpenToOthers(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined); // that it is missing is said elsewhere
  return found !== undefined && (found.mode & 0o077) !== 0;
}
