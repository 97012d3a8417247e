// What a carrier delivers: a receipt in one of its dialects, or a message from a handset, in octets of some alphabet.

import { defaultAlphabet, readSeptets } from "../../alphabet.ts";
import type { ArrivedMessage } from "../../carrier.ts";
import { type Receipt, readReceipt } from "../../receipt.ts";
import { fromUcs2, readHeader, readSegment } from "../../segments.ts";
import type { Fields } from "./session.ts";

export type Delivered = { is: "receipt"; receipt: Receipt; from: string } | { is: "message"; message: ArrivedMessage };

/** Bits 5-2 of esm_class. */
const KIND_OF_DELIVERY = 0x3c;
/** What the carrier itself says of a message: its end, or news on the way. An acknowledgement is a handset's own words. */
const CARRIERS_WORDS: readonly number[] = [0x04, 0x20];
const HAS_HEADER = 0x40;

/** `unmarked`: this carrier's receipts are known by their words alone, which anybody with a handset can write as well. */
export function readDelivery(fields: Fields, nowMs: number, { unmarked }: { unmarked: boolean }): Delivered {
  const octets = octetsOf(fields);
  const esmClass = numberOf(fields.esm_class) ?? 0;
  const header = esmClass & HAS_HEADER && octets.length > 0 ? octets.subarray(0, octets[0]! + 1) : NOTHING;
  const body = octets.subarray(header.length);
  const coding = numberOf(fields.data_coding) ?? 0;
  const from = nameIn(fields.source_addr);
  const receipt = receiptIn(fields, { esmClass, text: receiptText(body, coding), unmarked });
  if (receipt) return { is: "receipt", receipt, from };
  const message: ArrivedMessage = {
    from: fields.source_addr_ton === 1 && !from.startsWith("+") ? `+${from}` : from,
    to: nameIn(fields.destination_addr),
    text: textIn(header, body, coding).replaceAll("\0", ""),
    network: "",
    receivedAtMs: nowMs,
    onceKey: undefined,
    part: partOf(fields, header),
  };
  return { is: "message", message };
}

const NOTHING = new Uint8Array(0);
/** The standard has 21 octets for an address and 65 for an id; what is longer is no index's key. */
const LONGEST_NAME = 256;

/** An octet with its highest bit set is read as one without: a zero too, the one character that the database cannot keep. */
export function nameIn(value: unknown): string {
  return typeof value === "string" ? value.replaceAll("\0", "").slice(0, LONGEST_NAME) : "";
}

function octetsOf({ short_message, message_payload }: Fields): Uint8Array {
  if (message_payload instanceof Uint8Array && message_payload.length > 0) return message_payload;
  return short_message instanceof Uint8Array ? short_message : NOTHING;
}

type Read = { esmClass: number; text: string; unmarked: boolean };

/** Marked by its class, or by a field that no handset can fill. What is marked and unreadable is no message. */
function receiptIn(fields: Fields, { esmClass, text, unmarked }: Read): Receipt | undefined {
  const receiptedId = fields.receipted_message_id === undefined ? undefined : nameIn(fields.receipted_message_id);
  const kind = esmClass & KIND_OF_DELIVERY;
  const isCarriers = CARRIERS_WORDS.includes(kind) || (kind === 0 && receiptedId !== undefined);
  const looksIt = unmarked && kind === 0 && /\bstat\s*[:=]/i.test(text);
  const receipt =
    isCarriers || looksIt
      ? readReceipt({
          text,
          receiptedId: receiptedId || undefined,
          messageState: numberOf(fields.message_state),
          networkError: networkErrorOf(fields.network_error_code),
        })
      : undefined;
  return receipt ?? (kind === 0 ? undefined : { references: [], state: undefined, gsmError: 0, textBegins: undefined });
}

/** Whether a carrier that forgets to mark its receipts may have meant one. */
export function readsLikeReceipt({ text }: ArrivedMessage): boolean {
  return readReceipt({ text }) !== undefined;
}

/** One octet for the kind of network, two for the code. */
function networkErrorOf(value: unknown): number | undefined {
  if (!(value instanceof Uint8Array) || value.length !== 3) return undefined;
  return value[1]! * 256 + value[2]! || undefined;
}

function receiptText(body: Uint8Array, coding: number): string {
  const text = coding === 8 ? fromUcs2(body) : Buffer.from(body).toString("latin1");
  return text.replaceAll("\0", "");
}

function textIn(header: Uint8Array, body: Uint8Array, coding: number): string {
  if (coding === 8) return fromUcs2(body);
  if (coding === 1 || coding === 3) return Buffer.from(body).toString("latin1");
  return header.length > 0 ? readSegment({ header, body }, false) : readSeptets(body, defaultAlphabet);
}

function partOf(fields: Fields, header: Uint8Array): ArrivedMessage["part"] {
  const { concatenation } = readHeader(header);
  const count = concatenation?.count ?? numberOf(fields.sar_total_segments) ?? 1;
  const number = concatenation?.number ?? numberOf(fields.sar_segment_seqnum) ?? 1;
  const reference = concatenation?.reference ?? numberOf(fields.sar_msg_ref_num) ?? 0;
  return count > 1 && number >= 1 && number <= count ? { reference, count, number } : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
