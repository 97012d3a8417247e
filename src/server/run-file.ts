// run.json: what a running server has opened, for scripts and for the command line. There while it runs, and only then.

import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { isRunning, type ProcessMark } from "../process-mark.ts";

/** Addresses as host:port, by what listens there. */
export type Opened = ProcessMark & {
  http: string;
  /** The first of `sipDoors`. */
  sip?: string;
  sipDoors?: readonly string[];
  sipTlsDoors?: readonly string[];
  /** What it was told of itself, which a command's own environment may not know. */
  publicIp?: readonly string[];
  publicUrl?: string | undefined;
  tlsCertificate?: string | undefined;
};

export async function announceRun(path: string, opened: Opened): Promise<{ close(): Promise<void> }> {
  const draft = `${path}.draft`;
  await writeFile(draft, `${JSON.stringify(opened)}\n`, { mode: 0o600 });
  await rename(draft, path);
  return { close: () => rm(path, { force: true }) };
}

/** Nothing when nobody runs: what a killed server left behind is not believed, whoever has its number now. */
export async function readRun(path: string): Promise<Opened | undefined> {
  try {
    const run = JSON.parse(await readFile(path, "utf8")) as Opened | null;
    return run && isRunning(run) ? run : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What a killed server left behind. */
export function forgetRun(path: string): Promise<void> {
  return rm(path, { force: true });
}
