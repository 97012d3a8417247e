// Minutes with somebody outside are paid for while they are talked, whichever call he is in by then.

import type { PaidBy } from "../../store/spending.ts";
import type { CallFacts } from "../calls/call-facts.ts";
import type { KeptLeg } from "../calls/kept-leg.ts";
import type { Leg } from "../calls/leg.ts";
import type { LiveCalls } from "../calls/live-calls.ts";
import { asDialled } from "../plan/numbers.ts";
import { type Metered, paidBefore, type Spending } from "../spending/spending.ts";

export type MeterNeeds = { live: Pick<LiveCalls, "with">; spending: Spending };

/** `number` as the exchange writes it. */
export function meterLeg(
  { live, spending }: MeterNeeds,
  { exchangeId, leg, number, by, before }: Pick<Metered, "exchangeId" | "number" | "by" | "before"> & { leg: Leg },
): void {
  const stop = () => {
    // It may have been sent on.
    const call = live.with(exchangeId, leg);
    call?.tell({ is: "spending-limit", number: asDialled(number) });
    call?.hangUp("ALLOTTED_TIMEOUT");
  };
  if (leg.line) leg.line = { ...leg.line, metered: number, paidBy: by };
  const { answerMs, startMs } = leg.facts();
  const answeredMs = answerMs ?? startMs;
  spending.meter({ exchangeId, number, by, leg: leg.id, answeredMs, over: leg.over, stop, before });
}

/** Of a call that is not gone on with: what had begun when it was last seen is paid for, if it is not yet. */
export function settleLeg(
  spending: Spending,
  { call, leg, lastSeenMs }: { call: Pick<CallFacts, "exchangeId" | "uuid">; leg: KeptLeg; lastSeenMs: number },
): void {
  const { answerMs } = leg.facts;
  const { exchangeId } = call;
  const number = leg.line?.metered;
  if (number === undefined || answerMs === undefined) return;
  const before = paidBefore(lastSeenMs - answerMs, 0);
  const isOver = { over: Promise.resolve(), stop: () => undefined };
  spending.meter({ ...isOver, exchangeId, number, by: paidBy(call, leg), leg: leg.id, answeredMs: answerMs, before });
}

/** An older version has not kept it. */
export function paidBy({ uuid }: Pick<CallFacts, "uuid">, { line }: KeptLeg): PaidBy {
  return line?.paidBy ?? { kind: "call", callUuid: uuid, trunk: line?.trunk ?? null, extension: "" };
}
