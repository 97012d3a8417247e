// What a program says, kept in a file of its own for whoever wants to know afterwards why something was lost.

import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** A folder; without it nothing is kept. */
export const KEPT_LOGS = "SANTRAL_TEST_LOGS";

export function keptLog(name: string): (text: string | Buffer) => void {
  const folder = process.env[KEPT_LOGS];
  if (!folder) return () => {};
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.log`);
  return (text) => appendFileSync(file, text);
}
