// Looks again until something is so: for what a real server does a moment later.

import { pause, realClock, within } from "../../src/clock.ts";

/** What was found at last; what never comes fails the test. There is a look after the patience is over: a machine that
 *  stood still has let nobody do anything in that time. */
export async function eventually<Value>(
  what: string,
  look: () => Promise<Value | undefined | false>,
  patienceSeconds = 60,
): Promise<Value> {
  return looking({ what, look, patienceSeconds, betweenMs: 200 });
}

/** The same for what this very process does, on a wound clock, as soon as the disk has answered. */
export async function soon<Value>(what: string, look: () => Promise<Value | undefined | false>): Promise<Value> {
  return looking({ what, look, patienceSeconds: 60, betweenMs: 2 });
}

type Looking<Value> = {
  what: string;
  look: () => Promise<Value | undefined | false>;
  patienceSeconds: number;
  betweenMs: number;
};

async function looking<Value>({ what, look, patienceSeconds, betweenMs }: Looking<Value>): Promise<Value> {
  const endMs = within(realClock, patienceSeconds * 1_000);
  for (let isLast = false; ; await pause(realClock, betweenMs)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (isLast) throw new Error(`never: ${what}`);
    isLast = realClock.ticks() >= endMs;
  }
}
