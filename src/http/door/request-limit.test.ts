import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { TOO_LATE, timeRequest } from "./request-limit.ts";

const never = new Promise<never>(() => undefined);

test("a request that is not answered in time is told so, and nothing of it may begin", async () => {
  const clock = testClock();
  const limit = timeRequest(clock, 5_000, () => false);
  const answer = limit.answeredBy(never);
  clock.pass(4_000);
  expect(limit.leftMs()).toBe(1_000);
  clock.pass(1_000);
  expect(await answer).toBe(TOO_LATE);
  expect(limit.leftMs()).toBe(0);
});

test("what is held on purpose does not count, and the time begins anew after it", async () => {
  const clock = testClock();
  const limit = timeRequest(clock, 5_000, () => false);
  let pickUp: () => void = () => undefined;
  const ringing = new Promise<void>((resolve) => {
    pickUp = resolve;
  });
  const held = limit.hold(ringing);
  const answer = limit.answeredBy(held.then(() => never));
  clock.pass(60_000);
  expect(limit.leftMs()).toBe(5_000);
  pickUp();
  await held;
  clock.pass(4_000);
  expect(limit.leftMs()).toBe(1_000);
  clock.pass(1_000);
  expect(await answer).toBe(TOO_LATE);
});

test("nothing begins for a client that has gone, and what is sent to one that stays may take its time", async () => {
  const clock = testClock();
  let isGone = false;
  const limit = timeRequest(clock, 5_000, () => isGone);
  expect(await limit.answeredBy(Promise.resolve("a long file"))).toBe("a long file");
  clock.pass(60_000);
  expect(limit.leftMs()).toBe(5_000);
  isGone = true;
  expect(limit.leftMs()).toBe(0);
});
