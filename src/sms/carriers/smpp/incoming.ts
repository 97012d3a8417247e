// What a carrier delivers: a receipt in one of its dialects, or a message from a handset, in octets of some alphabet.

import { defaultAlphabet, readSeptets } from "../../alphabet.ts";
import type { ArrivedMessage } from "../../carrier.ts";
import { type Receipt, readReceipt } from "../../receipt.ts";
import { fromUcs2, readHeader, readSegment } from "../../segments.ts";
import type { Fields } from "./session.ts";

export type Delivered = { is: "receipt"; receipt: Receipt; from: string } | { is: "message"; message: ArrivedMessage };

/** Bits 5-2 of esm_class: a receipt, an acknowledgement by the handset or its user, or news on the way. */
const KIND_OF_DELIVERY = 0x3c;
const HAS_HEADER = 0x40;

export function readDelivery(fields: Fields, nowMs: number): Delivered {
  const octets = octetsOf(fields);
  const esmClass = numberOf(fields.esm_class) ?? 0;
  const header = esmClass & HAS_HEADER && octets.length > 0 ? octets.subarray(0, octets[0]! + 1) : NOTHING;
  const body = octets.subarray(header.length);
  const coding = numberOf(fields.data_coding) ?? 0;
  const from = String(fields.source_addr ?? "");
  const receipt = receiptIn(fields, esmClass, receiptText(body, coding));
  if (receipt) return { is: "receipt", receipt, from };
  const message: ArrivedMessage = {
    from: fields.source_addr_ton === 1 && !from.startsWith("+") ? `+${from}` : from,
    to: String(fields.destination_addr ?? ""),
    text: textIn(header, body, coding).replaceAll("\0", ""),
    network: "",
    receivedAtMs: nowMs,
    onceKey: undefined,
    part: partOf(fields, header),
  };
  return { is: "message", message };
}

const NOTHING = new Uint8Array(0);

function octetsOf({ short_message, message_payload }: Fields): Uint8Array {
  if (message_payload instanceof Uint8Array && message_payload.length > 0) return message_payload;
  return short_message instanceof Uint8Array ? short_message : NOTHING;
}

/** Some carriers forget to mark a receipt as one, and its words give it away; what is marked and unreadable is no message. */
function receiptIn(fields: Fields, esmClass: number, text: string): Receipt | undefined {
  const receiptedId = fields.receipted_message_id;
  const receipt = readReceipt({
    text,
    receiptedId: typeof receiptedId === "string" && receiptedId !== "" ? receiptedId : undefined,
    messageState: numberOf(fields.message_state),
    networkError: networkErrorOf(fields.network_error_code),
  });
  const marked = (esmClass & KIND_OF_DELIVERY) !== 0;
  if (receipt && (marked || receiptedId !== undefined || /\bstat\s*[:=]/i.test(text))) return receipt;
  return marked ? { references: [], state: undefined, gsmError: 0, textBegins: undefined } : undefined;
}

/** One octet for the kind of network, two for the code. */
function networkErrorOf(value: unknown): number | undefined {
  if (!(value instanceof Uint8Array) || value.length !== 3) return undefined;
  return value[1]! * 256 + value[2]! || undefined;
}

function receiptText(body: Uint8Array, coding: number): string {
  const text = coding === 8 ? fromUcs2(body) : Buffer.from(body).toString("latin1");
  return text.replaceAll("\0", ""); // the one character the database cannot keep
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
