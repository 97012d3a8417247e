import { expect, test } from "vitest";
import { testClock } from "../test/ground/test-clock.ts";
import { failUnexpected } from "../test/ground/unexpected.ts";
import { Machine, type StartTimer, type Step, type Table } from "./machine.ts";

type State = { at: "idle" } | { at: "ringing"; times: number };
type Input = { is: "lift" | "drop" | "ring" | "wait" };
type Effect = { do: "say"; word: string } | StartTimer<"ring">;

const ringSoon: Effect = { do: "start", timer: "ring", afterMs: 100 };
const begin: Step<State, Effect> = { next: { at: "idle" }, effects: [] };

const table: Table<State, Input, Effect> = {
  idle: {
    lift: () => ({ next: { at: "ringing", times: 0 }, effects: [{ do: "say", word: "lifted" }, ringSoon] }),
    drop: "ignored",
  },
  ringing: {
    ring: (state) => ({ next: { ...state, times: state.times + 1 }, effects: [{ do: "say", word: "ring" }] }),
    wait: (state) => ({ next: state, effects: [ringSoon] }),
    drop: () => ({ next: { at: "idle" }, effects: [{ do: "say", word: "dropped" }] }),
  },
};

function open() {
  const clock = testClock();
  const said: string[] = [];
  const machine = new Machine(table, begin, clock, {
    perform: ({ word }) => void said.push(word),
    unexpected: failUnexpected,
  });
  return { clock, said, machine };
}

test("a step is finished before the input its effect caused is taken", () => {
  const said: string[] = [];
  const machine: Machine<State, Input, Effect> = new Machine(table, begin, testClock(), {
    perform({ word }) {
      if (said.length === 0) {
        machine.receive({ is: "drop" });
        machine.receive({ is: "lift" });
      }
      said.push(word);
    },
    unexpected: failUnexpected,
  });
  machine.receive({ is: "lift" });
  expect(said).toEqual(["lifted", "dropped", "lifted"]);
});

test("a timer dies with the state that started it", () => {
  const { clock, said, machine } = open();
  machine.receive({ is: "lift" });
  clock.pass(100);
  for (const is of ["drop", "lift", "drop"] as const) machine.receive({ is });
  expect(said).toEqual(["lifted", "ring", "dropped", "lifted", "dropped"]);
  expect(clock.waiting()).toBe(0);
});

test("a timer that is started again while it runs begins anew, and goes off once", () => {
  const { clock, said, machine } = open();
  machine.receive({ is: "lift" });
  clock.pass(60);
  machine.receive({ is: "wait" });
  expect(clock.waiting()).toBe(1);
  clock.pass(99);
  expect(said).toEqual(["lifted"]);
  clock.pass(101);
  expect(said).toEqual(["lifted", "ring"]);
});

test("what a state ignores changes nothing; what it does not expect changes nothing and is reported", () => {
  const reported: string[] = [];
  const machine = new Machine(table, begin, testClock(), {
    perform: () => undefined,
    unexpected: (state, input) => void reported.push(`${state} ${input}`),
  });
  machine.receive({ is: "drop" });
  machine.receive({ is: "wait" });
  expect(machine.state()).toEqual({ at: "idle" });
  expect(reported).toEqual(["idle wait"]);
});

test("an effect that breaks leaves a machine that goes on, with its inputs in order", () => {
  const said: string[] = [];
  const machine: Machine<State, Input, Effect> = new Machine(table, begin, testClock(), {
    perform({ word }) {
      said.push(word);
      if (said.length > 1) return;
      machine.receive({ is: "drop" });
      throw new Error("broken");
    },
    unexpected: failUnexpected,
  });
  expect(() => machine.receive({ is: "lift" })).toThrow("broken");
  machine.receive({ is: "lift" });
  expect(said).toEqual(["lifted", "dropped", "lifted"]);
});
