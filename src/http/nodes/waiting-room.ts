// Requests whose exchange lives nowhere for the moment wait for its next owner: not too many, not too long, and none for a
// client that has left.

import { type Clock, pause, until, within } from "../../clock.ts";

export type Waiter = {
  exchangeId: number;
  /** What is kept of its body meanwhile. */
  bytes: number;
  isGone(): boolean;
};

export type Wait = {
  /** True after a moment, in which things may have changed; false when it is not worth to wait any longer. */
  on(ms?: number): Promise<boolean>;
  over(): void;
};

/** Somebody has it soon: a node that dies is noticed after a few seconds, one that stops gives it away at once. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 100;
/** Of one exchange not so many that the others' find no room. */
const MOST = { requests: 1_000, ofOneExchange: 200, bytes: 64 * 1024 * 1024 };

export class WaitingRoom {
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Its patience begins; it takes room when it first has to wait. */
  begin(waiter: Waiter): Wait {
    const end = within(this.#clock, PATIENCE_MS);
    return {
      on: async (ms = LOOK_MS) => {
        if (waiter.isGone() || until(this.#clock, end) <= 0 || !this.#enter(waiter)) return false;
        await pause(this.#clock, ms);
        return !waiter.isGone();
      },
      over: () => void this.#waiting.delete(waiter),
    };
  }

  #enter(waiter: Waiter): boolean {
    if (this.#waiting.has(waiter)) return true;
    if (this.#waiting.size >= MOST.requests) return false;
    const others = [...this.#waiting];
    const bytes = others.reduce((sum, it) => sum + it.bytes, waiter.bytes);
    const like = others.filter(({ exchangeId }) => exchangeId === waiter.exchangeId).length;
    if (like >= MOST.ofOneExchange || bytes > MOST.bytes) return false;
    this.#waiting.add(waiter);
    return true;
  }
}
