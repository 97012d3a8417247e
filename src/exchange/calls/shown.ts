// Who somebody is to the other side, and the addresses by which a phone of the exchange is told it.

import { printDiversions } from "../../sip/headers/diversion.ts";
import { parseNameAddress, printNameAddress } from "../../sip/headers/name-address.ts";
import { ANONYMOUS } from "../../sip/headers/privacy.ts";
import { isMalformed } from "../../sip/message/malformed.ts";
import type { Header } from "../../sip/message/message.ts";
import { octetsOf } from "../../sip/message/text.ts";
import { escapeUser, userIn } from "../../sip/message/uri.ts";
import { nationally, type PhoneNumber, phoneNumber, storedForm } from "../plan/numbers.ts";
import type { SentOnBy } from "../plan/sent-on.ts";
import type { Leg, Met } from "./leg.ts";
import type { Party } from "./party.ts";

/** What the other side sees; without a number it is withheld. */
export type Shown = { number: string; name: string };

export function addressOf({ number, name }: Shown, sipDomain: string): string {
  if (number === "") return ANONYMOUS;
  return printNameAddress({ display: octetsOf(name), uri: uriOf(number, sipDomain), parameters: [] });
}

/** As the one who talks with this party sees it. */
function shownOf({ is, number, name, withheld }: Party): Shown {
  if (withheld) return { number: "", name: "" };
  const read = is === "outside" ? phoneNumber(number) : undefined;
  return { number: read ? nationally(read) : number, name };
}

/** Each of two who are about to talk is told who the other is. */
export function introduce(one: Leg, other: Leg, as: KnownAs): void {
  one.meet(met(other.party, as));
  other.meet(met(one.party, as));
}

/** `outside`: the number of ours by which an extension is known there, and whether it usually hides it. */
export type KnownAs = {
  sipDomain: string;
  outside(extension: string): { number: PhoneNumber; withheld: boolean } | undefined;
};

function met(party: Party, { sipDomain, outside }: KnownAs): Met {
  const known = party.is === "extension" ? outside(party.number) : undefined;
  return {
    address: addressOf(shownOf(party), sipDomain),
    outside: known && {
      number: known.number,
      name: octetsOf(party.name),
      withheld: party.withheld ?? known.withheld,
    },
  };
}

/** The same person, however his number is written and whatever he is called. */
export function isSameAddress(one: string, other: string): boolean {
  return userOf(one) === userOf(other);
}

function userOf(text: string): string {
  const address = parseNameAddress(text);
  const user = isMalformed(address) ? text : (userIn(address.uri) ?? "");
  return storedForm(user) ?? user;
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

/** A phone that can may show that the network vouches for the number (3GPP TS 24.229 7.2A.20). */
export function verifiedAs({ number, name }: Shown, sipDomain: string): Header[] {
  if (number === "") return [];
  const uri = `${uriOf(`${number};verstat=TN-Validation-Passed`, sipDomain)};user=phone`;
  return [{ name: "P-Asserted-Identity", value: printNameAddress({ display: octetsOf(name), uri, parameters: [] }) }];
}

const uriOf = (number: string, sipDomain: string) => `sip:${escapeUser(octetsOf(number))}@${sipDomain}`;
