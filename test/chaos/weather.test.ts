import { expect, test } from "vitest";
import { seeded } from "../sip/sip-mutator.ts";
import { faults } from "./faults.ts";
import { type Planned, planned } from "./weather.ts";

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

const overlap = (one: Planned, other: Planned) =>
  one.fromSeconds < other.toSeconds && other.fromSeconds < one.toSeconds;
