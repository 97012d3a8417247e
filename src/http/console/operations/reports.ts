// Reports: calls by hour and day, queues, extensions, and what agents did with their day.

import { Type } from "typebox";
import {
  type AgentMoveRow,
  agentMoves,
  callsByDay,
  callsByHour,
  callsToday,
  extensionFigures,
  PROMISED_SECONDS,
  queueFigures,
  type Stretch,
  surveyFigures,
} from "../../../store/reports.ts";
import { withinOf } from "../../../store/scope.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import { moment, nothing } from "./fields.ts";
import { stretchOf } from "./stretch.ts";

const parameters = Type.Object({ from: moment(), before: moment() });

function wantedStretch(wanted: { from: string; before: string }, context: ConsoleContext): Stretch {
  const { exchangeId, tenant, scope } = context;
  return { ...stretchOf(wanted), exchangeId, timeZone: tenant.timeZone, within: withinOf(scope) };
}

export const reports = {
  "reports.today": operation({
    right: "board",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId, tenant, scope }) =>
      callsToday(db, { exchangeId, timeZone: tenant.timeZone, within: withinOf(scope) }),
  }),

  "reports.calls": operation({
    right: "see-reports",
    reads: true,
    parameters,
    async handle(wanted, context) {
      const stretch = wantedStretch(wanted, context);
      const [hours, days] = await Promise.all([callsByHour(context.db, stretch), callsByDay(context.db, stretch)]);
      return { hours, days };
    },
  }),

  "reports.queues": operation({
    right: "see-reports",
    reads: true,
    parameters,
    async handle(wanted, context) {
      return {
        promisedSeconds: PROMISED_SECONDS,
        queues: await queueFigures(context.db, wantedStretch(wanted, context)),
      };
    },
  }),

  "reports.extensions": operation({
    right: "see-reports",
    reads: true,
    parameters,
    handle: (wanted, context) => extensionFigures(context.db, wantedStretch(wanted, context)),
  }),

  "reports.agents": operation({
    right: "see-reports",
    reads: true,
    parameters,
    async handle(wanted, context) {
      const stretch = wantedStretch(wanted, context);
      const [moves, survey] = await Promise.all([agentMoves(context.db, stretch), surveyFigures(context.db, stretch)]);
      const until = Math.min(stretch.before.getTime(), context.clock.wall());
      return { agents: agentDays(moves, { fromMs: stretch.from.getTime(), untilMs: until }), survey };
    },
  }),
};

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
