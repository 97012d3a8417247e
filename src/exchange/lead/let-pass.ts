// Who was rung by a queue or ring group and did not take the call: kept for the record, which agents' figures are counted from.

import type { Call } from "../calls/call.ts";
import { noteInVain } from "../calls/call-facts.ts";
import type { HangupCause } from "../calls/causes.ts";
import { factsBy, type Leg } from "../calls/leg.ts";
import { isWaiting } from "../calls/stays.ts";

/** `legs` of one extension: it was offered nothing when none of its phones rang. */
export function noteLetPass(
  call: Pick<Call<never>, "facts" | "clock" | "passed">,
  legs: readonly Leg[],
  why: HangupCause,
): void {
  const rang = legs.find((leg) => leg.facts().progressMs !== undefined);
  if (!rang || !isWaiting(call.facts)) return;
  // Nobody hangs up on a phone that rings but the one who calls.
  const cause = why === "NORMAL_CLEARING" ? "ORIGINATOR_CANCEL" : why;
  noteInVain(call.facts, { ...factsBy(call.clock, rang), cause });
  call.passed();
}
