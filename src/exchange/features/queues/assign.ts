// Who is offered which waiting caller: a pure function, and this is its rule.
//
//  1. Callers of all queues stand in one line: higher priority first, then who joined earlier, then by id.
//  2. From its head on, each caller who is not being offered already is offered to free agents of his queue. An agent
//     is free when he is available, reachable, on no call, and has not just let another offer pass.
//  3. Among the free agents those whom this caller has been offered to the fewest times come first; among these the
//     queue's strategy decides:
//       sequential    the first in the queue's written order
//       random        anyone, by the given chance
//       least-busy    who has answered the fewest calls since he logged in, then who has been idle longest
//       longest-idle  who has been idle longest
//       simultaneous  all free agents at once; the first to answer has the call
//     Equal agents keep the queue's written order. A caller to be called back is offered to one agent at a time.
//  4. An agent is offered one caller at a time, so one in several queues gets whoever stands first in the line.
//
// Being free does not depend on the caller, so nobody overtakes another of his own queue and priority: when the one
// behind is offered, the one in front has been offered before him.

import { between, type Ticks } from "../../../clock.ts";
import type { FloorQueue } from "../../../store/agents.ts";
import type { StoryFact } from "../../calls/story.ts";

export type Strategy = FloorQueue["strategy"];

export type WaitingCaller = {
  id: string;
  queue: string;
  priority: number;
  joined: Ticks;
  /** Agents whose phones ring for him now. */
  offered: boolean;
  /** One agent at a time, whatever the strategy: he is not on the line to be talked to by whoever is first. */
  single: boolean;
  /** How often each agent was offered this caller. */
  tried: ReadonlyMap<string, number>;
};

export type Unfree = "logged out" | "on break" | "ringing" | "on a call" | "wrapping up" | "unreachable" | "resting";

/** Whom a supervisor may give a call nevertheless. */
export const ORDERED: ReadonlySet<Unfree> = new Set(["logged out", "on break", "wrapping up", "resting"]);

export type AgentView = {
  number: string;
  /** Undefined: free. */
  unfree: Unfree | undefined;
  idleSince: Ticks;
  calls: number;
};

export type QueueRule = Pick<FloorQueue, "number" | "strategy" | "members">;

export type Decision = {
  caller: string;
  queue: string;
  agents: string[];
  strategy: Strategy;
  /** The free agents in the order in which they were considered. */
  candidates: string[];
  /** Members who were not free, counted by why. */
  unfree: Partial<Record<Unfree, number>>;
};

export type Situation = {
  /** In the order of `inLine`. */
  line: readonly WaitingCaller[];
  queues: ReadonlyMap<string, QueueRule>;
  agents: ReadonlyMap<string, AgentView>;
  /** 0 to 1, for the random strategy. */
  chance(): number;
};

export function inLine(one: WaitingCaller, other: WaitingCaller): number {
  return (
    other.priority - one.priority ||
    between(other.joined, one.joined) ||
    (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)
  );
}

export function assign({ line, queues, agents, chance }: Situation): Decision[] {
  const decisions: Decision[] = [];
  const free = new Set<string>();
  for (const { number, unfree } of agents.values()) if (unfree === undefined) free.add(number);
  const benches = new Map<string, Bench | undefined>();
  for (const caller of line) {
    if (free.size === 0) break;
    if (caller.offered) continue;
    if (!benches.has(caller.queue)) benches.set(caller.queue, benchOf(queues.get(caller.queue), agents, free));
    const bench = benches.get(caller.queue);
    if (!bench || bench.order.length === 0) continue;
    bench.order = bench.order.filter((agent) => free.has(agent));
    if (bench.order.length === 0) continue;
    const { agents: chosen, candidates } = choose(caller, bench, chance);
    for (const agent of chosen) free.delete(agent);
    const { strategy, members } = bench.queue;
    const unfree = countUnfree(members, agents);
    decisions.push({ caller: caller.id, queue: caller.queue, agents: chosen, strategy, candidates, unfree });
  }
  return decisions;
}

/** The members of one queue who are still free in this round, in the order of its strategy. */
type Bench = { queue: QueueRule; order: string[] };

function benchOf(
  queue: QueueRule | undefined,
  agents: Situation["agents"],
  free: ReadonlySet<string>,
): Bench | undefined {
  if (!queue) return undefined;
  const views = queue.members.flatMap((member) => (free.has(member) ? (agents.get(member) ?? []) : []));
  return { queue, order: orders[queue.strategy](views).map(({ number }) => number) };
}

function countUnfree(members: readonly string[], agents: Situation["agents"]): Decision["unfree"] {
  const counts: Decision["unfree"] = {};
  for (const member of members) {
    const why = agents.get(member)?.unfree;
    if (why !== undefined) counts[why] = (counts[why] ?? 0) + 1;
  }
  return counts;
}

const asWritten = (views: AgentView[]) => views;
const idleFirst = (one: AgentView, other: AgentView) => between(other.idleSince, one.idleSince);

export const orders: Record<Strategy, (views: AgentView[]) => AgentView[]> = {
  simultaneous: asWritten,
  sequential: asWritten,
  random: asWritten,
  "least-busy": (views) => views.sort((one, other) => one.calls - other.calls || idleFirst(one, other)),
  "longest-idle": (views) => views.sort(idleFirst),
};

function choose(caller: WaitingCaller, { queue: { strategy }, order: free }: Bench, chance: () => number) {
  if (strategy === "simultaneous" && !caller.single) return { agents: free, candidates: free };
  const times = (agent: string) => caller.tried.get(agent) ?? 0;
  const candidates = caller.tried.size === 0 ? free : free.toSorted((one, other) => times(one) - times(other));
  const fewest = times(candidates[0]!); // there is at least one
  const equals = strategy === "random" ? candidates.filter((agent) => times(agent) === fewest).length : 1;
  const at = Math.min(Math.floor(chance() * equals), equals - 1);
  return { agents: [candidates[equals === 1 ? 0 : at]!], candidates };
}

/** A decision for the story of the call: to be called back, it is the agent's call and the caller is not on the line. */
export function explained(decision: Decision, { callback }: { callback: boolean }): StoryFact {
  const { queue, strategy, candidates } = decision;
  const unfree = Object.entries(decision.unfree) as [Unfree, number][]; // its own keys, all of them counted
  return {
    is: "offered",
    agents: decision.agents.slice(0, MOST_NAMED),
    queue,
    strategy,
    free: candidates.slice(0, MOST_NAMED),
    freeInAll: candidates.length,
    unfree: unfree.map(([why, agents]) => ({ why, agents })),
    callback,
  };
}

const MOST_NAMED = 8;
