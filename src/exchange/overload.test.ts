import { expect, test } from "vitest";
import type { Clock } from "../clock.ts";
import { watchLoad } from "./overload.ts";

test("a process that is late again and again says so, and calms down again; once is nothing", () => {
  let now = 0;
  let look: () => void = () => undefined;
  const clock: Clock = {
    now: () => now,
    after(_, act) {
      look = act;
      return () => undefined;
    },
  };
  const load = watchLoad(clock);
  const pass = (ms: number) => {
    now += ms;
    look();
  };
  pass(110);
  expect(load.isOverloaded()).toBe(false);
  pass(900);
  expect(load.isOverloaded()).toBe(false);
  pass(900);
  expect(load.isOverloaded()).toBe(true);
  for (let times = 0; times < 11; times++) pass(100);
  expect(load.isOverloaded()).toBe(false);
  pass(2_500);
  expect(load.isOverloaded()).toBe(false);
});
