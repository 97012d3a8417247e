// A queue and an agent as boards show them.

import { type Clock, restamped } from "../../../clock.ts";
import type { AgentStatus } from "../agents/agent-status.ts";
import type { Floor } from "./floor.ts";

export type QueueNow = {
  number: string;
  name: string;
  members: string[];
  waiting: {
    id: string;
    call: string;
    caller: string;
    callerName: string;
    joinedMs: number;
    offered: boolean;
    callback: boolean;
  }[];
  averageWaitMs: number | null;
};

export type AgentNow = {
  number: string;
  name: string;
  status: AgentStatus;
  break: string;
  calls: number;
  idleSinceMs: number;
  free: boolean;
};

export function queueNow(clock: Clock, floor: Floor, number: string): QueueNow | undefined {
  const queue = floor.queue(number);
  if (!queue) return undefined;
  const waiting = floor.waiting(number).map(({ id, callUuid, joined, joinedMs, offered, single, ...it }) => ({
    id,
    call: callUuid,
    caller: it.caller,
    callerName: it.callerName,
    joinedMs: restamped(clock, joined, joinedMs),
    offered,
    callback: single,
  }));
  const { name, members } = queue;
  return { number, name, members, waiting, averageWaitMs: floor.averageWaitMs(number) ?? null };
}

export function agentNow(floor: Floor, number: string): AgentNow | undefined {
  const agent = floor.roster.get(number);
  if (!agent) return undefined;
  const { name, status, description, calls, idleSinceMs } = agent;
  const why = floor.roster.whyNotFree(agent);
  const shown = status === "available" && why === "on a call" ? "talking" : status;
  return { number, name, status: shown, break: description, calls, idleSinceMs, free: why === undefined };
}
