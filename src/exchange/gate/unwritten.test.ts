import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import type { Journal } from "../calls/call-journal.ts";
import { watchJournal } from "./unwritten.ts";

const quiet = () => undefined;

test("a journal keeps up until a record has waited too long, and again once that one is written", async () => {
  const clock = testClock();
  const writing: (() => void)[] = [];
  const slow: Journal = {
    opened: quiet,
    resumed: quiet,
    settled: quiet,
    handOver: async () => undefined,
    rang: quiet,
    answered: quiet,
    changed: quiet,
    userLeft: quiet,
    kept: async () => undefined,
    closed: () => new Promise((resolve) => writing.push(resolve)),
  };
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
