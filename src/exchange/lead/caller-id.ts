// What the other side sees as the caller: inside his number and name, outside one of our own numbers.

import { printNameAddress } from "../../sip/headers/name-address.ts";
import { ANONYMOUS } from "../../sip/headers/privacy.ts";
import { octetsOf } from "../../sip/message/text.ts";
import { escapeUser } from "../../sip/message/uri.ts";
import type { Shown } from "../calls/goal.ts";
import { type PhoneNumber, phoneNumber, written } from "../plan/numbers.ts";
import type { Guide } from "./guide.ts";

/** What the API asked for, else the extension's own choice, else the exchange's, else its first number. */
export function callerIdOf({ book, call }: Guide, by: string): PhoneNumber | undefined {
  const [first] = book.numbers.keys();
  const wanted = [
    call.facts.outboundCallerId,
    book.extensions.get(by)?.outboundCallerId,
    book.settings.defaultCallerId,
    first,
  ];
  for (const number of wanted) {
    const read = phoneNumber(number ?? "");
    if (read && book.numbers.has(written(read))) return read;
  }
  return undefined;
}

/** The person on the line: whom a campaign called, although on paper it is we who called him. */
export function shownBy({ call: { facts } }: Guide): Shown {
  return { number: facts.origin === "campaign" ? facts.destinationNumber : facts.callerNumber, name: facts.callerName };
}

/** As a phone of the exchange is told it. */
export function addressOf({ number, name }: Shown, sipDomain: string): string {
  if (number === "") return ANONYMOUS;
  const uri = `sip:${escapeUser(octetsOf(number))}@${sipDomain}`;
  return printNameAddress({ display: octetsOf(name), uri, parameters: [] });
}
