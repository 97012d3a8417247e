// Rings several phones at once until one picks up, all have refused, or the time is over.

import type { Clock } from "../../clock.ts";
import type { Ending } from "./call-machine.ts";
import type { HangupCause as Cause } from "./causes.ts";
import type { Leg } from "./leg.ts";

export type Rung = { answered: Leg } | { failed: Ending };

export type RingOptions = {
  clock: Clock;
  seconds: number;
  /** The caller gave up, or somebody else took the call: `reason` is the cause. */
  signal: AbortSignal;
  onRinging?(leg: Leg): void;
  onEarlyMedia?(leg: Leg): void;
  /** One that forwards by itself (3xx) ends the ringing of all: the call goes on from there. */
  follows?: boolean;
};

// When nobody answers, the caller is told the news that says most about the person he called.
const telling: Cause[] = [
  "USER_BUSY",
  "CALL_REJECTED",
  "NO_ANSWER",
  "UNALLOCATED_NUMBER",
  "INVALID_NUMBER_FORMAT",
  "INCOMPATIBLE_DESTINATION",
  "NO_USER_RESPONSE",
];

export function ringPhones(
  legs: Leg[],
  { clock, seconds, signal, onRinging, onEarlyMedia, follows = false }: RingOptions,
): Promise<Rung> {
  return new Promise((settle) => {
    const ringing = new Set(legs);
    const endings: Ending[] = [];
    const stop = (rung: Rung, others: Cause) => {
      cancel();
      signal.removeEventListener("abort", abandoned);
      const waiting = [...ringing];
      ringing.clear();
      // Whoever takes the leg over listens a moment later, and it may be lost in between.
      if ("answered" in rung) rung.answered.listen(undefined);
      for (const leg of waiting) if (!("answered" in rung) || leg !== rung.answered) leg.end(others);
      settle(rung);
    };
    const abandoned = () => {
      const cause = signal.reason as Cause; // only call.ts aborts, and it always says why
      stop({ failed: { cause } }, cause);
    };
    const cancel = clock.after(seconds * 1000, () => stop({ failed: { cause: "NO_ANSWER" } }, "NO_ANSWER"));
    if (signal.aborted) return abandoned();
    signal.addEventListener("abort", abandoned);
    if (legs.length === 0) return stop({ failed: { cause: "NO_USER_RESPONSE" } }, "NO_USER_RESPONSE");
    for (const leg of legs)
      leg.listen((event) => {
        if (!ringing.has(leg)) return;
        if (event.is === "ringing") onRinging?.(leg);
        if (event.is === "earlyMedia") onEarlyMedia?.(leg);
        if (event.is === "answered") stop({ answered: leg }, "LOSE_RACE");
        if (event.is !== "ended") return;
        endings.push(event.ending);
        ringing.delete(leg);
        if (follows && event.ending.moved?.length) return stop({ failed: event.ending }, event.ending.cause);
        if (ringing.size === 0) stop({ failed: mostTelling(endings) }, "NO_ANSWER");
      });
  });
}

export function mostTelling(endings: Ending[]): Ending {
  const weight = ({ cause }: Ending) => (telling.includes(cause) ? telling.indexOf(cause) : telling.length);
  return endings.toSorted((one, other) => weight(one) - weight(other))[0] ?? { cause: "NO_USER_RESPONSE" };
}
