// What state machines report in tests: an input that no cell of its table expects fails the test it came in.

import { expect } from "vitest";
import type { Step, Table, Unexpected } from "../../src/machine.ts";
import { afterEveryTest } from "./when-over.ts";

const seen: string[] = [];

/** Noted, not thrown: whoever sent the input might catch it. */
export function unexpected({ machine, state, input }: Unexpected): void {
  seen.push(`${machine}: ${state} does not expect ${input}`);
}

afterEveryTest(() => {
  expect(seen.splice(0)).toEqual([]);
});

/** For a machine that stands alone. */
export function failUnexpected(state: string, input: string): never {
  throw new Error(`${state} does not expect ${input}`);
}

/** One step of a table by hand. */
export function step<State extends { at: string }, Input extends { is: string }, Effect>(
  table: Table<State, Input, Effect>,
  state: State,
  input: Input,
): Step<State, Effect> {
  // As the engine does: the cell is chosen by the very two fields that its types narrow on.
  const cell = table[state.at as State["at"]][input.is as Input["is"]] as
    | undefined
    | "ignored"
    | ((state: State, input: Input) => Step<State, Effect>);
  if (cell === undefined) return failUnexpected(state.at, input.is);
  return cell === "ignored" ? { next: state, effects: [] } : cell(state, input);
}
