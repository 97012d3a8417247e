// Presses keys towards one stream as RFC 4733 events, one packet a tick: what is in each of them and when.

import { eventOf, LONGEST_SEGMENT } from "../../codecs/telephone-event.ts";

const PRESS_MS = 120;
const PAUSE_TICKS = 4;
/** The end is said three times, since a lost end would be a key held down (RFC 4733 section 2.5.1.4). */
const ENDS = 3;
/** A key passed on from another party whose release never came. */
const LONGEST_PRESS_MS = 5000;

/** A key that is held down; `isEnd` in the packets that say it was let go. */
export type Press = {
  event: number;
  units: number;
  mostUnits: number;
  timestamp: number;
  isEnd: boolean;
  endsLeft: number;
};

export class EventSender {
  readonly #queue: { event: number; ms: number }[] = [];
  #press: Press | undefined;
  #pause = 0;
  #done: (() => void)[] = [];

  get isBusy(): boolean {
    return this.#press !== undefined;
  }

  get isIdle(): boolean {
    return this.#press === undefined && this.#queue.length === 0 && this.#pause === 0;
  }

  type(keys: string, done: () => void): void {
    for (const key of keys) {
      const event = eventOf(key);
      if (event >= 0) this.#queue.push({ event, ms: PRESS_MS });
    }
    this.#done.push(done);
  }

  /** Held until `release`: another party is pressing it right now. */
  hold(key: string): void {
    this.#queue.push({ event: eventOf(key), ms: LONGEST_PRESS_MS });
  }

  release(): void {
    if (this.#press) this.#press.mostUnits = Math.min(this.#press.mostUnits, this.#press.units);
    else for (const waiting of this.#queue) waiting.ms = Math.min(waiting.ms, PRESS_MS);
  }

  /** Once a tick while not idle: what is to be sent. `begin` gives a new press its timestamp. */
  tick(clockRate: number, begin: () => number): Press | undefined {
    let press: Press | undefined;
    if (this.#pause > 0) this.#pause -= 1;
    else {
      press = this.#press ??= this.#begin(clockRate, begin);
      if (press) this.#advance(press, clockRate);
    }
    if (this.isIdle) this.finish();
    return press;
  }

  /** Also when the stream closes: nobody waits for keys that cannot be pressed any more. */
  finish(): void {
    const done = this.#done;
    this.#done = [];
    for (const tell of done) tell();
  }

  #begin(clockRate: number, begin: () => number): Press | undefined {
    const next = this.#queue.shift();
    if (!next) return undefined;
    const mostUnits = Math.min((next.ms * clockRate) / 1000, LONGEST_SEGMENT);
    return { event: next.event, units: 0, mostUnits, timestamp: begin(), isEnd: false, endsLeft: ENDS };
  }

  #advance(press: Press, clockRate: number): void {
    press.isEnd = press.units >= press.mostUnits;
    if (press.isEnd) press.endsLeft -= 1;
    else press.units = Math.min(press.units + clockRate / 50, LONGEST_SEGMENT);
    if (press.endsLeft > 0) return;
    this.#press = undefined;
    this.#pause = PAUSE_TICKS;
  }
}
