// What the other side sees as the caller: inside his number and name, outside one of our own numbers.

import type { Shown } from "../calls/shown.ts";
import { type PhoneNumber, phoneNumber } from "../plan/numbers.ts";
import { numberOf, ownNumber } from "../plan/own-number.ts";
import type { DivertedNumber } from "../signalling/trunks/addressing.ts";
import type { Guide } from "./guide.ts";

/** What the API asked for, else the extension's own choice, else the exchange's, else its first number. */
export function callerIdOf({ book, call }: Guide, by: string): PhoneNumber | undefined {
  return ownNumber(book, call.facts.outboundCallerId) ?? numberOf(book, by);
}

/** The person on the line: whom a campaign called, although on paper it is we who called him. */
export function shownBy({ call: { facts } }: Guide): Shown {
  if (facts.withheld) return { number: "", name: "" };
  return { number: facts.origin === "campaign" ? facts.destinationNumber : facts.callerNumber, name: facts.callerName };
}

/** Who calls by a call that one of ours sends on to the outside. */
export type SentOn = {
  original: { number: PhoneNumber | undefined; signed: readonly string[] } | undefined;
  /** The last first. */
  diversions: DivertedNumber[];
};

/** To the outside an extension is one of our numbers: the one that was called, or the one by which it calls. */
export function sentOnOutside(guide: Guide): SentOn {
  const { book, call } = guide;
  const { direction, callerNumber, destinationNumber, signed = [] } = call.facts;
  const dialled = book.numbers.has(destinationNumber) ? phoneNumber(destinationNumber) : undefined;
  const diversions = guide.sentOnBy().flatMap(({ number, reason, hidden }) => {
    const read = phoneNumber(number, (candidate) => book.extensions.has(candidate));
    const shown = read?.is === "extension" ? (dialled ?? callerIdOf(guide, read.number)) : read;
    return shown ? [{ number: shown, reason, hidden }] : [];
  });
  const isSentOn = guide.isSentOn() && direction === "inbound";
  return { original: isSentOn ? { number: phoneNumber(callerNumber), signed } : undefined, diversions };
}
