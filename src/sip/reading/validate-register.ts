// What a REGISTER must hold to be worth a look by the registrar (10.3).

import { contactsOf, toOf } from "../headers/addresses.ts";
import { expiresOf } from "../headers/seconds.ts";
import { isMalformed } from "../message/malformed.ts";
import type { Request } from "../message/message.ts";
import { parseSipUri, parseUri } from "../message/uri.ts";

export function registerRefusal(request: Request): { status: number; headers: [] } | undefined {
  if (request.method !== "REGISTER") return undefined;
  return isRegistrable(request) ? undefined : { status: 400, headers: [] };
}

function isRegistrable(request: Request): boolean {
  const contacts = contactsOf(request);
  if (isMalformed(contacts) || isMalformed(parseSipUri(toOf(request).uri))) return false;
  // "*" only ever means: forget all my contacts. Any other time that is none leaves the usual one (10.2.1.1).
  return contacts === "*" ? expiresOf(request) === 0 : contacts.every(({ uri }) => !isMalformed(parseUri(uri)));
}
