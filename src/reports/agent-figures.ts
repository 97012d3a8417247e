// What agents did with their day: calls they were offered, talk, notes, breaks.

import { type AgentTime, agentTimes } from "../store/agent-times.ts";
import type { Db } from "../store/db.ts";
import { occupancy, type Share } from "../store/figures.ts";
import { type AgentCalls, agentCalls, type Stretch } from "../store/reports.ts";
import { wrapUps } from "../store/wrap-ups.ts";

export type AgentFigures = AgentDays &
  Omit<AgentCalls, "talk"> & {
    talkSeconds: number;
    wrapUpSeconds: number;
    occupancy: Share;
  };

export async function agentsOf(db: Db, stretch: Stretch, nowMs: number): Promise<AgentFigures[]> {
  const [calls, times, wraps] = await Promise.all([
    agentCalls(db, stretch),
    agentTimes(db, stretch, nowMs),
    wrapUps(db, stretch),
  ]);
  return agentFigures({ calls, days: agentDays(times), wraps });
}

/** Who was there, and whoever was rung though nobody saw him come. */
function agentFigures({
  calls,
  days,
  wraps,
}: {
  calls: readonly AgentCalls[];
  days: readonly AgentDays[];
  wraps: readonly { extension: string; seconds: number }[];
}): AgentFigures[] {
  const known = new Map(days.map((day) => [day.extension, day]));
  const rung = new Map(calls.map((call) => [call.extension, call]));
  const wrapped = new Map(wraps.map(({ extension, seconds }) => [extension, seconds]));
  const everyone = [...new Set([...known.keys(), ...rung.keys()])].sort(
    (a, b) => a.length - b.length || (a < b ? -1 : 1),
  );
  return everyone.map((extension) => {
    const { talk = 0, ...counts } = rung.get(extension) ?? { offered: 0, answered: 0, missed: 0 };
    const day = known.get(extension) ?? nobodySaw(extension);
    const name = day.name || (rung.get(extension)?.name ?? "");
    const times = { talkSeconds: talk, wrapUpSeconds: wrapped.get(extension) ?? 0 };
    return { ...day, ...counts, extension, name, ...times, occupancy: occupancy({ ...day, ...times }) };
  });
}

function nobodySaw(extension: string): AgentDays {
  return { extension, name: "", availableSeconds: 0, breakSeconds: 0, breaks: [] };
}

type AgentDays = {
  extension: string;
  name: string;
  availableSeconds: number;
  breakSeconds: number;
  breaks: { description: string; seconds: number }[];
};

/** A line an agent, with his breaks by their names. */
function agentDays(times: readonly AgentTime[]): AgentDays[] {
  const agents = new Map<string, AgentDays>();
  for (const { extension, name, status, break: description, seconds } of times) {
    const agent = agents.get(extension) ?? { ...nobodySaw(extension), name };
    agents.set(extension, agent);
    if (status === "AVAILABLE") agent.availableSeconds += seconds;
    if (status !== "ON_BREAK" || seconds === 0) continue;
    agent.breakSeconds += seconds;
    agent.breaks.push({ description, seconds });
  }
  return [...agents.values()];
}
