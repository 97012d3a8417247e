// The key that hides the keys of voice in what the database keeps of calls that are up: a file of the data folder, ours alone.

import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isSealKey, newSealKey } from "../exchange/journal/kept-seal.ts";

/** One that is lost or broken costs the encrypted calls that were up, and a new one is made. */
export async function sealKeyIn(dataFolder: string): Promise<Buffer> {
  const path = join(dataFolder, "resume.key");
  const found = await readFile(path).catch(() => undefined);
  if (found && isSealKey(found)) return found;
  const made = newSealKey();
  await writeFile(`${path}.new`, made, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return made;
}
