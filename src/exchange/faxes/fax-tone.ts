// A fax machine that dials a number where a voice of ours answers is taken to the fax machine instead.

import type { Clock } from "../../clock.ts";
import type { MediaEngine } from "../../media/engine.ts";
import type { Call, CallParts } from "../calls/call.ts";
import type { Goal } from "../calls/goal.ts";

/** A machine that calls says so every few seconds, from the beginning. */
const LISTENS_MS = 12_000;

/** Only where a voice answers: a person hears for himself what has called, and listening is not free. */
export function takesFaxes({ media, clock }: { media: MediaEngine; clock: Clock }): CallParts<Goal>["fax"] {
  return {
    taken(call) {
      const stream = call.facts.direction === "inbound" ? callerOf(call)?.stream() : undefined;
      if (stream === undefined) return;
      void media.listenFor(stream, { faxTones: true });
      const stop = clock.after(LISTENS_MS, () => void media.listenFor(stream, { faxTones: false }));
      void call.over.then(stop);
    },
    tone(call, leg) {
      const caller = callerOf(call);
      if (leg !== caller) return;
      call.tell("is a fax machine, by its tone");
      const others = call.legs().filter((it) => it !== caller);
      const goal: Goal = { is: "target", target: { to: "fax" } };
      call.transfer({ keep: caller, drop: others[0] ?? caller, goal, stays: false });
    },
  };
}

function callerOf(call: Call<Goal>) {
  return call.legs().find((leg) => call.isCaller(leg) && leg.party.is === "outside" && leg.direction === "in");
}
