// A delivery receipt in any of the forms carriers write it: text of the SMPP 3.4 appendix and its dialects, or TLVs.

import type { FinalState } from "../store/sms-state.ts";
import { gsmErrorFor, NO_ERROR } from "./gsm-error.ts";

export type Receipt = {
  /** The carrier's id of the part, as written, and in the other notations the same carrier may have used before. */
  references: string[];
  /** Absent: on its way still, the end comes later. */
  state: FinalState | undefined;
  gsmError: number;
  /** The start of the message's text, where the carrier repeats it. */
  textBegins: string | undefined;
};

export type ReceiptParts = {
  text: string;
  receiptedId?: string | undefined;
  messageState?: number | undefined;
  networkError?: number | undefined;
};

const WORDS: Readonly<Record<string, FinalState | undefined>> = {
  DELIVRD: "DELIVERED",
  DELIVERED: "DELIVERED",
  EXPIRED: "EXPIRED",
  DELETED: "NOT_DELIVERED",
  UNDELIV: "NOT_DELIVERED",
  UNDELIVERABLE: "NOT_DELIVERED",
  UNDELIVERED: "NOT_DELIVERED",
  FAILED: "NOT_DELIVERED",
  UNKNOWN: "NOT_DELIVERED",
  REJECTD: "REJECTED",
  REJECTED: "REJECTED",
};

/** SMPP 3.4, 5.2.28. */
const STATE_NUMBERS: readonly string[] = [
  "SCHEDULED",
  "ENROUTE",
  "DELIVRD",
  "EXPIRED",
  "DELETED",
  "UNDELIV",
  "ACCEPTD",
  "UNKNOWN",
  "REJECTD",
];

export function readReceipt({ text, receiptedId, messageState, networkError }: ReceiptParts): Receipt | undefined {
  const id = receiptedId ?? field(text, "id");
  const word = messageState === undefined ? field(text, "stat")?.toUpperCase() : STATE_NUMBERS[messageState];
  if (!id || !word) return undefined;
  const state = WORDS[word];
  const code = networkError ?? errorNumber(field(text, "err"));
  return {
    references: notationsOf(id),
    state,
    gsmError: state === undefined ? NO_ERROR : gsmErrorFor(state, code ?? DELETED_CODE[word]),
    textBegins: /\btext:\s?(.*)$/is.exec(text)?.[1] || undefined,
  };
}

const DELETED_CODE: Readonly<Record<string, number>> = { DELETED: 4100, UNKNOWN: 502 };

/**
 * Carriers answer a submit with the id in one notation and write the receipt in another: decimal and hexadecimal, with and
 * without leading zeros, in either case.
 */
function notationsOf(id: string): string[] {
  const written = id.trim();
  const bare = written.replace(/^0+(?=.)/, "");
  const notations = new Set([written, bare, bare.toLowerCase(), bare.toUpperCase()]);
  if (/^\d{1,20}$/.test(bare)) {
    const hex = BigInt(bare).toString(16);
    notations.add(hex).add(hex.toUpperCase()).add(hex.padStart(8, "0")).add(hex.padStart(8, "0").toUpperCase());
  }
  if (/^[0-9a-f]{1,16}$/i.test(bare)) notations.add(BigInt(`0x${bare}`).toString(10));
  return [...notations];
}

/** `id:…`, `Id: …`, `id=…`, with or without quotes; `submit date` holds a blank, so a value ends at the next blank. */
function field(text: string, name: string): string | undefined {
  const head = text.replace(/\btext:[\s\S]*/i, "");
  return new RegExp(`(?:^|[\\s;,])${name}\\s*[:=]\\s*"?([^\\s";,]+)`, "i").exec(head)?.[1];
}

function errorNumber(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const number = /^0x/i.test(written) ? Number.parseInt(written, 16) : Number(written);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}
