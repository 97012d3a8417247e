import { describe, expect, test } from "vitest";
import { step } from "../../../../test/ground/unexpected.ts";
import type { Step } from "../../../machine.ts";
import { type Effect, type Input, inHand, type Ring, type State, table } from "./place-machine.ts";

const ann: Ring = { agent: "1001", number: 1 };
const bob: Ring = { agent: "1002", number: 2 };
const carl: Ring = { agent: "1003", number: 3 };
const left: Input = { is: "leave", outcome: { left: true } };

function life(...inputs: Input[]): { state: State; said: string[][] } {
  let state: State = { at: "waiting" };
  const said: string[][] = [];
  for (const input of inputs) {
    const { next, effects }: Step<State, Effect> = step(table, state, input);
    state = next;
    said.push(effects.map(words));
  }
  return { state, said };
}

function words(effect: Effect): string {
  if (effect.do === "leaveLine") return "leave the line";
  if (effect.do === "settle") return `settle ${JSON.stringify(effect.outcome)}`;
  return `${effect.do} ${effect.ring.number}${"cause" in effect ? `: ${effect.cause}` : ""}`;
}

const offered = (...rings: Ring[]): Input => ({ is: "offer", rings });
const answered = (ring: Ring): Input => ({ is: "answered", ring });
const unanswered = (ring: Ring): Input => ({ is: "unanswered", ring });
const greeted = (ring: Ring): Input => ({ is: "greeted", ring });
const hungUp = (ring: Ring): Input => ({ is: "hungUp", ring });
const withdrawn = ({ agent }: Ring): Input => ({ is: "withdrawn", agent });

describe("one agent", () => {
  test("answers, hears who it is, and has the caller", () => {
    expect(life(offered(ann), answered(ann), greeted(ann))).toEqual({
      state: { at: "gone" },
      said: [["ring 1"], ["greet 1"], ["serve 1"]],
    });
  });

  test("does not answer: the caller waits again", () => {
    expect(life(offered(ann), unanswered(ann))).toEqual({ state: { at: "waiting" }, said: [["ring 1"], ["miss 1"]] });
  });

  test("hangs up while he hears who it is: that is a call missed, and nobody is left on the line", () => {
    const { state, said } = life(offered(ann), answered(ann), hungUp(ann));
    expect(state).toEqual({ at: "waiting" });
    expect(said[2]).toEqual(["end 1: NORMAL_CLEARING", "miss 1"]);
  });

  test("takes no calls any more: the caller is free for others at once, whatever comes of that phone", () => {
    const gone = life(offered(ann), withdrawn(ann));
    expect(gone).toEqual({ state: { at: "waiting" }, said: [["ring 1"], ["stop 1: ORIGINATOR_CANCEL"]] });
    expect(life(offered(ann), withdrawn(ann), unanswered(ann)).said[2]).toEqual(["release 1"]);
    expect(life(offered(ann), withdrawn(ann), answered(ann)).said[2]).toEqual(["end 1: LOSE_RACE", "release 1"]);
  });

  test("takes no calls any more while he hears who it is", () => {
    const { state, said } = life(offered(ann), answered(ann), withdrawn(ann), greeted(ann));
    expect(state).toEqual({ at: "waiting" });
    expect(said.slice(2)).toEqual([["stop 1: ORIGINATOR_CANCEL"], ["end 1: ORIGINATOR_CANCEL", "release 1"]]);
  });

  test("is rung anew before his phone has stopped: what comes of the first ring says nothing of the second", () => {
    const again: Ring = { agent: "1001", number: 9 };
    const { state, said } = life(offered(ann), withdrawn(ann), offered(again), unanswered(ann));
    expect(said[3]).toEqual(["release 1"]);
    expect(inHand(state)).toEqual([again]);
  });
});

describe("several at once", () => {
  test("the first who answers stops the others, who have missed nothing", () => {
    const { state, said } = life(offered(ann, bob, carl), answered(bob), unanswered(ann), answered(carl), greeted(bob));
    expect(state).toEqual({ at: "gone" });
    expect(said).toEqual([
      ["ring 1", "ring 2", "ring 3"],
      ["stop 1: LOSE_RACE", "stop 3: LOSE_RACE", "greet 2"],
      ["release 1"],
      ["end 3: LOSE_RACE", "release 3"],
      ["serve 2"],
    ]);
  });

  test("one who refuses does not stop the others", () => {
    const { state, said } = life(offered(ann, bob), unanswered(ann));
    expect(said[1]).toEqual(["miss 1"]);
    expect(state).toEqual({ at: "offered", ringing: [bob], stopping: [] });
  });

  test("the first hangs up again: the caller waits once the other phones are silent", () => {
    const begun = [offered(ann, bob), answered(ann), hungUp(ann)];
    expect(life(...begun).state).toEqual({ at: "offered", ringing: [], stopping: [bob] });
    expect(life(...begun, unanswered(bob))).toMatchObject({ state: { at: "waiting" }, said: { 3: ["release 2"] } });
  });
});

describe("the caller goes", () => {
  test("while he waits", () => {
    expect(life(left)).toEqual({ state: { at: "gone" }, said: [["leave the line", 'settle {"left":true}']] });
  });

  test("while phones ring: they stop, and nobody has missed anything", () => {
    const { said } = life(offered(ann, bob), left, unanswered(ann), answered(bob));
    expect(said.slice(1)).toEqual([
      ["leave the line", "stop 1: ORIGINATOR_CANCEL", "stop 2: ORIGINATOR_CANCEL", 'settle {"left":true}'],
      ["release 1"],
      ["end 2: LOSE_RACE", "release 2"],
    ]);
  });

  test("while the agent hears who it is: the agent is let go", () => {
    const { said } = life(offered(ann), answered(ann), left, greeted(ann));
    expect(said[3]).toEqual(["end 1: ORIGINATOR_CANCEL", "release 1"]);
  });

  test("and whoever has been served stays served", () => {
    expect(life(offered(ann), answered(ann), greeted(ann), left).said[3]).toEqual([]);
  });
});

describe("by a supervisor's order", () => {
  const pulled = (...rings: Ring[]): Input => ({ is: "pull", rings });

  test("one who waits rings there at once, and waits again when nobody answers", () => {
    const { state, said } = life(pulled(carl), unanswered(carl));
    expect(state).toEqual({ at: "waiting" });
    expect(said).toEqual([["ring 3"], ["miss 3"]]);
  });

  test("phones that ring for him already are let go, and one that picks up too late is told so", () => {
    const { state, said } = life(offered(ann, bob), pulled(carl), answered(ann), unanswered(bob), answered(carl));
    expect(state).toEqual({ at: "taken", by: carl, stopping: [] });
    expect(said[1]).toEqual(["stop 1: ORIGINATOR_CANCEL", "stop 2: ORIGINATOR_CANCEL", "ring 3"]);
    expect(said.slice(2)).toEqual([["end 1: LOSE_RACE", "release 1"], ["release 2"], ["greet 3"]]);
  });
});
