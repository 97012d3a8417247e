import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { sharedTimers } from "./shared-timers.ts";

test("short timers keep their time, long ones of one length end together and never early", () => {
  const clock = testClock();
  const timers = sharedTimers(clock);
  const ended: string[] = [];
  timers.after(500, () => ended.push("short"));
  for (let at = 0; at < 50; at++) timers.after(32_000, () => ended.push("long"));
  expect(clock.waiting()).toBe(2);
  clock.pass(500);
  expect(ended).toEqual(["short"]);
  clock.pass(31_499);
  expect(ended).toHaveLength(1);
  clock.pass(251);
  expect(ended).toHaveLength(51);
  expect(clock.waiting()).toBe(0);
});

test("a long timer that is cancelled never acts, and the last of its group takes the real one along", () => {
  const clock = testClock();
  const timers = sharedTimers(clock);
  const acted: number[] = [];
  const cancels = [1, 2, 3].map((number) => timers.after(32_000, () => acted.push(number)));
  clock.pass(1_000);
  cancels.push(timers.after(32_000, () => acted.push(4)));
  cancels[0]!();
  cancels[1]!();
  cancels[1]!();
  expect(clock.waiting()).toBe(2);
  cancels[2]!();
  expect(clock.waiting()).toBe(1);
  cancels[3]!();
  expect(clock.waiting()).toBe(0);
  expect(acted).toEqual([]);
});

test("a stopped clock forgets its long timers", () => {
  const clock = testClock();
  const timers = sharedTimers(clock);
  timers.after(32_000, () => expect.unreachable());
  timers.stop();
  expect(clock.waiting()).toBe(0);
});
