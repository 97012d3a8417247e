import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { type Waiter, WaitingRoom } from "./waiting-room.ts";

const someone = (more: Partial<Waiter> = {}): Waiter => ({ exchangeId: 1, bytes: 0, isGone: () => false, ...more });

function room() {
  const clock = testClock();
  const room = new WaitingRoom(clock);
  /** Whether it may wait at all. */
  const waits = async (waiter: Waiter) => {
    const on = room.begin(waiter).on();
    clock.pass(100);
    return on;
  };
  return { clock, room, waits };
}

test("a request looks again and again, and gives up after five seconds", async () => {
  const { clock, room: waiting } = room();
  const wait = waiting.begin(someone());
  for (let looks = 0; looks < 50; looks++) {
    const looked = wait.on();
    clock.pass(100);
    expect(await looked, `look ${looks}`).toBe(true);
  }
  expect(await wait.on()).toBe(false);
});

test("whose client has left waits no longer", async () => {
  const { clock, room: waiting } = room();
  let isGone = false;
  const wait = waiting.begin(someone({ isGone: () => isGone }));
  const first = wait.on();
  isGone = true;
  clock.pass(100);
  expect(await first).toBe(false);
  expect(await wait.on()).toBe(false);
});

test("one exchange leaves room for the others, all together for what else there is, and who goes makes room", async () => {
  const { clock, room: waiting, waits } = room();
  const first = waiting.begin(someone());
  void first.on();
  for (let other = 1; other < 200; other++) void waiting.begin(someone()).on();
  expect(await waits(someone())).toBe(false);
  expect(await waits(someone({ exchangeId: 2 }))).toBe(true);
  first.over();
  expect(await waits(someone())).toBe(true);
  for (let exchangeId = 3; exchangeId < 1_100; exchangeId++) void waiting.begin(someone({ exchangeId })).on();
  expect(await waits(someone({ exchangeId: 5_000 }))).toBe(false);
  clock.pass(10_000);
});

test("what is kept of their bodies is bounded", async () => {
  const { waits } = room();
  expect(await waits(someone({ bytes: 40 * 1024 * 1024 }))).toBe(true);
  expect(await waits(someone({ exchangeId: 2, bytes: 40 * 1024 * 1024 }))).toBe(false);
  expect(await waits(someone({ exchangeId: 2, bytes: 4 * 1024 * 1024 }))).toBe(true);
});
