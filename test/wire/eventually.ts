// Looks again until something is so: for what a real server does a moment later.

import { pause, realClock } from "../../src/clock.ts";

/** What was found at last; what never comes fails the test. */
export async function eventually<Value>(
  what: string,
  look: () => Promise<Value | undefined | false>,
  patienceSeconds = 30,
): Promise<Value> {
  for (const endMs = realClock.now() + patienceSeconds * 1_000; realClock.now() < endMs; await pause(realClock, 200)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
  }
  throw new Error(`never: ${what}`);
}
