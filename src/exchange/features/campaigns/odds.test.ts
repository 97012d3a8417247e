import { expect, test } from "vitest";
import { binomial, disappointedAtTheEnd, disappointedOnTheWay, inVain } from "./odds.ts";

test("the chances of three coins", () => {
  expect([...binomial({ count: 3, chance: 0.5 })]).toEqual([0.125, 0.375, 0.375, 0.125]);
  expect([...binomial({ count: 2, chance: 0 })]).toEqual([1, 0, 0]);
  expect([...binomial({ count: 2, chance: 1 })]).toEqual([0, 0, 1]);
});

test("a thousand tries neither vanish nor overflow", () => {
  const weights = binomial({ count: 1_000, chance: 0.1 });
  expect(weights.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 9);
  expect(weights.indexOf(Math.max(...weights))).toBe(100);
});

test("two who answer for sure and one agent: one finds nobody", () => {
  const nobody = { count: 0, chance: 0 };
  expect(disappointedAtTheEnd({ answering: { count: 2, chance: 1 }, freeing: nobody, spare: 1 })).toBeCloseTo(1, 9);
  expect(disappointedAtTheEnd({ answering: { count: 2, chance: 0.5 }, freeing: nobody, spare: 1 })).toBeCloseTo(
    0.25,
    9,
  );
  expect(inVain({ answering: nobody, freeing: nobody, spare: -2 })).toBeCloseTo(2, 9);
});

test("people who answer before an agent hangs up are disappointed, even if enough agents hang up in the end", () => {
  const outlook = { answering: { count: 100, chance: 0.2 }, freeing: { count: 40, chance: 0.5 }, spare: 5 };
  expect(disappointedOnTheWay(outlook)).toBeGreaterThan(1.5 * disappointedAtTheEnd(outlook));
});

test("more calls disappoint more, more agents fewer", () => {
  const at = (count: number, spare: number, busy: number) =>
    inVain({ answering: { count, chance: 0.3 }, freeing: { count: busy, chance: 0.1 }, spare });
  for (const count of [1, 5, 20, 80, 300]) {
    expect(at(count + 1, 3, 20)).toBeGreaterThanOrEqual(at(count, 3, 20));
    expect(at(count, 4, 20)).toBeLessThanOrEqual(at(count, 3, 20));
    expect(at(count, 3, 30)).toBeLessThanOrEqual(at(count, 3, 20) + 0.01);
  }
});
