// Who is told of a waiting caller through his browser, because his phone is closed: a pure function, and this is its rule.
//
//  1. Those who are at their phones come first, and never wait for somebody who may not come: others are told of a caller
//     only while nobody's phone rings for him. Where a queue rings all at once they are told at once as well.
//  2. One at a time, in the order of the queue's strategy, and the next when the first has had as long as a phone rings.
//     Of one who will be called back they are told one at a time in any case: his place rings one phone.
//  3. An agent is told of one caller at a time, and of each of them once. On a break or logged out he is told of nobody.
//
// Whoever comes is an agent like any other from then on, and offered who stands first in the line.

import type { Ticks } from "../../../clock.ts";
import { type AgentView, orders, type QueueRule, type WaitingCaller } from "./assign.ts";

/** Who has been told of a caller, and until when he is waited for. */
export type Told = ReadonlyMap<string, Ticks>;

export type Sleeping = {
  /** In the order of `inLine`. */
  line: readonly WaitingCaller[];
  queues: ReadonlyMap<string, QueueRule>;
  /** Available, and their phones are closed. */
  asleep: ReadonlyMap<string, AgentView>;
  /** By caller. */
  told: ReadonlyMap<string, Told>;
  now: Ticks;
  /** 0 to 1, for the random strategy. */
  chance(): number;
};

export type Roused = { caller: string; queue: string; agents: string[] };

export function whomToRouse({ line, queues, asleep, told, now, chance }: Sleeping): Roused[] {
  const roused: Roused[] = [];
  const left = new Map(asleep);
  for (const those of told.values()) for (const agent of comingOf(those, now)) left.delete(agent);
  for (const { id, queue: number, offered, single } of line) {
    if (left.size === 0) break;
    const queue = queues.get(number);
    if (!queue) continue;
    const before: Told = told.get(id) ?? new Map();
    const isAll = queue.strategy === "simultaneous" && !single;
    if (!isAll && (offered || comingOf(before, now).length > 0)) continue;
    const views = queue.members.flatMap((member) => (before.has(member) ? [] : (left.get(member) ?? [])));
    const inOrder = orders[queue.strategy](views).map((agent) => agent.number);
    const agents = isAll ? inOrder : inOrder.splice(first(queue, inOrder.length, chance), 1);
    for (const agent of agents) left.delete(agent);
    if (agents.length > 0) roused.push({ caller: id, queue: number, agents });
  }
  return roused;
}

function comingOf(told: Told, now: Ticks): string[] {
  return [...told].flatMap(([agent, until]) => (until > now ? [agent] : []));
}

function first({ strategy }: QueueRule, agents: number, chance: () => number): number {
  return strategy === "random" ? Math.min(Math.floor(chance() * agents), agents - 1) : 0;
}
