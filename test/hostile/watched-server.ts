// A process that is watched for how long each turn of its first thread takes.

import type { ChildProcess } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../ground/santral-process.ts";

export type TurnWatch = {
  /** What its environment has to say. */
  env: { NODE_OPTIONS: string; SANTRAL_TURNS: string };
  /** What each turn of its first thread took of the processor since it was asked before, the shortest first. */
  turnsOf(child: ChildProcess): Promise<number[]>;
};

export function turnWatch(): TurnWatch {
  const told = join(temporaryFolder(), "turns.json");
  const preload = `--import=${resolve("test/hostile/turn-watch.mjs")}`;
  return {
    env: { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${preload}`.trim(), SANTRAL_TURNS: told },
    async turnsOf(child) {
      rmSync(told, { force: true });
      child.kill("SIGUSR2");
      const read = () => JSON.parse(readFileSync(told, "utf8")) as number[];
      await expect
        .poll(() => {
          try {
            return read().length;
          } catch {
            return -1;
          }
        })
        .toBeGreaterThanOrEqual(0);
      return read().sort((one, other) => one - other);
    },
  };
}

/** Of turns, the shortest first: nearly none is as long as what a listener hears. */
export function expectShort(turns: readonly number[]): void {
  expect(turns[Math.floor(turns.length * 0.99)]).toBeLessThan(20);
}

/** Something hostile, and how it is sent. */
export type Beast = readonly [what: string, send: () => Promise<unknown>];

/** One turn may come to be measured with the next, so that a few may be longer; none is long. */
export async function expectUnnoticed(zoo: Iterable<Beast>, turns: () => Promise<number[]>): Promise<void> {
  await turns();
  const all: number[] = [];
  for (const [what, send] of zoo) {
    await send();
    const found = await turns();
    expect({ what, longest: found.at(-1) ?? 0 }).toEqual({ what, longest: expect.toSatisfy((it: number) => it < 100) });
    all.push(...found);
  }
  expectShort(all.sort((one, other) => one - other));
}
