// What a REGISTER must hold to be worth a look by the registrar (10.3).

import { contactsOf, toOf } from "./headers/addresses.ts";
import type { NameAddress } from "./headers/name-address.ts";
import { contactExpiresOf, expiresOf } from "./headers/seconds.ts";
import { isMalformed } from "./malformed.ts";
import type { Request } from "./message.ts";
import { parseSipUri, parseUri } from "./uri.ts";

export function registerRefusal(request: Request): { status: number; headers: [] } | undefined {
  if (request.method !== "REGISTER") return undefined;
  return isRegistrable(request) ? undefined : { status: 400, headers: [] };
}

function isRegistrable(request: Request): boolean {
  const expires = expiresOf(request);
  const contacts = contactsOf(request);
  if (isMalformed(expires) || isMalformed(contacts)) return false;
  if (isMalformed(parseSipUri(toOf(request).uri))) return false;
  // "*" only ever means: forget all my contacts.
  return contacts === "*" ? expires === 0 : contacts.every(isReachable);
}

function isReachable(contact: NameAddress): boolean {
  return !isMalformed(parseUri(contact.uri)) && !isMalformed(contactExpiresOf(contact));
}
