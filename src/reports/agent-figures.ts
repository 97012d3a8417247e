// What agents did with their day: calls they were offered, talk, notes, breaks.

import type { Db } from "../store/db.ts";
import { occupancy, type Share } from "../store/figures.ts";
import { type AgentCalls, type AgentMoveRow, agentCalls, agentMoves, type Stretch } from "../store/reports.ts";
import { wrapUps } from "../store/wrap-ups.ts";

export type AgentFigures = AgentDays &
  Omit<AgentCalls, "talk"> & {
    talkSeconds: number;
    wrapUpSeconds: number;
    occupancy: Share;
  };

export async function agentsOf(db: Db, stretch: Stretch, nowMs: number): Promise<AgentFigures[]> {
  const [calls, moves, wraps] = await Promise.all([
    agentCalls(db, stretch),
    agentMoves(db, stretch),
    wrapUps(db, stretch),
  ]);
  const untilMs = Math.min(stretch.before.getTime(), nowMs);
  return agentFigures({ calls, days: agentDays(moves, { fromMs: stretch.from.getTime(), untilMs }), wraps });
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
  return { extension, name: "", availableSeconds: 0, breakSeconds: 0, logIns: 0, breaks: [] };
}

export type AgentDays = {
  extension: string;
  name: string;
  availableSeconds: number;
  breakSeconds: number;
  logIns: number;
  breaks: { description: string; seconds: number }[];
};

/** How long each agent was there and how long on which break: every status lasts until the next one. */
export function agentDays(moves: readonly AgentMoveRow[], stretch: { fromMs: number; untilMs: number }): AgentDays[] {
  const agents = new Map<string, AgentDays>();
  for (const [index, move] of moves.entries()) {
    const next = moves[index + 1];
    const ends = next?.extension === move.extension ? next.at.getTime() : stretch.untilMs;
    const begins = Math.max(move.at.getTime(), stretch.fromMs);
    const seconds = Math.max(0, Math.round((Math.min(ends, stretch.untilMs) - begins) / 1_000));
    const agent = agents.get(move.extension) ?? {
      extension: move.extension,
      name: move.name,
      availableSeconds: 0,
      breakSeconds: 0,
      logIns: 0,
      breaks: [],
    };
    agents.set(move.extension, agent);
    if (move.status === "AVAILABLE") agent.availableSeconds += seconds;
    if (move.status === "AVAILABLE" && moves[index - 1]?.status !== "ON_BREAK") agent.logIns += 1;
    if (move.status === "ON_BREAK") noteBreak(agent, move.break, seconds);
  }
  return [...agents.values()];
}

function noteBreak(agent: AgentDays, description: string, seconds: number): void {
  agent.breakSeconds += seconds;
  const known = agent.breaks.find((it) => it.description === description);
  if (known) known.seconds += seconds;
  else agent.breaks.push({ description, seconds });
}
