import { expect, test } from "vitest";
import { step } from "../../../../test/ground/unexpected.ts";
import { begin, type Input, type State, table } from "./campaign-machine.ts";

const HOUR = 3_600_000;
const open = (closesMs: number): Input => ({ is: "looked", opening: { open: true, closesMs }, nowMs: 0 });
const shut = (opensMs: number | undefined): Input => ({ is: "looked", opening: { open: false, opensMs }, nowMs: 0 });

/** Where it ends up, and what it does on the way. */
function play(from: State, ...inputs: Input[]) {
  let state = from;
  const did: string[] = [];
  for (const input of inputs) {
    const { next, effects } = step(table, state, input);
    did.push(...effects.map((effect) => (effect.do === "start" ? `${effect.timer} in ${effect.afterMs}` : effect.do)));
    state = next;
  }
  return { at: state.at, did };
}

test("a campaign begins by asking the calendar, and dials when it is open", () => {
  expect(begin.effects).toEqual([{ do: "look" }]);
  expect(play(begin.next, open(60_000))).toEqual({ at: "dialling", did: ["turn in 60000"] });
});

test("what is asked again while nothing changes sets no second timer", () => {
  expect(play(begin.next, open(60_000), open(60_000), open(60_000)).did).toEqual(["turn in 60000"]);
});

test("at its closing time it looks, and waits for the next opening, which it never trusts for long", () => {
  expect(play(begin.next, open(60_000), { is: "turn" }, shut(10 * HOUR))).toEqual({
    at: "closed",
    did: ["turn in 60000", "look", "turn in 60000"],
  });
  expect(play(begin.next, shut(undefined)).at).toBe("closed");
});

test("when nobody is due it rests until somebody is, and a nearer retry wakes it earlier", () => {
  const dry: Input = { is: "ranDry", nextDueMs: 30_000, nowMs: 0 };
  expect(play(begin.next, open(HOUR), dry)).toMatchObject({ at: "resting" });
  expect(play(begin.next, open(HOUR), dry, { is: "refilled", dueMs: 10_000, nowMs: 0 }).did.at(-1)).toBe(
    "due in 10000",
  );
  expect(play(begin.next, open(HOUR), dry, { is: "refilled", dueMs: 40_000, nowMs: 0 }).did.at(-1)).toBe(
    "due in 30000",
  );
  expect(play(begin.next, open(HOUR), dry, { is: "due" }, open(HOUR)).at).toBe("dialling");
});

test("when nobody waits it is over, until a retry makes it go on", () => {
  const dry: Input = { is: "ranDry", nextDueMs: undefined, nowMs: 0 };
  expect(play(begin.next, open(HOUR), dry).at).toBe("over");
  expect(play(begin.next, open(HOUR), dry, { is: "refilled", dueMs: 5, nowMs: 0 })).toMatchObject({ at: "new" });
});

test("a stop is heard everywhere, and nothing after it", () => {
  for (const before of [
    [],
    [open(HOUR)],
    [shut(HOUR)],
    [open(HOUR), { is: "ranDry", nextDueMs: 9, nowMs: 0 }],
  ] as Input[][])
    expect(play(begin.next, ...before, { is: "stop" }, open(HOUR), { is: "refilled", dueMs: 0, nowMs: 0 }).at).toBe(
      "stopped",
    );
});

test("a clock that is set forward over its opening or a retry is noticed within a minute", () => {
  expect(play(begin.next, shut(10 * HOUR), { is: "turn" }).did).toEqual(["turn in 60000", "look"]);
  const dry: Input = { is: "ranDry", nextDueMs: HOUR, nowMs: 0 };
  expect(play(begin.next, open(60_000), dry, { is: "due" }).did).toEqual(["turn in 60000", "due in 60000", "look"]);
});
