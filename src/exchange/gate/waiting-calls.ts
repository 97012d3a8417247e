// Calls that wait a moment for leave to begin, and the judgement whether they wait for a hiccup or for ever.
//
// A stall of the machine, or an office that picks up the phone all at once, makes a line that melts away. When more is
// asked for than is carried the line stands: whoever comes first in it has waited long, look after look. That is told
// apart in the way of CoDel (RFC 8289): neither the length of the line counts nor the longest wait in it, only whether
// nobody was served soon during a whole while.

import { between, type Cancel, type Clock, type Ticks } from "../../clock.ts";

/** Told once whether a call may begin. */
export type Tell = (mayBegin: boolean) => void;

/** A caller hardly notices so long; his phone has heard that we are trying long before. */
const LONG_WAIT_MS = 1_000;
const WHILE_MS = 1_000;
/** What a core carries in about two seconds: by then a line that long is judged to stand anyway. */
const MOST_WAITING = 1_000;

export class WaitingCalls {
  readonly #clock: Clock;
  /** In the order they came. */
  readonly #waiting = new Set<{ since: Ticks; tell: Tell }>();
  #longSince: Ticks | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get length(): number {
    return this.#waiting.size;
  }

  get isFull(): boolean {
    return this.#waiting.size >= MOST_WAITING;
  }

  /** Until what is returned is called. */
  join(tell: Tell): Cancel {
    const place = { since: this.#clock.ticks(), tell };
    this.#waiting.add(place);
    return () => void this.#waiting.delete(place);
  }

  /** Looked at before each serving: has it stood for a whole while? */
  isStanding(): boolean {
    const now = this.#clock.ticks();
    const [first] = this.#waiting;
    if (!first || between(first.since, now) < LONG_WAIT_MS) {
      this.#longSince = undefined;
      return false;
    }
    this.#longSince ??= now;
    return between(this.#longSince, now) >= WHILE_MS;
  }

  /** The first ones, as many as there are: how many they were. */
  serve(most: number, mayBegin: boolean): number {
    let served = 0;
    for (const place of this.#waiting) {
      if (served >= most) break;
      served += 1;
      this.#waiting.delete(place);
      place.tell(mayBegin);
    }
    return served;
  }
}
