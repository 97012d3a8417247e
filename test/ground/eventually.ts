// Looks again until something is so: for what a real server does a moment later.

import { pause, realClock, within } from "../../src/clock.ts";

/** What was found at last; what never comes fails the test. There is a look after the patience is over: a machine that
 *  stood still has let nobody do anything in that time. */
export async function eventually<Value>(
  what: string,
  look: () => Promise<Value | undefined | false>,
  patienceSeconds = 60,
): Promise<Value> {
  const endMs = within(realClock, patienceSeconds * 1_000);
  for (let isLast = false; ; await pause(realClock, 200)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (isLast) throw new Error(`never: ${what}`);
    isLast = realClock.ticks() >= endMs;
  }
}
