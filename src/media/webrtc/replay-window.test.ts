import { expect, test } from "vitest";
import { ReplayWindow } from "./replay-window.ts";

test("each packet passes once, also when it comes a little late or the count begins anew", () => {
  const window = new ReplayWindow();
  const passes = (sequence: number) => window.isNew(1, sequence);
  expect([65_534, 65_534, 0, 65_535, 65_535, 2, 1, 0].map(passes)).toEqual([
    true,
    false,
    true,
    true,
    false,
    true,
    true,
    false,
  ]);
});

test("what is too old to be remembered does not pass, and what was jumped over does", () => {
  const window = new ReplayWindow();
  const passes = (sequence: number) => window.isNew(1, sequence);
  expect([100, 300, 299, 237, 236, 100].map(passes)).toEqual([true, true, true, true, false, false]);
});

test("sources are told apart, and only so many are remembered", () => {
  const window = new ReplayWindow();
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map((source) => window.isNew(source, 7))).toEqual([
    ...Array.from({ length: 8 }, () => true),
    false,
  ]);
});
