import { expect, test } from "vitest";
import { openViewers } from "./viewers.ts";

test("one account leaves places to its exchange, and one exchange leaves places to the others", () => {
  const enter = openViewers({ all: 6, ofExchange: 4, ofOne: 2 });
  const [anna, bob, cem] = [1, 2, 3].map((id) => ({ exchangeId: 1, id }));
  const leave = enter(anna!)!;
  expect([enter(anna!), enter(anna!)]).toEqual([expect.any(Function), undefined]);
  expect([enter(bob!), enter(bob!), enter(cem!)]).toEqual([expect.any(Function), expect.any(Function), undefined]);
  const [deniz, ece] = [
    { exchangeId: 2, id: 4 },
    { exchangeId: 3, id: 5 },
  ];
  expect([enter(deniz), enter(ece), enter(ece)]).toEqual([expect.any(Function), expect.any(Function), undefined]);
  leave();
  leave();
  expect([enter(cem!), enter(cem!)]).toEqual([expect.any(Function), undefined]);
});
