// A fax machine that dials a number where a voice of ours answers is taken to the fax machine instead, where that is set.

import type { Clock } from "../../../clock.ts";
import type { MediaEngine } from "../../../media/engine.ts";
import type { CallSettings } from "../../../store/call-settings.ts";
import type { Call, CallParts } from "../../calls/call.ts";
import type { Goal } from "../../calls/goal.ts";
import type { SettingsBook } from "../../plan/settings.ts";
import { parseTarget, type Target } from "../../plan/target.ts";

/** A machine that calls says so every few seconds, from the beginning. */
const LISTENS_MS = 12_000;

export type FaxToneParts = { media: MediaEngine; clock: Clock; settings: SettingsBook };

/** Only where a voice answers: a person hears for himself what has called, and listening is not free. */
export function takesFaxes({ media, clock, settings }: FaxToneParts): CallParts<Goal>["fax"] {
  /** Where a call goes whose caller turns out to be a machine. */
  const ways = new WeakMap<Call<Goal>, Target>();
  return {
    taken(call) {
      const { exchangeId, direction, destinationNumber } = call.facts;
      if (direction !== "inbound") return;
      const listen = (book: CallSettings | undefined) => {
        const target = parseTarget(book?.numbers.get(destinationNumber)?.faxTarget ?? "");
        const stream = "to" in target ? callerOf(call)?.stream() : undefined;
        if (stream === undefined || !("to" in target)) return;
        ways.set(call, target);
        void media.listenFor(stream, { faxTones: true });
        const stop = clock.after(LISTENS_MS, () => void media.listenFor(stream, { faxTones: false }));
        void call.over.then(stop);
      };
      // Without a database the call goes on; only a machine is not heard for what it is.
      void settings.of(exchangeId).then(listen, () => undefined);
    },
    tone(call, leg) {
      const caller = callerOf(call);
      const target = ways.get(call);
      if (leg !== caller || !target) return;
      ways.delete(call); // once is enough: what is taken there goes on saying what it is
      call.tell({ is: "fax-tone" });
      const others = call.legs().filter((it) => it !== caller);
      call.transfer({ keep: caller, drop: others[0] ?? caller, goal: { is: "target", target }, stays: false });
    },
  };
}

function callerOf(call: Call<Goal>) {
  return call.legs().find((leg) => call.isCaller(leg) && leg.party.is === "outside" && leg.direction === "in");
}
