// Presses keys towards one stream as RFC 4733 events, one packet a tick.

import { eventOf, LONGEST_SEGMENT, writeEvent } from "../../codecs/telephone-event.ts";
import { RTP_HEADER } from "./rtp.ts";
import { nextTimestamp, sendOwn } from "./send.ts";
import type { Stream } from "./stream.ts";
import { outgoing, type Thread } from "./thread.ts";

const PRESS_MS = 120;
const PAUSE_TICKS = 4;
/** The end is said three times, since a lost end would be a key held down (RFC 4733 section 2.5.1.4). */
const ENDS = 3;
/** A key passed on from another party whose release never came. */
const LONGEST_PRESS_MS = 5000;

type Press = { event: number; units: number; mostUnits: number; timestamp: number; endsLeft: number };

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

  /** Once a tick while not idle. */
  tick(thread: Thread, stream: Stream): void {
    if (this.#pause > 0) this.#pause -= 1;
    else {
      this.#press ??= this.#begin(thread, stream);
      if (this.#press) this.#send(thread, stream, this.#press);
    }
    if (this.isIdle) this.finish();
  }

  /** Also when the stream closes: nobody waits for keys that cannot be pressed any more. */
  finish(): void {
    const done = this.#done;
    this.#done = [];
    for (const tell of done) tell();
  }

  #begin(thread: Thread, stream: Stream): Press | undefined {
    const next = this.#queue.shift();
    if (!next) return undefined;
    stream.wantsMarker = true;
    const timestamp = nextTimestamp(stream, thread.nowMs);
    const mostUnits = Math.min((next.ms * stream.codec.clockRate) / 1000, LONGEST_SEGMENT);
    return { event: next.event, units: 0, mostUnits, timestamp, endsLeft: ENDS };
  }

  #send(thread: Thread, stream: Stream, press: Press): void {
    const isEnd = press.units >= press.mostUnits;
    if (isEnd) press.endsLeft -= 1;
    else press.units = Math.min(press.units + stream.codec.clockRate / 50, LONGEST_SEGMENT);
    if (stream.sends && stream.to && stream.eventOut >= 0) {
      const bytes = writeEvent(outgoing, RTP_HEADER, { event: press.event, durationUnits: press.units, isEnd });
      sendOwn(thread, stream, { payloadType: stream.eventOut, timestamp: press.timestamp, bytes });
      stream.lastTimestamp = (press.timestamp + press.units) >>> 0;
    }
    if (press.endsLeft > 0) return;
    this.#press = undefined;
    this.#pause = PAUSE_TICKS;
  }
}
