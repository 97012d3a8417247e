// Where our own files lie, seen from the sources as from the built program: both are one folder below the root.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const migrationsFolder = fileURLToPath(new URL("../src/store/migrations", import.meta.url));

/** What the command line is started by. */
export const commandFile = fileURLToPath(new URL("../bin/santral.mjs", import.meta.url));

export function programVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
