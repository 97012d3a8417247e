// Max-Forwards: how many servers a request may still pass.

import { wholeNumber } from "../alphabet.ts";
import type { Malformed } from "../malformed.ts";
import { type Header, headerOf, type Message } from "../message.ts";

export const USUAL_FORWARDS = 70;

export function maxForwardsOf(message: Message): number | undefined | Malformed {
  const value = headerOf(message, "Max-Forwards");
  return value === undefined ? undefined : (wholeNumber(value, 255) ?? { malformed: "Max-Forwards" });
}

export const maxForwards = (hops: number = USUAL_FORWARDS): Header => ({ name: "Max-Forwards", value: `${hops}` });
