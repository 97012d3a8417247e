// CSeq: the number and method that order the requests of a dialog.

import { endOfRun, SPACE, skipBlanks, TAB, TOKEN, wholeNumber } from "../message/alphabet.ts";
import { isMalformed, type Malformed } from "../message/malformed.ts";
import { headerOf, type Message } from "../message/message.ts";
import { remember } from "./remember.ts";

export type CSeq = { readonly number: number; readonly method: string };

/** Sequence numbers stay below 2^31 (8.1.1.5). */
export const MAX_SEQUENCE = 0x7fffffff;

export function cseqOf(message: Message): CSeq {
  const value = headerOf(message, "CSeq");
  const cseq = value === undefined ? { malformed: "no CSeq" } : parseCSeq(value);
  if (isMalformed(cseq)) throw new Error(`message without a usable CSeq: ${cseq.malformed}`);
  return cseq;
}

export const parseCSeq = remember((text: string): CSeq | Malformed => {
  let end = 0;
  while (end < text.length && text.charCodeAt(end) !== SPACE && text.charCodeAt(end) !== TAB) end++;
  const number = wholeNumber(text.slice(0, end), MAX_SEQUENCE);
  if (number === undefined) return { malformed: "CSeq number" };
  const start = skipBlanks(text, end);
  const methodEnd = endOfRun(text, start, TOKEN);
  if (methodEnd === start || methodEnd !== text.length) return { malformed: "CSeq method" };
  return { number, method: text.slice(start) };
});
