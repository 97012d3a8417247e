// What a phone may ask for by REFER: to send its call on, or to put two of its own calls together.

import type { Call } from "./call.ts";
import type { Goal } from "./goal.ts";
import type { Leg, Referral } from "./leg.ts";
import { isExtension, type LiveCalls } from "./live-calls.ts";

export function openReferrals(live: LiveCalls): (call: Call<Goal>, leg: Leg, referral: Referral) => void {
  return (call, leg, { to, replaces }) => {
    const other = partnerOf(call, leg);
    // A carrier must not send our callers around at our expense.
    if (!other || leg.party.is !== "extension") return leg.tellTransfer({ cause: "CALL_REJECTED" });
    const second = replaces && live.withDialog(call.facts.exchangeId, replaces);
    if (replaces && (!second || !isExtension(second.leg, leg.party.number)))
      return leg.tellTransfer({ cause: "INVALID_CALL_REFERENCE" });
    const third = second && partnerOf(second.call, second.leg);
    if (second && third) return putTogether({ call, leg }, { call: second.call, third });
    // Its second call still rings: the caller is sent there, and that attempt ends.
    second?.call.hangUp("ATTENDED_TRANSFER");
    call.tell({ is: "sends-on", extension: leg.party.number, to });
    return call.transfer({
      keep: other,
      drop: leg,
      goal: { is: "dialled", number: to, by: leg.party.number },
      stays: true,
    });
  };
}

/** The first call goes on with the third party; the second is over. */
function putTogether(first: { call: Call<Goal>; leg: Leg }, second: { call: Call<Goal>; third: Leg }): void {
  first.call.tell({ is: "puts-through", extension: first.leg.party.number, to: second.third.party.number });
  second.call.release(second.third, "ATTENDED_TRANSFER");
  first.leg.tellTransfer(undefined);
  first.call.takeOver(first.leg, second.third);
}

function partnerOf(call: Call<Goal>, leg: Leg): Leg | undefined {
  const pair = call.conversation.pair();
  if (pair?.a === leg) return pair.b;
  return pair?.b === leg ? pair.a : undefined;
}
