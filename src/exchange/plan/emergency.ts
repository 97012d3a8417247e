// Calls for help: which of the things people dial are emergency numbers, however they dial them.

import { ALWAYS_EMERGENCY } from "../../nouns/choices.ts";
import type { CallSettings } from "../../store/call-settings.ts";
import { type Dialled, digitsIn, type PhoneNumber, readNumber } from "./numbers.ts";
import { readPresentation } from "./presentation.ts";

/** What is asked for the outside line elsewhere, and what a phone puts before a number that it takes for a national one. */
const IN_FRONT = ["", "0", "9", "00", "90", "0090"];

/**
 * The emergency number that is meant. As it stands it is one whoever else has that number; with something in front of
 * it only where `isOurs` knows nobody of that number.
 */
export function emergencyIn(
  dialled: string,
  numbers: readonly string[],
  isOurs: (number: string) => boolean = () => false,
): string | undefined {
  const digits = digitsIn(readPresentation(dialled).dialled);
  for (const front of IN_FRONT) {
    const number = digits.slice(front.length);
    const isKnown = digits.startsWith(front) && (number === ALWAYS_EMERGENCY || numbers.includes(number));
    if (isKnown && (front === "" || !isOurs(digits))) return number;
  }
  return undefined;
}

/** What somebody at this exchange dialled: help first, then its own numbers, then those of the world. */
export function readDialled(dialled: string, book: CallSettings): Dialled {
  const isOurs = (number: string) => book.extensions.has(number);
  const help = emergencyIn(dialled, book.settings.emergencyNumbers, (it) => isOurs(it) || book.places.has(it));
  return help === undefined ? readNumber(dialled, isOurs) : { is: "emergency", number: help };
}

/** As `readDialled`; undefined when it is no telephone number. */
export function dialledNumber(dialled: string, book: CallSettings): PhoneNumber | undefined {
  const number = readDialled(dialled, book);
  return number.is === "invalid" || number.is === "service" ? undefined : number;
}
