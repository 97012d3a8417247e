// One bench run to its end, or to the end of its time; whatever it started ends with it.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Bench } from "./benches.ts";
import type { Figure } from "./figure.ts";
import { readFigure } from "./figure-table.ts";
import { treeOf } from "./process-cpu.ts";

export type Ran = { figures: Figure[]; seconds: number; failed?: string };

const GRACE_MS = 5_000;
const LINES_KEPT = 40;

/** `say` hears every line that is no figure. `clone`: another one, whose own bench it is. */
export async function runBench(
  bench: Bench,
  { words, say, clone = "." }: { words: string[]; say(line: string): void; clone?: string },
): Promise<Ran> {
  const entry = `bench/${bench.name}.ts`;
  if (!existsSync(join(clone, entry))) return { figures: [], seconds: 0, failed: `there is no ${join(clone, entry)}` };
  const folder = mkdtempSync(join(tmpdir(), "b-")); // short: sockets in it have at most 107 letters
  const began = performance.now();
  const child = spawn(process.execPath, ["--expose-gc", "bench/run.mjs", entry, ...words], {
    cwd: clone,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TMPDIR: folder },
  });
  const figures: Figure[] = [];
  const last: string[] = [];
  const hear = (line: string) => {
    const figure = readFigure(line);
    if (figure) return void figures.push(figure);
    say(line);
    last.push(line);
    if (last.length > LINES_KEPT) last.shift();
  };
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", hear);
  const stop = () => endTree(child.pid!); // it was started
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    stop();
  }, bench.limitSeconds * 1_000);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  const code = await new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  clearTimeout(limit);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.removeListener(signal, stop);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const seconds = (performance.now() - began) / 1_000;
  const failed = isLate ? `it took longer than ${bench.limitSeconds} s` : code === 0 ? undefined : whyOf(last, code);
  return { figures, seconds, ...(failed !== undefined && { failed }) };
}

/** The last error that was told, without its stack. */
export function whyOf(lines: readonly string[], code: number | null): string {
  const told = lines.filter((line) => /^(\w*Error\b|Uncaught|.*\bError: )/.test(line)).at(-1);
  return told?.trim() ?? `exit code ${code ?? "none"}`;
}

/** Gently, then not: a database that was killed leaves shared memory behind, one that hangs leaves a process. */
function endTree(pid: number): void {
  const all = treeOf(pid);
  for (const it of all) tell(it, "SIGTERM");
  setTimeout(() => {
    for (const it of all) tell(it, "SIGKILL");
  }, GRACE_MS);
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended
  }
}
