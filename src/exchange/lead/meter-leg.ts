// Minutes with somebody outside are paid for while they are talked, whichever call he is in by then.

import type { Leg } from "../calls/leg.ts";
import type { LiveCalls } from "../calls/live-calls.ts";
import { asDialled } from "../plan/numbers.ts";
import type { Metered, Spending } from "../spending/spending.ts";

export type MeterNeeds = { live: Pick<LiveCalls, "with">; spending: Spending };

/** `number` as the exchange writes it. */
export function meterLeg(
  { live, spending }: MeterNeeds,
  { exchangeId, leg, number, before }: Pick<Metered, "exchangeId" | "number" | "before"> & { leg: Leg },
): void {
  const stop = () => {
    // It may have been sent on.
    const call = live.with(exchangeId, leg);
    call?.tell({ is: "spending-limit", number: asDialled(number) });
    call?.hangUp("ALLOTTED_TIMEOUT");
  };
  if (leg.line) leg.line = { ...leg.line, metered: number };
  spending.meter({ exchangeId, number, over: leg.over, stop, before });
}
