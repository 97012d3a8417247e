// The headers that hold addresses: who calls whom, where to reach them, and through whom.

import { isMalformed, type Malformed } from "../message/malformed.ts";
import { headerOf, type Message } from "../message/message.ts";
import { splitList } from "../message/parameters.ts";
import { type NameAddress, parseNameAddress } from "./name-address.ts";
import { remember } from "./remember.ts";

export const parseFrom = remember(parseNameAddress);
export const parseTo = remember(parseNameAddress);

/** The parser lets no message through without From, To and Call-ID; asking one of ours that has none is a mistake. */
export const fromOf = (message: Message): NameAddress => mandatory(parseFrom, headerOf(message, "From"), "From");
export const toOf = (message: Message): NameAddress => mandatory(parseTo, headerOf(message, "To"), "To");

export function callIdOf(message: Message): string {
  const value = headerOf(message, "Call-ID");
  if (value === undefined) throw new Error("message without a Call-ID");
  return value;
}

/** Every contact in order, or "*" (REGISTER only); an empty list when there is none. */
export function contactsOf(message: Message): NameAddress[] | "*" | Malformed {
  const contacts = addressesIn(message, "Contact");
  if (!isMalformed(contacts) || !contacts.malformed.startsWith("*")) return contacts;
  return message.headers.filter(({ name }) => name === "Contact").length === 1 && headerOf(message, "Contact") === "*"
    ? "*"
    : { malformed: "* among other contacts" };
}

export const recordRoutesOf = (message: Message) => addressesIn(message, "Record-Route");
export const pathOf = (message: Message) => addressesIn(message, "Path");
export const assertedIdentitiesOf = (message: Message) => addressesIn(message, "P-Asserted-Identity");
export const referToOf = (message: Message) => soleAddress(message, "Refer-To");
export const referredByOf = (message: Message) => soleAddress(message, "Referred-By");

/** Every address in headers of that name. */
export function addressesIn(message: Message, header: string): NameAddress[] | Malformed {
  const addresses: NameAddress[] = [];
  for (const { name, value } of message.headers) {
    if (name !== header) continue;
    for (const member of splitList(value)) {
      const address = member === "*" ? { malformed: "* is no address" } : parseNameAddress(member);
      if (isMalformed(address)) return address;
      addresses.push(address);
    }
  }
  return addresses;
}

function soleAddress(message: Message, header: string): NameAddress | undefined | Malformed {
  const addresses = addressesIn(message, header);
  if (isMalformed(addresses)) return addresses;
  return addresses.length > 1 ? { malformed: `more than one ${header}` } : addresses[0];
}

function mandatory(
  parse: (text: string) => NameAddress | Malformed,
  value: string | undefined,
  header: string,
): NameAddress {
  const address = value === undefined ? { malformed: "absent" } : parse(value);
  if (isMalformed(address)) throw new Error(`message without a usable ${header}: ${address.malformed}`);
  return address;
}
