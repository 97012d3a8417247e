import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import type { Clock } from "../../clock.ts";
import { watchSleep } from "./sleep-watch.ts";

/** Its timers wait while it sleeps. */
function sleeper() {
  const clock = testClock();
  let asleep = false;
  const due: (() => void)[] = [];
  const own: Clock = {
    ...clock,
    after: (ms, act) => clock.after(ms, () => (asleep ? void due.push(act) : act())),
  };
  let acts = true;
  const watch = watchSleep(own, () => acts);
  return {
    watch,
    clock,
    lives: (on: boolean) => {
      acts = on;
    },
    sleep(ms: number) {
      asleep = true;
      clock.pass(ms);
      asleep = false;
    },
    wake: () => {
      for (const act of due.splice(0)) act();
    },
  };
}

test("who was awake all the time says what he has to, also while the database is away", () => {
  const { watch, clock, lives } = sleeper();
  lives(false);
  for (let second = 0; second < 60; second++) clock.pass(1_000);
  expect(watch.isAsleep()).toBe(false);
  watch.close();
});

test("who slept past his life says nothing, whichever of his timers is first, until it is certain that it holds", () => {
  const { watch, clock, sleep, wake, lives } = sleeper();
  lives(false);
  sleep(20_000);
  expect(watch.isAsleep()).toBe(true);
  wake();
  clock.pass(2_000);
  expect(watch.isAsleep()).toBe(true);
  lives(true);
  expect(watch.isAsleep()).toBe(false);
  lives(false);
  clock.pass(2_000);
  expect(watch.isAsleep()).toBe(false);
  watch.close();
});

test("who slept while his life went on, or for a moment only, goes on at once", () => {
  const { watch, sleep, wake, lives } = sleeper();
  sleep(20_000);
  expect(watch.isAsleep()).toBe(false);
  wake();
  lives(false);
  sleep(2_000);
  expect(watch.isAsleep()).toBe(false);
  watch.close();
});
