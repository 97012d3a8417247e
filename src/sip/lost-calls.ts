// Requests about calls that nobody here knows. Where another node may have had the call and has died, they wait for whoever
// takes it over, who may be us; where another has it, they are told so.

import type { Clock } from "../clock.ts";
import { type Ticks, within } from "../clock.ts";
import type { Incoming } from "./incoming.ts";
import type { Header, Request } from "./message/message.ts";
import type { Source } from "./transport/transport.ts";

/** Asked again while it is soon; headers: somebody else's, and they go with the 503. */
export type Whose = () => "nobody" | "soon" | { headers: Header[] };

type LostParts = { clock: Clock; seek: ((request: Request, source: Source) => Whose) | undefined };

/** `found`: whether somebody has taken it by now. */
type Waiting = { incoming: Incoming; found: () => boolean; whose: Whose; until: Ticks };

const LOOK_MS = 200;
/** Well below the 32 s after which whoever asks gives up. */
const PATIENCE_MS = 20_000;
/** Whatever comes beyond is told to come again. */
const MOST = 2_000;

export class LostCalls {
  readonly #parts: LostParts;
  #waiting: Waiting[] = [];

  constructor(parts: LostParts) {
    this.#parts = parts;
  }

  /** Asked before anything is kept of a request. */
  isNobodys(request: Request, source: Source): boolean {
    return this.#parts.seek === undefined || this.#parts.seek(request, source)() === "nobody";
  }

  take(incoming: Incoming, found: () => boolean): void {
    const { clock, seek } = this.#parts;
    const whose: Whose = seek?.(incoming.request, incoming.source) ?? (() => "nobody");
    const one = { incoming, found, whose, until: within(clock, PATIENCE_MS) };
    if (!this.#mustWait(one) || this.#waiting.push(one) > 1) return;
    this.#lookAgain();
  }

  #lookAgain(): void {
    this.#parts.clock.after(LOOK_MS, () => {
      this.#waiting = this.#waiting.filter((one) => !one.found() && this.#mustWait(one));
      if (this.#waiting.length > 0) this.#lookAgain();
    });
  }

  /** What need not is answered. */
  #mustWait({ incoming, whose, until }: Waiting): boolean {
    const { clock } = this.#parts;
    const known = whose();
    if (known === "soon" && this.#waiting.length <= MOST && clock.ticks() < until) return true;
    if (known === "nobody") incoming.reply(481);
    else incoming.reply(503, { headers: known === "soon" ? [{ name: "Retry-After", value: "2" }] : known.headers });
    return false;
  }
}
