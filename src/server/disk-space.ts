// How much room is left on the disk of a folder, and whether that is enough.

import { statfs } from "node:fs/promises";

export type DiskSpace = { freeBytes: number; is: "enough" | "low" | "full" };

const GIBIBYTE = 1024 ** 3;
/** Recordings of some days. */
const LOW_BYTES = 5 * GIBIBYTE;
/** The database itself cannot go on for long. */
const FULL_BYTES = 0.2 * GIBIBYTE;

export async function spaceUnder(folder: string): Promise<DiskSpace> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes < FULL_BYTES) return { freeBytes, is: "full" };
  return { freeBytes, is: freeBytes < LOW_BYTES ? "low" : "enough" };
}
