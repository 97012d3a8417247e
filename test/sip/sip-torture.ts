// How the torture messages of the RFCs are looked at: what is malformed fails the test that reads it.

import { contactsOf } from "../../src/sip/headers/addresses.ts";
import type { NameAddress } from "../../src/sip/headers/name-address.ts";
import { parseVia, type Via } from "../../src/sip/headers/via.ts";
import { isMalformed, type Malformed } from "../../src/sip/message/malformed.ts";
import { headersOf, type Message } from "../../src/sip/message/message.ts";
import { splitList } from "../../src/sip/message/parameters.ts";
import { parseSipUri, type SipUri } from "../../src/sip/message/uri.ts";

export type Torture = {
  verdict: string;
  /** What the RFC says of it, and where it leaves a choice, which one is ours. */
  why: string;
  /** Headers the refusal must carry. */
  answered?: Record<string, string>;
  understood?: (message: Message) => void;
};

export function good<Value>(value: Value | Malformed): Value {
  if (isMalformed(value)) throw new Error(value.malformed);
  return value;
}

export const uriOf = (text: string): SipUri => good(parseSipUri(text));
export const vias = (message: Message): Via[] =>
  headersOf(message, "Via")
    .flatMap(splitList)
    .map((via) => good(parseVia(via)));

export function contacts(message: Message): NameAddress[] {
  const found = good(contactsOf(message));
  if (found === "*") throw new Error("star");
  return found;
}

export function requestUri(message: Message): string {
  if (message.is !== "request") throw new Error("a response");
  return message.uri;
}
