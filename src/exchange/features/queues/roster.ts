// The agents of one exchange as they are now: what is stored of them, and what is happening to them.

import type { Cancel, Clock } from "../../../clock.ts";
import type { FloorAgent } from "../../../store/agents.ts";
import { type AgentMove, type AgentStatus, moved, statusOf } from "../agents/agent-status.ts";
import type { AgentView, Unfree } from "./assign.ts";

/** After an offer that he let pass an agent is left alone for so long, or a refused call would ring back at once. */
const REST_MS = 5_000;

export const MISSED_CALLS = "missed calls";

export type Agent = {
  number: string;
  name: string;
  status: AgentStatus;
  /** Why he is on a break. */
  description: string;
  dnd: boolean;
  idleSinceMs: number;
  /** Answered from queues since he logged in. */
  calls: number;
  /** Offers in a row that he let pass. */
  misses: number;
  restsUntilMs: number;
  /** His break for missed calls is on its way to the store, which still says that he is available. */
  tiring: boolean;
  wrapUp: Cancel | undefined;
};

export type RosterParts = {
  clock: Clock;
  /** Has a phone that can be rung. */
  isReachable(extension: string): boolean;
  /** On a call, of a queue or not, or being rung by somebody. */
  isBusy(extension: string): boolean;
  onChange(agent: Agent): void;
};

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

  /** What is stored wins over what an agent wished before; what is happening to him goes on. */
  read(stored: readonly FloorAgent[]): { stopped: Agent[] } {
    const stopped: Agent[] = [];
    const known = new Set(stored.map(({ number }) => number));
    for (const [number, agent] of this.#agents)
      if (!known.has(number)) {
        stopped.push(agent);
        agent.wrapUp?.();
        this.#agents.delete(number);
      }
    for (const row of stored) {
      const agent = this.#agents.get(row.number) ?? this.#add(row);
      const before = agent.status;
      Object.assign(agent, { name: row.name, dnd: row.dnd, description: row.description ?? "" });
      const wish = statusOf(row);
      if (wish === "available" && agent.tiring) continue;
      agent.tiring = false;
      if (wish !== "available") this.#become(agent, wish);
      else if (before === "logged-out" || before === "on-break") this.#start(agent, before);
      if (before === "ringing" && agent.status !== "ringing") stopped.push(agent);
      this.#parts.onChange(agent);
    }
    return { stopped };
  }

  /** Does what the table allows, and says whether it was allowed. */
  move(agent: Agent, move: AgentMove): boolean {
    const next = moved(agent.status, move);
    if (next === undefined) return false;
    this.#become(agent, next);
    this.#parts.onChange(agent);
    return true;
  }

  /** He let an offer pass; true when it was once too often. */
  missed(agent: Agent, mostMisses: number): boolean {
    agent.misses += 1;
    agent.restsUntilMs = this.#parts.clock.now() + REST_MS;
    const tired = agent.misses >= mostMisses;
    this.move(agent, tired ? "tire" : "miss");
    if (tired) Object.assign(agent, { misses: 0, tiring: true, description: MISSED_CALLS });
    return tired;
  }

  answered(agent: Agent): void {
    agent.calls += 1;
    agent.misses = 0;
    this.move(agent, "answer");
  }

  /** His call is over: some time for his notes, then the next. */
  hungUp(agent: Agent, wrapUpSeconds: number, onFree: () => void): void {
    agent.idleSinceMs = this.#parts.clock.now();
    if (!this.move(agent, "hangUp")) return;
    const finish = () => {
      if (agent.status !== "wrapping-up") return;
      this.move(agent, "finish");
      onFree();
    };
    if (wrapUpSeconds === 0) finish();
    else agent.wrapUp = this.#parts.clock.after(wrapUpSeconds * 1_000, finish);
  }

  views(): Map<string, AgentView> {
    const nowMs = this.#parts.clock.now();
    const views = new Map<string, AgentView>();
    for (const [number, agent] of this.#agents) {
      const { idleSinceMs, calls } = agent;
      views.set(number, { number, unfree: this.whyNotFree(agent, nowMs), idleSinceMs, calls });
    }
    return views;
  }

  whyNotFree({ number, status, dnd, restsUntilMs }: Agent, nowMs = this.#parts.clock.now()): Unfree | undefined {
    if (status !== "available") return unfree[status];
    if (restsUntilMs > nowMs) return "resting";
    if (this.#parts.isBusy(number)) return "on a call";
    return dnd || !this.#parts.isReachable(number) ? "unreachable" : undefined;
  }

  /** When the next of those who are left alone may be rung again, if that is before `byMs`. */
  restEndsMs(byMs: number): number {
    const nowMs = this.#parts.clock.now();
    let soonest = byMs;
    for (const { restsUntilMs } of this.#agents.values())
      if (restsUntilMs > nowMs && restsUntilMs < soonest) soonest = restsUntilMs;
    return soonest;
  }

  #add({ number, name, dnd }: FloorAgent): Agent {
    const agent: Agent = {
      ...{ number, name, dnd, status: "logged-out", description: "", wrapUp: undefined },
      ...{ idleSinceMs: this.#parts.clock.now(), calls: 0, misses: 0, restsUntilMs: 0, tiring: false },
    };
    this.#agents.set(number, agent);
    return agent;
  }

  #start(agent: Agent, from: AgentStatus): void {
    if (from === "logged-out") agent.calls = 0;
    agent.misses = 0;
    agent.restsUntilMs = 0;
    agent.idleSinceMs = this.#parts.clock.now();
    this.#become(agent, "available");
  }

  #become(agent: Agent, status: AgentStatus): void {
    if (agent.status === "wrapping-up" && status !== "wrapping-up") {
      agent.wrapUp?.();
      agent.wrapUp = undefined;
    }
    agent.status = status;
  }
}

const unfree: Record<Exclude<AgentStatus, "available">, Unfree> = {
  "logged-out": "logged out",
  "on-break": "on break",
  ringing: "ringing",
  talking: "on a call",
  "wrapping-up": "wrapping up",
};
