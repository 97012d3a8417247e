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
