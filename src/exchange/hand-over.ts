// Leaves the calls that are up to the next process: written as they are, and nobody on the line hears a word of it, nor does
// whoever rings. What cannot be left ends as at any other stop.

import { type Clock, pause, within } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Call } from "./calls/call.ts";
import type { Journal } from "./calls/call-journal.ts";
import type { Goal } from "./calls/goal.ts";
import type { Leg } from "./calls/leg.ts";
import type { LiveCalls } from "./calls/live-calls.ts";
import type { Legs } from "./legs/legs.ts";

/** Whoever has picked up is brought to the caller within milliseconds, unless he hears something first. */
const SETTLED_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 5;

export type HandOverParts = { clock: Clock; log: Log; live: LiveCalls; legs: Legs; journal: Journal };

export async function handOver(parts: HandOverParts): Promise<void> {
  const { clock, log, live, legs, journal } = parts;
  const up = live.all();
  const ended = up.filter((call) => !call.canGoOn());
  for (const call of ended) call.hangUp("SYSTEM_SHUTDOWN");
  await Promise.all(ended.map((call) => call.over));
  // What was just said to those who rang, or were hung up, is on its way by then.
  await pause(clock, 0);
  await untilSettled(parts);
  legs.fallSilent();
  // Only now: what a phone has said to us until here the next process will not hear again.
  for (const call of live.all()) call.handOver();
  const left = live.all().map(({ facts }) => facts);
  await journal.handOver(left);
  if (up.length > 0) log.info({ calls: left.length, ended: ended.length }, "calls are left to the next process");
}

/**
 * The next process could only hang up on those who have just picked up, and ring them again; and a call that ends just now
 * is written by whoever ended it.
 */
async function untilSettled({ clock, live, legs }: HandOverParts): Promise<void> {
  const isMoving = (call: Call<Goal>) =>
    call.state() === "over" || legs.called.of(call.facts.uuid).some(isOnTheWay(call));
  for (const end = within(clock, SETTLED_WITHIN_MS); live.all().some(isMoving) && clock.ticks() < end; )
    await pause(clock, LOOK_EVERY_MS);
}

/** It rings no more, and is nobody's yet. */
const isOnTheWay = (call: Call<Goal>) => (leg: Leg) => !call.legs().includes(leg) && leg.keepRinging() === undefined;
