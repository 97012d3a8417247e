// What people were told while a server was tormented, and what is found once it has come to rest: plain values, to be
// held against each other.

/** `unknown`: the answer never came, or said that it may or may not be done. */
export type Outcome = "done" | "refused" | "unknown";

/** Milliseconds of our own clock, which nobody sets. */
type Span = { fromMs: number; toMs: number };

export type ContactWritten = Span & { is: "contact"; surname: string; outcome: Outcome; id?: number };

/** `wished`: whether its receiver is known to want messages; undefined when nobody can know. */
export type MessageSent = Span & {
  is: "message";
  dest: string;
  text: string;
  outcome: Outcome;
  wished: boolean | undefined;
};

export type ListChanged = Span & { is: "blacklist"; phone: string; listed: boolean; outcome: Outcome };

export type ConsentSaid = Span & { is: "consent"; recipient: string; status: "ONAY" | "RET"; outcome: Outcome };

export type CreditBought = Span & { is: "credit"; credits: number; outcome: Outcome };

/** A call that was asked for over the interface. */
export type CallOrdered = Span & { is: "order"; outcome: Outcome; uuid?: string };

/** A call as the phone that made it saw it. */
export type CallMade = Span & {
  is: "call";
  caller: string;
  callee: string;
  /** `unknown`: it may have been answered; it was not heard of any more. */
  outcome: Outcome;
  talkedMs: number;
  /** Whether each heard the other; undefined when there was too little time, or foul weather. */
  heard: boolean | undefined;
  /** Nothing was ill from its beginning to its end. */
  fair: boolean;
  /** The disk did not take everything while it was up. */
  unrecorded: boolean;
  /** How long one was left in it after the other had hung up, while nothing was ill. */
  aloneMs: number;
};

export type Deed = ContactWritten | MessageSent | ListChanged | ConsentSaid | CreditBought | CallOrdered | CallMade;

export type FoundCall = {
  uuid: string;
  caller: string;
  callee: string;
  answered: boolean;
  talkSeconds: number;
  /** Milliseconds; undefined when there is none. */
  recordedMs: number | undefined;
  /** Its parts outside that were answered: each began a minute that is paid for. */
  outsideLegs: number;
  cause: string;
};

export type Found = {
  contacts: { id: number; surname: string }[];
  messages: { dest: string; text: string; state: string; isOver: boolean; unanswered: number; credits: number }[];
  /** How often the carrier took each, by `dest text`. */
  carrier: Record<string, number>;
  blacklist: string[];
  consents: { recipient: string; status: string }[];
  /** Of messages: what is left, what is set aside, and each purchase. */
  credit: { left: number; reserved: number; bought: number[] };
  /** What calls have cost, and what a minute costs. */
  /** `legs`: what is told of each part outside, together. */
  spending: { amount: number; legs: number; minutePrice: number };
  calls: FoundCall[];
  events: { uuid: string; event: string }[];
  /** Calls that are up though nobody talks any more. */
  up: string[];
  /** What is still owed: events, letters, rows on disk. */
  owed: string[];
};

export type Broken =
  | { broken: "lost" | "twice"; what: "contact" | "message" | "record" | "order"; mark: string; times: number }
  | { broken: "unheard-of"; what: "contact" | "message" | "record"; mark: string }
  | { broken: "unsettled"; what: "message"; mark: string; state: string }
  | { broken: "unwished"; mark: string }
  | { broken: "forgotten"; what: "blacklist" | "consent"; mark: string; told: string; found: string }
  | { broken: "money"; of: "messages" | "calls"; told: string; found: string }
  | { broken: "calls"; caller: string; callee: string; answered: [least: number, most: number]; found: number }
  | { broken: "events"; uuid: string; told: string; answered: boolean }
  | { broken: "unrecorded"; caller: string; callee: string; calls: number; recorded: number }
  | { broken: "deaf"; caller: string; callee: string; atMs: number }
  | { broken: "left-alone"; caller: string; callee: string; forMs: number }
  | { broken: "still-up" | "still-owed"; mark: string };
