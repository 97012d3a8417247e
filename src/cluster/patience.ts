// How long a node that gives its exchanges away waits until nobody rings in one: who rings is rung again by the next node.

import { type Clock, type Ticks, within } from "../clock.ts";

const PATIENCE_MS = 15_000;

export class Patience {
  readonly #clock: Clock;
  readonly #until = new Map<number, Ticks>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** It is counted from the first question on. */
  isOver(exchangeId: number): boolean {
    const until = this.#until.get(exchangeId) ?? within(this.#clock, PATIENCE_MS);
    this.#until.set(exchangeId, until);
    return this.#clock.ticks() > until;
  }

  /** Nothing is given away any more. */
  end(): void {
    this.#until.clear();
  }
}
