// Notices that this process has slept, as on a machine that stood still: its calls may be another node's since, and until it is
// certain that they are not nothing is said to anybody. All its timers are due at once when it wakes, and whatever they would
// say, a BYE above all, would reach phones that talk by way of the other.

import { type Cancel, type Clock, since } from "../../clock.ts";

const BEAT_MS = 500;
/** A life that was renewed just before is over a little later; sleep that is shorter changes nothing. */
const LONGEST_MS = 3_000;

export type SleepWatch = { isAsleep(): boolean; close(): void };

/** `acts`: whether our life certainly holds. */
export function watchSleep(clock: Clock, acts: () => boolean): SleepWatch {
  let lastBeat = clock.ticks();
  let hasSlept = false;
  let cancel: Cancel = () => undefined;
  const look = () => {
    hasSlept ||= since(clock, lastBeat) > LONGEST_MS;
    if (hasSlept && acts()) hasSlept = false;
    if (!hasSlept) lastBeat = clock.ticks();
    return hasSlept;
  };
  const beat = () => {
    look();
    cancel = clock.after(BEAT_MS, beat);
  };
  beat();
  return { isAsleep: look, close: () => cancel() };
}
