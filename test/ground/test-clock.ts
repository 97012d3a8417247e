// A clock that only moves when told to.

import { asTicks, asWall, type Clock } from "../../src/clock.ts";

export type TestClock = Clock & {
  pass(ms: number): void;
  /** Somebody sets the wall's clock; what waits and measures must not notice. */
  setWall(ms: number): void;
  /** Timers still waiting: a test may assert that nothing was left running. */
  waiting(): number;
  /** Whether somebody waits for a moment that is no further away. */
  isDue(ms: number): boolean;
};

/** Ticks begin where no stamp could be: whoever takes one for the other is found out. */
const BEGAN_MS = 1_000;

export function testClock(startMs = Date.UTC(2026, 0, 5, 9)): TestClock {
  let now = BEGAN_MS;
  let wallAheadMs = startMs - BEGAN_MS;
  let due: { at: number; act: () => void }[] = [];
  return {
    ticks: () => asTicks(now),
    wall: () => asWall(now + wallAheadMs),
    setWall(ms) {
      wallAheadMs = ms - now;
    },
    waiting: () => due.length,
    isDue: (ms) => due.some((entry) => entry.at <= now + ms),
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
