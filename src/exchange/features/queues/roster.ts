// The agents of one exchange as they are now: what is stored of them, and what is happening to them.

import { type Clock, restamped, since, type Ticks } from "../../../clock.ts";
import { Machine, type ReportUnexpected } from "../../../machine.ts";
import type { FloorAgent } from "../../../store/agents.ts";
import type { WrapUp } from "../../../store/wrap-ups.ts";
import type { AgentStatus } from "../agents/agent-status.ts";
import { begin, type Effect, type Input, type State, table } from "./agent-machine.ts";
import type { AgentView, Unfree } from "./assign.ts";

/** What an agent has to say of a call that he took. */
export type Debt = { callUuid: string; extension: string; queue: string; caller: string; atMs: number };

/** `queue` if that wants to be told what became of it. */
export type TakenCall = { callUuid: string; caller: string; queue: string | undefined };

export const MISSED_CALLS = "missed calls";

export type RosterParts = {
  clock: Clock;
  unexpected: ReportUnexpected;
  /** Has a phone that can be rung. */
  isReachable(extension: string): boolean;
  /** On a call, of a queue or not, or being rung by somebody. */
  isBusy(extension: string): boolean;
  /** An agent who let too many offers pass takes a break. */
  giveBreak(agent: string): void;
  onChange(agent: Agent): void;
  /** His notes about a call are written, or left. */
  onWrappedUp?(wrapUp: WrapUp): void;
  /** He has to say what became of this call. Kept when that is stored. */
  owe?(debt: Debt): Promise<void>;
  /** Somebody is free again without anybody's doing. */
  onFree(): void;
};

class Agent {
  readonly number: string;
  name: string;
  dnd: boolean;
  /** Why he is on a break. */
  description = "";
  readonly #clock: Clock;
  readonly #machine: Machine<State, Input, Effect>;
  readonly #onWrappedUp: RosterParts["onWrappedUp"];
  #wrapping: { callUuid: string; began: Ticks; beganMs: number } | undefined;

  constructor({ number, name, dnd }: FloorAgent, parts: RosterParts) {
    const { clock, unexpected, giveBreak, onChange, onFree } = parts;
    this.#clock = clock;
    this.#onWrappedUp = parts.onWrappedUp;
    this.number = number;
    this.name = name;
    this.dnd = dnd;
    this.#machine = new Machine(table, begin({ now: clock.ticks(), nowMs: clock.wall() }), clock, {
      perform: (effect) => {
        if (effect.do === "takeBreak") {
          this.description = MISSED_CALLS;
          return giveBreak(number);
        }
        this.#noteWrapUp();
        onChange(this);
        onFree();
      },
      unexpected: (state, input) => unexpected({ machine: "agent", state, input }),
    });
  }

  get status(): AgentStatus {
    return this.#machine.state().at;
  }

  get calls(): number {
    return this.#machine.state().calls;
  }

  get misses(): number {
    return this.#machine.state().misses;
  }

  get idleSince(): Ticks {
    return this.#machine.state().idleSince;
  }

  /** As a stamp of the wall's clock as it stands now. */
  get idleSinceMs(): number {
    const { idleSince, idleSinceMs } = this.#machine.state();
    return restamped(this.#clock, idleSince, idleSinceMs);
  }

  get restsUntil(): Ticks {
    return this.#machine.state().restsUntil;
  }

  receive(input: Input): void {
    this.#machine.receive(input);
    this.#noteWrapUp();
  }

  /** If his queue leaves him time for notes about a call that is over. */
  wrapsUp(callUuid: string): void {
    if (this.status !== "wrapping-up") return;
    this.#wrapping = { callUuid, began: this.#clock.ticks(), beganMs: this.#clock.wall() };
  }

  #noteWrapUp(): void {
    const wrapping = this.#wrapping;
    if (!wrapping || this.status === "wrapping-up") return;
    this.#wrapping = undefined;
    const { callUuid, began, beganMs } = wrapping;
    const seconds = Math.round(since(this.#clock, began) / 1_000);
    this.#onWrappedUp?.({ callUuid, extension: this.number, beganMs, seconds });
  }
}

export class Roster {
  readonly #parts: RosterParts;
  readonly #agents = new Map<string, Agent>();

  constructor(parts: RosterParts) {
    this.#parts = parts;
  }

  get(number: string): Agent | undefined {
    return this.#agents.get(number);
  }

  all(): Agent[] {
    return [...this.#agents.values()];
  }

  /** What is stored wins over what an agent wanted before; what is happening to him goes on. */
  read(stored: readonly FloorAgent[]): { stopped: Agent[] } {
    const known = new Set(stored.map(({ number }) => number));
    const stopped = this.all().filter(({ number }) => !known.has(number));
    for (const agent of stopped) this.#remove(agent);
    const now = { now: this.#parts.clock.ticks(), nowMs: this.#parts.clock.wall() };
    for (const row of stored) {
      const agent = this.#agents.get(row.number) ?? this.#add(row);
      const before = agent.status;
      agent.receive({ is: "debts", owes: row.owes });
      agent.receive({ is: storedAs[row.status], ...now });
      // His break for missed calls may not be stored yet, nor its reason.
      const isUnstored = row.status === "AVAILABLE" && agent.status === "on-break";
      const description = isUnstored ? agent.description : (row.description ?? "");
      Object.assign(agent, { name: row.name, dnd: row.dnd, description });
      if (before === "ringing" && agent.status !== "ringing") stopped.push(agent);
      this.#parts.onChange(agent);
    }
    return { stopped };
  }

  /** Of a process before this one: who has answered how many since he logged in. */
  remember(answered: ReadonlyMap<string, number>): void {
    for (const [number, calls] of answered) {
      const agent = this.#agents.get(number);
      if (agent) this.tell(agent, { is: "counted", calls });
    }
  }

  /** He has taken a call from a queue. */
  answers(agent: Agent, taken: TakenCall): void {
    this.tell(agent, { is: "answer", owes: taken.queue !== undefined && this.#parts.owe !== undefined });
    this.owes(agent.number, taken);
  }

  /** Somebody has a call of a queue, be he an agent or not: what became of it he says where that is wanted. */
  owes(extension: string, { callUuid, caller, queue }: TakenCall): void {
    const { owe, clock } = this.#parts;
    if (queue === undefined || !owe) return;
    const tell = (kept: boolean) => {
      const agent = this.#agents.get(extension);
      if (agent) this.tell(agent, { is: "debtStored", kept });
    };
    void owe({ callUuid, extension, queue, caller, atMs: clock.wall() }).then(
      () => tell(true),
      () => tell(false), // whoever stores it has said why not
    );
  }

  /** He wants the next call. False: he owes something first. */
  ready(agent: Agent): boolean {
    this.tell(agent, { is: "ready" });
    return agent.status !== "wrapping-up";
  }

  /** His call from a queue is over. */
  served(agent: Agent, callUuid: string, over: Omit<Extract<Input, { is: "hangUp" }>, "is">): void {
    this.tell(agent, { is: "hangUp", ...over });
    agent.wrapsUp(callUuid);
  }

  /** Something happens to him. */
  tell(agent: Agent, input: Input): void {
    agent.receive(input);
    this.#parts.onChange(agent);
  }

  close(): void {
    for (const agent of this.all()) this.#remove(agent);
  }

  views(): Map<string, AgentView> {
    const now = this.#parts.clock.ticks();
    const views = new Map<string, AgentView>();
    for (const [number, agent] of this.#agents) {
      const { idleSince, calls } = agent;
      views.set(number, { number, unfree: this.whyNotFree(agent, now), idleSince, calls });
    }
    return views;
  }

  whyNotFree({ number, status, dnd, restsUntil }: Agent, now = this.#parts.clock.ticks()): Unfree | undefined {
    if (status !== "available") return unfree[status];
    if (restsUntil > now) return "resting";
    if (this.#parts.isBusy(number)) return "on a call";
    return dnd || !this.#parts.isReachable(number) ? "unreachable" : undefined;
  }

  /** When the next of those who are left alone may be rung again, if that is before `by`. */
  restEnds(by: Ticks): Ticks {
    const now = this.#parts.clock.ticks();
    let soonest = by;
    for (const { restsUntil } of this.#agents.values())
      if (restsUntil > now && restsUntil < soonest) soonest = restsUntil;
    return soonest;
  }

  #add(row: FloorAgent): Agent {
    const agent = new Agent(row, this.#parts);
    this.#agents.set(row.number, agent);
    return agent;
  }

  /** With him go his timers. */
  #remove(agent: Agent): void {
    agent.receive({ is: "loggedOut" });
    this.#agents.delete(agent.number);
  }
}

const storedAs = { AVAILABLE: "available", ON_BREAK: "onBreak", LOGGED_OUT: "loggedOut" } as const;

const unfree: Record<Exclude<AgentStatus, "available">, Unfree> = {
  "logged-out": "logged out",
  "on-break": "on break",
  ringing: "ringing",
  talking: "on a call",
  "wrapping-up": "wrapping up",
};
