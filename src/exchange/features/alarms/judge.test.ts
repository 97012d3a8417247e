import { expect, test } from "vitest";
import { testClock } from "../../../../test/ground/test-clock.ts";
import type { AlarmAbout } from "../../../store/queue-alarms.ts";
import { judge, levelOf, QUIET, type Reading } from "./judge.ts";

/** What is decided, second by second. */
function story(about: AlarmAbout, threshold: number, readings: readonly Reading[]): string[] {
  const clock = testClock();
  let watch = QUIET;
  return readings.flatMap((reading, second) => {
    const verdict = judge(watch, { about, threshold, reading, now: clock.ticks() });
    watch = verdict.decides ? { isOn: verdict.decides === "begin", since: undefined } : verdict.watch;
    clock.pass(1_000);
    return verdict.decides ? [`${second}: ${verdict.decides}`] : [];
  });
}

const seconds = (count: number, reading: Reading): Reading[] => Array.from({ length: count }, () => reading);

test("somebody waits too long: it begins at once, and ends when nobody has for ten seconds", () => {
  expect(story("longest-wait", 20, [...seconds(3, 19), ...seconds(5, 20), ...seconds(20, 0)])).toEqual([
    "3: begin",
    "18: end",
  ]);
});

test("a figure that goes to and fro at the threshold makes one alarm", () => {
  const toAndFro = Array.from({ length: 120 }, (_, second) => (second % 2 === 0 ? 20 : 17));
  expect(story("longest-wait", 20, [...toAndFro, ...seconds(20, 3)])).toEqual(["0: begin", "130: end"]);
  const now = Array.from({ length: 60 }, (_, second) => (second % 8 < 7 ? 0 : 40));
  expect(story("longest-wait", 20, now)).toEqual(["7: begin"]);
});

test("a crowd is one that stays for three seconds", () => {
  expect(story("waiting", 2, [2, 2, 2, 1, 2, 2, 2, 2, ...seconds(12, 1)])).toEqual(["7: begin", "18: end"]);
  expect(story("waiting", 1, [...seconds(4, 1), ...seconds(11, 0)])).toEqual(["3: begin", "14: end"]);
});

test("a service level has to come back by two in a hundred, and one that nobody knows is no alarm", () => {
  expect(story("service-level", 80, [null, 80, 79, ...seconds(20, 81), ...seconds(11, 82)])).toEqual([
    "2: begin",
    "33: end",
  ]);
  expect(story("service-level", 100, [99, ...seconds(11, 100)])).toEqual(["0: begin", "11: end"]);
  expect(story("service-level", 80, [20, ...seconds(11, null)])).toEqual(["0: begin", "11: end"]);
  expect(levelOf({ calls: 4, level: 0 })).toBe(null);
  expect(levelOf({ calls: 5, level: 0.799 })).toBe(79);
});
