// What lies in a folder.

import { readdir } from "node:fs/promises";

/** Nothing in one that is not there. One that cannot be read is no empty one: that is an error. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
