// What a busy lamp shows of an extension: the calls it is on, and those that ring at it.

import type { DialogId } from "../../sip/dialogs.ts";
import type { LampCall } from "../../sip/notification.ts";
import type { Call } from "./call.ts";
import type { Goal } from "./goal.ts";
import { isExtension, type LiveCalls } from "./live-calls.ts";

type Who = { number: string; name: string };

const NOBODY: Who = { number: "", name: "" };

export function lampCalls(live: LiveCalls, exchangeId: number, extension: string): LampCall[] {
  return live.all(exchangeId).flatMap((call): LampCall[] => {
    const { uuid: id } = call.facts;
    const leg = call.legs().find((it) => isExtension(it, extension));
    if (leg) {
      const began = call.isCaller(leg);
      const state = leg.isAnswered() ? "confirmed" : "early";
      const remote = otherThan(call, extension) ?? (began ? calledOf(call) : callerOf(call));
      return [{ id, state, direction: began ? "initiator" : "recipient", remote, ...seenByPhone(leg.dialog()) }];
    }
    const ringing = call.ringing.get(extension);
    if (!ringing) return [];
    const dialog = ringing.legs.map((it) => it.dialog()).find((it) => it !== undefined);
    return [{ id, state: "early", direction: "recipient", remote: callerOf(call), ...seenByPhone(dialog) }];
  });
}

/** Whoever withholds his number is nobody to a lamp, too. */
const callerOf = ({ facts }: Call<Goal>): Who =>
  facts.withheld ? NOBODY : { number: facts.callerNumber, name: facts.callerName };
const calledOf = ({ facts }: Call<Goal>): Who => ({ number: facts.destinationNumber, name: facts.destinationName });

/** Whom it talks with now, which after a transfer is not whom it called. */
function otherThan(call: Call<Goal>, extension: string): Who | undefined {
  const pair = call.conversation.pair();
  const other = pair && [pair.a, pair.b].find((leg) => !isExtension(leg, extension));
  return other?.party.withheld ? NOBODY : other?.party;
}

/** Its own tag is the one it gave us. */
function seenByPhone(dialog: DialogId | undefined): Pick<LampCall, "dialog"> {
  if (!dialog) return {};
  const { callId, localTag, remoteTag } = dialog;
  return { dialog: { callId, localTag: remoteTag, remoteTag: localTag } };
}
