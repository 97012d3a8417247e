import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { type Pool, rateLimit } from "./rate-limit.ts";

const table: [pool: Pool, burst: number, perMinute: number][] = [
  ["default", 10, 120],
  ["originate", 100, 180],
  ["campaigns", 50, 120],
  ["statuses", 2, 2],
  ["cdrs", 6, 6],
  ["waiting", 10, 10],
  ["recording", 5, 5],
];

test.each(table)("%s lets %i through at once and then %i a minute", (pool, burst, perMinute) => {
  const clock = testClock();
  const limit = rateLimit(clock);
  const passed = () => {
    let count = 0;
    while (limit.take(pool, "101 192.0.2.1") === 0) count++;
    return count;
  };
  expect(passed()).toBe(burst);
  let later = 0;
  for (let second = 0; second < 600; second++) {
    clock.pass(1_000);
    later += passed();
  }
  expect(later).toBe(perMinute * 10);
});

test("the answer says how long to wait, and waiting that long is enough", () => {
  const clock = testClock();
  const limit = rateLimit(clock);
  limit.take("statuses", "a");
  limit.take("statuses", "a");
  const wait = limit.take("statuses", "a");
  expect(wait).toBe(30_000);
  clock.pass(wait - 1);
  expect(limit.take("statuses", "a")).toBe(1);
  clock.pass(1);
  expect(limit.take("statuses", "a")).toBe(0);
});

test("callers and pools do not share a bucket", () => {
  const limit = rateLimit(testClock());
  for (let count = 0; count < 6; count++) expect(limit.take("cdrs", "a")).toBe(0);
  expect(limit.take("cdrs", "a")).toBeGreaterThan(0);
  expect(limit.take("cdrs", "b")).toBe(0);
  expect(limit.take("default", "a")).toBe(0);
});

test("a flood of addresses is forgotten rather than kept, and an honest bucket in use survives", () => {
  const clock = testClock();
  const limit = rateLimit(clock, { mostBuckets: 1_000 });
  for (let count = 0; count < 100_000; count++) {
    limit.take("cdrs", `flood ${count}`);
    if (count % 100 === 0) limit.take("cdrs", "honest");
  }
  expect(limit.take("cdrs", "honest")).toBeGreaterThan(0);
});

test.each([-3_600_000, 3_600_000])(
  "a clock that is set by %i ms neither fills a bucket nor keeps it empty",
  (stepMs) => {
    const clock = testClock();
    const limit = rateLimit(clock);
    for (let count = 0; count < 2; count++) limit.take("statuses", "a");
    clock.pass(10_000);
    clock.setWall(clock.wall() + stepMs);
    expect(limit.take("statuses", "a")).toBe(20_000);
    clock.pass(20_000);
    expect(limit.take("statuses", "a")).toBe(0);
  },
);

test("whoever has a network of IPv6 has one allowance, from whichever of its addresses he asks", () => {
  const limit = rateLimit(testClock());
  const waits = (who: string) => limit.take("default", who) > 0;
  for (let at = 1; at <= 10; at++) expect(waits(`2001:db8:1:2::${at}`)).toBe(false);
  expect(waits("2001:db8:1:2:ffff::1")).toBe(true);
  expect(waits("2001:db8:1:3::1")).toBe(false);
  for (let at = 1; at <= 10; at++) expect(waits(`17 2001:db8:1:2::${at}`)).toBe(false);
  expect(waits("17 2001:db8:1:2:ffff::1")).toBe(true);
  expect(waits("18 2001:db8:1:2:ffff::1")).toBe(false);
});
