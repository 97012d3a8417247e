// One machine whose server is killed and started again: the test of that, run with as many kills and calls as the others.

import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Row } from "./table.ts";

export async function killOneMachine({ kills, calls }: { kills: number; calls: number }): Promise<Row[]> {
  const env = { ...process.env, SANTRAL_KILLS: String(kills), SANTRAL_KILL_CALLS: String(calls) };
  const child = spawn("npx", ["vitest", "run", "test/wire/kills.test.ts"], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const code = new Promise<number>((resolve) => child.once("exit", (it) => resolve(it ?? 1)));
  const said = await text(child.stdout);
  const figure = figureIn(said);
  return [
    {
      drill: `one machine, kill -9 and restart, ${kills} times, ${calls} calls (test/wire/kills.test.ts)`,
      required: "all talk on, 95 % within 3 s, nothing lost",
      seen: figure
        ? `median ${figure.median} ms, 95 % ${figure.p95} ms, longest ${figure.longest} ms`
        : "the test failed",
      met: (await code) === 0 && figure !== undefined && figure.p95 < 3_000,
    },
  ];
}

export function figureIn(said: string): { median: number; p95: number; longest: number } | undefined {
  const [, median, p95, longest] = /in ms: median (\d+), p95 (\d+), longest (\d+)/.exec(said) ?? [];
  return median === undefined ? undefined : { median: Number(median), p95: Number(p95), longest: Number(longest) };
}
