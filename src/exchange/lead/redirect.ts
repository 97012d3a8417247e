// Follows a 3xx of whoever was called: the places it names, one after the other, on behalf of an extension of ours.

import type { Moved } from "../../sip/headers/moved.ts";
import type { Led } from "../calls/call.ts";
import type { HangupCause } from "../calls/causes.ts";
import { phoneNumber } from "../plan/numbers.ts";
import type { Guide } from "./guide.ts";

/** Somebody was reached there, or it rang: the next place named is for when nobody could be. */
const DECIDED: readonly HangupCause[] = ["NO_ANSWER", "USER_BUSY", "CALL_REJECTED"];

/** The way to a number; undefined: it is none that may be followed. */
export type Onwards = (to: string) => (() => Promise<Led>) | undefined;

/**
 * `by` is the extension that pays, and whose rules bar. Only numbers are followed: what a phone puts into a Contact
 * nobody has checked, so it can name neither a code nor a place of the exchange's own. Undefined: none could be followed.
 */
export async function followMoved(
  guide: Guide,
  { by, moved, go }: { by: string; moved: readonly Moved[]; go: Onwards },
): Promise<Led | undefined> {
  let led: Led | undefined;
  for (const { user } of moved) {
    const way = go(user);
    tellForward(guide, { by, to: user, followed: way !== undefined });
    if (!way) continue;
    led = await way();
    if (isDecided(guide, led)) return led;
  }
  return led;
}

/** Nobody follows it: the call goes elsewhere. */
export function tellMoved(guide: Guide, by: string, moved: readonly Moved[]): void {
  for (const { user } of moved) tellForward(guide, { by, to: user, followed: false });
}

export const anywhere =
  (guide: Guide, by: string): Onwards =>
  (to) =>
    numberIn(guide, to) && (() => guide.forward(by, to, "REDIRECTION_TO_NEW_DESTINATION"));

/** One of several who are rung: he may be elsewhere, and whoever is there takes the call or does not. */
export const toSomebody =
  (guide: Guide, by: string, seconds: number): Onwards =>
  (to) => {
    const number = numberIn(guide, to);
    return number && (() => guide.forwardOnce(by, { number, to, seconds }));
  };

/** No other place is tried. */
export const isDecided = ({ signal }: Guide, led: Led) =>
  "connected" in led || signal.aborted || DECIDED.includes(led.failed.cause);

const numberIn = ({ book }: Guide, text: string) => phoneNumber(text, (number) => book.extensions.has(number));

function tellForward({ call }: Guide, { by, to, followed }: { by: string; to: string; followed: boolean }): void {
  call.tell({ is: "phone-forwards", extension: by, to: to.slice(0, 64), followed });
}
