// Max-Forwards: how many servers a request may still pass.

import { wholeNumber } from "../message/alphabet.ts";
import type { Malformed } from "../message/malformed.ts";
import { headerOf, type Message } from "../message/message.ts";

export function maxForwardsOf(message: Message): number | undefined | Malformed {
  const value = headerOf(message, "Max-Forwards");
  return value === undefined ? undefined : (wholeNumber(value, 255) ?? { malformed: "Max-Forwards" });
}
