// What a busy lamp shows of an extension: the calls it is on, and those that ring at it.

import type { LampCall } from "../../sip/notification.ts";
import { isExtension, type LiveCalls } from "./live-calls.ts";

export function lampCalls(live: LiveCalls, exchangeId: number, extension: string): LampCall[] {
  return live.all(exchangeId).flatMap((call): LampCall[] => {
    const { uuid: id, destinationNumber, withheld } = call.facts;
    const callerNumber = withheld ? "" : call.facts.callerNumber;
    const leg = call.legs().find((it) => isExtension(it, extension));
    if (leg) {
      const began = call.isCaller(leg);
      const state = leg.isAnswered() ? "confirmed" : "early";
      const remote = began ? destinationNumber : callerNumber;
      return [{ id, state, direction: began ? "initiator" : "recipient", ...known(remote) }];
    }
    return call.ringing.has(extension) ? [{ id, state: "early", direction: "recipient", ...known(callerNumber) }] : [];
  });
}

/** A withheld number is not there at all. */
const known = (remote: string) => (remote === "" ? {} : { remote });
