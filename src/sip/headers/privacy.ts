// Privacy (RFC 3323, RFC 3325): what the caller wants hidden.

import { type Header, headersOf, type Message } from "../message/message.ts";

/** In lower case; the separator is a semicolon, and a comma is forgiven. */
function privacyOf(message: Message): Set<string> {
  const wishes = headersOf(message, "Privacy").flatMap((value) => value.toLowerCase().split(/[;,]/));
  return new Set(wishes.map((wish) => wish.trim()).filter((wish) => wish !== ""));
}

/** Whether the number of the caller must not be shown. */
export function hidesIdentity(message: Message): boolean {
  const wishes = privacyOf(message);
  return !wishes.has("none") && (wishes.has("id") || wishes.has("user") || wishes.has("header"));
}

export const privacy = (...wishes: string[]): Header => ({ name: "Privacy", value: wishes.join(";") });
