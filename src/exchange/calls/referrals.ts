// What a phone may ask for by REFER, carried out: to send its call on, or to put two of its own calls together.

import type { Clock } from "../../clock.ts";
import { Machine, type ReportUnexpected } from "../../machine.ts";
import type { Call } from "./call.ts";
import type { Goal } from "./goal.ts";
import type { Leg, Referral } from "./leg.ts";
import { isExtension, type LiveCalls } from "./live-calls.ts";
import { type Effect, type Input, type State, table } from "./referral-machine.ts";

export type ReferralParts = { live: LiveCalls; clock: Clock; unexpected: ReportUnexpected };

export function openReferrals({ live, clock, unexpected }: ReferralParts) {
  return (call: Call<Goal>, leg: Leg, { to, replaces }: Referral): void => {
    const other = partnerOf(call, leg);
    const named = replaces && live.withDialog(call.facts.exchangeId, replaces);
    const isOwn = named && named.rings === undefined && isExtension(named.leg, leg.party.number);
    const second = isOwn && named.call !== call ? named : undefined;
    const third = second && partnerOf(second.call, second.leg);
    const begin: State = { at: leg.party.is !== "extension" ? "outside" : other ? "talking" : "alone" };
    const acts: { [Do in Effect["do"]]: (effect: Extract<Effect, { do: Do }>) => void } = {
      refuse: ({ cause }) => leg.tellTransfer({ cause }),
      // The two `!` here and below: the table does this only while somebody is there to be sent, or put through.
      sendOn: () => sendOn(call, { leg, other: other!, to }),
      endSecond: () => second?.call.hangUp("ATTENDED_TRANSFER"),
      putTogether: () => putTogether({ call, leg }, { call: second!.call, third: third! }),
    };
    const machine = new Machine<State, Input, Effect>(table, { next: begin, effects: [] }, clock, {
      // The act is chosen by the very field its parameter narrows on.
      perform: (effect) => (acts[effect.do] as (effect: Effect) => void)(effect),
      unexpected: (state, input) => unexpected({ machine: "referral", state, input }),
    });
    machine.receive({ is: !replaces ? "number" : !second ? "strange" : third ? "answered" : "ringing" });
  };
}

function sendOn(call: Call<Goal>, { leg, other, to }: { leg: Leg; other: Leg; to: string }): void {
  call.tell({ is: "sends-on", extension: leg.party.number, to });
  call.transfer({
    keep: other,
    drop: leg,
    goal: { is: "dialled", number: to, by: leg.party.number },
    stays: true,
  });
}

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
