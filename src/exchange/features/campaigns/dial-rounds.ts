// Where the campaigns of one exchange are dialled. In rounds: who is open, who wants how many calls, who gets them.

import { runAgain } from "../../../again.ts";
import { type Cancel, type Clock, LONG_AGO, type Ticks, within } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { ReportUnexpected } from "../../../machine.ts";
import type { ClaimedNumber } from "../../../store/campaign-numbers.ts";
import type { Campaign } from "../../../store/campaigns.ts";
import type { CampaignStore, DialPlan } from "./campaign-store.ts";
import { calendarOf, openingOf } from "./opening.ts";
import { verdictOn } from "./outcome.ts";
import { callsToStart } from "./pacing.ts";
import { endOf, type PlaceCall, type PlacedCall } from "./place-call.ts";
import { type Attempt, Runner } from "./runner.ts";
import { shareChannels } from "./share.ts";

/** Agents of a queue now, and callers in its line for whom nobody's phone rings. */
export type Crew = { free: number; busy: number; waiting: number };

export type DialRoundsParts = {
  clock: Clock;
  log: Log;
  unexpected: ReportUnexpected;
  store: CampaignStore;
  place: PlaceCall;
  crewOf(exchangeId: number, queue: string): Promise<Crew>;
  /** Channels of the exchange that are free beside those that campaigns ring on; null: as many as you like. */
  channelsFree(exchangeId: number): Promise<number | null>;
  mayCall(campaign: Campaign, number: string): Promise<boolean>;
  withdraw(campaign: Campaign, number: string): Promise<void>;
};

/** Events come in swarms; a round this much later sees them all. */
const GATHER_MS = 50;
/** While somebody could be dialled we look again so often, whatever we were told. */
const LOOK_AGAIN_MS = 1_000;
/** Without a free line, or a database, there is no use in trying at once. */
const BREATHE_MS = 5_000;
const MOST_IN_A_ROUND = 200;
/** Until the exchange's own is known. */
const RETRY_SECONDS = 300;

export class DialRounds {
  readonly #exchangeId: number;
  readonly #parts: DialRoundsParts;
  readonly #runners = new Map<number, Runner>();
  #plan: DialPlan | undefined;
  /** As last read: a plan that is being read anew still holds until it is there. */
  #retrySeconds = RETRY_SECONDS;
  #next: { at: Ticks; cancel: Cancel } | undefined;
  readonly #rounds = runAgain(() => this.#goRound().catch((error: Error) => this.#failed(error)));
  #turn = 0;
  #restsUntil = LONG_AGO;
  #closed = false;
  /** How often we were told that something is different. */
  #changes = 0;

  constructor(exchangeId: number, parts: DialRoundsParts) {
    this.#exchangeId = exchangeId;
    this.#parts = parts;
    this.look();
  }

  /** A round is under way. */
  isBusy(): boolean {
    return this.#rounds.isBusy();
  }

  runners(): Runner[] {
    return [...this.#runners.values()];
  }

  /** Campaigns, settings or holidays are different now. */
  changed(): void {
    this.#changes++;
    this.#plan = undefined;
    this.look();
  }

  /** Something happened: whoever can be dialled is, in a moment. */
  look(afterMs = GATHER_MS): void {
    const { clock } = this.#parts;
    const at = within(clock, afterMs);
    if (this.#closed || (this.#next && this.#next.at <= at)) return;
    this.#next?.cancel();
    this.#next = { at, cancel: clock.after(afterMs, () => this.#begin()) };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#next?.cancel();
    this.#next = undefined;
    await this.#rounds.settled();
    for (const runner of this.#runners.values()) runner.receive({ is: "stop" });
  }

  #begin(): void {
    this.#next = undefined;
    void this.#rounds.ask();
  }

  #failed(error: Error): void {
    this.#parts.log.error({ exchange: this.#exchangeId, error: error.stack }, "campaigns could not be dialled");
    this.#plan = undefined;
    this.look(BREATHE_MS);
  }

  async #goRound(): Promise<void> {
    this.#plan ??= await this.#readPlan();
    const plan = this.#plan;
    if (!plan) return;
    const nowMs = this.#parts.clock.wall();
    for (const runner of this.#runners.values()) {
      const opening = openingOf(runner.campaign, calendarOf(plan, runner.campaign.cli), nowMs);
      runner.receive({ is: "looked", opening, nowMs });
    }
    const dialling = this.#inTurn().filter((runner) => runner.at() === "dialling");
    if (dialling.length === 0) return;
    this.look(LOOK_AGAIN_MS);
    if (this.#parts.clock.ticks() < this.#restsUntil) return;
    await this.#dialFor(dialling, plan);
  }

  async #readPlan(): Promise<DialPlan | undefined> {
    const { store, clock, unexpected } = this.#parts;
    await store.sweep(this.#exchangeId);
    const plan = await store.plan(this.#exchangeId);
    this.#retrySeconds = plan?.settings.retrySeconds ?? this.#retrySeconds;
    const wanted = new Map((plan?.campaigns ?? []).map((campaign) => [campaign.id, campaign]));
    for (const [id, runner] of this.#runners) {
      const campaign = wanted.get(id);
      if (campaign) runner.campaign = campaign;
      else runner.receive({ is: "stop" });
      if (!campaign && runner.attempts.size === 0) this.#runners.delete(id);
    }
    for (const campaign of wanted.values()) {
      const known = this.#runners.get(campaign.id);
      if (known && known.at() !== "stopped") continue;
      const fresh = new Runner(campaign, { clock, unexpected, look: () => this.look() });
      for (const attempt of known?.attempts ?? []) fresh.attempts.add(attempt);
      this.#runners.set(campaign.id, fresh);
    }
    return plan;
  }

  /** Another one is the first of equals in every round. */
  #inTurn(): Runner[] {
    const all = this.runners();
    this.#turn = (this.#turn + 1) % Math.max(1, all.length);
    return [...all.slice(this.#turn), ...all.slice(0, this.#turn)];
  }

  async #dialFor(dialling: Runner[], plan: DialPlan): Promise<void> {
    const free = await this.#channelsFree(plan);
    const demands: { up: number; wanted: number }[] = [];
    /** By queue: campaigns that feed the same agents must not all count on them in one round. */
    const promised = new Map<string | null, number>();
    for (const runner of dialling) {
      const threads = runner.campaign.maxThreadCount ?? plan.settings.campaignChannels;
      const room = Math.max(0, Math.min(threads - runner.attempts.size, free, MOST_IN_A_ROUND));
      const { queueNumber } = runner.campaign;
      const before = promised.get(queueNumber) ?? 0;
      const wanted = await this.#wantedOf(runner, room, before);
      promised.set(queueNumber, before + wanted);
      demands.push({ up: runner.attempts.size, wanted });
    }
    const granted = shareChannels(demands, free);
    for (const [place, runner] of dialling.entries()) {
      const most = granted[place] ?? 0;
      if (most > 0 && !this.#closed) await this.#dial(runner, most);
    }
  }

  async #channelsFree({ settings }: DialPlan): Promise<number> {
    const up = this.runners().reduce((sum, runner) => sum + runner.attempts.size, 0);
    const ringing = this.runners().reduce((sum, runner) => sum + runner.ringing(), 0);
    const outside = await this.#parts.channelsFree(this.#exchangeId);
    const lines = outside === null ? Number.POSITIVE_INFINITY : outside - ringing;
    return Math.max(0, Math.min(settings.campaignChannels - up, lines));
  }

  /** Calls it would start now if it had the lines. */
  async #wantedOf(runner: Runner, room: number, promised: number): Promise<number> {
    const { callType, queueNumber, threadMultiplier, abandonCap } = runner.campaign;
    if (callType === "ivr" || queueNumber === null || room === 0) return room;
    const { free, busy, waiting } = await this.#parts.crewOf(this.#exchangeId, queueNumber);
    const feeding = this.runners().filter(({ campaign }) => campaign.queueNumber === queueNumber);
    return callsToStart({
      freeAgents: free,
      busyAgents: busy,
      ringing: promised + feeding.reduce((sum, it) => sum + it.ringing(), 0),
      waiting: waiting + feeding.reduce((sum, it) => sum + it.greeted(), 0),
      up: runner.attempts.size,
      multiplier: threadMultiplier,
      room,
      served: runner.served,
      abandoned: runner.abandoned,
      cap: abandonCap,
      seen: runner.seen,
    });
  }

  async #dial(runner: Runner, most: number): Promise<void> {
    const { store, clock } = this.#parts;
    const { id } = runner.campaign;
    let changes = this.#changes;
    const claimed = await store.claim(id, most);
    const unplaced: number[] = [];
    const departures: Promise<void>[] = [];
    let isOn = true;
    for (const number of claimed) {
      if (isOn && changes !== this.#changes) isOn = await store.isOn(id);
      changes = this.#changes;
      const started = isOn && !this.#closed ? await this.#start(runner, number) : undefined;
      if (started) departures.push(started.departure);
      else unplaced.push(number.attemptId);
    }
    if (unplaced.length > 0) {
      await store.putBack(unplaced);
      if (isOn) this.#restsUntil = within(clock, BREATHE_MS);
    }
    // Whoever stops the campaign waits for this.
    if (claimed.length > 0) void Promise.all(departures).then(() => store.left(id, claimed.length));
    if (claimed.length === most) return;
    const nextDueMs = await store.nextDueMs(id);
    runner.receive({ is: "ranDry", nextDueMs, nowMs: clock.wall() });
  }

  /** Undefined: no call left. */
  async #start(runner: Runner, number: ClaimedNumber): Promise<{ departure: Promise<void> } | undefined> {
    const { store, clock, place, mayCall, withdraw } = this.#parts;
    const { campaign } = runner;
    const of = { campaign, number };
    const attempt: Attempt = { number, began: clock.ticks(), target: null, machine: false };
    runner.attempts.add(attempt);
    let left: () => void = () => undefined;
    const departure = new Promise<void>((resolve) => {
      left = resolve;
    });
    const call = await place({
      callUuid: number.callUuid,
      journey: {
        campaign,
        number,
        left,
        mayRing: () => mayCall(campaign, number.number),
        answered: () => {
          runner.answered(attempt);
          this.look();
          return store.answered(of, clock.wall());
        },
        pressed: (digit) => store.pressed(of, digit, clock.wall()),
        reached: (target) => {
          attempt.target = target;
        },
        heardMachine: () => {
          attempt.machine = true;
        },
        optOut: () => withdraw(campaign, number.number),
      },
    });
    if (!call) {
      runner.attempts.delete(attempt);
      return undefined;
    }
    attempt.facts = call.facts;
    void this.#follow(runner, attempt, call);
    return { departure: Promise.race([departure, call.fetched.then(() => undefined)]) };
  }

  async #follow(runner: Runner, attempt: Attempt, call: PlacedCall): Promise<void> {
    const { clock, store } = this.#parts;
    const { answered, cause, endMs, queued, abandoned, talkSeconds } = await endOf(call, clock);
    const { campaign } = runner;
    const tried = { ...attempt.number, callRetries: campaign.callRetries, retrySeconds: this.#retrySeconds };
    const verdict = verdictOn({ answered, cause }, tried, clock.wall());
    if (cause === "NORMAL_CIRCUIT_CONGESTION") this.#restsUntil = within(clock, BREATHE_MS);
    await store.ended(
      { campaign, number: attempt.number },
      {
        attemptId: attempt.number.attemptId,
        endMs,
        cause,
        answered,
        target: attempt.target,
        ...verdict,
        queued,
        abandoned,
        machine: attempt.machine,
        cutOff: false,
        talkSeconds,
      },
    );
    // Only now is its line free: what is not written yet must not be overtaken by the next claim.
    const current = this.#runners.get(campaign.id) ?? runner;
    current.ended(attempt, { queued, abandoned });
    if (verdict.againMs !== null) current.receive({ is: "refilled", dueMs: verdict.againMs, nowMs: clock.wall() });
    this.look();
  }
}
