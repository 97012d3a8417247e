import { expect, test } from "vitest";
import { residenceOf } from "./residence.ts";

const OURS = "10.0.0.1:5060";
const THEIRS = "10.0.0.2:5060";

/** Exchange 1 lives here, 2 at the other node. */
function nodeOfTwo() {
  const state = { acts: true, held: [1], other: { isAlive: true, untilMs: 6_000 }, leaving: [] as number[] };
  const other = () => ({
    name: "two",
    sip: THEIRS,
    url: "http://two",
    until: new Date(state.other.untilMs),
    exchanges: 1,
  });
  const owns = (id: number) => state.acts && state.held.includes(id);
  const residence = residenceOf({
    acts: () => state.acts,
    exchangeOf: (domain: string) => ({ "a.example": 1, "b.example": 2 })[domain],
    owns,
    takesNew: (id: number) => owns(id) && !state.leaving.includes(id),
    where: (id: number) => {
      if (owns(id)) return { is: "here" };
      return state.other.isAlive ? { is: "there", node: "two", url: "http://two", sip: THEIRS } : { is: "nowhere" };
    },
    held: () => state.held,
    everyExchange: () => 2,
    others: () => (state.other.isAlive ? [other()] : []),
    own: () => ({ node: "one", url: "", sip: OURS }),
  } as unknown as Parameters<typeof residenceOf>[0]);
  return { state, residence };
}

test("who asks for what lives elsewhere is told where, and who asks for nothing known is not taken while others may know it", () => {
  const { state, residence } = nodeOfTwo();
  expect(residence.of(["a.example", "elsewhere.example"])).toBe("here");
  expect(residence.of(["b.example"])).toEqual({ at: THEIRS });
  expect(residence.of(["carrier.example", "203.0.113.10"])).toBe("unknown");
  state.leaving = [1];
  expect(residence.of(["a.example"])).toEqual({ at: undefined });
  state.held = [1, 2];
  expect(residence.of(["carrier.example"])).toBe("here");
  state.acts = false;
  expect(residence.of(["b.example"])).toEqual({ at: undefined });
});

test("what is said about a call of a node that may have died waits until that node is heard of, or its calls are here", () => {
  const { state, residence } = nodeOfTwo();
  const [gone, alive] = [1, 2].map(() => residence.ofCall(["b.example"], { door: THEIRS, isTold: false }));
  expect(alive!()).toBe("soon");
  state.other.untilMs += 1_000;
  expect(alive!()).toBe("soon");
  state.other.untilMs += 1_000;
  expect(alive!()).toEqual({ at: THEIRS });
  state.other.isAlive = false;
  expect(gone!()).toBe("soon");
  state.held = [1, 2];
  expect(gone!()).toBe("nobody");
});

test("a call that names no exchange is nobody's where it was sent to this door, and else may be another's", () => {
  const { state, residence } = nodeOfTwo();
  expect(residence.ofCall(["carrier.example"], { door: OURS, isTold: false })()).toBe("nobody");
  const ask = residence.ofCall(["carrier.example"], { door: THEIRS, isTold: false });
  const told = residence.ofCall(["carrier.example"], { door: "203.0.113.10:5060", isTold: true });
  expect([ask(), told()]).toEqual(["soon", "soon"]);
  state.other.untilMs += 2_000;
  expect([ask(), told()]).toEqual([{ at: THEIRS }, { at: undefined }]);
  state.other.isAlive = false;
  expect(ask()).toBe("soon");
  state.held = [1, 2];
  expect(ask()).toBe("nobody");
});
