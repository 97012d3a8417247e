// Callers who stood in line when an earlier process stopped and are on their way back: until they stand there again nobody is
// put to an agent, so that nobody gets in front of them.

import type { Cancel, Clock } from "../../../clock.ts";

/** Whoever is not back by then has gone another way. */
const BACK_WITHIN_MS = 2_000;

export class Expected {
  readonly #clock: Clock;
  readonly #allBack: () => void;
  readonly #calls = new Set<string>();
  #cancel: Cancel = () => undefined;

  constructor(clock: Clock, allBack: () => void) {
    this.#clock = clock;
    this.#allBack = allBack;
  }

  isAny(): boolean {
    return this.#calls.size > 0;
  }

  expect(callUuids: readonly string[]): void {
    if (callUuids.length === 0) return;
    for (const uuid of callUuids) this.#calls.add(uuid);
    this.#cancel();
    this.#cancel = this.#clock.after(BACK_WITHIN_MS, () => this.#forget([...this.#calls]));
  }

  /** He is in line again, or will never be. */
  settled(callUuid: string): void {
    this.#forget([callUuid]);
  }

  #forget(callUuids: readonly string[]): void {
    const wasAny = this.isAny();
    for (const uuid of callUuids) this.#calls.delete(uuid);
    if (!wasAny || this.isAny()) return;
    this.#cancel();
    this.#allBack();
  }
}
