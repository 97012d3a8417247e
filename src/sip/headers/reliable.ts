// RSeq and RAck (RFC 3262): a provisional response with a number, and the PRACK that names it.

import { wholeNumber } from "../message/alphabet.ts";
import { isMalformed, type Malformed } from "../message/malformed.ts";
import { type Header, headerOf, type Message } from "../message/message.ts";
import { type CSeq, parseCSeq } from "./cseq.ts";

export type RAck = { readonly rseq: number; readonly cseq: CSeq };

const MAX_RSEQ = 0xffffffff;

export function rseqOf(message: Message): number | undefined | Malformed {
  const value = headerOf(message, "RSeq");
  if (value === undefined) return undefined;
  return wholeNumber(value, MAX_RSEQ) || { malformed: "RSeq" };
}

export function rackOf(message: Message): RAck | undefined | Malformed {
  const value = headerOf(message, "RAck");
  if (value === undefined) return undefined;
  const blank = value.search(/[ \t]/);
  const rseq = blank < 0 ? undefined : wholeNumber(value.slice(0, blank), MAX_RSEQ);
  if (rseq === undefined) return { malformed: "RAck" };
  const cseq = parseCSeq(value.slice(blank).trim());
  return isMalformed(cseq) ? cseq : { rseq, cseq };
}

export const rseq = (number: number): Header => ({ name: "RSeq", value: `${number}` });

export function rack({ rseq, cseq }: RAck): Header {
  return { name: "RAck", value: `${rseq} ${cseq.number} ${cseq.method}` };
}
