// Where a 3xx wants a call taken instead (RFC 3261 8.1.3.4): its contacts, the preferred first.

import { isMalformed } from "../message/malformed.ts";
import type { Response } from "../message/message.ts";
import { userIn } from "../message/uri.ts";
import { contactsOf } from "./addresses.ts";
import { preferenceOf } from "./name-address.ts";

/** `user` is a number somebody could have dialled; `uri` the whole address, for whoever trusts the one who names it. */
export type Moved = { user: string; uri: string };

/** More of them are nobody's forwarding. */
const MOST = 3;

/** 305 names a proxy and 380 a service, neither of which is a place for a call. */
const FOLLOWED: readonly number[] = [300, 301, 302];

export function movedTo(response: Response): Moved[] {
  const contacts = FOLLOWED.includes(response.status) ? contactsOf(response) : [];
  if (contacts === "*" || isMalformed(contacts)) return [];
  return contacts
    .toSorted((one, other) => preferenceOf(other) - preferenceOf(one))
    .flatMap(({ uri }) => {
      const user = userIn(uri);
      return user === undefined ? [] : [{ user, uri }];
    })
    .slice(0, MOST);
}
