// The key that hides the keys of voice in what the database keeps of calls that are up: a file of the data folder, ours alone.

import { hkdfSync } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { isSealKey, newSealKey } from "../exchange/journal/kept-seal.ts";

/** Nodes take calls over from one another: what one has sealed the others open, by the secret that they share. */
export async function sealKeyFor(config: Pick<Config, "cluster" | "nodeSecret" | "dataFolder">): Promise<Buffer> {
  if (!config.cluster || !config.nodeSecret) return sealKeyIn(config.dataFolder);
  return Buffer.from(hkdfSync("sha256", config.nodeSecret.secret(), "", "santral kept calls", 32));
}

/** One that is lost or broken costs the encrypted calls that were up, and a new one is made. */
async function sealKeyIn(dataFolder: string): Promise<Buffer> {
  const path = join(dataFolder, "resume.key");
  const found = await readFile(path).catch(() => undefined);
  if (found && isSealKey(found)) return found;
  const made = newSealKey();
  await writeFile(`${path}.new`, made, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return made;
}
