// Runs the RTP generator beside an exchange and says what the exchange used meanwhile.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Usage } from "./exchange-process.ts";
import { GENERATOR_CORE } from "./two-cores.ts";

/** Where all callers, and all callees, send and hear voice. */
export const CALLERS_PORT = 21_000;
export const CALLEES_PORT = 21_002;

type Load = { sent: number; received: number; p50: number; p99: number; worst: number; late: number };

export function compileLoad(): string {
  const program = join(mkdtempSync(join(tmpdir(), "rtp-load-")), "rtp-load");
  execFileSync("gcc", ["-O2", "-o", program, "bench/rtp-load.c", "-lpthread"]);
  return program;
}

export async function runLoad(
  program: string,
  { calls, seconds, ports, usage }: { calls: number; seconds: number; ports: number[]; usage(): Usage },
) {
  const words = [calls, seconds, CALLERS_PORT, CALLEES_PORT].map(String);
  const load = spawn("taskset", ["-c", GENERATOR_CORE, program, ...words], { stdio: ["pipe", "pipe", "inherit"] });
  load.stdin.end(ports.join("\n"));
  const lines = createInterface(load.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const [before, started] = [usage().cpuMs, performance.now()];
  const result = JSON.parse((await lines.next()).value as string) as Load;
  const cores = (usage().cpuMs - before) / (performance.now() - started);
  return { ...result, cores, lossPercent: 100 * (1 - result.received / result.sent) };
}
