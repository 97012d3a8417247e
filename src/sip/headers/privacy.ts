// Privacy (RFC 3323, RFC 3325): what the caller wants hidden.

import { isMalformed } from "../message/malformed.ts";
import { type Header, headersOf, type Message } from "../message/message.ts";
import { parseUri } from "../message/uri.ts";

/** Who calls, when nobody may know (RFC 3323 4.1.1.3). Phones drop a call whose address has no user part. */
export const ANONYMOUS = '"Anonymous" <sip:anonymous@anonymous.invalid>';

/** In lower case; the separator is a semicolon, and a comma is forgiven. */
function privacyOf(message: Message): Set<string> {
  const wanted = headersOf(message, "Privacy").flatMap((value) => value.toLowerCase().split(/[;,]/));
  return new Set(wanted.map((wanted) => wanted.trim()).filter((wanted) => wanted !== ""));
}

/** How networks write a number that they do not tell. */
const NOBODY = new Set(["anonymous", "restricted", "unavailable", "unknown", "private", "withheld"]);

/** Whether an address names nobody. */
export function isAnonymous(text: string): boolean {
  const uri = parseUri(text);
  if (isMalformed(uri) || uri.scheme === "other" || uri.scheme === "tel") return false;
  return uri.host === "anonymous.invalid" || NOBODY.has((uri.user ?? "").toLowerCase());
}

/** Whether the caller says that he wants nothing hidden, whatever is usual for him. */
export function showsIdentity(message: Message): boolean {
  return privacyOf(message).has("none");
}

/** Whether the number of the caller must not be shown. */
export function hidesIdentity(message: Message): boolean {
  const wanted = privacyOf(message);
  return !wanted.has("none") && (wanted.has("id") || wanted.has("user") || wanted.has("header"));
}

export const privacy = (...wanted: string[]): Header => ({ name: "Privacy", value: wanted.join(";") });
