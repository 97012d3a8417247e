import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { pause, realClock } from "../clock.ts";
import { silentLog } from "../log.ts";
import { closelyMeasured } from "./turn-measures.ts";
import { openTurnWatch } from "./turn-watch.ts";

function watched() {
  const clock = testClock();
  const registry = new Registry();
  const said: { turnMs: number; computedMs: number }[] = [];
  const now = { activeMs: 0, spentMs: 0, longestMs: 0, p99Ms: 0, closely: false };
  const watch = openTurnWatch({
    registry,
    clock,
    log: { ...silentLog, warn: (facts) => void said.push(facts as (typeof said)[number]) },
    measures: {
      activeMs: () => now.activeMs,
      spentMs: () => now.spentMs,
      longestMs: () => (now.closely ? now.longestMs : 0),
      p99Ms: () => now.p99Ms,
      lookClosely(on) {
        now.closely = on;
      },
    },
  });
  clock.pass(10_000);
  return { clock, registry, said, now, watch };
}

test("a long turn is told once a second at most, with what the thread computed meanwhile", async () => {
  const { clock, said, now, registry, watch } = watched();
  now.activeMs += 400;
  clock.pass(1_000);
  expect(now.closely).toBe(true);
  Object.assign(now, { longestMs: 340.4, p99Ms: 12, spentMs: 355 });
  clock.pass(1_000);
  expect(said).toEqual([{ turnMs: 340, computedMs: 355 }]);
  now.longestMs = 100;
  clock.pass(5_000);
  expect(said).toHaveLength(1);
  const metrics = await registry.metrics();
  expect(metrics).toContain("santral_long_turns_total 1");
  expect(metrics).toContain("santral_turn_longest_seconds 0.34");
  expect(metrics).toContain("santral_turn_p99_seconds 0.012");
  now.longestMs = 0;
  clock.pass(1_000);
  await registry.metrics();
  expect(await registry.metrics()).toContain("santral_turn_longest_seconds 0");
  await watch.close();
  expect([clock.waiting(), now.closely]).toEqual([0, false]);
});

test("a thread at rest is left so after a while", async () => {
  const { clock, now, watch } = watched();
  clock.pass(5_000);
  expect(now.closely).toBe(false);
  now.activeMs += 60;
  clock.pass(1_000);
  expect(now.closely).toBe(true);
  clock.pass(29_000);
  expect(now.closely).toBe(true);
  clock.pass(1_000);
  expect(now.closely).toBe(false);
  await watch.close();
});

test("the last hour is remembered for the doctor", async () => {
  const { clock, now, watch } = watched();
  expect(watch.view()).toEqual({ long: 0, longestMs: 0 });
  now.activeMs += 60;
  clock.pass(1_000);
  now.longestMs = 700;
  clock.pass(1_000);
  now.longestMs = 200;
  clock.pass(1_000);
  now.longestMs = 0;
  expect(watch.view()).toEqual({ long: 2, longestMs: 700, at: new Date(clock.wall()).toISOString() });
  clock.pass(3_599_500);
  expect(watch.view()).toMatchObject({ long: 1, longestMs: 200 });
  clock.pass(1_000);
  expect(watch.view()).toEqual({ long: 0, longestMs: 0 });
  await watch.close();
});

test("what keeps this very thread busy is measured", async () => {
  const measures = closelyMeasured();
  measures.lookClosely(true);
  const [active, spent] = [measures.activeMs(), measures.spentMs()];
  await expect
    .poll(
      async () => {
        measures.longestMs();
        await pause(realClock, 50);
        for (const end = performance.now() + 250; performance.now() < end; );
        await pause(realClock, 50);
        return measures.longestMs();
      },
      { timeout: 30_000, interval: 50 },
    )
    .toBeGreaterThan(150);
  expect(measures.p99Ms()).toBeGreaterThan(0);
  expect(measures.activeMs()).toBeGreaterThan(active + 100);
  // A thread of a test is not the first of its process, of which this tells.
  expect(measures.spentMs()).toBeGreaterThanOrEqual(spent);
  measures.lookClosely(false);
});
