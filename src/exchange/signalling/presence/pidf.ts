// What a presence document (RFC 3863) says that a lamp can show: whether its owner is there, and a word about it.

import { textOf } from "../../../sip/message/text.ts";

export type Pidf = { isOpen: boolean; note: string };

const LONGEST_NOTE = 120;
const BASIC = /<(?:[\w.-]{1,20}:)?basic(?:\s[^<>]{0,200})?>\s*(open|closed)\s*</i;
const NOTE = /<(?:[\w.-]{1,20}:)?note(?:\s[^<>]{0,200})?>([^<]{1,1000})</i;
/** What phones say instead of a note (RFC 4480). */
const ACTIVITY = /<(?:[\w.-]{1,20}:)?(away|busy|on-the-phone|meal|meeting|vacation|do-not-disturb|dnd)\s*\/>/i;

/** Undefined for what is no such document. */
export function readPidf(octets: string): Pidf | undefined {
  const basic = BASIC.exec(octets)?.[1]?.toLowerCase();
  if (basic === undefined || !/<(?:[\w.-]{1,20}:)?presence[\s>]/i.test(octets)) return undefined;
  const words = NOTE.exec(octets)?.[1] ?? ACTIVITY.exec(octets)?.[1] ?? "";
  return { isOpen: basic === "open", note: plain(textOf(words)).slice(0, LONGEST_NOTE) };
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const plain = (text: string) =>
  text
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replaceAll(/[\x00-\x1f\x7f]+/g, " ")
    .trim();
