// Leaves the calls that are up to the next process: written as they are, and nobody on the line hears a word of it, nor does
// whoever rings. What cannot be left ends as at any other stop.

import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Journal } from "./calls/call-journal.ts";
import type { LiveCalls } from "./calls/live-calls.ts";
import type { Legs } from "./legs/legs.ts";

export type HandOverParts = { clock: Clock; log: Log; live: LiveCalls; legs: Legs; journal: Journal };

export async function handOver({ clock, log, live, legs, journal }: HandOverParts): Promise<void> {
  const up = live.all();
  const ended = up.filter((call) => !call.canGoOn());
  for (const call of ended) call.hangUp("SYSTEM_SHUTDOWN");
  await Promise.all(ended.map((call) => call.over));
  // What was just said to those who rang, or were hung up, is on its way by then.
  await new Promise<void>((resolve) => clock.after(0, resolve));
  legs.fallSilent();
  // Only now: what a phone has said to us until here the next process will not hear again.
  for (const call of live.all()) call.handOver();
  const left = live.all().map(({ facts }) => facts);
  await journal.handOver(left);
  if (up.length > 0) log.info({ calls: left.length, ended: ended.length }, "calls are left to the next process");
}
