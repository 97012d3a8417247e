// What the core of a leg is made with, whoever called whom.

import type { CodecName, StreamId } from "../../media/engine.ts";
import type { ClientAccount } from "../../sip/digest-answer.ts";
import type { HangupCause } from "../calls/causes.ts";
import type { KeptLeg, KeptRinging } from "../calls/kept-leg.ts";
import type { LegFacts, Party } from "../calls/party.ts";
import type { CameBack } from "./flow-back.ts";
import type { LineTerms } from "./line-terms.ts";
import type { LegOf } from "./standing.ts";

/** What a kind of leg adds is who it is. */
type Who = "id" | "party" | "direction" | "hops" | "line";
export type KeptCore = Omit<KeptLeg, Who>;
export type KeptRingingCore = Omit<KeptRinging, Who | "invite">;

export type CoreOptions = {
  party: Party;
  of?: LegOf | undefined;
  codecs: readonly CodecName[];
  near?: StreamId | undefined;
  isBrowser?: boolean | undefined;
  /** Faxes may go as data, unless the line says no. */
  t38?: boolean | undefined;
  /** Whom its phone shows as the other side to begin with. */
  shown?: string | undefined;
  /** Answers a carrier's 401 or 407, to whichever request of the call. */
  account?: ClientAccount | undefined;
  terms?: LineTerms | undefined;
  endsWithUs?: boolean | undefined;
  peer: Pick<LegFacts, "address" | "place" | "userAgent" | "isBrowser">;
  /** The proxy of ours that it is spoken to by. */
  edge?: string | undefined;
  /** How this kind of leg takes leave of its phone. */
  end(cause: HangupCause): void;
  /** Of an earlier process, whose stream is open again. */
  kept?: KeptLeg | KeptRinging | undefined;
  cameBack?: CameBack | undefined;
};
