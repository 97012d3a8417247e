// What a carrier says to a REGISTER of ours: for how long it stands, for how long it has to be, and when to come again.

import { contactsOf } from "../../../sip/headers/addresses.ts";
import { retryAfterOf } from "../../../sip/headers/retry-after.ts";
import { contactExpiresOf, expiresOf, minExpiresOf } from "../../../sip/headers/seconds.ts";
import { isMalformed, type Malformed } from "../../../sip/message/malformed.ts";
import type { Response } from "../../../sip/message/message.ts";

const LONGEST_SECONDS = 86_400;

/** It wants to be asked for longer, and we can. */
export function leastAsked(response: Response, asked: number): number | undefined {
  const least = number(minExpiresOf(response));
  const isWanted = response.status === 423 && least !== undefined && least > asked && least <= LONGEST_SECONDS;
  return isWanted ? least : undefined;
}

export function grantedSeconds(response: Response, contactUser: string): number | undefined {
  const contacts = contactsOf(response);
  const own = Array.isArray(contacts) ? contacts.find(({ uri }) => uri.includes(contactUser)) : undefined;
  return (own && number(contactExpiresOf(own))) ?? number(expiresOf(response));
}

export function retryAfterMs(response: Response): number {
  return (number(retryAfterOf(response)) ?? 0) * 1_000;
}

function number(seconds: number | undefined | Malformed): number | undefined {
  return isMalformed(seconds) ? undefined : seconds;
}
