// When workers look for jobs unasked: when the next one comes due, for of anything new there is a notice.

import type { Cancel, Clock } from "../clock.ts";

export type LookParts = {
  clock: Clock;
  /** At least between two looks that nobody asked for. */
  everyMs: number;
  look(): Promise<void>;
  /** How long until a job is due that nobody has; infinite where none waits. */
  untilDueMs(): Promise<number>;
};

/** A notice may be lost with its connection, and a clock be set: so long at most nobody looks. */
const LONGEST_MS = 10_000;

export class NextLook {
  readonly #parts: LookParts;
  #isResting = false;
  #isStopped = false;
  #cancel: Cancel = () => undefined;

  constructor(parts: LookParts) {
    this.#parts = parts;
  }

  begin(): void {
    this.#in(this.#parts.everyMs);
  }

  /** Something has changed: what was known of the next job may not be true any more. */
  soon(): void {
    if (this.#isResting) this.#in(this.#parts.everyMs);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #in(ms: number): void {
    if (this.#isStopped) return;
    this.#cancel();
    this.#isResting = ms > this.#parts.everyMs;
    this.#cancel = this.#parts.clock.after(ms, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { everyMs, look, untilDueMs } = this.#parts;
    this.#isResting = false;
    await look();
    this.#isResting = true; // who says that something has changed from here on is heard
    const dueMs = await untilDueMs().catch(() => everyMs);
    if (this.#isResting) this.#in(Math.max(everyMs, Math.min(dueMs, LONGEST_MS)));
  }
}
