// Follows a 3xx of whoever was called: the places it names, one after the other, on behalf of an extension of ours.

import type { Moved } from "../../sip/headers/moved.ts";
import type { Led } from "../calls/call.ts";
import type { HangupCause } from "../calls/causes.ts";
import { phoneNumber } from "../plan/numbers.ts";
import type { Guide } from "./guide.ts";

/** Somebody was reached there, or it rang: the next place named is for when nobody could be. */
const DECIDED: readonly HangupCause[] = ["NO_ANSWER", "USER_BUSY", "CALL_REJECTED"];

/**
 * `by` is the extension that pays, and whose rules bar. Only numbers are followed: what a phone puts into a Contact
 * nobody has checked, so it can name neither a code nor a place of the exchange's own. Undefined: none could be followed.
 */
export async function followMoved(guide: Guide, by: string, moved: readonly Moved[]): Promise<Led | undefined> {
  let led: Led | undefined;
  for (const { user } of moved) {
    const isNumber = phoneNumber(user, (number) => guide.book.extensions.has(number)) !== undefined;
    guide.call.tell({ is: "phone-forwards", extension: by, to: user.slice(0, 64), followed: isNumber });
    if (!isNumber) continue;
    led = await guide.forward(by, user, "REDIRECTION_TO_NEW_DESTINATION");
    if (isDecided(guide, led)) return led;
  }
  return led;
}

/** No other place is tried. */
export const isDecided = ({ signal }: Guide, led: Led) =>
  "connected" in led || signal.aborted || DECIDED.includes(led.failed.cause);
