// The character classes of the SIP grammar as tables, and the small steps every header parser is made of.

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Indexed by octet; a message is latin1, so nothing lies outside, and past the end of a string reads as 0. */
export type Characters = Uint8Array;

export function charactersOf(members: string): Characters {
  const table = new Uint8Array(256);
  for (let at = 0; at < members.length; at++) table[members.charCodeAt(at)] = 1;
  return table;
}

export const TOKEN = charactersOf(`${ALPHANUMERIC}-.!%*_+\`'~`);
export const HEX = charactersOf("0123456789abcdefABCDEF");
export const UNRESERVED = charactersOf(`${ALPHANUMERIC}-_.!~*'()`);
export const HOST = charactersOf(`${ALPHANUMERIC}-._`);

export const SPACE = 32;
export const TAB = 9;
export const QUOTE = 34;
export const BACKSLASH = 92;
export const COMMA = 44;
export const SEMICOLON = 59;
export const EQUALS = 61;
export const LESS = 60;
export const GREATER = 62;
export const COLON = 58;
export const SLASH = 47;

/** The end of the run of such characters that starts at `from`; `from` itself when there is none. */
export function endOfRun(text: string, from: number, table: Characters): number {
  let at = from;
  while (at < text.length && table[text.charCodeAt(at)] === 1) at++;
  return at;
}

export function consistsOf(text: string, table: Characters): boolean {
  return text !== "" && endOfRun(text, 0, table) === text.length;
}

export function skipBlanks(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === SPACE || code === TAB; code = text.charCodeAt(at)) at++;
  return at;
}

/** The position after the closing quote of the quoted string that opens at `from`, or -1 when it never closes. */
export function endOfQuoted(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  return -1;
}

/** What a quoted string says; text without quotes says itself. */
export function unquote(text: string): string {
  if (text.charCodeAt(0) !== QUOTE) return text;
  const inner = text.slice(1, -1);
  return inner.includes("\\") ? inner.replace(/\\([\s\S])/g, "$1") : inner;
}

/** A control character would have to stand behind a backslash, which few read: each becomes a blank. */
export function quote(words: string): string {
  const text = CONTROL.test(words) ? words.replace(CONTROLS, " ") : words;
  // Nearly nothing needs escaping, and looking is cheaper than replacing nothing.
  return text.includes('"') || text.includes("\\") ? `"${text.replace(/["\\]/g, "\\$&")}"` : `"${text}"`;
}

const CONTROL = /[\0-\x1f\x7f]/;
const CONTROLS = /[\0-\x1f\x7f]/g;

/** Decimal digits as a number; undefined for anything else, and for what is larger than `max`. */
export function wholeNumber(text: string, max: number): number | undefined {
  if (text === "") return undefined;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    number = number * 10 + digit;
    if (number > max) return undefined;
  }
  return number;
}
