// Requests that begin something in an exchange whose owner has just died: they wait, each in a transaction of its own, until
// somebody has it.

import { type Clock, type Ticks, within } from "../clock.ts";
import type { Incoming } from "./incoming.ts";
import type { Header } from "./message/message.ts";
import type { Answered, LookAgain, Screened } from "./stack-options.ts";

type EarlyParts = { clock: Clock; hand(incoming: Incoming): void };
type Waiting = { incoming: Incoming; lookAgain: LookAgain; until: Ticks };

const LOOK_MS = 200;
/** A take-over takes three seconds, six where a machine is gone; a caller who hears nothing hangs up soon after. */
const PATIENCE_MS = 8_000;
/** Whatever comes beyond is told to come again. */
const MOST = 2_000;

const AGAIN: Header = { name: "Retry-After", value: "2" };
const TOO_EARLY: Answered = { status: 503, headers: [AGAIN] };

export class EarlyRequests {
  readonly #parts: EarlyParts;
  readonly #waiting = new Set<Waiting>();

  constructor(parts: EarlyParts) {
    this.#parts = parts;
  }

  /** What would have to wait is refused while too many do. */
  admit(screened: Screened): Screened {
    return typeof screened === "function" && this.#waiting.size >= MOST ? TOO_EARLY : screened;
  }

  take(incoming: Incoming, lookAgain: LookAgain): void {
    const one = { incoming, lookAgain, until: within(this.#parts.clock, PATIENCE_MS) };
    incoming.onLost(() => this.#waiting.delete(one));
    incoming.onCancel(() => {
      this.#waiting.delete(one);
      incoming.reply(487);
    });
    if (this.#waiting.add(one).size === 1) this.#lookSoon();
  }

  #lookSoon(): void {
    this.#parts.clock.after(LOOK_MS, () => {
      for (const one of this.#waiting) this.#look(one);
      if (this.#waiting.size > 0) this.#lookSoon();
    });
  }

  #look(one: Waiting): void {
    const { clock, hand } = this.#parts;
    const found = one.lookAgain();
    if (found === "wait" && clock.ticks() < one.until) return;
    this.#waiting.delete(one);
    if (found === "pass") return hand(one.incoming);
    const { status, headers } = typeof found === "object" ? found : TOO_EARLY;
    one.incoming.reply(status, { headers });
  }
}
