// Who somebody is to the other side, and the addresses by which a phone of the exchange is told it.

import { printDiversions } from "../../sip/headers/diversion.ts";
import { printNameAddress } from "../../sip/headers/name-address.ts";
import { ANONYMOUS } from "../../sip/headers/privacy.ts";
import type { Header } from "../../sip/message/message.ts";
import { octetsOf } from "../../sip/message/text.ts";
import { escapeUser } from "../../sip/message/uri.ts";
import { nationally, phoneNumber } from "../plan/numbers.ts";
import type { SentOnBy } from "../plan/sent-on.ts";
import type { Party } from "./leg.ts";

/** What the other side sees; without a number it is withheld. */
export type Shown = { number: string; name: string };

export function addressOf({ number, name }: Shown, sipDomain: string): string {
  if (number === "") return ANONYMOUS;
  return printNameAddress({ display: octetsOf(name), uri: uriOf(number, sipDomain), parameters: [] });
}

/** As the one who talks with this party sees it. */
export function shownOf({ is, number, name, withheld }: Party): Shown {
  if (withheld) return { number: "", name: "" };
  const read = is === "outside" ? phoneNumber(number) : undefined;
  return { number: read ? nationally(read) : number, name };
}

/** Those who may be known, the last first. */
export function diversionsTo(sentOn: readonly SentOnBy[], sipDomain: string): Header[] {
  const known = sentOn.filter(({ number, hidden }) => number !== "" && !hidden);
  return printDiversions(
    known.map(({ number, name, reason }) => {
      return { uri: uriOf(number, sipDomain), display: octetsOf(name), reason, hidden: false };
    }),
  );
}

const uriOf = (number: string, sipDomain: string) => `sip:${escapeUser(octetsOf(number))}@${sipDomain}`;
