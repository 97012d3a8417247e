// What is known of a trunk when it begins to work: what an earlier process has left, or nothing.

import type { Clock } from "../../../clock.ts";
import { newCallId, type Random } from "../../../sip/headers/random.ts";
import type { TrunkSetup, TrunkState } from "../../../store/trunk-state.ts";

/** The CSeq of what was sent after the last write is not known after a crash; none of ours may repeat one. */
const CSEQ_LEAP = 1_000;

export function knownOr(
  known: TrunkState | undefined,
  { id, healthCheck }: TrunkSetup,
  { clock, random }: { clock: Clock; random: Random },
): TrunkState {
  return {
    registeredUntilMs: null,
    answer: null,
    answeredMs: null,
    latencyMs: null,
    lastError: null,
    proved: [],
    provedUntilMs: [],
    ...known,
    trunkId: id,
    callId: known?.callId ?? newCallId(random),
    cseq: (known?.cseq ?? 0) + CSEQ_LEAP,
    health: healthCheck ? (known?.health ?? "unknown") : "unknown",
    sinceMs: known?.sinceMs ?? clock.wall(),
    nextTryMs: null,
  };
}
