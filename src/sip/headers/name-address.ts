// The form `"Display" <uri>;parameters` that most address headers share, and its bare form without brackets.

import {
  BACKSLASH,
  COMMA,
  charactersOf,
  endOfQuoted,
  endOfRun,
  GREATER,
  LESS,
  QUOTE,
  quote,
  SEMICOLON,
  skipBlanks,
  unquote,
} from "../message/alphabet.ts";
import { isMalformed, type Malformed } from "../message/malformed.ts";
import { type Parameters, parameterOf, parseParameters, printParameters } from "../message/parameters.ts";

/** `display` is without quotes, in octets (`textOf` makes it readable), "" when there is none; `uri` is for `parseUri`. */
export type NameAddress = { readonly display: string; readonly uri: string; readonly parameters: Parameters };

// Every octet but control characters, blanks, quotes and brackets.
const ADDRESS = charactersOf(
  Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
    .join("")
    .replace(/[\x00-\x20"<\x7f]/g, ""),
);

export function tagOf(address: NameAddress): string | undefined {
  for (const { name, value } of address.parameters) if (name === "tag") return value;
  return undefined;
}

/** The q value of a contact, 0 to 1; without one a contact is as good as any. */
export function preferenceOf(address: NameAddress): number {
  const text = parameterOf(address.parameters, "q");
  const q = text === undefined ? 1 : Number(text);
  return q >= 0 && q <= 1 ? q : 0;
}

export function printNameAddress({ display, uri, parameters }: NameAddress): string {
  return `${display === "" ? "" : `${quote(display)} `}<${uri}>${printParameters(parameters)}`;
}

export function parseNameAddress(text: string): NameAddress | Malformed {
  const first = text.charCodeAt(0);
  if (first === QUOTE) return parseQuoted(text);
  const less = first === LESS ? 0 : text.indexOf("<");
  return less < 0 ? parseBare(text) : parseBracketed(text, less);
}

function parseQuoted(text: string): NameAddress | Malformed {
  const end = endOfQuoted(text, 0);
  if (end < 0) return { malformed: "display name without its closing quote" };
  const less = skipBlanks(text, end);
  if (text.charCodeAt(less) !== LESS) return { malformed: "display name without an address" };
  return bracketed(text, less, unquote(text.slice(0, end)));
}

function parseBracketed(text: string, less: number): NameAddress | Malformed {
  if (less === 0) return bracketed(text, 0, "");
  const display = text.slice(0, less).trim();
  return isDisplayName(display) ? bracketed(text, less, display) : { malformed: "display name needs quotes" };
}

function bracketed(text: string, less: number, display: string): NameAddress | Malformed {
  const greater = text.indexOf(">", less);
  if (greater < 0) return { malformed: "address without its closing bracket" };
  const uri = text.slice(less + 1, greater);
  if (!looksLikeUri(uri)) return { malformed: "no address between the brackets" };
  const parameters = parseParameters(text, greater + 1);
  return isMalformed(parameters) ? parameters : { display, uri, parameters };
}

// Without brackets every parameter belongs to the header, and the address may hold no comma or question mark (20.10).
function parseBare(text: string): NameAddress | Malformed {
  const semicolon = text.indexOf(";");
  const uri = (semicolon < 0 ? text : text.slice(0, semicolon)).trimEnd();
  if (!looksLikeUri(uri)) return { malformed: "not an address" };
  if (uri.includes("?") || uri.includes(",")) return { malformed: "address needs brackets" };
  const parameters = parseParameters(text, semicolon < 0 ? text.length : semicolon);
  return isMalformed(parameters) ? parameters : { display: "", uri, parameters };
}

// A scheme, a colon, and no blank, quote, bracket or control character: `parseUri` looks closer where it matters.
function looksLikeUri(uri: string): boolean {
  return uri.indexOf(":") > 0 && endOfRun(uri, 0, ADDRESS) === uri.length;
}

// Tokens and blanks by the grammar, but phones leave the quotes away around much more. Only what would change where the
// address begins or ends is refused.
function isDisplayName(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === SEMICOLON || code === QUOTE || code === BACKSLASH) return false;
    if (code === GREATER || (code < 32 && code !== 9) || code === 127) return false;
  }
  return true;
}
