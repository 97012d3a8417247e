// What a busy lamp shows of an extension: the calls it is on, and those that ring at it.

import type { LampCall } from "../../sip/notification.ts";
import { isExtension, type LiveCalls } from "./live-calls.ts";

export function lampCalls(live: LiveCalls, exchangeId: number, extension: string): LampCall[] {
  return live.all(exchangeId).flatMap((call): LampCall[] => {
    const { uuid: id, callerNumber, destinationNumber } = call.facts;
    const leg = call.legs().find((it) => isExtension(it, extension));
    if (leg) {
      const began = call.isCaller(leg);
      const state = leg.isAnswered() ? "confirmed" : "early";
      return [
        { id, state, direction: began ? "initiator" : "recipient", remote: began ? destinationNumber : callerNumber },
      ];
    }
    return call.ringing.has(extension) ? [{ id, state: "early", direction: "recipient", remote: callerNumber }] : [];
  });
}
