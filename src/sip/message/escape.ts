// Percent escapes in URIs: one octet each, so that nothing is lost and nothing is guessed about character sets.

import { type Characters, HEX } from "./alphabet.ts";

/** Every `%41` as its octet; a percent sign without two hex digits stays as it is. */
export function unescapeOctets(text: string): string {
  return text.includes("%")
    ? text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
}

/** Every octet that `allowed` does not hold as `%XX`. */
export function escapeOctets(text: string, allowed: Characters): string {
  let escaped = "";
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 255) throw new Error("text is no octets: encode it as UTF-8 first");
    escaped += allowed[code] === 1 ? text[at] : `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return escaped;
}

/** Whether the text is made of allowed characters and whole escapes. */
export function isEscaped(text: string, allowed: Characters): boolean {
  for (let at = 0; at < text.length; at++) {
    if (allowed[text.charCodeAt(at)] === 1) continue;
    if (text[at] !== "%" || HEX[text.charCodeAt(at + 1)] !== 1 || HEX[text.charCodeAt(at + 2)] !== 1) return false;
    at += 2;
  }
  return true;
}
