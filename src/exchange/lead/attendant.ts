// One party on the phone as a script sees it: answer, play, collect, record. When the party is gone every wait throws.

import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import type { MediaEngine, PlayEnd, RecordEnd, Sound } from "../../media/engine.ts";
import type { Call } from "../calls/call.ts";
import type { Goal } from "../calls/goal.ts";
import type { Leg } from "../calls/leg.ts";

/** Cancels a script: the caller hung up, or was taken elsewhere. Only `runScript` catches it. */
export class CallerGone extends Error {}

/** Where a script records what is spoken to it, until that is kept or thrown away. */
export type Tape = { folder: string; discard(path: string): Promise<void> };

export type Collecting = {
  /** Played until the first key. */
  sounds: Sound[];
  most: number;
  /** For the first key, once the sounds are over, and then for each further one. */
  firstMs: number;
  betweenMs: number;
  /** Ends the input and is not part of it. */
  endKey?: string;
};

export type Collected = { digits: string; ended: "most" | "key" | "time" };

export type AttendantParts = {
  call: Call<Goal>;
  leg: Leg;
  signal: AbortSignal;
  media: MediaEngine;
  clock: Clock;
};

export class Attendant {
  readonly #parts: AttendantParts;

  constructor(parts: AttendantParts) {
    this.#parts = parts;
  }

  /** He hears us, and that is all: nobody has taken his call. */
  async answer(): Promise<void> {
    const { leg, call } = this.#parts;
    const first = !leg.isAnswered();
    await this.#pickUp();
    call.heard({ first });
    this.#check();
  }

  /** It is us whom he called, a fax machine or his own mailbox: from here on the call is an answered one. */
  async accept(): Promise<void> {
    await this.answer();
    this.#parts.call.answered(undefined);
  }

  /** He hears us while he waits in line. */
  async keepWaiting(): Promise<void> {
    await this.answer();
    this.#parts.call.note({ queuedMs: this.#parts.call.clock.wall() });
  }

  async #pickUp(): Promise<void> {
    const { leg } = this.#parts;
    this.#check();
    if (!leg.isAnswered() && !(await leg.answer())) throw new CallerGone();
  }

  /** Resolves when it has been heard to its end, or a key was pressed where keys may interrupt. */
  async play(sounds: Sound[], { interruptible = false, repeat = 1 as number | "forever" } = {}): Promise<PlayEnd> {
    if (sounds.length === 0) return { ended: "finished" };
    return this.#orGone(this.#parts.media.play(this.#stream(), { sounds, repeat, interruptible }));
  }

  /** Plays on while the script does something else. */
  playOn(sounds: Sound[]): void {
    if (sounds.length > 0) void this.#parts.media.play(this.#stream(), { sounds, repeat: "forever" });
  }

  async stopPlaying(): Promise<void> {
    await this.#parts.media.stopPlaying(this.#stream());
  }

  async wait(ms: number): Promise<void> {
    await this.#orGone(new Promise<void>((resolve) => this.#parts.clock.after(ms, resolve)));
  }

  /** Anything else a script waits for. */
  until<Result>(work: Promise<Result>): Promise<Result> {
    return this.#orGone(work);
  }

  async collect({ sounds, most, firstMs, betweenMs, endKey }: Collecting): Promise<Collected> {
    const { call, leg, media, clock } = this.#parts;
    const stream = this.#stream();
    return this.#orGone(
      new Promise<Collected>((resolve) => {
        let digits = "";
        let cancel = () => {};
        const finish = (ended: Collected["ended"]) => {
          cancel();
          stop();
          void media.stopPlaying(stream);
          resolve({ digits, ended });
        };
        const waitFor = (ms: number) => {
          cancel();
          cancel = clock.after(ms, () => finish("time"));
        };
        const stop = call.onDigits(leg, (digit) => {
          if (digits === "") void media.stopPlaying(stream);
          if (digit === endKey) return finish("key");
          digits += digit;
          return digits.length >= most ? finish("most") : waitFor(betweenMs);
        });
        const heard = sounds.length === 0 ? Promise.resolve() : media.play(stream, { sounds });
        void heard.then(() => {
          if (digits === "") waitFor(firstMs);
        });
      }),
    );
  }

  /** A hang-up ends a recording, it does not undo it: this wait does not throw. */
  record(options: { folder: string; name: string; maxMs: number; silenceMs: number; stopKeys: string }) {
    const { folder, name, ...request } = options;
    const path = join(folder, name);
    const recorded: Promise<RecordEnd> = this.#parts.media.record(this.#stream(), { path, ...request });
    return recorded.then((end) => ({ ...end, path }));
  }

  #stream(): string {
    this.#check();
    const stream = this.#parts.leg.stream();
    if (stream === undefined) throw new CallerGone();
    return stream;
  }

  #check(): void {
    if (this.#parts.signal.aborted) throw new CallerGone();
  }

  #orGone<Result>(work: Promise<Result>): Promise<Result> {
    const { signal } = this.#parts;
    return new Promise((resolve, reject) => {
      const gone = () => reject(new CallerGone());
      if (signal.aborted) return gone();
      signal.addEventListener("abort", gone, { once: true });
      work.then(
        (result) => {
          signal.removeEventListener("abort", gone);
          if (signal.aborted) reject(new CallerGone());
          else resolve(result);
        },
        (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))),
      );
      return undefined;
    });
  }
}
