// What can be told of a call, as facts: kinds and fields, written down as JSON and checked when they are read.
// Words are made of them in src/words, where somebody reads them; no field here holds a sentence of ours.

import { type Static, type TObject, type TProperties, Type } from "typebox";
import { Check } from "typebox/value";
import { type RecordingFault, recordingSteps } from "../../media/engine.ts";
import { type GroupStrategy, groupStrategies, type QueueStrategy, queueStrategies } from "../../nouns/choices.ts";
import { type DiversionReason, diversionReasons } from "../../sip/headers/diversion.ts";
import type { EndedBy } from "../../store/cdrs.ts";
import { causes, type HangupCause } from "./causes.ts";

/**
 * Too long ago; cut off again and again; kept by another version or on another machine; something that cannot be gone on
 * with, such as a fax; its voice could not be opened again; its exchange is gone.
 */
const notResumed = ["too-late", "too-often", "unknown", "not-possible", "no-voice", "no-exchange"] as const;
export type NotResumed = (typeof notResumed)[number];

const text = Type.String();
const count = Type.Number();
const party = Type.Object({ is: Type.Enum(["extension", "outside"]), number: text, name: text });
const cause = Type.Unsafe<HangupCause>(Type.Enum(Object.keys(causes)));
const enders = { caller: 0, callee: 0, interface: 0, supervisor: 0, operator: 0, exchange: 0 } satisfies Record<
  EndedBy,
  0
>;
const ender = Type.Unsafe<EndedBy>(Type.Enum(Object.keys(enders)));
const mode = Type.Enum(["listen", "whisper", "join"]);
/** As it is stored: `queue/200`. A forwarding may also name a plain number. */
const target = text;
const targetIfAny = Type.Union([target, Type.Null()]);

/** By its name; null is the network in the box. */
const trunk = Type.Union([text, Type.Null()]);

export const storyKinds = {
  // How it began.
  called: { from: text, to: text },
  dialled: { by: text, number: text },
  "withholds-number": {},
  "sent-on-by": { number: text, reason: Type.Unsafe<DiversionReason>(Type.Enum(diversionReasons)) },
  /** What the network signed of the caller; "" where it does not say how sure it is. */
  attested: { level: Type.Enum(["A", "B", "C", ""]) },
  "not-attested": {
    why: Type.Enum(["absent", "unreadable", "signature", "stale", "numbers"]),
    refused: Type.Boolean(),
  },
  "interface-connects": { party, to: text, as: Type.Optional(text) },
  "campaign-calls": { campaign: count, name: text, number: text, attempt: count },
  "fax-order": { order: count, number: text, from: count, to: count },
  "tests-trunk": { trunk: text, number: text },
  "called-back": { number: text, queue: text, call: text },

  // Where a number of ours leads.
  blocked: { number: text },
  "not-our-number": { number: text },
  "leads-to": {
    number: text,
    target,
    because: Type.Enum(["open", "closed", "holiday", "opened by hand", "closed by hand"]),
    holiday: Type.Optional(text),
  },
  "leads-nowhere": { number: text, target },

  // Parties come, talk, are sent on and go.
  rings: { party },
  talk: { one: party, other: party },
  gone: { party, cause },
  over: { cause, by: Type.Optional(ender) },
  /** Of a very long story, between its beginning and its end. */
  "left-out": { count },
  "exchange-stopped": {},
  /** The exchange stopped, and the next one went on with the call. */
  resumed: { gapMs: count, ringing: Type.Optional(Type.Boolean()) },
  /** It did not go on with it: whoever was on the line was hung up. */
  "not-resumed": { why: Type.Unsafe<NotResumed>(Type.Enum([...notResumed])) },
  /** A part of its recording lies on a node that had the call before, and cannot be reached. */
  "recording-part-left": { node: text },
  /** `code` is the system's own word: ENOSPC, EIO. What was written before that is kept. */
  "recording-failed": { step: Type.Unsafe<RecordingFault["step"]>(Type.Enum([...recordingSteps])), code: text },
  "hung-up-by": { who: Type.Enum(["interface", "operator", "supervisor", "exchange"]) },
  muted: { on: Type.Boolean() },
  "offer-refused": {
    party,
    why: Type.Enum([
      "malformed",
      "no-audio",
      "no-common-codec",
      "encryption-required",
      "encryption-not-possible",
      "webrtc",
      "fax-only",
      "other-family",
    ]),
  },
  /** It takes no encrypted call, and no other may be made with it. */
  "not-encrypted": { party },
  /** Nothing has come from where its voice would go, or too many such streams are up. */
  "voice-held-back": { party, address: text, trunk: Type.Optional(text), why: Type.Enum(["silent", "many"]) },
  "interface-sends-on": { extension: text },
  "sends-on": { extension: text, to: text },
  "puts-through": { extension: text, to: text },
  "picks-up-for": { extension: text, of: text },

  // Extensions and the outside.
  forwards: { extension: text, to: target },
  /** By a key of the phone itself: it answered with a 3xx. */
  "phone-forwards": { extension: text, to: text, followed: Type.Boolean() },
  wakes: { extension: text, browsers: Type.Number() },
  "does-not-ring": { extension: text, why: Type.Enum(["forwarded", "no-phone", "do-not-disturb", "most-calls"]) },
  dials: { number: text, trunk, as: text },
  "trunk-full": { trunk },
  "trunk-failed": {
    trunk,
    why: Type.Enum(["silent", "stalled", "unreachable", "refused"]),
    status: Type.Optional(count),
  },
  /**
   * What came of its test. `status` is the carrier's own answer; `trouble` is the word of what is wrong with the trunk
   * where it could not even be asked.
   */
  "trunk-tested": {
    trunk: text,
    how: Type.Enum(["answered", "unanswered", "refused", "silent", "stalled", "unreachable", "full", "no-address"]),
    status: Type.Optional(count),
    trouble: Type.Optional(text),
  },
  /** The carrier answered with a 3xx: the call is elsewhere. */
  "carrier-moves": { trunk, number: text, to: text, followed: Type.Boolean() },
  /** Nothing holds it up. */
  emergency: { number: text },
  /** Of two on a full trunk. */
  "gives-way": { trunk },
  barred: {
    number: text,
    why: Type.Enum(["international", "premium", "class", "channels", "spending-limit", "hourly-limit", "blocked"]),
  },
  "spending-limit": { number: text },
  "no-own-number": {},
  "not-a-number": { number: text },

  // Places that are not there, or in a circle.
  "no-such": { what: Type.Enum(["extension", "group", "queue", "menu", "mailbox", "sound"]), which: text },
  "not-a-target": { target },
  "no-such-place": {},
  circle: {},
  "group-again": { group: text },
  ended: { how: Type.Enum(["hangup", "busy"]) },

  // Groups, menus and what is heard.
  "rings-group": {
    group: text,
    name: text,
    strategy: Type.Unsafe<GroupStrategy>(Type.Enum(Object.keys(groupStrategies))),
  },
  "group-gives-up": { group: text },
  "hears-menu": { menu: text, name: text },
  presses: { key: text, target: targetIfAny },
  "menu-gives-up": { pressed: Type.Boolean(), target: targetIfAny },
  "hears-sound": { sound: count },
  hears: { text },
  "cannot-say": { text },
  "no-voice": {},

  // Queues.
  "comes-to-queue": { queue: text, name: text },
  "leaves-queue": {
    queue: text,
    why: Type.Enum(["full", "empty", "waited too long", "queue gone", "floor closed"]),
  },
  offered: {
    /** Only the first of many are named. */
    agents: Type.Array(text),
    queue: text,
    strategy: Type.Unsafe<QueueStrategy>(Type.Enum(Object.keys(queueStrategies))),
    free: Type.Array(text),
    freeInAll: count,
    unfree: Type.Array(
      Type.Object({
        why: Type.Enum(["logged out", "on break", "ringing", "on a call", "wrapping up", "unreachable", "resting"]),
        agents: count,
      }),
    ),
    /** It is the agent who is on the line, and not yet the caller. */
    callback: Type.Boolean(),
  },
  "agent-declines": { agent: text, cause },
  "agent-hangs-up": { agent: text },
  "keeps-place": { queue: text },
  /** He cannot be called back at the number that he calls from. */
  "no-callback": {
    number: text,
    why: Type.Enum([
      ...(["no-number", "international", "premium", "class", "channels", "spending-limit"] as const),
      ...(["hourly-limit", "blocked"] as const),
    ]),
  },
  score: { agent: text, score: count },
  "no-score": { key: text },

  // Supervision.
  "talks-with-nobody": { extension: text },
  supervises: { extension: text, mode, call: text },
  supervised: { by: party, mode },
  /** The one who has it now, and the colleague who had it. */
  "taken-over": { by: party, from: party },
  /** Out of turn, by a supervisor's order. */
  pulled: { queue: text, extension: text, by: Type.Optional(text) },
  "supervisor-sends-on": { target },

  // Voicemail.
  "asked-for-message": { mailbox: text },
  message: { seconds: count },
  "no-message": {},
  "hears-messages": {},
  "deleted-message": { mailbox: text },
  greeting: { mailbox: text, did: Type.Enum(["kept", "dropped", "taken-back"]) },
  "wrong-pin": {},
  "pins-closed": {},
  "pin-sealed": {},

  // Faxes.
  "fax-tone": {},
  "no-fax": { why: Type.Enum(["not-set-up", "not-available"]) },
  "to-fax-machine": {},
  "fax-machine": { name: text },
  "fax-page": { page: count },
  "fax-done": { role: Type.Enum(["sent", "took"]), pages: count, rate: count, t38: Type.Boolean() },
  /** `code` is T.30's own number; negative ones are ours. */
  "fax-failed": { role: Type.Enum(["sent", "took"]), pages: count, code: count },

  // The customer's own service.
  "service-says": { action: Type.Enum(["transfer", "prompt", "record", "listen"]) },
  keys: { count },
  "service-fails": {
    why: Type.Enum([
      ...(["not-set", "bad-url", "not-public", "late", "unreachable", "status", "too-long", "no-json"] as const),
      ...(["no-action", "no-target", "no-sound", "bad-digits", "circle", "no-recognition", "most-listens"] as const),
    ]),
    status: Type.Optional(count),
    target: targetIfAny,
  },

  // Campaigns.
  "no-consent": { number: text },
  "opts-out": {},
  "answering-machine": {},
} satisfies Record<string, TProperties>;

type Kinds = typeof storyKinds;

export type StoryFact = { [Is in keyof Kinds]: { is: Is } & Static<TObject<Kinds[Is]>> }[keyof Kinds];
export type StoryFactOf<Is extends StoryFact["is"]> = Extract<StoryFact, { is: Is }>;

/** A line that is a text was written by an older exchange. */
export type StoryLine = { atMs: number } & (StoryFact | { text: string });

const schemas = new Map(
  Object.entries(storyKinds).map(([is, fields]) => [is, Type.Object({ ...fields, atMs: Type.Number() })]),
);
const ofOld = Type.Object({ atMs: Type.Number(), text });

/** A story as it was stored. What is neither fact nor text is shown as it is. */
export function storyOf(stored: unknown): StoryLine[] {
  return Array.isArray(stored) ? stored.map(lineOf) : [];
}

function lineOf(stored: unknown): StoryLine {
  const { is, atMs } = Object(stored) as { is?: unknown; atMs?: unknown };
  const schema = schemas.get(String(is)) ?? ofOld;
  if (Check(schema, stored)) return stored as StoryLine; // just checked against its kind
  return { atMs: Number(atMs) || 0, text: JSON.stringify(stored) };
}
