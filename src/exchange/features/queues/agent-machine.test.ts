import { expect, test } from "vitest";
import { step } from "../../../../test/ground/unexpected.ts";
import { asTicks } from "../../../clock.ts";
import { begin, type Effect, type Input, type State, table } from "./agent-machine.ts";

const NOW = 1_000_000;
const at = (ms: number) => ({ now: asTicks(ms), nowMs: NOW + ms });
const logsIn: Input = { is: "available", ...at(0) };
const miss = (mostMisses: number): Input => ({ is: "miss", mostMisses, ...at(0) });
const hangsUp = (wrapUpSeconds: number): Input => ({ is: "hangUp", wrapUpSeconds, ...at(60_000) });

function day(...inputs: Input[]): { state: State; did: Effect[] } {
  let { next: state } = begin(at(0));
  const did: Effect[] = [];
  for (const input of inputs) {
    const { next, effects } = step(table, state, input);
    state = next;
    did.push(...effects);
  }
  return { state, did };
}

test("nobody is offered a call who has not said that he takes calls", () => {
  const offerable = Object.entries(table).flatMap(([status, row]) => ("offer" in row ? [status] : []));
  expect(offerable).toEqual(["available"]);
});

test("a call answered counts, and after it comes time for notes", () => {
  const { state, did } = day(logsIn, { is: "offer" }, { is: "answer", owes: false }, hangsUp(30));
  expect(state).toMatchObject({ at: "wrapping-up", calls: 1, idleSince: 60_000, idleSinceMs: NOW + 60_000 });
  expect(did).toEqual([{ do: "start", timer: "finish", afterMs: 30_000 }]);
  expect(step(table, state, { is: "finish" })).toMatchObject({
    next: { at: "available" },
    effects: [{ do: "tellFree" }],
  });
});

test("a queue without time for notes frees him at once", () => {
  expect(day(logsIn, { is: "offer" }, { is: "answer", owes: false }, hangsUp(0)).state.at).toBe("available");
});

test("an offer let pass leaves him alone for a while, and one too many is a break", () => {
  const once = day(logsIn, { is: "offer" }, miss(2));
  expect(once.state).toMatchObject({ at: "available", misses: 1, restsUntil: 5_000 });
  const twice = day(logsIn, { is: "offer" }, miss(2), { is: "offer" }, miss(2));
  expect(twice.state).toMatchObject({ at: "on-break", misses: 0 });
  expect(twice.did).toEqual([{ do: "takeBreak" }]);
});

test("an answered call forgives the misses before it", () => {
  expect(day(logsIn, { is: "offer" }, miss(3), { is: "offer" }, { is: "answer", owes: false }).state.misses).toBe(0);
});

test("until his break is stored, what the store says does not end it", () => {
  const missed = [logsIn, { is: "offer" } as const, miss(1)];
  expect(day(...missed, logsIn).state.at).toBe("on-break");
  expect(day(...missed, { is: "breakStored" }, logsIn).state.at).toBe("available");
  expect(day(...missed, { is: "loggedOut" }, logsIn).state.at).toBe("available");
});

test("a break in the middle of a call lets the call go on, and its end is no time for notes", () => {
  const { state } = day(logsIn, { is: "offer" }, { is: "answer", owes: false }, { is: "onBreak" }, hangsUp(30));
  expect(state).toMatchObject({ at: "on-break", idleSince: 60_000, idleSinceMs: NOW + 60_000 });
});

test("who comes back from a break keeps his count of calls, who logs in anew begins at none", () => {
  const worked: Input[] = [logsIn, { is: "offer" }, { is: "answer", owes: false }, hangsUp(0)];
  expect(day(...worked, { is: "onBreak" }, logsIn).state.calls).toBe(1);
  expect(day(...worked, { is: "loggedOut" }, logsIn).state.calls).toBe(0);
});

test("a phone that stops ringing late changes nothing for whoever has gone", () => {
  for (const request of ["onBreak", "loggedOut"] as const) {
    const gone = day(logsIn, { is: "offer" }, { is: request });
    expect(step(table, gone.state, { is: "callerGone" })).toEqual({ next: gone.state, effects: [] });
  }
});

test("what he had answered before a restart counts, whatever he does just then", () => {
  const counted: Input = { is: "counted", calls: 4 };
  for (const before of [
    [],
    [{ is: "offer" }],
    [{ is: "offer" }, { is: "answer", owes: false }, hangsUp(30)],
  ] satisfies Input[][]) {
    const { state } = day(logsIn, ...before);
    expect(day(logsIn, ...before, counted).state).toEqual({ ...state, calls: state.calls + 4 });
  }
  expect(day(logsIn, counted, { is: "loggedOut" }, logsIn).state.calls).toBe(0);
});

const takes: Input[] = [logsIn, { is: "offer" }, { is: "answer", owes: true }];
const stored: Input = { is: "debtStored", kept: true };
const given: Input = { is: "debts", owes: false };

test("who owes a disposition stays at his notes until he has given it, however long that takes", () => {
  expect(day(...takes, hangsUp(0)).state.at).toBe("wrapping-up"); // not even stored yet
  expect(day(...takes, stored, hangsUp(0), { is: "ready" }).state.at).toBe("wrapping-up");
  expect(day(...takes, stored, hangsUp(30), { is: "finish" }).state.at).toBe("wrapping-up");
  const freed = day(...takes, stored, hangsUp(30), { is: "finish" }, given);
  expect(freed.state.at).toBe("available");
  expect(freed.did.at(-1)).toEqual({ do: "tellFree" });
  expect(day(...takes, stored, hangsUp(30), given).state.at).toBe("wrapping-up"); // his time for notes is his
  expect(day(...takes, stored, hangsUp(30), given, { is: "ready" }).state.at).toBe("available");
  expect(day(...takes, stored, given, hangsUp(0)).state.at).toBe("available");
  expect(day(...takes, { is: "debtStored", kept: false }, hangsUp(0)).state.at).toBe("available");
});

test("what is owed from before a restart, or over a break, is still owed", () => {
  const owes: Input = { is: "debts", owes: true };
  expect(day(owes, logsIn).state.at).toBe("wrapping-up");
  expect(day(logsIn, owes).state.at).toBe("wrapping-up");
  expect(day(owes, logsIn, { is: "onBreak" }, logsIn).state.at).toBe("wrapping-up");
  expect(day(logsIn, { is: "offer" }, owes, { is: "callerGone" }).state.at).toBe("wrapping-up");
  expect(day(owes, logsIn, { is: "answer", owes: true }, hangsUp(0)).state.at).toBe("wrapping-up");
  expect(day(owes, logsIn, given).state.at).toBe("available");
});
