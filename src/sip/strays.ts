// Requests inside dialogs that nobody owns yet, because whoever will is still being put together after a start.

import type { Incoming } from "./incoming.ts";

/** Whatever comes beyond is told that there is no such dialog, as ever. */
const MOST = 2_000;

export class Strays {
  #held: Incoming[] | undefined;

  /** `hold`: from the beginning, until `release`. */
  constructor(hold: boolean) {
    this.#held = hold ? [] : undefined;
  }

  /** Whether it waits now. */
  take(incoming: Incoming): boolean {
    if (!this.#held || this.#held.length >= MOST) return false;
    this.#held.push(incoming);
    return true;
  }

  release(deliver: (incoming: Incoming) => void): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const incoming of held) deliver(incoming);
  }
}
