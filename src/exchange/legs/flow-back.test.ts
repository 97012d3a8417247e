import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import type { Destination } from "../../sip/transport/transport.ts";
import { FlowBack } from "./flow-back.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const flow: Destination = { transport: "tls", address: "192.0.2.7", port: 40_000, connection: "new" };

function away() {
  const clock = testClock();
  const found: Destination[] = [];
  let tell: ((flow: Destination) => void) | undefined;
  const way = new FlowBack(
    clock,
    (hear) => {
      tell = hear;
      return () => {
        tell = undefined;
      };
    },
    (where) => found.push(where),
  );
  return { clock, way, found, comes: () => tell?.(flow), isListenedFor: () => tell !== undefined };
}

const isKept = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise((resolve) => setImmediate(() => resolve(false)))]);

test("what there is to say waits half a minute, and is then said where the phone was", async () => {
  const { clock, way, found } = away();
  expect(await isKept(way.wait())).toBe(false);
  clock.pass(33_000);
  expect(await isKept(way.wait())).toBe(true);
  expect(found).toEqual([]);
});

test("who comes back within the hour is told what did not reach him", async () => {
  const { clock, way, found, comes, isListenedFor } = away();
  const back = way.comesBack();
  clock.pass(HOUR_MS);
  expect(await isKept(back)).toBe(false);
  comes();
  expect(await back).toBe(true);
  expect(found).toEqual([flow]);
  expect([clock.waiting(), isListenedFor()]).toEqual([0, false]);
});

test("who has not come back when his registration must be over is not waited for", async () => {
  const { clock, way, isListenedFor } = away();
  const back = way.comesBack();
  clock.pass(3 * HOUR_MS);
  expect(await back).toBe(false);
  expect([clock.waiting(), isListenedFor()]).toEqual([0, false]);
});

test("nothing is left running once nobody has anything to say", async () => {
  const { clock, way, isListenedFor } = away();
  way.stop();
  expect(await way.comesBack()).toBe(false);
  expect([clock.waiting(), isListenedFor()]).toEqual([0, false]);
});
