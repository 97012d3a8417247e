// How long a browser's page is waited for that was on the line a moment ago.

import type { Cancel, Clock } from "../../clock.ts";

/** Long enough for a page to load and for a network to come back, short enough for whoever hears the music. */
const AWAY_MS = 20_000;

export class PageWait {
  readonly #clock: Clock;
  readonly #giveUp: () => void;
  #cancel: Cancel = () => undefined;

  constructor(clock: Clock, giveUp: () => void) {
    this.#clock = clock;
    this.#giveUp = giveUp;
  }

  begin(): void {
    this.stop();
    this.#cancel = this.#clock.after(AWAY_MS, this.#giveUp);
  }

  stop(): void {
    this.#cancel();
  }
}
