// What the end of an attempt means for the number: finished, or dialled again later.

import { type HangupCause, isHangupCause, resultLabel } from "../../calls/causes.ts";

export type Ended = { answered: boolean; cause: HangupCause };

export type Verdict = {
  /** Null: never again. */
  againMs: number | null;
  /** Whether it counts against the campaign's retries. */
  counts: boolean;
};

/** Busy, unreachable, no answer: the only ends after which a person is called again. */
const WORTH_ANOTHER_CALL: readonly HangupCause[] = [
  "USER_BUSY",
  "NO_ANSWER",
  "ALLOTTED_TIMEOUT",
  "NO_USER_RESPONSE",
  "RECOVERY_ON_TIMER_EXPIRE",
  "NETWORK_OUT_OF_ORDER",
  "DESTINATION_OUT_OF_ORDER",
  "NORMAL_TEMPORARY_FAILURE",
];

/** Nobody's phone rang because we had no line, or we ourselves hung up to stop: the number has lost nothing by it. */
const OUR_OWN_LACK: readonly HangupCause[] = ["NORMAL_CIRCUIT_CONGESTION", "SYSTEM_SHUTDOWN"];
const MOST_FREE_ATTEMPTS = 50;
const FREE_AGAIN_MS = 30_000;

export type Tried = {
  /** Attempts that counted before this one, and all of them with this one. */
  tries: number;
  attempts: number;
  callRetries: number;
  retrySeconds: number;
};

/** The first retry comes after the exchange's spacing, the second after twice as long, and so on. */
export function verdictOn({ answered, cause }: Ended, tried: Tried, nowMs: number): Verdict {
  const { tries, attempts, callRetries, retrySeconds } = tried;
  if (answered) return { againMs: null, counts: true };
  if (OUR_OWN_LACK.includes(cause) && attempts < MOST_FREE_ATTEMPTS)
    return { againMs: nowMs + FREE_AGAIN_MS, counts: false };
  const again = WORTH_ANOTHER_CALL.includes(cause) && tries < callRetries;
  return { againMs: again ? nowMs + retrySeconds * 1_000 * (tries + 1) : null, counts: true };
}

/** The interface's word for it. */
export function labelOf({ answered, cause }: { answered: boolean; cause: string }): string {
  return resultLabel({ answered, cause: isHangupCause(cause) ? cause : "NORMAL_UNSPECIFIED" });
}
