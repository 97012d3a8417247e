// One call while it lasts: turns the crank of the call machine and does what it says with legs, media and the journal.

import type { Cancel, Clock } from "../../clock.ts";
import { Machine, type ReportUnexpected } from "../../machine.ts";
import { type CallEnd, type CallFacts, noteAnswered, noteRung, pickedUp, tellStory } from "./call-facts.ts";
import {
  beginByFetching,
  beginWithCaller,
  callTable,
  type Effect,
  type Ending,
  type Input,
  type LegId,
  type State,
  transferorIn,
} from "./call-machine.ts";
import type { HangupCause } from "./causes.ts";
import { Conversation, type ConversationParts } from "./conversation.ts";
import { factsBy, type Leg, type LegEvent, type LegFacts, type Referral } from "./leg.ts";
import type { StoryFact } from "./story.ts";

export type Led = { connected: Leg } | { failed: Ending };

/** What must not be forgotten about a call, told as it happens. */
export type Journal = {
  opened(facts: CallFacts): void;
  kept(uuid: string): Promise<void>; // once nothing said of this call so far can be lost any more
  rang(facts: CallFacts): void; // an extension's phone, or the outside
  answered(facts: CallFacts): void;
  changed(facts: CallFacts): void;
  /** One extension left while the call goes on. */
  userLeft(facts: CallFacts, left: { extension: string; cause: HangupCause; endMs: number }): void;
  closed(facts: CallFacts, end: CallEnd): Promise<void>;
};

export type CallParts<Goal> = {
  clock: Clock; // anchored: whatever happens to the wall's, the stamps of one call tell how long it took
  unexpected: ReportUnexpected;
  journal: Journal;
  /** Takes a party to its goal: rings others, plays, asks. Without a leg the goal itself is the first party. */
  lead(call: Call<Goal>, to: { leg: Leg | undefined; goal: Goal; signal: AbortSignal }): Promise<Led>;
  /** What a phone asks for by REFER. */
  refer(call: Call<Goal>, leg: Leg, referral: Referral): void;
  /** A voice of ours is the first to take the call; a fax machine calls where a person was expected. */
  fax?: { taken(call: Call<Goal>): void; tone(call: Call<Goal>, leg: Leg): void } | undefined;
  /** Parties have come, gone or begun to ring. */
  onMove?(call: Call<Goal>): void;
  onTalk?(call: Call<Goal>, newcomers: Leg[]): void; // who did not talk in it before
  onOver(call: Call<Goal>): void;
  /** Our own mistake in leading or joining: this call dies of it, nothing else. */
  onMistake(call: Call<Goal>, error: unknown): void;
};

export type CallOpening<Goal> = {
  facts: CallFacts;
  maxSeconds: number;
  conversation: ConversationParts;
  begin: { caller: Leg; goal: Goal } | { fetch: Goal; goal: Goal };
};

/** An extension that rings now: its phones, and how a colleague takes the call from it. */
export type Ringing = { legs: Leg[]; takenBy(colleague: Leg): void };

export class Call<Goal> {
  readonly facts: CallFacts;
  readonly conversation: Conversation;
  readonly ringing = new Map<string, Ringing>(); // by extension
  readonly over: Promise<void>;
  readonly fetched: Promise<{ answered: true } | { failed: Ending }>; // of one that we start: its first party, or nobody
  end: CallEnd | undefined; // known once it is over
  readonly clock: Clock;
  readonly #parts: CallParts<Goal>;
  readonly #legs = new Map<LegId, Leg>();
  readonly #gone: LegFacts[] = [];
  readonly #machine: Machine<State<Goal>, Input<Goal>, Effect<Goal>>;
  readonly stopClock: Cancel; // it may last as long as it takes
  readonly #talked = new Set<LegId>();
  readonly #digits = new Map<LegId, (digit: string) => void>();
  #callerSide: LegId | undefined;
  #afterwards: { afterwards?: Goal } = {};
  #leading: AbortController | undefined;
  #finish: () => void = () => undefined;
  #settleFetched: (fetched: { answered: true } | { failed: Ending }) => void = () => undefined;

  constructor(parts: CallParts<Goal>, { facts, maxSeconds, conversation, begin }: CallOpening<Goal>) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.facts = facts;
    this.conversation = new Conversation(conversation);
    this.over = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.fetched = new Promise((resolve) => {
      this.#settleFetched = resolve;
    });
    parts.journal.opened(facts);
    const caller = "caller" in begin ? begin.caller : undefined;
    if (caller) this.#legs.set(caller.id, caller);
    this.#callerSide = caller?.id;
    const first =
      "caller" in begin ? beginWithCaller(begin.caller.id, begin.goal) : beginByFetching(begin.fetch, begin.goal);
    this.#machine = new Machine(callTable<Goal>(), first, parts.clock, {
      perform: (effect) => this.#perform(effect),
      unexpected: (state, input) => parts.unexpected({ machine: "call", state, input }),
    });
    this.stopClock = parts.clock.after(maxSeconds * 1000, () => this.#machine.receive({ is: "timeUp" }));
    if (caller) this.#listenTo(caller);
  }

  isCaller(leg: Leg): boolean {
    return leg.id === this.#callerSide;
  }

  legs(): Leg[] {
    return [...this.#legs.values()];
  }

  state = (): State<Goal>["at"] => this.#machine.state().at;

  hangUp(cause: HangupCause): void {
    this.#machine.receive({ is: "hangUp", cause });
  }

  transfer({ keep, drop, goal, stays }: { keep: Leg; drop: Leg; goal: Goal; stays: boolean }): void {
    this.#machine.receive({ is: "transfer", keep: keep.id, drop: drop.id, goal, stays });
  }

  /** `by` comes from another call and takes the place of `from`. */
  takeOver(from: Leg, by: Leg): void {
    this.#adopt(by, { is: "takeOver", from: from.id, by: by.id });
  }

  /** Gives a leg to another call without hanging it up; for this call it has gone. */
  release(leg: Leg, cause: HangupCause): void {
    this.#forget(leg, cause);
    this.#machine.receive({ is: "ended", leg: leg.id, ending: { cause } });
  }

  /** Keys that this party presses, one listener at a time, until the returned function is called. */
  onDigits(leg: Leg, hear: (digit: string) => void): () => void {
    this.#digits.set(leg.id, hear);
    return () => {
      if (this.#digits.get(leg.id) === hear) this.#digits.delete(leg.id);
    };
  }

  /** For the script that is leading: when the party it brings hangs up first, the one it led is taken on to here. */
  goOnTo(afterwards: Goal): void {
    this.#afterwards = { afterwards };
  }

  /** Whoever watches the lines is told that something about this call looks different. */
  moved = (): void => this.#parts.onMove?.(this);

  tell(fact: StoryFact): void {
    tellStory(this.facts, this.clock.wall(), fact);
  }

  note(change: Partial<CallFacts>): void {
    Object.assign(this.facts, change);
    this.#parts.journal.changed(this.facts);
  }

  /** Somebody the caller is being taken to has begun to ring. */
  rang(leg: Leg): void {
    noteRung(this.facts, leg.party);
    this.tell({ is: "rings", party: leg.party });
    this.#legs.get(transferorIn(this.#machine.state()) ?? "")?.tellTransfer("rings");
    this.#parts.journal.rang(this.facts);
    this.moved(); // by now its dialog has a name
  }

  /** A person has taken the call, or a machine that it was meant for. */
  answered(by: Leg | undefined): void {
    const isNews = noteAnswered(this.facts, by?.party, this.clock.wall());
    this.#parts.journal[isNews ? "answered" : "changed"](this.facts);
    this.moved();
  }

  /** A voice of ours has the party now, and may find that it is a machine: whoever sent it on can go. */
  heard({ first }: { first: boolean }): void {
    this.#machine.receive({ is: "taken" });
    if (first) this.#parts.fax?.taken(this);
  }

  /** Heard only once the machine knows it: a leg that is lost already must be lost to the state it came into. */
  #adopt(leg: Leg, input: Input<Goal>): void {
    const isNew = !this.#legs.has(leg.id);
    this.#legs.set(leg.id, leg);
    if (isNew) this.moved();
    this.#machine.receive(input);
    if (isNew) this.#listenTo(leg);
  }

  #listenTo(leg: Leg): void {
    leg.listen((event) => {
      if (this.#legs.has(leg.id)) this.#hear(leg, event);
    });
  }

  #hear(leg: Leg, event: LegEvent): void {
    if (event.is === "ended") {
      this.tell({ is: "gone", party: leg.party, cause: event.ending.cause });
      this.#forget(leg, event.ending.cause);
      this.#machine.receive({ is: "ended", leg: leg.id, ending: event.ending });
      this.#tellLeft(leg, event.ending.cause);
    }
    if (event.is === "digit") this.#digits.get(leg.id)?.(event.digit);
    if (event.is === "digit") this.#attempt(this.conversation.passOn(leg, event));
    if (event.is === "faxTone" && event.tone === "cng") this.#parts.fax?.tone(this, leg);
    if (event.is === "held" || event.is === "away")
      this.#attempt(this.conversation.absent(leg, { why: event.is, on: event.on }));
    if (event.is === "referred") this.#parts.refer(this, leg, event.referral);
  }

  #forget(leg: Leg, cause: HangupCause): void {
    if (!this.#legs.delete(leg.id)) return;
    this.#gone.push({ ...factsBy(this.clock, leg), cause });
    this.moved();
  }

  #perform(effect: Effect<Goal>): void {
    // The act is chosen by the very field its parameter narrows on.
    (this.#acts[effect.do] as (effect: Effect<Goal>) => void)(effect);
  }

  readonly #acts: { [Do in Effect<Goal>["do"]]: (effect: Extract<Effect<Goal>, { do: Do }>) => void } = {
    lead: ({ leg, goal }) => this.#lead(leg === undefined ? undefined : this.#legs.get(leg), goal),
    stopLeading: ({ cause }) => this.#leading?.abort(cause),
    join: ({ a, b }) => this.#join(this.#legs.get(a), this.#legs.get(b)),
    part: ({ leg }) => {
      const parted = this.#legs.get(leg);
      if (parted) this.#attempt(this.conversation.part(parted));
    },
    end: ({ leg, cause }) => this.#end(leg, cause),
    tellTransferor: ({ leg, ending }) => this.#legs.get(leg)?.tellTransfer(ending),
    close: ({ ending, by }) => this.#attempt(this.#close(ending, by)),
  };

  #lead(leg: Leg | undefined, goal: Goal): void {
    const leading = new AbortController();
    this.#leading = leading;
    this.#afterwards = {};
    const outcome = Promise.resolve().then(() => this.#parts.lead(this, { leg, goal, signal: leading.signal }));
    this.#attempt(
      outcome.then((led) => {
        if (leading.signal.aborted) return "connected" in led ? led.connected.end("ORIGINATOR_CANCEL") : undefined;
        if ("failed" in led) return this.#machine.receive({ is: "failed", ending: led.failed });
        this.#callerSide ??= led.connected.id;
        this.#settleFetched({ answered: true });
        return this.#adopt(led.connected, { is: "connected", leg: led.connected.id, ...this.#afterwards });
      }),
    );
  }

  #join(a: Leg | undefined, b: Leg | undefined): void {
    if (!a || !b) return; // gone in the same breath; its ending is on the way
    this.tell({ is: "talk", one: a.party, other: b.party });
    const newcomers = [b, a].filter(({ id }) => !this.#talked.has(id));
    for (const { id } of newcomers) this.#talked.add(id);
    this.answered(pickedUp(newcomers));
    this.#parts.onTalk?.(this, newcomers);
    this.#attempt(this.conversation.join(a, b).then(() => undefined));
  }

  #end(id: LegId, cause: HangupCause): void {
    const leg = this.#legs.get(id);
    if (!leg) return;
    leg.end(cause);
    this.#forget(leg, cause);
    this.#tellLeft(leg, cause);
  }

  /** One person hung up, and the call goes on without him. */
  #tellLeft({ party, isAnswered }: Leg, cause: HangupCause): void {
    if (this.#machine.state().at === "over" || party.is !== "extension" || !isAnswered()) return;
    this.#parts.journal.userLeft(this.facts, { extension: party.number, cause, endMs: this.clock.wall() });
  }

  async #close({ cause, sip }: Ending, by: LegId | undefined): Promise<void> {
    this.stopClock();
    this.#settleFetched({ failed: { cause } });
    this.tell({ is: "over", cause });
    for (const leg of this.legs()) this.#end(leg.id, cause);
    const endMs = this.clock.wall();
    await this.conversation.stop();
    const disposition = by !== undefined && by !== this.#callerSide ? "callee" : "caller";
    this.end = { endMs, cause, by: disposition, byUs: by === undefined, legs: this.#gone, ...(sip ? { sip } : {}) };
    await this.#parts.journal.closed(this.facts, this.end);
    this.#parts.onOver(this);
    this.#finish();
  }

  #attempt(work: Promise<void> | undefined): void {
    work?.catch((error: unknown) => {
      this.#parts.onMistake(this, error);
      this.hangUp("NORMAL_TEMPORARY_FAILURE");
    });
  }
}
