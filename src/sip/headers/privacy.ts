// Privacy (RFC 3323, RFC 3325): what the caller wants hidden.

import { type Header, headersOf, type Message } from "../message/message.ts";

/** Who calls, when nobody may know (RFC 3323 4.1.1.3). Phones drop a call whose address has no user part. */
export const ANONYMOUS = '"Anonymous" <sip:anonymous@anonymous.invalid>';

/** In lower case; the separator is a semicolon, and a comma is forgiven. */
function privacyOf(message: Message): Set<string> {
  const wanted = headersOf(message, "Privacy").flatMap((value) => value.toLowerCase().split(/[;,]/));
  return new Set(wanted.map((wanted) => wanted.trim()).filter((wanted) => wanted !== ""));
}

/** Whether the number of the caller must not be shown. */
export function hidesIdentity(message: Message): boolean {
  const wanted = privacyOf(message);
  return !wanted.has("none") && (wanted.has("id") || wanted.has("user") || wanted.has("header"));
}

export const privacy = (...wanted: string[]): Header => ({ name: "Privacy", value: wanted.join(";") });
