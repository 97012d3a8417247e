// What the signalling half of a leg is made of, and whom it tells what the phone asks.

import type { Outcome } from "../../sip/client.ts";
import type { Credentials } from "../../sip/credentials.ts";
import type { Dialog } from "../../sip/dialog.ts";
import type { Header, Request, Response } from "../../sip/message/message.ts";
import type { Destination } from "../../sip/transport/transport.ts";
import type { Ending } from "../calls/call-machine.ts";
import type { KeptDialog } from "../calls/kept-leg.ts";
import type { Referral } from "../calls/leg.ts";
import type { DialogGuard } from "./dialog-guard.ts";
import type { OfferFault } from "./judge-offer.ts";
import type { LegStack } from "./leg-stack.ts";

export function responseIn(outcome: Outcome): Response | undefined {
  return "response" in outcome ? outcome.response : undefined;
}

export type DialogParts = {
  stack: Pick<LegStack, "own" | "send" | "ask" | "doorTo">;
  /** Looks a host name up; addresses never get here. */
  locate(uri: string): Promise<Destination[]>;
  product: string;
  /** Our own mistake, which must not cost anybody else his call. */
  mistake(error: unknown): void;
};

export type DialogHears = {
  /** The other side hung up. */
  bye(ending: Ending): void;
  /** A new offer, or with no body the request to hear ours: the answer's text, or that nothing fits. */
  reoffer(sdp: string | undefined): Promise<{ sdp: string } | { refused: OfferFault }>;
  /** The answer to an offer of ours, which came with the ACK. */
  acknowledged(sdp: string): void;
  /** A PRACK: whether it is for something we said. */
  prack(request: Request): boolean;
  /** What our 200 to a change says about signs of life. */
  renewed(request: Request): Header[];
  /** What a change of ours says about them: it is one itself, and without a word of them it would end them (RFC 4028, 7.4). */
  renewing(): Header[];
  /** It was taken, and says how they go on. */
  taken(response: Response): void;
  digit(digit: string): void;
  /** It is somewhere else than before. */
  moved(address: string): void;
  referred(referral: Referral): void;
  /** What a later process would need to know is not what was kept. */
  changed(): void;
};

export type DialogFacts = {
  dialog: Dialog;
  contact: string;
  hears: DialogHears;
  /** Answers whoever on the way asks who we are. */
  credentials?: Credentials | undefined;
  guard?: DialogGuard | undefined;
  knows?: Pick<KeptDialog, "knowsUpdate" | "knowsInfo"> | undefined;
};
