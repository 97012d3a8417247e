// A command of the operator's as its program runs it, without the second that a program takes to start. Where a running
// server is to have heard of what it changed, a program of its own leaves it the time that it takes to end.

import { vi } from "vitest";
import { realClock } from "../../src/clock.ts";
import { environment } from "./santral-process.ts";

export type Printed = { code: number; stdout: string; stderr: string };

/** They are told their folder, and print, where others are and do: one at a time. */
let turn: Promise<unknown> = Promise.resolve();

export function ownCommand(
  dataFolder: string,
  words: readonly string[],
  { env = {} }: { env?: Record<string, string> } = {},
): Promise<Printed> {
  const mine = turn.then(() => run(dataFolder, words, env));
  turn = mine.catch(() => undefined);
  return mine;
}

async function run(dataFolder: string, words: readonly string[], env: Record<string, string>): Promise<Printed> {
  const { runCommand } = await import("../../src/cli/program.ts");
  const before = process.env;
  const printed = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    }),
  );
  process.env = environment(dataFolder, env);
  try {
    return { code: await runCommand([...words], realClock), ...printed };
  } finally {
    process.env = before;
    for (const spy of spies) spy.mockRestore();
  }
}
