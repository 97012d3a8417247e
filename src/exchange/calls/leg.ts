// One party on the phone, as a call sees it. Behind it stand a SIP dialog and a media stream.

import { type Clock, stampOf, type Ticks } from "../../clock.ts";
import type { CodecName, StreamId } from "../../media/engine.ts";
import type { AgreedImage } from "../../sdp/image.ts";
import type { RequestOptions } from "../../sip/dialog.ts";
import type { DialogId } from "../../sip/dialogs.ts";
import type { PhoneNumber } from "../plan/numbers.ts";
import type { Ending, LegId } from "./call-machine.ts";
import type { HangupCause as Cause } from "./causes.ts";
import type { KeptLeg, KeptRinging } from "./kept-leg.ts";
import type { LegFacts, LegLine, Party } from "./party.ts";
import type { StoryFact } from "./story.ts";

/** Somebody as the other side of a call is told of him. */
export type Met = {
  /** As a phone of the exchange shows him. */
  address: string;
  /** One of ours, by the number of ours that the outside knows him by. */
  outside: { number: PhoneNumber; name: string; withheld: boolean } | undefined;
};

/** Where a phone asks its call to be sent (REFER). */
export type Referral = {
  /** User part of Refer-To: a number somebody could have dialled. */
  to: string;
  /** Attended: the dialog whose other side shall take the place of this phone. */
  replaces?: DialogId;
};

export type LegEvent =
  | { is: "ringing" }
  /** The far side lets us hear something before it answers. */
  | { is: "earlyMedia" }
  | { is: "answered" }
  | { is: "ended"; ending: Ending }
  /** Signalled: it came beside the voice, where the other party does not hear it. */
  | { is: "digit"; digit: string; signalled?: true }
  /** A fax machine is on the line: it calls, or answers. Told once, and only while somebody has the stream listen. */
  | { is: "faxTone"; tone: "cng" | "ced" }
  | { is: "held"; on: boolean }
  /** Nothing is heard from its browser, which may have lost its network or is being loaded again. */
  | { is: "away"; on: boolean }
  /** What is kept of it for a later process is not how it is now. */
  | { is: "changed" }
  | { is: "referred"; referral: Referral }
  /** Something that its call's story tells, and nothing follows from. */
  | { is: "told"; fact: StoryFact };

/** Fax as data on a leg (T.38), by re-INVITE from either side. */
export type LegImage = {
  /** The line it came or went by may know better than to try: faxes on it stay sound. */
  readonly isAllowed: boolean;
  /** Asks for it, to be sent to this port of ours; otherwise the status with which it was refused, if any came. */
  offer(port: number): Promise<{ agreed: AgreedImage } | { refused: number | undefined }>;
  /** Says at which port of ours it is taken, should the other side ask; undefined refuses, as does nobody to say so. */
  take(answer: (theirs: AgreedImage) => Promise<number | undefined>): () => void;
};

export type Leg = {
  readonly id: LegId;
  readonly party: Party;
  /** Names its messages in a trace. */
  readonly sipCallId: string;
  /** `in`: they called us. `out`: we called them. */
  readonly direction: "in" | "out";
  /** Servers that the request it came by might still pass; unknown where it did not say, or where we called. */
  readonly hops?: number | undefined;
  /** Undefined until media was opened. */
  stream(): StreamId | undefined;
  codec(): CodecName | undefined;
  isAnswered(): boolean;
  /** The moment of its `startMs`. */
  readonly began: Ticks;
  facts(): LegFacts;
  /** Tells a caller that it rings at the other side. Once is enough; more does nothing. */
  ring(): void;
  /** Lets a caller hear before we answer. True once there is media to join. */
  letHear(prefer?: CodecName): Promise<boolean>;
  /** Picks up a call that came in. False when the caller has gone or no codec fits. */
  answer(prefer?: CodecName): Promise<boolean>;
  /** Refuses, cancels or hangs up, whichever fits; what is over stays over. */
  end(cause: Cause): void;
  /** Asks a ringing phone to pick itself up (Event: talk). True when it did, or has said that it can. */
  pickUp(): Promise<boolean>;
  /** Keys for this party, in the form it has: events in its voice, INFO, or tones. */
  press(digits: string): Promise<void>;
  /** Keys are told to it by signalling: those that its partner presses must be brought to it. */
  keysGoAside(): boolean;
  /** How the transfer it asked for goes: whom it is sent to rings; at last undefined means well. */
  tellTransfer(news: Ending | "rings" | undefined): void;
  /** Who is on the other side from now on: a phone of the exchange is told, unless it shows it already; a carrier where it wants to be. */
  meet(other: Met): void;
  /** Its SIP dialog, so that a Replaces can find it. */
  dialog(): DialogId | undefined;
  readonly image: LegImage;
  /** By which line of the public network it came or goes; for whoever counts and charges. */
  line: LegLine | undefined;
  /** What a later process needs to go on with it, or to hang it up; undefined until it is answered. */
  keep(): KeptLeg | undefined;
  /** The same while it is not answered; undefined afterwards, and while nothing was said yet. */
  keepRinging(): KeptRinging | undefined;
  /** A request inside its dialog, for what has no word of its own here. */
  ask(method: string, options: RequestOptions): void;
  /** Kept once the leg is gone, whoever ended it. */
  readonly over: Promise<void>;
  /** One listener; while there is none, events are kept for the next. */
  listen(hear: ((event: LegEvent) => void) | undefined): void;
};

/** At its end. By the clock of a call that began before the wall's was set: its parties' stamps fit together. */
export function factsBy(clock: Clock, leg: Leg): LegFacts {
  const facts = { ...leg.facts() };
  const moveMs = Math.round(stampOf(clock, leg.began) - facts.startMs);
  for (const stamp of ["startMs", "answerMs", "endMs", "heardMs", "progressMs"] as const) {
    const at = facts[stamp];
    if (at !== undefined && Math.abs(moveMs) >= 1_000) facts[stamp] = at + moveMs;
  }
  return { ...facts, endMs: facts.endMs ?? clock.wall() };
}
