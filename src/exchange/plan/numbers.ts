// Telephone numbers as people and programs write them, and the forms in which the exchange says them again.

export type PhoneNumber =
  | { is: "extension"; number: string }
  /** A number of the public network that exists only as it stands: 182, 11880. */
  | { is: "short"; number: string }
  /** One that calls for help. It is dialled as it stands, and nothing bars it (`emergency.ts` reads it). */
  | { is: "emergency"; number: string }
  | { is: "national"; e164: string }
  | { is: "international"; e164: string };

export type Dialled =
  | PhoneNumber
  /** A feature code of the exchange itself, such as *8. */
  | { is: "service"; code: string }
  | { is: "invalid"; why: "empty" | "characters" | "length" };

export type NumberForm = "e164" | "plus" | "national";

const COUNTRY = "90";

const LONGEST_INPUT = 64;
const SHORTEST_ABROAD = 7;
const LONGEST_E164 = 15;

// Everything people put between digits, no-break and thin spaces and typographic dashes included.
const BETWEEN_DIGITS = /[\s\u00a0\u2000-\u200f\u2010-\u2015\u202f\u2212().,/\\[\]{}_-]/g;

/** What is left of a number without all that people put between digits, and without its plus. */
export function digitsIn(text: string): string {
  return text.replace(BETWEEN_DIGITS, "").replace(/^\+/, "");
}

/**
 * Reads a dialled or stored number. An extension may look like a public number (a two-party call to 182, an
 * eight-digit extension); `isExtension` lets the exchange's own numbers win.
 */
export function readNumber(text: string, isExtension: (number: string) => boolean = () => false): Dialled {
  if (text.length > LONGEST_INPUT) return { is: "invalid", why: "length" };
  const bare = text.replace(BETWEEN_DIGITS, "");
  if (bare === "" || bare === "+") return { is: "invalid", why: "empty" };
  if (/^[*#][0-9*#]*$/.test(bare)) return { is: "service", code: bare };
  if (!/^\+?[0-9]+$/.test(bare)) return { is: "invalid", why: "characters" };
  if (isExtension(bare)) return { is: "extension", number: bare };
  if (bare.startsWith("+")) return readE164(bare.slice(1));
  if (bare.startsWith("00")) return readE164(bare.slice(2));
  if (bare.startsWith("0")) return readNational(bare.slice(1));
  return readBare(bare, lostItsPlus(text));
}

/** The caller's number as a trunk sends it: in the E.164 forms a bare number abroad is one, plus or not. */
export function readFromTrunk(text: string, form: NumberForm): Dialled {
  const bare = text.replace(BETWEEN_DIGITS, "");
  return form !== "national" && /^[1-9][0-9]{10,14}$/.test(bare) ? readE164(bare) : readNumber(text);
}

/** The form the interface stores and lists: 90… at home, 00… abroad. Reading it again gives the same number. */
export function written(number: PhoneNumber): string {
  if (number.is === "international") return `00${number.e164}`;
  return number.is === "national" ? number.e164 : number.number;
}

/** The form people in the country dial: 0… at home, 00… abroad. */
export function nationally(number: PhoneNumber): string {
  if (number.is !== "national") return written(number);
  const significant = number.e164.slice(COUNTRY.length);
  return isCompanyNumber(significant) ? significant : `0${significant}`;
}

/** How a trunk wants to see a number; extensions and short numbers have only one form. */
export function inForm(number: PhoneNumber, form: NumberForm): string {
  if (form === "national") return nationally(number);
  if (!("e164" in number)) return number.number;
  return form === "plus" ? `+${number.e164}` : number.e164;
}

/** As `readNumber`; undefined when it is no telephone number. */
export function phoneNumber(text: string, isExtension?: (number: string) => boolean): PhoneNumber | undefined {
  const number = readNumber(text, isExtension);
  return number.is === "invalid" || number.is === "service" ? undefined : number;
}

/** Any text a person may have typed, in the stored form; undefined when it is no number. */
export function storedForm(text: string): string | undefined {
  const number = phoneNumber(text);
  return number && written(number);
}

/** In a query string an unescaped plus arrives as a space: a leading one before a full-length number was a plus. */
function lostItsPlus(text: string): boolean {
  return text.startsWith(" ");
}

function readBare(digits: string, hadPlus: boolean): Dialled {
  if (hadPlus && digits.length > 8) return readE164(digits);
  if (/^1\d\d$/.test(digits) || /^118\d\d$/.test(digits)) return { is: "short", number: digits };
  if (isCompanyNumber(digits)) return { is: "national", e164: COUNTRY + digits };
  if (/^90444\d{4}$/.test(digits)) return { is: "national", e164: digits };
  if (digits.length >= 2 && digits.length <= 8) return { is: "extension", number: digits };
  // A number abroad must say so: one digit too many in a number at home would otherwise ring, dearly, in Cuba.
  return digits.startsWith(COUNTRY) && digits.length > 10 ? readE164(digits) : readNational(digits);
}

function readE164(digits: string): Dialled {
  if (digits.startsWith(COUNTRY)) return readNational(digits.slice(COUNTRY.length).replace(/^0/, "")); // +90 (0) 532 …
  if (digits.length < SHORTEST_ABROAD || digits.length > LONGEST_E164) return { is: "invalid", why: "length" };
  return digits.startsWith("0") ? { is: "invalid", why: "length" } : { is: "international", e164: digits };
}

function readNational(significant: string): Dialled {
  if (isCompanyNumber(significant) || /^[2-9]\d{9}$/.test(significant))
    return { is: "national", e164: COUNTRY + significant };
  return { is: "invalid", why: "length" };
}

/** 444 1234: seven digits, the same from everywhere in the country, never with a 0 in front. */
function isCompanyNumber(digits: string): boolean {
  return /^444\d{4}$/.test(digits);
}

/** A number as the exchange writes it, in the form in which the country dials it. */
export function asDialled(number: string): string {
  const read = readNumber(number);
  return read.is === "national" || read.is === "international" ? nationally(read) : number;
}
