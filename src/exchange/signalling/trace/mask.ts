// Takes out of a SIP message what would let its reader in, or listen in.

const FIELDS = /\b(response|nonce|cnonce|nextnonce|rspauth|opaque)="[^"\r\n]*"/gi;
const AUTH_LINE = /^(?:proxy-)?(?:authorization|authenticate)\b|^www-authenticate\b|^authentication-info\b/i;
const BARE_RESPONSE = /\b(response)=([^",\s]+)/gi;
const KEY = /\b(inline:)[^|\s\r\n]+/gi;
const ICE_PASSWORD = /^(a=ice-pwd:).*/i;
/** A key that was pressed, as INFO carries it: it may be one of a card's. */
const PRESSED = /^(signal\s*=\s*)[^\s]+|^[0-9a-d*#](?=\r?$)/i;
/** A word that stands before an at-sign, from its beginning on; and the password inside it. */
const BEFORE_AT = /(?<![^@<>\s])[^@<>\s]+(?=@)/g;
const URI_PASSWORD = /(sips?:[^:;?]+):.+/i;

/** Line by line, so that no line can make another one slow. */
export function maskSecrets(text: string): string {
  return text
    .split("\n")
    .map((line) => maskLine(line.slice(0, LONGEST_LINE)))
    .join("\n");
}

const LONGEST_LINE = 4_096;

function maskLine(line: string): string {
  if (AUTH_LINE.test(line)) return line.replace(FIELDS, '$1="***"').replace(BARE_RESPONSE, "$1=***");
  if (line.startsWith("a=crypto:") || line.startsWith("a=k") || line.startsWith("k="))
    return line.replace(KEY, "$1***");
  if (ICE_PASSWORD.test(line)) return line.replace(ICE_PASSWORD, "$1***");
  if (PRESSED.test(line)) return line.replace(PRESSED, "$1*");
  return line.includes("@") ? line.replace(BEFORE_AT, (word) => word.replace(URI_PASSWORD, "$1:***")) : line;
}
