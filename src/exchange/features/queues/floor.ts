// The floor of one exchange: callers in line, agents at their desks, and every offer between them while it lasts.

import { runAgainAtOnce } from "../../../again.ts";
import { type Cancel, type Clock, since, stampOf, until, within } from "../../../clock.ts";
import { Machine } from "../../../machine.ts";
import type { FloorPlan, FloorQueue } from "../../../store/agents.ts";
import { assign, type Decision, ORDERED, type Unfree } from "./assign.ts";
import { Expected } from "./expected.ts";
import type { Joining, LeftBecause, Outcome, Place, Rung, Waiter } from "./place.ts";
import { begin, type Effect, type Input, inHand, type Ring, type State, table } from "./place-machine.ts";
import { putInLine } from "./put-in-line.ts";
import { Roster, type RosterParts } from "./roster.ts";
import { pickedUp, type Rings, type Seat, untilGone, Waits } from "./seat.ts";
import { takes } from "./takes.ts";

export type FloorParts = Omit<RosterParts, "onChange" | "onFree"> & {
  chance(): number;
  /** By which he is in this call now. */
  lineOf?(callUuid: string, extension: string): Rings["leg"];
  /** An agent or a queue looks different now. */
  onChange(what: { agent: string } | { queue: string }): void;
  /** Everybody who could be offered is. */
  onOffered?(): void;
};

/** While somebody waits we look again so often, whatever we were told: a phone may have come back unnoticed. */
const LOOK_AGAIN_MS = 2_000;

export class Floor {
  readonly roster: Roster;
  readonly #parts: FloorParts;
  readonly #clock: Clock;
  #queues = new Map<string, FloorQueue>();
  readonly #line: Waiter[] = [];
  /** By caller. */
  readonly #seats = new Map<string, Seat>();
  /** By the number of the ring. */
  readonly #rings = new Map<number, Rings>();
  #rung = 0;
  readonly #waits = new Waits();
  /** Nobody is offered in the middle of something that happens. */
  readonly #thinking = runAgainAtOnce(() => this.#offerAll());
  #look: Cancel | undefined;
  readonly expected: Expected;

  constructor(parts: FloorParts) {
    this.#parts = parts;
    this.#clock = parts.clock;
    this.expected = new Expected(parts.clock, () => this.think());
    this.roster = new Roster({
      ...parts,
      onChange: ({ number }) => parts.onChange({ agent: number }),
      onFree: () => this.think(),
    });
  }

  queue = (number: string): FloorQueue | undefined => this.#queues.get(number);
  queues = (): FloorQueue[] => [...this.#queues.values()];

  /** In the order in which they will be served. */
  waiting(queue?: string): Waiter[] {
    return queue === undefined ? [...this.#line] : this.#line.filter((it) => it.queue === queue);
  }

  /** Undefined until somebody has been served. */
  averageWaitMs = (queue: string): number | undefined => this.#waits.averageMs(queue);

  /** Queues, members and agents as they are stored now. */
  read({ queues, agents }: FloorPlan): void {
    this.#happens(() => {
      this.#queues = new Map(queues.map((queue) => [queue.number, queue]));
      for (const { number: agent } of this.roster.read(agents).stopped)
        for (const { id } of [...this.#line]) this.#seats.get(id)?.machine.receive({ is: "withdrawn", agent });
      for (const caller of [...this.#line]) if (!this.#queues.has(caller.queue)) this.#goOut(caller, "queue gone");
      for (const { number } of queues) this.#parts.onChange({ queue: number });
    });
  }

  /** Why nobody can join now. */
  whyClosed(number: string): "full" | "empty" | undefined {
    const queue = this.#queues.get(number);
    if (!queue || this.#isEmpty(queue)) return "empty";
    return this.waiting(number).length >= queue.maxWaiting ? "full" : undefined;
  }

  join(joining: Joining): Place {
    const { id, queue } = joining;
    const joined = joining.joined ?? this.#clock.ticks();
    const machine: Machine<State, Input, Effect> = new Machine(table, begin, this.#clock, {
      perform: (effect) => this.#perform(seat, effect),
      unexpected: (state, input) => this.#parts.unexpected({ machine: "place in line", state, input }),
    });
    const caller: Waiter = {
      ...joining,
      single: joining.single ?? false,
      tried: new Map(),
      priority: this.#queues.get(queue)?.priority ?? 0,
      joined,
      joinedMs: joining.joined === undefined ? this.#clock.wall() : stampOf(this.#clock, joined),
      waitedMs: () => since(this.#clock, joined),
      get offered() {
        return machine.state().at !== "waiting";
      },
    };
    let settle: (outcome: Outcome) => void = () => undefined;
    const outcome = new Promise<Outcome>((resolve) => {
      settle = resolve;
    });
    const seat: Seat = { caller, machine, settle };
    this.#seats.set(id, seat);
    putInLine(this.#line, caller);
    this.#parts.onChange({ queue });
    const rung = joining.rung?.filter((agent) => this.roster.get(agent)?.status === "available") ?? [];
    if (rung.length > 0) this.#happens(() => this.#put(seat, rung));
    this.expected.settled(joining.callUuid);
    this.think();
    return {
      joined,
      outcome,
      position: () => this.waiting(queue).indexOf(caller) + 1,
      isOffered: () => caller.offered,
      leave: () => this.#tell(seat, { is: "leave", outcome: { left: true } }),
    };
  }

  /**
   * Put to this extension now, whoever's turn it is: an agent of any queue, even on a break, or nobody's agent. When
   * nobody answers there the caller stands in line where he stood.
   */
  pull(id: string, extension: string): "done" | "gone" | "taken" | Unfree {
    const seat = this.#seats.get(id);
    if (!seat) return "gone";
    const state = seat.machine.state();
    if (state.at === "taken") return "taken";
    if (inHand(state).some(({ agent }) => agent === extension)) return "done";
    const agent = this.roster.get(extension);
    const unfree = agent && this.roster.whyNotFree(agent);
    if (unfree !== undefined && !ORDERED.has(unfree)) return unfree;
    if (this.#parts.isBusy(extension)) return "on a call";
    this.#happens(() => this.#put(seat, [extension], agent?.status === "available" ? "pull" : "order"));
    this.#parts.onChange({ queue: seat.caller.queue });
    return "done";
  }

  /** Something may have changed: whoever can be offered is. */
  think(): void {
    this.#thinking.ask();
  }

  close(): void {
    for (const caller of [...this.#line]) this.#goOut(caller, "floor closed");
    this.roster.close();
    this.#look?.();
  }

  #happens(act: () => void): void {
    this.#thinking.after(act);
  }

  #tell({ machine }: Seat, input: Input): void {
    this.#happens(() => machine.receive(input));
  }

  #offerAll(): void {
    if (this.expected.isAny()) return;
    this.#sendOutOfEmpty();
    const { chance } = this.#parts;
    const situation = { line: this.#line, queues: this.#queues, agents: this.roster.views(), chance };
    for (const decision of assign(situation)) this.#offer(decision);
    this.#parts.onOffered?.();
    this.#lookAgain();
  }

  #offer(decision: Decision): void {
    const seat = this.#seats.get(decision.caller);
    if (!seat) return;
    seat.caller.onDecision(decision);
    this.#put(seat, decision.agents);
  }

  #put(seat: Seat, agents: readonly string[], how: "offer" | "pull" | "order" = "offer"): void {
    const { caller, machine } = seat;
    const byOrder = how === "order";
    const rings = agents.map((agent): Ring => ({ agent, number: ++this.#rung }));
    for (const ring of rings) {
      const { callUuid } = caller;
      this.#rings.set(ring.number, { seat, ring, stop: new AbortController(), leg: undefined, callUuid, byOrder });
      caller.tried.set(ring.agent, (caller.tried.get(ring.agent) ?? 0) + 1);
    }
    if (!byOrder) for (const agent of agents) this.#tellAgent(agent, { is: "offer" });
    machine.receive({ is: how === "offer" ? "offer" : "pull", rings });
  }

  #perform(seat: Seat, effect: Effect): void {
    if (effect.do === "leaveLine") return this.#remove(seat.caller);
    if (effect.do === "settle") return seat.settle(effect.outcome);
    const rings = this.#rings.get(effect.ring.number);
    // The act is chosen by the very field its parameter narrows on; a ring is kept until nothing more can come of it.
    if (rings) (this.#acts[effect.do] as (rings: Rings, effect: Effect) => void)(rings, effect);
  }

  readonly #acts: {
    [Do in Exclude<Effect["do"], "leaveLine" | "settle">]: (rings: Rings, effect: Extract<Effect, { do: Do }>) => void;
  } = {
    ring: (rings) => void this.#ring(rings),
    stop: ({ stop }, { cause }) => stop.abort(cause),
    greet: (rings) => void this.#greet(rings),
    end: ({ leg }, { cause }) => leg?.end(cause),
    miss: (rings) => this.#miss(rings),
    release: (rings) => this.#release(rings),
    serve: (rings) => this.#serve(rings),
  };

  async #ring(rings: Rings): Promise<void> {
    const { seat, ring, stop } = rings;
    const rung = await seat.caller
      .ring(ring.agent, stop.signal)
      .catch((): Rung => ({ failed: "NORMAL_TEMPORARY_FAILURE" }));
    if ("answered" in rung) pickedUp(rings, rung);
    this.#tell(seat, { is: rings.leg ? "answered" : "unanswered", ring });
  }

  async #greet({ seat, ring, leg }: Rings): Promise<void> {
    const talks = leg !== undefined && (await seat.caller.greet(leg).catch(() => false));
    this.#tell(seat, { is: talks ? "greeted" : "hungUp", ring });
  }

  #miss({ seat, ring: { agent, number }, byOrder }: Rings): void {
    this.#rings.delete(number);
    if (byOrder) return;
    const mostMisses = this.#queues.get(seat.caller.queue)?.mostMisses ?? 1;
    if (this.#parts.isBusy(agent)) this.#tellAgent(agent, { is: "callerGone" });
    else this.#tellAgent(agent, { is: "miss", mostMisses, ...this.#now() });
  }

  #release({ ring: { agent, number } }: Rings): void {
    this.#rings.delete(number);
    for (const { seat, ring } of this.#rings.values())
      if (ring.agent === agent && inHand(seat.machine.state()).includes(ring)) return;
    this.#tellAgent(agent, { is: "callerGone" });
  }

  #serve({ seat, ring, leg, callUuid, byOrder }: Rings): void {
    if (!leg) return;
    const { caller, settle } = seat;
    this.#rings.delete(ring.number);
    this.#waits.note(caller);
    this.#remove(caller);
    const taker = leg.party.is === "extension" ? leg.party.number : ring.agent;
    // A colleague who picked the call up from his phone has it, and the agent who was rung is free again.
    if (taker !== ring.agent && !byOrder) this.#tellAgent(ring.agent, { is: "callerGone" });
    const others = [...this.#rings.values()].filter((it) => it.seat === seat && !it.byOrder);
    const isRung = (taker === ring.agent && !byOrder) || others.some((it) => it.ring.agent === taker);
    const of = { callUuid, caller: caller.caller, queue: this.#queues.get(caller.queue), isRung };
    const hangsUp = takes(this.roster, taker, of);
    const gone = hangsUp && untilGone(leg, () => this.#parts.lineOf?.(callUuid, taker));
    void gone?.then(() => this.#happens(() => hangsUp?.(this.#now())));
    settle({ served: leg, agent: taker });
  }

  #now = () => ({ now: this.#clock.ticks(), nowMs: this.#clock.wall() });

  #tellAgent(number: string, input: Parameters<Roster["tell"]>[1]): void {
    const agent = this.roster.get(number);
    if (agent) this.roster.tell(agent, input);
  }

  #goOut({ id }: Waiter, out: LeftBecause): void {
    const seat = this.#seats.get(id);
    if (seat) this.#tell(seat, { is: "leave", outcome: { out } });
  }

  #remove(caller: Waiter): void {
    this.#line.splice(this.#line.indexOf(caller), 1);
    this.#seats.delete(caller.id);
    this.#parts.onChange({ queue: caller.queue });
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

  #lookAgain(): void {
    if (this.#look || this.#line.length === 0) return;
    const lookAt = this.roster.restEnds(within(this.#clock, LOOK_AGAIN_MS));
    this.#look = this.#clock.after(until(this.#clock, lookAt), () => {
      this.#look = undefined;
      if (this.#line.length > 0) this.think();
    });
  }
}
