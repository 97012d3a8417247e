// Whole seconds in a header: Expires, Min-Expires and the expiry of one contact.

import { wholeNumber } from "../message/alphabet.ts";
import type { Malformed } from "../message/malformed.ts";
import { headerOf, type Message } from "../message/message.ts";
import { parameterOf } from "../message/parameters.ts";
import type { NameAddress } from "./name-address.ts";

const MAX_SECONDS = 0xffffffff;

export const expiresOf = (message: Message) => secondsIn(headerOf(message, "Expires"));
export const minExpiresOf = (message: Message) => secondsIn(headerOf(message, "Min-Expires"));
export const contactExpiresOf = (contact: NameAddress) => secondsIn(parameterOf(contact.parameters, "expires"));

export function secondsIn(text: string | undefined): number | undefined | Malformed {
  return text === undefined ? undefined : (wholeNumber(text, MAX_SECONDS) ?? { malformed: "seconds" });
}
