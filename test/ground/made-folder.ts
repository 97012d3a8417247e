// A data folder in which the first run is over: made once a run of the tests by the program itself, then copied. Making
// a database anew is the dearest part of a start, and only few tests are about it.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { startProcess } from "./santral-process.ts";

/** Puts one at that place, where nothing is yet; without one at hand the place stays empty, and the next start makes it. */
export async function putMadeFolder(place: string): Promise<void> {
  const made = await madeFolder();
  if (made === undefined) return;
  const copied = spawnSync("cp", ["-a", "--reflink=auto", made, place], { encoding: "utf8" });
  if (copied.status !== 0) throw new Error(`a made data folder could not be copied: ${copied.stderr}`);
}

/** Whoever comes first makes it; who comes meanwhile does not wait. */
async function madeFolder(): Promise<string | undefined> {
  const home = join(dirname(inject("databaseFolder")), "made");
  const whole = join(home, "whole");
  if (existsSync(whole)) return join(home, "data");
  try {
    mkdirSync(home);
  } catch {
    return undefined;
  }
  const server = await startProcess(join(home, "data"));
  await server.end("SIGTERM");
  mkdirSync(whole);
  return join(home, "data");
}
