// Messages about calls that nobody knows yet, because whoever does is still being put together after a start.

import { toOf } from "./headers/addresses.ts";
import { cseqOf } from "./headers/cseq.ts";
import { tagOf } from "./headers/name-address.ts";
import type { Message, Octets } from "./message/message.ts";
import type { Source } from "./transport/transport.ts";

/** Whatever comes beyond is told that there is no such call, as ever. */
const MOST = 2_000;

/** What begins a call may be a repeat of one that goes on, and what takes one back means it. */
const OF_CALLS = new Set(["INVITE", "CANCEL", "ACK"]);

export class Strays {
  #held: { message: Message; source: Source }[] | undefined;

  /** `hold`: from the beginning, until `release`. */
  constructor(hold: boolean) {
    this.#held = hold ? [] : undefined;
  }

  /** Whether it waits now. A response is one that nobody has asked for, as far as is known. */
  take(message: Message, source: Source): boolean {
    if (!this.#held || this.#held.length >= MOST || !isOfCall(message)) return false;
    this.#held.push({ message, source });
    return true;
  }

  release(deliver: (message: Message, source: Source) => void): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { message, source } of held) deliver(message, source);
  }
}

/** The same of what is sent, by its text. */
export const isAboutCall = (octets: Octets): boolean => ABOUT_CALL.test(octets);

const ABOUT_CALL = /^(?:INVITE|CANCEL|ACK|PRACK) |\r\nCSeq: \d+ (?:INVITE|CANCEL|PRACK)\r\n/;

/** A REGISTER makes no dialog, whatever some phones put into its To. */
export function isOfCall(message: Message): boolean {
  if (message.is === "response") return cseqOf(message).method === "INVITE";
  if (OF_CALLS.has(message.method)) return true;
  return message.method !== "REGISTER" && tagOf(toOf(message)) !== undefined;
}
