import { expect, test } from "vitest";
import { seeded } from "../sip/sip-mutator.ts";
import { faults } from "./faults.ts";
import { fairMsIn, type Planned, planned } from "./weather.ts";

const plan = (seed: number, seconds = 600) => planned(seeded(seed), faults, seconds);

test("a seed brings the same weather again, and another seed another", () => {
  expect(plan(7)).toEqual(plan(7));
  expect(plan(7)).not.toEqual(plan(8));
});

test("two faults at most at once, of different concerns, all within the time, and every kind comes", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const all = plan(seed);
    for (const one of all) {
      expect(one.toSeconds).toBeLessThanOrEqual(600);
      const others = all.filter((other) => other !== one && overlap(one, other));
      expect(others.length, JSON.stringify([one, others])).toBeLessThanOrEqual(1);
      for (const { name } of others)
        expect(faults[name]?.concerns.filter((it) => faults[one.name]?.concerns.includes(it))).toEqual([]);
    }
    expect(new Set(all.map(({ name }) => name))).toEqual(new Set(Object.keys(faults)));
  }
});

test("fair time is what is left of a span without all that was ill, however it lay", () => {
  const ill = (fromMs: number, toMs: number) => ({ name: "kill", fromMs, toMs });
  const span = { fromMs: 100, toMs: 200 };
  expect(fairMsIn([], span)).toBe(100);
  expect(fairMsIn([ill(0, 50), ill(250, 300)], span)).toBe(100);
  expect(fairMsIn([ill(150, 160), ill(90, 110), ill(155, 170)], span)).toBe(70);
  expect(fairMsIn([ill(50, Number.POSITIVE_INFINITY)], span)).toBe(0);
});

const overlap = (one: Planned, other: Planned) =>
  one.fromSeconds < other.toSeconds && other.fromSeconds < one.toSeconds;
