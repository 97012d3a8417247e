// What happens to a leg, for its one listener at a time; nothing is lost while nobody listens.

import type { LegEvent } from "../calls/leg.ts";

export type LegEvents = {
  say(event: LegEvent): void;
  /** Without a listener events wait for the next one. */
  listen(hear: ((event: LegEvent) => void) | undefined): void;
};

export function legEvents(): LegEvents {
  let kept: LegEvent[] = [];
  let hear: ((event: LegEvent) => void) | undefined;
  return {
    say(event) {
      if (hear) hear(event);
      else kept.push(event);
    },
    listen(next) {
      hear = next;
      if (!next) return;
      const waiting = kept;
      kept = [];
      for (const event of waiting) next(event);
    },
  };
}
