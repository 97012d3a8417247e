import { expect, test } from "vitest";
import { step } from "../../../test/ground/unexpected.ts";
import { type Input, type State, table } from "./referral-machine.ts";

const becomes = (at: State["at"], is: Input["is"]) => step(table, { at }, { is });

test("a phone that talks sends the other party to a number", () => {
  expect(becomes("talking", "number")).toEqual({ next: { at: "settled" }, effects: [{ do: "sendOn" }] });
});

test("a second call that still rings ends, and the other party is sent where it rang", () => {
  expect(becomes("talking", "ringing").effects).toEqual([{ do: "endSecond" }, { do: "sendOn" }]);
});

test("a second call that was answered becomes one with the first", () => {
  expect(becomes("talking", "answered").effects).toEqual([{ do: "putTogether" }]);
});

test("a call that is not its own second one is no reference", () => {
  expect(becomes("talking", "strange").effects).toEqual([{ do: "refuse", cause: "INVALID_CALL_REFERENCE" }]);
});

test.each(["alone", "outside"] as const)("whoever is %s sends nobody anywhere", (at) => {
  for (const is of ["number", "strange", "ringing", "answered"] as const)
    expect(becomes(at, is).effects).toEqual([{ do: "refuse", cause: "CALL_REJECTED" }]);
});
