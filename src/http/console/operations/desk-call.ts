// A call as it lies on an agent's desk, be it up or over, and whether the one who asks may see it there.

import type { CallNow } from "../../../exchange/panel.ts";
import { asDialled, storedForm } from "../../../exchange/plan/numbers.ts";
import { type DeskCall, findDeskCall } from "../../../store/agent-desk.ts";
import { hasCdr } from "../../../store/cdrs.ts";
import { seesCall, withinOf } from "../../../store/scope.ts";
import type { ConsoleContext } from "../operation/operation.ts";

/**
 * Of a call that is up what the exchange knows now; until its record is there, what was kept of it. Undefined also for
 * what is not for this person.
 */
export async function callAtDesk(
  callUuid: string,
  extension: string,
  { db, exchangeId, running, scope }: ConsoleContext,
): Promise<DeskCall | undefined> {
  const live = running?.panel.call(exchangeId, callUuid);
  if (live) return seesCall(scope, live) ? withPeer(upAtDesk(live, extension)) : undefined;
  const found = await findDeskCall(db, { exchangeId, callUuid, extension });
  if (!found) return undefined;
  const within = withinOf(scope);
  const isSeen =
    within === undefined ||
    (found.isTheirs && within.extensions.includes(extension)) ||
    (await hasCdr(db, exchangeId, callUuid, within));
  return isSeen ? withPeer(found) : undefined;
}

function upAtDesk(live: CallNow, extension: string): DeskCall {
  const { uuid: callUuid, direction, queue, startMs } = live;
  const isOut = direction === "outbound";
  return {
    callUuid,
    direction: direction as DeskCall["direction"], // as the call has it
    number: isOut ? live.destination : live.caller,
    name: isOut ? "" : live.callerName,
    peer: "",
    queue,
    waitSeconds: 0,
    at: new Date(startMs),
    talkSeconds: 0,
    isUp: true,
    isTheirs: live.extensions.includes(extension),
  };
}

/** Until there is a record: the number in the form that records have. Calls inside have no outside. */
function withPeer(call: DeskCall): DeskCall {
  if (!call.isUp || call.direction === "internal") return call;
  return { ...call, peer: storedForm(call.number) ?? "", number: asDialled(call.number) };
}
