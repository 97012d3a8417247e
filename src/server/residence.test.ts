import { expect, test } from "vitest";
import { residenceOf } from "./residence.ts";

const OURS = "10.0.0.1:5060";
const THEIRS = "10.0.0.2:5060";

/** Exchange 1 lives here, 2 at the other node. */
function nodeOfTwo() {
  const state = {
    acts: true,
    held: [1],
    other: { isAlive: true, isDoubted: false, untilMs: 6_000 },
    leaving: [] as number[],
  };
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
      const { isAlive, isDoubted } = state.other;
      return isAlive ? { is: "there", node: "two", url: "http://two", sip: THEIRS, isDoubted } : { is: "nowhere" };
    },
    held: () => state.held,
    everyExchange: () => 2,
    others: () => (state.other.isAlive ? [other()] : []),
    own: () => ({ node: "one", url: "", sip: OURS }),
  } as unknown as Parameters<typeof residenceOf>[0]);
  return { state, residence };
}

const later = { at: undefined, isKnown: true, isSoon: true };

test("who asks for what lives elsewhere is told where, and who asks for nothing known is not taken while others may know it", () => {
  const { state, residence } = nodeOfTwo();
  expect(residence.ofNew(["a.example", "elsewhere.example"], undefined)()).toBe("here");
  expect(residence.ofNew(["b.example"], undefined)()).toEqual({ at: THEIRS, isKnown: true, isSoon: false });
  const carrier = residence.ofNew(["carrier.example", "203.0.113.10"], undefined);
  expect(carrier()).toEqual({ at: undefined, isKnown: false, isSoon: false });
  state.held = [1, 2];
  expect(carrier()).toBe("here");
  state.acts = false;
  expect(carrier()).toEqual({ at: undefined, isKnown: true, isSoon: false });
});

test("what begins in an exchange that nobody has, or that leaves, is somebody's soon", () => {
  const { state, residence } = nodeOfTwo();
  const leaving = residence.ofNew(["a.example"], undefined);
  state.leaving = [1];
  expect(leaving()).toEqual(later);
  const ask = residence.ofNew(["b.example"], undefined);
  const carrier = residence.ofNew(["carrier.example"], undefined);
  state.other.isDoubted = true;
  expect(ask()).toEqual(later);
  state.other = { ...state.other, isDoubted: false, isAlive: false };
  expect(ask()).toEqual(later);
  expect(carrier()).toEqual({ ...later, isKnown: false });
  state.held = [1, 2];
  expect([ask(), carrier()]).toEqual(["here", "here"]);
});

test("a node that was silent to an edge may have died, until it is heard of in the database", () => {
  const { state, residence } = nodeOfTwo();
  const ask = residence.ofNew(["b.example"], THEIRS);
  const carrier = residence.ofNew(["carrier.example"], THEIRS);
  expect(residence.ofNew(["b.example"], "10.0.0.9:5060")()).toEqual({ at: THEIRS, isKnown: true, isSoon: false });
  expect([ask(), carrier()]).toEqual([later, { ...later, isKnown: false }]);
  state.other.untilMs += 2_000;
  expect(ask()).toEqual({ at: THEIRS, isKnown: true, isSoon: false });
  expect(carrier()).toEqual({ at: undefined, isKnown: false, isSoon: false });
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
