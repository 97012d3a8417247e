// Who is at a leg, and what is known of him: plain data.

import type { TransportName } from "../../sip/transport/transport.ts";
import type { PaidBy } from "../../store/spending.ts";
import type { HangupCause as Cause } from "./causes.ts";

/** `withheld`: whoever it talks with may not know who it is. */
export type Party = (
  | { is: "extension"; number: string; name: string }
  /** `number` as the exchange writes it: 90… for inland, 00… for abroad. */
  | { is: "outside"; number: string; name: string }
) & { withheld?: boolean | undefined };

/** What the call's record says of this party. */
export type LegFacts = {
  number: string;
  startMs: number;
  answerMs?: number;
  endMs?: number;
  /** When we first heard of it: a phone that is switched off says nothing. */
  heardMs?: number;
  /** When it first said more than that it tries: it rings, or will soon. */
  progressMs?: number;
  address: string;
  /** By what it was heard from there, and from which port; unknown of a call that an older program began. */
  place?: { transport: TransportName; port: number } | undefined;
  userAgent: string;
  /** Its phone is a page in a browser. */
  isBrowser?: boolean;
  /** What it is sent, and what it sends. */
  writeCodec: string;
  readCodec: string;
  cause?: Cause;
};

/** `trunk` by its name, null for the network in the box; `metered`: minutes with this number are paid for, by whom. */
export type LegLine = { trunk: string | null; metered?: string | undefined; paidBy?: PaidBy | undefined };
