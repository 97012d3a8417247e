// How fast messages may go: so many a second, spread evenly, with a fifth of a second's worth at once.

import { between, type Clock } from "../clock.ts";

export type Speed = {
  /** How many may go now. */
  room(): number;
  take(count: number): void;
  /** Until at least one may go. */
  waitMs(): number;
};

const FULL_SPEED: Speed = { room: () => Number.POSITIVE_INFINITY, take: () => undefined, waitMs: () => 0 };

export function speedOf(clock: Clock, perSecond: number | null): Speed {
  if (perSecond === null) return FULL_SPEED;
  const most = Math.max(1, perSecond / 5);
  let saved = most;
  let at = clock.ticks();
  const fill = () => {
    const now = clock.ticks();
    saved = Math.min(most, saved + (between(at, now) * perSecond) / 1_000);
    at = now;
  };
  return {
    room() {
      fill();
      return Math.floor(saved + 1e-9);
    },
    take(count) {
      fill();
      saved -= count;
    },
    waitMs() {
      fill();
      return saved >= 1 ? 0 : Math.ceil(((1 - saved) * 1_000) / perSecond);
    },
  };
}
