import { expect, test } from "vitest";
import { lighterThanUs, receiverFor, sharesOf } from "./sharing.ts";

type Node = Parameters<typeof sharesOf>[0]["nodes"][number];

const up = (name: string, more: Partial<Node> = {}): Node => ({
  name,
  state: "up",
  isAlive: true,
  url: "http://x",
  ...more,
});
const owned = (...owners: (string | null)[]) => owners.map((node, id) => ({ id, node }));

test("who sees the same shares it out in the same way: everything goes somewhere, and nothing twice", () => {
  const nodes = [up("a"), up("b"), up("c")];
  const exchanges = owned("a", "a", null, null, null, null, null);
  const shares = nodes.map(({ name }) => sharesOf({ me: name, nodes, exchanges }));
  expect(shares.flat().sort()).toEqual([2, 3, 4, 5, 6]);
  expect(shares.map((it) => it.length)).toEqual([1, 2, 2]);
});

test("what the dead had is taken, and what the living have is left alone, also when they give it away", () => {
  const nodes = [up("a"), up("dead", { isAlive: false }), up("leaving", { state: "draining" })];
  expect(sharesOf({ me: "a", nodes, exchanges: owned("dead", "leaving", "a", "gone for ever") })).toEqual([0, 3]);
});

test("who drains, is dead, or cannot be reached by others takes nothing", () => {
  const exchanges = owned(null, null);
  for (const me of [up("b", { state: "draining" }), up("b", { isAlive: false })])
    expect(sharesOf({ me: "b", nodes: [up("a"), me], exchanges })).toEqual([]);
  const unreached = up("b", { url: "" });
  expect(sharesOf({ me: "a", nodes: [up("a"), unreached], exchanges })).toEqual([0, 1]);
});

test("a node that leaves gives to whoever has the fewest, and to nobody when there is nobody", () => {
  const nodes = [up("a"), up("b"), up("c", { state: "draining" })];
  expect(receiverFor({ me: "c", nodes, exchanges: owned("a", "c", "c") })).toBe("b");
  expect(receiverFor({ me: "c", nodes: [up("c")], exchanges: owned("c") })).toBeUndefined();
});

test("nothing goes to and fro: only who has at least two fewer is lighter", () => {
  const nodes = [up("a"), up("b")];
  expect(lighterThanUs({ me: "a", nodes, exchanges: owned("a", "a", "a", "b") })).toBe("b");
  expect(lighterThanUs({ me: "a", nodes, exchanges: owned("a", "a", "b") })).toBeUndefined();
  expect(lighterThanUs({ me: "b", nodes, exchanges: owned("a", "a", "a", "b") })).toBeUndefined();
});
