// What a carrier's status of a refused submit means for the message: come again, or never.

import type { FinalState } from "../../../store/sms-state.ts";
import { gsmErrorFor } from "../../gsm-error.ts";

/** `later`: it is the carrier that cannot now. `perhaps`: it may be the carrier or the message; tried a few times. */
export type Verdict =
  | { is: "later"; waitMs: number }
  | { is: "perhaps"; waitMs: number }
  | { is: "never"; state: FinalState; gsmError: number };

const SECOND = 1_000;

const VERDICTS: Readonly<Record<number, Verdict>> = {
  8: { is: "perhaps", waitMs: SECOND }, // system error
  10: never("REJECTED", 2053), // source address
  11: never("INVALID_DESTINATION_ADDRESS", 1),
  20: { is: "later", waitMs: 2 * SECOND }, // queue full
  69: never("REJECTED"), // submit failed
  88: { is: "later", waitMs: SECOND }, // throttled
  100: { is: "perhaps", waitMs: SECOND }, // temporary application error
  101: never("REJECTED"), // permanent application error
  102: never("REJECTED"), // rejected by application
  98: never("EXPIRED", 4101), // validity period
};

export function verdictOn(status: number): Verdict {
  return VERDICTS[status] ?? never("SEND_ERROR");
}

function never(state: FinalState, gsmError = gsmErrorFor(state)): Verdict {
  return { is: "never", state, gsmError };
}
