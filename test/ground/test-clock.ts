// A clock that only moves when told to.

import type { Clock } from "../../src/clock.ts";

export type TestClock = Clock & {
  pass(ms: number): void;
  /** Timers still waiting: a test may assert that nothing was left running. */
  waiting(): number;
};

export function testClock(startMs = Date.UTC(2026, 0, 5, 9)): TestClock {
  let now = startMs;
  let due: { at: number; act: () => void }[] = [];
  return {
    now: () => now,
    waiting: () => due.length,
    after(ms, act) {
      const entry = { at: now + ms, act };
      due.push(entry);
      return () => {
        due = due.filter((other) => other !== entry);
      };
    },
    pass(ms) {
      const end = now + ms;
      for (;;) {
        const next = due.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        due = due.filter((entry) => entry !== next);
        now = next.at;
        next.act();
      }
      now = end;
    },
  };
}
