// The floor of one exchange: callers in line, agents at their desks, and every offer between them while it lasts.

import type { Cancel, Clock } from "../../../clock.ts";
import type { FloorPlan, FloorQueue } from "../../../store/agents.ts";
import type { HangupCause } from "../../calls/causes.ts";
import type { Leg } from "../../calls/leg.ts";
import { assign, type Decision, inLine } from "./assign.ts";
import type { Joining, Outcome, Place, Rung, Waiter, WayOut } from "./place.ts";
import { type Agent, Roster, type RosterParts } from "./roster.ts";

type Offer = { stops: Map<string, AbortController>; taken: boolean };

export type FloorParts = Omit<RosterParts, "onChange"> & {
  chance(): number;
  /** An agent who let too many offers pass takes a break. */
  tire(agent: string): void;
  /** An agent or a queue looks different now. */
  onChange(what: { agent: string } | { queue: string }): void;
};

/** While somebody waits we look again so often, whatever we were told: a phone may have come back unnoticed. */
const LOOK_AGAIN_MS = 2_000;

export class Floor {
  readonly roster: Roster;
  readonly #parts: FloorParts;
  readonly #clock: Clock;
  #queues = new Map<string, FloorQueue>();
  readonly #line: Waiter[] = [];
  readonly #offers = new Map<string, Offer>();
  readonly #settle = new Map<string, (outcome: Outcome) => void>();
  readonly #averageWaitMs = new Map<string, number>();
  #thinking = false;
  #again = false;
  #look: Cancel | undefined;

  constructor(parts: FloorParts) {
    this.#parts = parts;
    this.#clock = parts.clock;
    this.roster = new Roster({ ...parts, onChange: ({ number }) => parts.onChange({ agent: number }) });
  }

  queue(number: string): FloorQueue | undefined {
    return this.#queues.get(number);
  }

  queues(): FloorQueue[] {
    return [...this.#queues.values()];
  }

  /** In the order in which they will be served. */
  waiting(queue?: string): Waiter[] {
    return queue === undefined ? [...this.#line] : this.#line.filter((it) => it.queue === queue);
  }

  /** Undefined until somebody has been served. */
  averageWaitMs(queue: string): number | undefined {
    return this.#averageWaitMs.get(queue);
  }

  /** Queues, members and agents as they are stored now. */
  read({ queues, agents }: FloorPlan): void {
    this.#queues = new Map(queues.map((queue) => [queue.number, queue]));
    for (const { number } of this.roster.read(agents).stopped) this.#stopRinging(number);
    for (const caller of [...this.#line]) {
      const queue = this.#queues.get(caller.queue);
      if (!queue) this.#goOut(caller, "queue gone");
    }
    for (const { number } of queues) this.#parts.onChange({ queue: number });
    this.think();
  }

  /** Why nobody can join now. */
  whyClosed(number: string): "full" | "empty" | undefined {
    const queue = this.#queues.get(number);
    if (!queue) return "empty";
    if (this.#isEmpty(queue)) return "empty";
    return this.waiting(number).length >= queue.maxWaiting ? "full" : undefined;
  }

  join(joining: Joining): Place {
    const { id, queue } = joining;
    const caller: Waiter = {
      ...{ ...joining, single: joining.single ?? false, offered: false, tried: new Map<string, number>() },
      ...{ priority: this.#queues.get(queue)?.priority ?? 0, joinedMs: joining.joinedMs ?? this.#clock.now() },
    };
    const outcome = new Promise<Outcome>((settle) => this.#settle.set(id, settle));
    this.#insert(caller);
    this.#parts.onChange({ queue });
    this.think();
    return {
      outcome,
      position: () => this.waiting(queue).indexOf(caller) + 1,
      isOffered: () => caller.offered,
      leave: () => this.#leave(caller, { left: true }, "ORIGINATOR_CANCEL"),
    };
  }

  /** Something may have changed: whoever can be offered is. */
  think(): void {
    this.#again = true;
    if (this.#thinking) return;
    this.#thinking = true;
    try {
      while (this.#again) {
        this.#again = false;
        this.#sendOutOfEmpty();
        const { chance } = this.#parts;
        const agents = this.roster.views();
        for (const decision of assign({ line: this.#line, queues: this.#queues, agents, chance }))
          this.#offer(decision);
      }
    } finally {
      this.#thinking = false;
    }
    this.#lookAgain();
  }

  close(): void {
    for (const caller of [...this.#line]) this.#goOut(caller, "floor closed");
    for (const agent of this.roster.all()) agent.wrapUp?.();
    this.#look?.();
  }

  #insert(caller: Waiter): void {
    let at = this.#line.length;
    while (at > 0 && inLine(caller, this.#line[at - 1]!) < 0) at--;
    this.#line.splice(at, 0, caller);
  }

  #offer(decision: Decision): void {
    const caller = this.#line.find(({ id }) => id === decision.caller);
    if (!caller) return;
    caller.offered = true;
    const offer: Offer = { stops: new Map(), taken: false };
    this.#offers.set(caller.id, offer);
    caller.onDecision(decision);
    const agents = decision.agents.flatMap((number) => this.roster.get(number) ?? []);
    for (const agent of agents) {
      offer.stops.set(agent.number, new AbortController());
      this.roster.move(agent, "offer");
      caller.tried.set(agent.number, (caller.tried.get(agent.number) ?? 0) + 1);
    }
    for (const agent of agents) void this.#ring(caller, offer, agent);
  }

  async #ring(caller: Waiter, offer: Offer, agent: Agent): Promise<void> {
    const { signal } = offer.stops.get(agent.number)!; // put there just before
    const rung = await caller.ring(agent.number, signal).catch(broken);
    if (signal.aborted || offer.taken) {
      if ("answered" in rung) rung.answered.end("LOSE_RACE");
      return this.#release(caller, offer, agent);
    }
    if ("failed" in rung) return this.#passOn(caller, offer, agent);
    offer.taken = true;
    for (const [other, stop] of offer.stops) if (other !== agent.number) stop.abort("LOSE_RACE");
    const talks = await caller.greet(rung.answered).catch(() => false);
    if (signal.aborted) {
      rung.answered.end("ORIGINATOR_CANCEL");
      return this.#release(caller, offer, agent);
    }
    offer.taken = false;
    return talks ? this.#serve(caller, agent, rung.answered) : this.#passOn(caller, offer, agent);
  }

  /** The agent did not take it. */
  #passOn(caller: Waiter, offer: Offer, agent: Agent): void {
    offer.stops.delete(agent.number);
    if (this.roster.get(agent.number) === agent && agent.status === "ringing") {
      const excused = this.#parts.isBusy(agent.number);
      const mostMisses = this.#queues.get(caller.queue)?.mostMisses ?? 1;
      if (excused) this.roster.move(agent, "callerGone");
      else if (this.roster.missed(agent, mostMisses)) this.#parts.tire(agent.number);
    }
    this.#settleOffer(caller, offer);
    this.think();
  }

  #serve(caller: Waiter, agent: Agent, leg: Leg): void {
    const queue = this.#queues.get(caller.queue);
    this.#noteWait(caller);
    this.#remove(caller);
    // A colleague who picked the call up from his phone has it, and the agent who was rung is free again.
    const isOwn = leg.party.number === agent.number;
    if (!isOwn) this.roster.move(agent, "callerGone");
    else if (agent.status === "ringing") {
      this.roster.answered(agent);
      void leg.over.then(() => {
        this.roster.hungUp(agent, queue?.wrapUpSeconds ?? 0, () => this.think());
        this.think();
      });
    }
    this.#settleWith(caller, { served: leg, agent: leg.party.number });
    this.think();
  }

  /** Rung in vain through nobody's fault: another was faster, or the caller has gone. */
  #release(caller: Waiter, offer: Offer, agent: Agent): void {
    offer.stops.delete(agent.number);
    if (!this.#isRung(agent.number)) this.roster.move(agent, "callerGone");
    this.#settleOffer(caller, offer);
    this.think();
  }

  #isRung(agent: string): boolean {
    for (const { stops } of this.#offers.values()) if (stops.has(agent)) return true;
    return false;
  }

  /** Once nobody rings for him any more, the caller stands in line again, where he stood. */
  #settleOffer(caller: Waiter, offer: Offer): void {
    if (offer.stops.size > 0 || this.#offers.get(caller.id) !== offer) return;
    this.#offers.delete(caller.id);
    caller.offered = false;
  }

  #stopRinging(agent: string): void {
    for (const caller of this.#line) {
      const offer = this.#offers.get(caller.id);
      const stop = offer?.stops.get(agent);
      if (!offer || !stop) continue;
      stop.abort("ORIGINATOR_CANCEL");
      offer.stops.delete(agent);
      this.#settleOffer(caller, offer);
    }
  }

  #leave(caller: Waiter, outcome: Outcome, cause: HangupCause): void {
    if (!this.#line.includes(caller)) return;
    const offer = this.#offers.get(caller.id);
    this.#remove(caller);
    for (const stop of offer?.stops.values() ?? []) stop.abort(cause);
    this.#settleWith(caller, outcome);
    this.think();
  }

  #goOut(caller: Waiter, out: WayOut): void {
    this.#leave(caller, { out }, "ORIGINATOR_CANCEL");
  }

  #remove(caller: Waiter): void {
    this.#line.splice(this.#line.indexOf(caller), 1);
    this.#offers.delete(caller.id);
    this.#parts.onChange({ queue: caller.queue });
  }

  #settleWith({ id }: Waiter, outcome: Outcome): void {
    this.#settle.get(id)?.(outcome);
    this.#settle.delete(id);
  }

  /** The last agent has logged out: those who have somewhere else to go are sent there. */
  #sendOutOfEmpty(): void {
    for (const queue of this.#queues.values()) {
      if (queue.overflowTarget === null || !this.#isEmpty(queue)) continue;
      for (const caller of this.waiting(queue.number)) if (!caller.single) this.#goOut(caller, "empty");
    }
  }

  #isEmpty({ members }: FloorQueue): boolean {
    return !members.some((member) => (this.roster.get(member)?.status ?? "logged-out") !== "logged-out");
  }

  #noteWait({ queue, joinedMs }: Waiter): void {
    const before = this.#averageWaitMs.get(queue);
    const waited = this.#clock.now() - joinedMs;
    this.#averageWaitMs.set(queue, before === undefined ? waited : before * 0.8 + waited * 0.2);
  }

  #lookAgain(): void {
    if (this.#look || this.#line.length === 0) return;
    const nowMs = this.#clock.now();
    this.#look = this.#clock.after(this.roster.restEndsMs(nowMs + LOOK_AGAIN_MS) - nowMs, () => {
      this.#look = undefined;
      if (this.#line.length > 0) this.think();
    });
  }
}

function broken(): Rung {
  return { failed: "NORMAL_TEMPORARY_FAILURE" };
}
