// What is known of a call while it lasts: plain data, written to the journal as it changes and to the CDR at the end.

import type { OwedForm } from "../../store/call-forms.ts";
import type { Brought, QueueEnd } from "../../store/call-passes.ts";
import type { EndedBy } from "../../store/cdrs.ts";
import type { SentOnBy } from "../plan/sent-on.ts";
import type { HangupCause } from "./causes.ts";
import type { Leg } from "./leg.ts";
import type { LegFacts, Party } from "./party.ts";
import type { StoryFact, StoryLine } from "./story.ts";

export type Direction = "internal" | "inbound" | "outbound";
export type Origin = "phone" | "api" | "campaign";

export type CallFacts = {
  uuid: string;
  exchangeId: number;
  direction: Direction;
  origin: Origin;
  startMs: number;
  /** When a person took it, or a machine that it was meant for: whoever only hears a voice of ours has not been answered. */
  answerMs?: number | undefined;
  callerNumber: string;
  callerName: string;
  /** The caller is shown to nobody he calls. */
  withheld?: boolean;
  /** Who had sent the call on before it came here, the last first. */
  sentOnBy?: SentOnBy[];
  /** What networks have signed of the caller (RFC 8224), as it came; and whether a signature we know holds. */
  signed?: string[];
  verified?: boolean;
  /** The number of ours that the outside sees. */
  outboundCallerId: string;
  destinationNumber: string;
  destinationName: string;
  /** The extension rung last, and the one that picked up: they differ when a colleague picks up for it. */
  dialedUser: string;
  connectedUser: string;
  /** Somebody we want no calls of: that he did not get through is no call that we missed. */
  isUnwelcome?: boolean;
  queue?: string;
  queueWaitSeconds: number;
  /** Since when he has been waiting there, while he waits. */
  queuedMs?: number | undefined;
  /** Of each extension that a queue or ring group rang and that did not take it, the last time, by what became of it. */
  rungInVain?: LegFacts[];
  /** Which queue or ring group brought it to each extension that has talked in it, the last time. */
  brought?: Brought[];
  /** Queues and ring groups that it came to, the last one at the end. */
  stays?: Stay[];
  /** Why whoever was to take it last did not, while a voice of ours goes on with the caller. */
  lastCause?: HangupCause | undefined;
  recordingPath?: string;
  /** Nothing of it could be written. */
  isRecordingLost?: boolean;
  /** What agents who took it have to fill in. */
  forms?: OwedForm[];
  /** Files of what a caller said when a service asked him to: they come before the recording of the talk. */
  words?: string[];
  /** The extension on whose call its party listens: no talk of its own, whatever it looks like on the wire. */
  supervises?: string;
  /** The trunk that it is a test of: it lasts no longer than one needs to hear that it works. */
  testsTrunk?: string;
  /** How often the journal was told of it: of two copies the one with more is the later. */
  noted?: number;
  /** Each thing the exchange decided or saw. */
  story: StoryLine[];
};

/** At a queue or a ring group. */
export type Stay = {
  queue: string;
  sinceMs: number;
  /** Undefined while it is there. */
  waitSeconds?: number;
  /** Undefined: what its record says in any case. */
  end?: "answered" | QueueEnd;
  /** Of who took it there, until it came to the next one. */
  talkSeconds?: number;
};

export type CallEnd = {
  endMs: number;
  cause: HangupCause;
  /** As the interface has it, which knows two answers: whoever had it ended otherwise, it says the caller. */
  by: "caller" | "callee";
  endedBy?: EndedBy;
  /** Nobody hung up: it was at its end. */
  byUs?: boolean;
  sip?: { status: number; phrase: string };
  legs: LegFacts[];
};

/** However many agents let a call pass. */
const MOST_IN_VAIN = 100;

/** However many talk in one call. */
const MOST_BROUGHT = 100;

/** However long a call is sent around, its story stays readable and bounded: of a longer one this much is its beginning. */
const LONGEST_STORY = 200;
const BEGINNING = 100;

export function tellStory({ story }: CallFacts, atMs: number, fact: StoryFact): void {
  if (story.length >= LONGEST_STORY) {
    const first = story[BEGINNING]!; // it is longer than its beginning
    const before = "is" in first && first.is === "left-out" ? first.count : 1;
    story.splice(BEGINNING, 2, { atMs: first.atMs, is: "left-out", count: before + 1 });
  }
  story.push({ atMs, ...fact });
}

/** An extension rings: the last one that did is what was dialled, and for who calls from outside also who was reached. */
export function noteRung(facts: CallFacts, party: Party): void {
  facts.lastCause = undefined;
  if (party.is !== "extension") return;
  facts.dialedUser = party.number;
  noteReached(facts, party);
}

/** As `rungInVain` has it. */
export function noteInVain(facts: CallFacts, leg: LegFacts): void {
  const others = (facts.rungInVain ?? []).filter(({ number, cause }) => number !== leg.number || cause !== leg.cause);
  facts.rungInVain = [...others.slice(1 - MOST_IN_VAIN), leg];
}

/** They begin to talk: from the place where the call is now, or was last. */
export function noteTalk(facts: CallFacts, parties: readonly Party[], nowMs: number): void {
  const { queue = null, brought = [] } = facts;
  const numbers = parties.flatMap(({ is, number }) => (is === "extension" ? [number] : []));
  const others = brought.filter(({ extension }) => !numbers.includes(extension));
  const waitSeconds = waitedSeconds(facts, nowMs);
  const those = numbers.map((extension) => ({ extension, queue, waitSeconds }));
  facts.brought = [...others, ...those].slice(-MOST_BROUGHT);
}

/** Whether that is news: the first answer, or another extension's. */
export function noteAnswered(facts: CallFacts, by: Party | undefined, nowMs: number): boolean {
  const isFirst = facts.answerMs === undefined;
  facts.answerMs ??= nowMs;
  if (by?.is !== "extension") return isFirst;
  const isAnother = facts.connectedUser !== by.number;
  facts.connectedUser = by.number;
  noteReached(facts, by);
  return isFirst || isAnother;
}

/** Of two who begin to talk, those who were not in the call before, the called one first: the extension that picked up. */
export function pickedUp(newcomers: readonly Leg[]): Leg | undefined {
  const [called] = newcomers;
  if (called?.party.is === "extension") return called;
  return newcomers.find(({ party, direction }) => party.is === "extension" && direction === "out");
}

function noteReached(facts: CallFacts, { name }: Party): void {
  if (facts.direction === "inbound") facts.destinationName = name;
}

/** In its last queue: until somebody took it there, or until `atMs`. */
export function waitedSeconds({ queueWaitSeconds, queuedMs }: CallFacts, atMs: number): number {
  return queuedMs === undefined ? queueWaitSeconds : wholeSeconds(atMs - queuedMs);
}

export function wholeSeconds(ms: number): number {
  return Math.max(0, Math.round(ms / 1_000));
}
