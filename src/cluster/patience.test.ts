import { expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { Patience } from "./patience.ts";

test("patience with an exchange begins when it is first asked about, and anew after nothing was given away", () => {
  const clock = testClock();
  const patience = new Patience(clock);
  clock.pass(60_000);
  expect(patience.isOver(1)).toBe(false);
  clock.pass(16_000);
  expect([patience.isOver(1), patience.isOver(2)]).toEqual([true, false]);
  patience.end();
  expect(patience.isOver(1)).toBe(false);
});
