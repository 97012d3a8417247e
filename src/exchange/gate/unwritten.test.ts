import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import type { Journal } from "../calls/call-journal.ts";
import { watchJournal } from "./unwritten.ts";

const quiet = () => undefined;

const nothing: Journal = {
  opened: quiet,
  resumed: quiet,
  settled: quiet,
  talks: quiet,
  handOver: async () => undefined,
  letGo: async () => true,
  rang: quiet,
  answered: quiet,
  changed: quiet,
  userLeft: quiet,
  passed: quiet,
  kept: async () => undefined,
  closed: async () => undefined,
};

test("what lies on disk counts as unwritten, and a disk that takes no more is told", () => {
  const state = { bytes: 1, entries: 1, damaged: 0, ageMs: 7_000, isFull: false };
  const { isFull, lagMs } = watchJournal(nothing, testClock(), { state: () => state });
  expect([lagMs(), isFull()]).toEqual([7_000, false]);
  state.isFull = true;
  expect(isFull()).toBe(true);
  const without = watchJournal(nothing, testClock());
  expect([without.lagMs(), without.isFull()]).toEqual([0, false]);
});

test("a journal keeps up until a record has waited too long, and again once that one is written", async () => {
  const clock = testClock();
  const writing: (() => void)[] = [];
  const slow: Journal = { ...nothing, closed: () => new Promise((resolve) => writing.push(resolve)) };
  const { journal, keepsUp } = watchJournal(slow, clock);
  const close = () => journal.closed(...([] as unknown as Parameters<Journal["closed"]>)); // it looks at neither
  const closed = [close(), close()];
  await keepsUp();
  clock.pass(1_001);
  let caughtUp = false;
  const late = keepsUp().then(() => {
    caughtUp = true;
  });
  await Promise.resolve();
  expect(caughtUp).toBe(false);
  for (const written of writing) written();
  await Promise.all([...closed, late]);
  await keepsUp();
});
