// One call while it lasts: turns the crank of the call machine and does what it says with legs, media and the journal.

import type { Cancel, Clock } from "../../clock.ts";
import { Machine, type ReportUnexpected } from "../../machine.ts";
import { type CallEnd, type CallFacts, noteAnswered, noteRung, noteTalk, tellStory } from "./call-facts.ts";
import type { Journal } from "./call-journal.ts";
import type { Effect, Ending, Input, LegId, Orderer, State } from "./call-machine.ts";
import { callTable, transferorIn } from "./call-machine.ts";
import { type CallOpening, firstLegs, firstStep } from "./call-opening.ts";
import type { HangupCause } from "./causes.ts";
import { Conversation } from "./conversation.ts";
import { canGoOn, isNobody, KEPT_VERSION, type KeptCall, keptState } from "./kept-call.ts";
import type { Leg, LegEvent, Referral } from "./leg.ts";
import { Parties } from "./parties.ts";
import { sentOn } from "./stays.ts";
import type { StoryFact } from "./story.ts";

export type Led = { connected: Leg } | { failed: Ending };

export type CallParts<Goal> = {
  clock: Clock; // anchored: whatever happens to the wall's, the stamps of one call tell how long it took
  unexpected: ReportUnexpected;
  journal: Journal;
  /** Takes a party to its goal: rings others, plays, asks. Without a leg the goal itself is the first party. */
  lead(call: Call<Goal>, to: { leg: Leg | undefined; goal: Goal; signal: AbortSignal }): Promise<Led>;
  /** Whom we have called for it and who is not gone, whether they ring or are in it. */
  called?(uuid: string): Leg[];
  /** Whether a later process can take somebody there, too. */
  canResume?(goal: Goal): boolean;
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
  readonly #parties: Parties;
  readonly #machine: Machine<State<Goal>, Input<Goal>, Effect<Goal>>;
  readonly stopClock: Cancel; // it may last as long as it takes
  #afterwards: { afterwards?: Goal } = {};
  #leading: AbortController | undefined;
  /** Where somebody is being taken, as far as the scripts have come. */
  #goal: Goal | undefined;
  #handedOver: KeptCall<Goal> | undefined;
  #finish: () => void = () => undefined;
  #settleFetched: (fetched: { answered: true } | { failed: Ending }) => void = () => undefined;

  constructor(parts: CallParts<Goal>, { facts, maxMs, conversation, begin }: CallOpening<Goal>) {
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
    const kept = "kept" in begin ? begin.kept : undefined;
    parts.journal[kept ? "resumed" : "opened"](facts, () => this.keep());
    const legs = firstLegs(begin);
    this.#parties = new Parties(legs, kept);
    if (kept && kept.state?.at !== "fetching") this.#settleFetched({ answered: true });
    this.#machine = new Machine(callTable<Goal>(), firstStep(begin), parts.clock, {
      // The act is chosen by the very field its parameter narrows on.
      perform: (effect) => (this.#acts[effect.do] as (effect: Effect<Goal>) => void)(effect),
      unexpected: (state, input) => parts.unexpected({ machine: "call", state, input }),
    });
    this.stopClock = parts.clock.after(maxMs, () => this.#machine.receive({ is: "timeUp" }));
    for (const leg of legs) this.#listenTo(leg);
  }

  /** What a later process needs to go on with it: those whom it could not go on with are at least hung up by it. */
  keep(): KeptCall<Goal> | undefined {
    if (this.#handedOver) return this.#handedOver;
    const parties = this.#parties.keep(this.#parts.called?.(this.facts.uuid));
    const state = keptState(this.#machine.state(), this.#goal, this.#parts.canResume);
    if (state === undefined && isNobody(parties)) return undefined;
    return { version: KEPT_VERSION, state, ...parties, conversation: this.conversation.keep() };
  }

  /** Stays as it is from now on, for the next process to go on with; call what is returned when this one goes on without. */
  handOver(): () => void {
    this.#handedOver = this.keep();
    this.#settleFetched({ answered: true }); // as far as its asker waits to hear: it goes on, under this name
    return () => {
      this.#leading?.abort("NORMAL_CLEARING");
      this.#finish();
    };
  }
  canGoOn = (): boolean => canGoOn(this.keep());
  isCaller = (leg: Leg): boolean => leg.id === this.#parties.callerSide;
  legs = (): Leg[] => this.#parties.all();
  took = (): string[] => [...this.#parties.took]; // extensions that have talked in it, gone or not
  state = (): State<Goal>["at"] => this.#machine.state().at;
  hangUp = (cause: HangupCause, who: Orderer = "exchange") => this.#machine.receive({ is: "hangUp", cause, who });

  transfer({ keep, drop, goal, stays }: { keep: Leg; drop: Leg; goal: Goal; stays: boolean }): void {
    const left = sentOn(this.facts, this.clock.wall());
    if (left) this.note(left);
    this.#machine.receive({ is: "transfer", keep: keep.id, drop: drop.id, goal, stays });
  }

  /** `by` comes from another call and takes the place of `from`. */
  takeOver = (from: Leg, by: Leg): void => this.#adopt(by, { is: "takeOver", from: from.id, by: by.id });

  /** Gives a leg to another call without hanging it up; for this call it has gone. */
  release(leg: Leg, cause: HangupCause): void {
    this.#forget(leg, cause);
    this.#machine.receive({ is: "ended", leg: leg.id, ending: { cause, lost: true } });
  }

  /** Keys that this party presses, one listener at a time, until the returned function is called. */
  onDigits = (leg: Leg, hear: (digit: string) => void): (() => void) => this.#parties.onDigits(leg, hear);

  /** For the script that is leading: how far it has come, until what is returned is called; a later process goes on there. */
  headsFor(goal: Goal): () => void {
    const before = this.#goal;
    this.#goal = goal;
    this.#parts.journal.settled(this.facts);
    return () => {
      if (this.#goal === goal) this.#goal = before;
    };
  }

  /** For the script that is leading: when the party it brings hangs up first, the one it led is taken on to here. */
  goOnTo(afterwards: Goal): void {
    this.#afterwards = { afterwards };
  }

  rings = (): void => this.#parts.journal.settled(this.facts); // somebody for it: soon a later process shall know
  moved = (): void => this.#parts.onMove?.(this); // whoever watches the lines is told that something looks different
  passed = (): void => this.#parts.journal.passed(this.facts); // somebody let it pass: that is counted

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
    const isNews = this.#parties.rings(leg);
    if (isNews) this.tell({ is: "rings", party: leg.party });
    this.#parties.get(transferorIn(this.#machine.state()))?.tellTransfer("rings");
    this.#parts.journal[isNews ? "rang" : "changed"](this.facts);
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
    const isNew = this.#parties.add(leg);
    if (isNew) this.moved();
    this.#machine.receive(input);
    if (isNew) this.#listenTo(leg);
  }

  #listenTo(leg: Leg): void {
    leg.listen((event) => {
      if (this.#parties.get(leg.id)) this.#hear(leg, event);
    });
  }

  #hear(leg: Leg, event: LegEvent): void {
    if (event.is === "ended") {
      this.tell({ is: "gone", party: leg.party, cause: event.ending.cause });
      this.#forget(leg, event.ending.cause);
      this.#machine.receive({ is: "ended", leg: leg.id, ending: event.ending });
      this.#tellLeft(leg, event.ending.cause);
    }
    if (event.is === "digit") this.#parties.pressed(leg, event.digit);
    if (event.is === "digit") this.#attempt(this.conversation.passOn(leg, event));
    if (event.is === "faxTone" && event.tone === "cng") this.#parts.fax?.tone(this, leg);
    if (event.is === "held" || event.is === "away")
      this.#attempt(this.conversation.absent(leg, { why: event.is, on: event.on }));
    if (event.is === "changed") this.#parts.journal.settled(this.facts);
    if (event.is === "told") this.tell(event.fact);
    if (event.is === "referred") this.#parts.refer(this, leg, event.referral);
  }

  #forget(leg: Leg, cause: HangupCause): void {
    if (this.#parties.remove(leg, cause, this.clock)) this.moved();
  }

  readonly #acts: { [Do in Effect<Goal>["do"]]: (effect: Extract<Effect<Goal>, { do: Do }>) => void } = {
    lead: ({ leg, goal }) => this.#lead(this.#parties.get(leg), goal),
    stopLeading: ({ cause }) => this.#leading?.abort(cause),
    join: ({ a, b }) => this.#join(this.#parties.get(a), this.#parties.get(b)),
    rejoin: ({ a, b }) => this.#talk(this.#parties.get(a), this.#parties.get(b)),
    part: ({ leg }) => {
      const parted = this.#parties.get(leg);
      if (parted) this.#attempt(this.conversation.part(parted));
    },
    end: ({ leg, cause }) => this.#end(leg, cause),
    tellTransferor: ({ leg, ending }) => this.#parties.get(leg)?.tellTransfer(ending),
    close: ({ ending, by }) => this.#attempt(this.#close(ending, by)),
  };

  #lead(leg: Leg | undefined, goal: Goal): void {
    const leading = new AbortController();
    this.#leading = leading;
    this.#goal = goal;
    this.#afterwards = {};
    const outcome = Promise.resolve().then(() => this.#parts.lead(this, { leg, goal, signal: leading.signal }));
    this.#attempt(
      outcome.then((led) => {
        if (leading.signal.aborted) return "connected" in led ? led.connected.end("ORIGINATOR_CANCEL") : undefined;
        if ("failed" in led) return this.#machine.receive({ is: "failed", ending: led.failed });
        this.#parties.callerSide ??= led.connected.id;
        this.#settleFetched({ answered: true });
        return this.#adopt(led.connected, { is: "connected", leg: led.connected.id, ...this.#afterwards });
      }),
    );
  }

  #join(a: Leg | undefined, b: Leg | undefined): void {
    if (!a || !b) return; // gone in the same breath; its ending is on the way
    this.tell({ is: "talk", one: a.party, other: b.party });
    noteTalk(this.facts, [a.party, b.party], this.clock.wall());
    const { newcomers, by } = this.#parties.meet(a, b);
    this.answered(by);
    this.#parts.onTalk?.(this, newcomers);
    this.#talk(a, b);
  }

  #talk(a: Leg | undefined, b: Leg | undefined): void {
    if (a && b) this.#attempt(this.conversation.join(a, b).then(() => this.#parts.journal.talks(this.facts)));
  }

  #end(id: LegId, cause: HangupCause): void {
    const leg = this.#parties.get(id);
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

  async #close(ending: Ending, leg: LegId | undefined): Promise<void> {
    if (this.#handedOver) return;
    const { cause, sip } = ending;
    const ended = this.#parties.endedBy(leg, ending);
    this.stopClock();
    this.#settleFetched({ failed: { cause } });
    this.tell({ is: "over", cause, by: ended.endedBy });
    for (const leg of this.legs()) this.#end(leg.id, cause);
    const endMs = this.clock.wall();
    await this.conversation.stop();
    this.end = { ...ended, endMs, cause, ...(sip ? { sip } : {}) };
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
