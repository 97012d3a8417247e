// One party as the next process needs it to go on with its call: plain data, without a word to its phone.

import type { CodecName, Latching, StreamId } from "../../media/engine.ts";
import type { KeyForm, SrtpUse } from "../../nouns/choices.ts";
import type { Agreed, OfferForm } from "../../sdp/agreed.ts";
import type { SuiteKeys } from "../../sdp/crypto.ts";
import type { Dialog } from "../../sip/dialog.ts";
import type { KeptAsked, KeptTaken } from "../../sip/kept-invite.ts";
import type { Header } from "../../sip/message/message.ts";
import type { Session, SessionPreference } from "../../sip/session-timer.ts";
import type { LegId } from "./call-machine.ts";
import type { LegFacts, LegLine, Party } from "./party.ts";

export type KeptDialog = {
  /** Its own number is the end of a block: whatever was said before the next keeping is below it. */
  dialog: Dialog;
  contact: string;
  knowsUpdate: boolean;
  knowsInfo: boolean;
};

export type KeptMedia = {
  stream: StreamId;
  address: string;
  port: number;
  sessionId: string;
  version: number;
  lastSdp: string | undefined;
  /** That was an offer, to which an answer may still come. */
  isOffer: boolean;
  /** Undefined while what we offered has no answer. */
  agreed: Agreed | undefined;
  codecs: readonly CodecName[];
  peerHint: string;
  /** Of the edge that it is spoken to by, or of whoever has its media: where the way leads; that of the peer when unset. */
  towards?: string | undefined;
  terms: KeptTerms;
  form: OfferForm;
  srtpKeys: SuiteKeys | undefined;
  infoFailed: boolean;
  /** Elsewhere than it was told last. */
  isMoved?: boolean | undefined;
};

/** What of a line's terms is plain; the rest is asked of the line again. */
export type KeptTerms = {
  srtp?: SrtpUse | undefined;
  keys?: KeyForm | undefined;
  hearsInband?: boolean | undefined;
  latching?: Latching | undefined;
};

export type KeptSession = {
  preference: SessionPreference;
  /** Undefined: no signs of life were agreed on. */
  session: Session | undefined;
  /** When the last sign was given, by the clock on the wall. */
  agreedAtMs: number;
};

export type KeptShown = { address: string | undefined; headers: Header[] | undefined };

export type KeptLeg = {
  id: LegId;
  party: Party;
  direction: "in" | "out";
  hops: number | undefined;
  facts: LegFacts;
  isBrowser: boolean;
  t38: boolean;
  dialog: KeptDialog;
  /** Undefined: what it says and hears cannot be gone on with; it can be hung up. */
  media: KeptMedia | undefined;
  session: KeptSession;
  shown: KeptShown;
  line: LegLine | undefined;
};

/** One that nobody has answered yet, whichever side called. */
export type KeptRinging = Omit<KeptLeg, "dialog"> & {
  /** Undefined while nothing was heard of whoever we call. */
  dialog: KeptDialog | undefined;
  codecs: readonly CodecName[];
  terms: KeptTerms;
  /** No later process can go on with it: it is there to be refused, or taken back. */
  endsWithUs: boolean;
  invite: KeptCalling | KeptCalled;
};

/** They called us. */
export type KeptCalling = {
  taken: KeptTaken;
  rang: boolean;
  /** How many numbered ringings it got, and whether it has not said yet that it heard the last one (RFC 3262). */
  ringings: number;
  isUnheard: boolean;
};

/** We called them. */
export type KeptCalled = {
  asked: KeptAsked;
  keepsFlow: boolean;
  rang: boolean;
  takesTalk: boolean;
  lastRSeq: number | undefined;
};
