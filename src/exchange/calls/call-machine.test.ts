import { describe, expect, test } from "vitest";
import { step } from "../../../test/ground/unexpected.ts";
import { beginByFetching, beginWithCaller, callTable, type Effect, type Input, type State } from "./call-machine.ts";

const table = callTable<string>();

function life(begin: { next: State<string>; effects: Effect<string>[] }, ...inputs: Input<string>[]) {
  let state = begin.next;
  const said = [begin.effects.map(words)];
  for (const input of inputs) {
    const { next, effects } = step(table, state, input);
    state = next;
    said.push(effects.map(words));
  }
  return { at: state.at, said };
}

function words(effect: Effect<string>): string {
  if (effect.do === "lead") return `lead ${effect.leg ?? "nobody"} to ${effect.goal}`;
  if (effect.do === "stopLeading") return `stop leading: ${effect.cause}`;
  if (effect.do === "join") return `join ${effect.a} and ${effect.b}`;
  if (effect.do === "rejoin") return `join ${effect.a} and ${effect.b} again`;
  if (effect.do === "part") return `part ${effect.leg}`;
  if (effect.do === "end") return `end ${effect.leg}: ${effect.cause}`;
  if (effect.do === "tellTransferor") return `tell ${effect.leg}: ${effect.ending?.cause ?? "done"}`;
  return `close: ${effect.ending.cause} by ${effect.by ?? "us"}`;
}

const connected = (leg: string): Input<string> => ({ is: "connected", leg });
const ended = (leg: string): Input<string> => ({ is: "ended", leg, ending: { cause: "NORMAL_CLEARING" } });
const busy: Input<string> = { is: "failed", ending: { cause: "USER_BUSY" } };

describe("two people", () => {
  test("one calls, the other answers and hangs up", () => {
    expect(life(beginWithCaller("Ann", "Bob"), connected("bob"), ended("bob"))).toEqual({
      at: "over",
      said: [["lead Ann to Bob"], ["join Ann and bob"], ["end Ann: NORMAL_CLEARING", "close: NORMAL_CLEARING by bob"]],
    });
  });

  test("whoever was promised a further question is led to it when the other hangs up first", () => {
    const withSurvey: Input<string> = { is: "connected", leg: "bob", afterwards: "survey" };
    const begun = beginWithCaller("Ann", "queue");
    expect(life(begun, withSurvey, ended("bob"))).toEqual({
      at: "led",
      said: [["lead Ann to queue"], ["join Ann and bob"], ["part Ann", "lead Ann to survey"]],
    });
    expect(life(begun, withSurvey, ended("bob"), busy).said[3]).toEqual([
      "end Ann: USER_BUSY",
      "close: USER_BUSY by us",
    ]);
    expect(life(begun, withSurvey, ended("Ann")).said[2]).toEqual([
      "end bob: NORMAL_CLEARING",
      "close: NORMAL_CLEARING by Ann",
    ]);
    const sentOn: Input<string> = { is: "transfer", keep: "Ann", drop: "bob", goal: "Carl", stays: false };
    expect(life(begun, withSurvey, sentOn, connected("carl"), ended("carl")).at).toBe("over");
  });

  test("a caller who gives up stops the ringing", () => {
    expect(life(beginWithCaller("Ann", "Bob"), ended("Ann")).said[1]).toEqual([
      "stop leading: NORMAL_CLEARING",
      "close: NORMAL_CLEARING by Ann",
    ]);
  });

  test("a busy callee ends the call with his word", () => {
    expect(life(beginWithCaller("Ann", "Bob"), busy).said[1]).toEqual(["end Ann: USER_BUSY", "close: USER_BUSY by us"]);
  });

  test("a call that we start rings its first party, then takes it on", () => {
    expect(life(beginByFetching("1000", "outside"), connected("desk"), connected("far")).said).toEqual([
      ["lead nobody to 1000"],
      ["lead desk to outside"],
      ["join desk and far"],
    ]);
  });

  test("the longest allowed call ends for both", () => {
    expect(life(beginWithCaller("Ann", "Bob"), connected("bob"), { is: "timeUp" }).said[2]).toEqual([
      "end Ann: ALLOTTED_TIMEOUT",
      "end bob: ALLOTTED_TIMEOUT",
      "close: ALLOTTED_TIMEOUT by us",
    ]);
  });
});

describe("transfers", () => {
  const sentOn = (stays: boolean): Input<string> => ({ is: "transfer", keep: "Ann", drop: "bob", goal: "Carl", stays });

  test("by the API: the one who sends on is gone at once", () => {
    const { said } = life(beginWithCaller("Ann", "Bob"), connected("bob"), sentOn(false), connected("carl"));
    expect(said.slice(2)).toEqual([
      ["part Ann", "end bob: NORMAL_CLEARING", "lead Ann to Carl"],
      ["join Ann and carl"],
    ]);
  });

  test("by a phone: he stays until the new one answers", () => {
    const { said } = life(beginWithCaller("Ann", "Bob"), connected("bob"), sentOn(true), connected("carl"));
    expect(said.slice(2)).toEqual([
      ["part Ann", "part bob", "lead Ann to Carl"],
      ["join Ann and carl", "tell bob: done", "end bob: NORMAL_CLEARING"],
    ]);
  });

  test("by a phone to somebody busy: he gets the caller back", () => {
    const { at, said } = life(beginWithCaller("Ann", "Bob"), connected("bob"), sentOn(true), busy);
    expect(at).toBe("talking");
    expect(said[3]).toEqual(["tell bob: USER_BUSY", "join Ann and bob"]);
  });

  test("by a phone to a voice of ours: he may go as soon as the voice has taken the caller", () => {
    const { at, said } = life(beginWithCaller("Ann", "Bob"), connected("bob"), sentOn(true), { is: "taken" });
    expect(at).toBe("led");
    expect(said[3]).toEqual(["tell bob: done", "end bob: NORMAL_CLEARING"]);
  });

  test("he hangs up without waiting and nobody answers: the caller is told why", () => {
    const { said } = life(beginWithCaller("Ann", "Bob"), connected("bob"), sentOn(true), ended("bob"), busy);
    expect(said.slice(3)).toEqual([[], ["end Ann: USER_BUSY", "close: USER_BUSY by us"]]);
  });

  test("the caller hangs up while he is being sent on", () => {
    const { said } = life(beginWithCaller("Ann", "Bob"), connected("bob"), sentOn(true), ended("Ann"));
    expect(said[3]).toEqual([
      "stop leading: NORMAL_CLEARING",
      "end bob: NORMAL_CLEARING",
      "close: NORMAL_CLEARING by Ann",
    ]);
  });

  test("attended: the third party takes the place of the one in the middle", () => {
    const { said } = life(beginWithCaller("Ann", "Bob"), connected("bob"), { is: "takeOver", from: "bob", by: "carl" });
    expect(said[2]).toEqual(["part Ann", "end bob: ATTENDED_TRANSFER", "join Ann and carl"]);
  });

  test("sent elsewhere before anybody answered: whoever sent him on first still waits for how it goes", () => {
    const elsewhere: Input<string> = { is: "transfer", keep: "Ann", drop: "Ann", goal: "Dan", stays: false };
    const begun = beginWithCaller("Ann", "Bob");
    expect(life(begun, connected("bob"), sentOn(true), elsewhere, connected("dan")).said.slice(3)).toEqual([
      ["stop leading: NORMAL_CLEARING", "lead Ann to Dan"],
      ["join Ann and dan", "tell bob: done", "end bob: NORMAL_CLEARING"],
    ]);
  });

  test("out of a menu: the voice stops, and the caller is taken elsewhere", () => {
    const { at, said } = life(beginWithCaller("Ann", "menu"), {
      is: "transfer",
      keep: "Ann",
      drop: "",
      goal: "Carl",
      stays: false,
    });
    expect(at).toBe("led");
    expect(said[1]).toEqual(["stop leading: NORMAL_CLEARING", "lead Ann to Carl"]);
  });
});

test("nothing that happens to strangers, or after the end, moves a call", () => {
  const { at, said } = life(beginWithCaller("Ann", "Bob"), connected("bob"), ended("carl"), ended("Ann"), ended("bob"));
  expect(at).toBe("over");
  expect([said[2], said[4]]).toEqual([[], []]);
});
