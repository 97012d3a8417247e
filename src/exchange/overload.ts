// Notices when the process falls behind: then new calls are refused while those that are up go on undisturbed.

import type { Cancel, Clock } from "../clock.ts";

export type LoadWatch = { isOverloaded(): boolean; close(): void };

const LOOK_MS = 100;
/** Half a second late, callers' phones begin to repeat themselves and make it worse. */
const TOO_LATE_MS = 400;
const CALM_MS = 1_000;
/** Once is a hiccup, such as a program that was just started; a process that cannot keep up is late again and again. */
const AGAIN_MS = 2_000;

export function watchLoad(clock: Clock): LoadWatch {
  let dueMs = clock.now() + LOOK_MS;
  let lateUntilMs = Number.NEGATIVE_INFINITY;
  let lastLateMs = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = clock.after(LOOK_MS, look);
  return { isOverloaded: () => clock.now() < lateUntilMs, close: () => cancel() };

  function look(): void {
    const nowMs = clock.now();
    if (nowMs - dueMs > TOO_LATE_MS) {
      if (nowMs - lastLateMs < AGAIN_MS) lateUntilMs = nowMs + CALM_MS;
      lastLateMs = nowMs;
    }
    dueMs = nowMs + LOOK_MS;
    cancel = clock.after(LOOK_MS, look);
  }
}
