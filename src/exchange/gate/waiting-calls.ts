// Calls that wait a moment for leave to begin, and the judgement whether they wait for a hiccup or for ever.
//
// A stall of the machine, or an office that picks up the phone all at once, makes a line that melts away. When more is
// asked for than is carried the line stands: whoever comes first in it has waited long, look after look. That is told
// apart in the way of CoDel (RFC 8289): neither the length of the line counts nor the longest wait in it, only whether
// nobody was served soon during a whole while.

import type { Cancel, Clock } from "../../clock.ts";

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
  readonly #waiting = new Set<{ sinceMs: number; tell: Tell }>();
  #longSinceMs: number | undefined;

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
    const place = { sinceMs: this.#clock.now(), tell };
    this.#waiting.add(place);
    return () => void this.#waiting.delete(place);
  }

  /** Looked at before each serving: has it stood for a whole while? */
  isStanding(): boolean {
    const nowMs = this.#clock.now();
    const [first] = this.#waiting;
    if (!first || nowMs - first.sinceMs < LONG_WAIT_MS) {
      this.#longSinceMs = undefined;
      return false;
    }
    this.#longSinceMs ??= nowMs;
    return nowMs - this.#longSinceMs >= WHILE_MS;
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
