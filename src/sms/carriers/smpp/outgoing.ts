// A message as the submit_sm requests that carry it: parts by user-data header or by TLVs, or the whole as a payload.

import type { CarrierRow } from "../../../store/sms-carriers.ts";
import type { Submission } from "../../carrier.ts";
import type { DataCoding } from "../../coding.ts";
import { type Segment, segment, wholeBody, withoutConcatenation } from "../../segments.ts";
import type { Fields } from "./session.ts";

export type Manner = Pick<CarrierRow, "longMessages" | "nationalTables" | "receipts">;

const ALPHANUMERIC = 5;
const INTERNATIONAL = 1;
const ISDN = 1;
const HAS_HEADER = 0x40;
const GSM_ALPHABET = 0;
const UCS2 = 8;

export function submitRequests(submission: Submission, manner: Manner, nowMs: number): Fields[] {
  const { id, title, dest, validUntilMs } = submission;
  const envelope = {
    source_addr_ton: ALPHANUMERIC,
    source_addr_npi: 0,
    source_addr: title,
    dest_addr_ton: INTERNATIONAL,
    dest_addr_npi: ISDN,
    destination_addr: dest.replace(/^00/, ""),
    registered_delivery: manner.receipts ? 1 : 0,
    validity_period: relativeTime(validUntilMs - nowMs),
    user_message_reference: id & 0xffff,
  };
  return contents(submission, manner).map((content) => ({ ...envelope, ...content }));
}

/** Without its national tables a carrier gets Turkish letters as Unicode. */
function contents({ id, text, coding }: Submission, { longMessages, nationalTables }: Manner): Fields[] {
  const carried: DataCoding = coding === 1 && !nationalTables ? 2 : coding;
  const { unicode, segments } = segment(text, carried, id);
  const data_coding = unicode ? UCS2 : GSM_ALPHABET;
  if (segments.length === 1) return [{ data_coding, ...shortMessage(segments[0]!) }];
  return longContents[longMessages]({ id, text, carried, segments }).map((content) => ({ data_coding, ...content }));
}

type Long = { id: number; text: string; carried: DataCoding; segments: Segment[] };

const longContents: { [How in CarrierRow["longMessages"]]: (long: Long) => Fields[] } = {
  udh: ({ segments }) => segments.map(shortMessage),
  sar: ({ id, segments }) =>
    segments.map(({ header, body }, place) => ({
      ...shortMessage({ header: withoutConcatenation(header), body }),
      sar_msg_ref_num: id & 0xffff,
      sar_total_segments: segments.length,
      sar_segment_seqnum: place + 1,
    })),
  payload: ({ text, carried, segments }) => {
    const { short_message, ...rest } = shortMessage(wholeBody(text, carried, segments[0]!));
    return [{ ...rest, short_message: Buffer.alloc(0), message_payload: short_message }];
  },
};

function shortMessage({ header, body }: Segment): { short_message: Buffer; esm_class: number } {
  return { short_message: Buffer.concat([header, body]), esm_class: header.length > 0 ? HAS_HEADER : 0 };
}

/** SMPP 3.4, 7.1.1: `YYMMDDhhmmss000R`; days carry what a validity can hold. */
function relativeTime(ms: number): string {
  const seconds = Math.max(60, Math.round(ms / 1_000));
  const fields = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  return `0000${fields.map((field) => String(field).padStart(2, "0")).join("")}000R`;
}
