// Reports: calls by hour and day, queues, extensions, and what agents did with their day.

import { Type } from "typebox";
import { MOST_LINES_SHOWN } from "../../../nouns/report-plan.ts";
import { agentsOf } from "../../../reports/agent-figures.ts";
import { summaryOf } from "../../../reports/summary.ts";
import { serviceLevel } from "../../../store/figures.ts";
import { notedFigures } from "../../../store/noted-figures.ts";
import {
  agentCalls,
  callsByDay,
  callsByHour,
  campaignFigures,
  extensionFigures,
  numberFigures,
  queueFigures,
  type Stretch,
  surveyFigures,
} from "../../../store/reports.ts";
import { callsToday } from "../../../store/reports-now.ts";
import { withinOf } from "../../../store/scope.ts";
import { inQuarters } from "../../../store/stretch.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import { moment, nothing } from "./fields.ts";
import { stretchOf } from "./stretch.ts";

/** One more than a page shows, by which it knows that there are more. */
const SHOWN_AND_MORE = MOST_LINES_SHOWN + 1;

const parameters = Type.Object({ from: moment(), before: moment() });

function wantedStretch(wanted: { from: string; before: string }, context: ConsoleContext): Stretch {
  const { exchangeId, tenant, scope } = context;
  return inQuarters({ ...stretchOf(wanted), exchangeId, timeZone: tenant.timeZone, within: withinOf(scope) });
}

export const reports = {
  "reports.today": operation({
    right: "board",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId, tenant, scope }) =>
      callsToday(db, { exchangeId, timeZone: tenant.timeZone, within: withinOf(scope) }),
  }),

  "reports.summary": operation({
    right: "see-reports",
    reads: true,
    parameters,
    handle: (wanted, context) => summaryOf(context.db, wantedStretch(wanted, context)),
  }),

  "reports.numbers": operation({
    right: "see-reports",
    reads: true,
    parameters,
    handle: (wanted, context) => numberFigures(context.db, wantedStretch(wanted, context), SHOWN_AND_MORE),
  }),

  "reports.campaigns": operation({
    right: "see-reports",
    reads: true,
    parameters,
    handle: (wanted, context) => campaignFigures(context.db, wantedStretch(wanted, context), SHOWN_AND_MORE),
  }),

  "reports.tags": operation({
    right: "see-reports",
    reads: true,
    parameters,
    handle: (wanted, context) => notedFigures(context.db, wantedStretch(wanted, context), "tag", SHOWN_AND_MORE),
  }),

  "reports.dispositions": operation({
    right: "see-reports",
    reads: true,
    parameters,
    handle: (wanted, context) =>
      notedFigures(context.db, wantedStretch(wanted, context), "disposition", SHOWN_AND_MORE),
  }),

  "reports.calls": operation({
    right: "see-reports",
    reads: true,
    parameters,
    async handle(wanted, context) {
      const stretch = wantedStretch(wanted, context);
      const [week, days] = await Promise.all([callsByHour(context.db, stretch), callsByDay(context.db, stretch)]);
      return { week, days };
    },
  }),

  "reports.queues": operation({
    right: "see-reports",
    reads: true,
    parameters,
    async handle(wanted, context) {
      const queues = await queueFigures(context.db, wantedStretch(wanted, context));
      return { queues: queues.map((queue) => ({ ...queue, serviceLevel: serviceLevel(queue) })) };
    },
  }),

  /** What each line had in a stretch that another is compared with: out of sums alone. */
  "reports.before": operation({
    right: "see-reports",
    reads: true,
    parameters,
    async handle(wanted, context) {
      const stretch = wantedStretch(wanted, context);
      const { db } = context;
      const [queues, agents, numbers, campaigns, tags, dispositions, extensions] = await Promise.all([
        queueFigures(db, stretch),
        agentCalls(db, stretch),
        numberFigures(db, stretch),
        campaignFigures(db, stretch),
        notedFigures(db, stretch, "tag"),
        notedFigures(db, stretch, "disposition"),
        extensionFigures(db, stretch),
      ]);
      const levelled = queues.map((queue) => ({ ...queue, serviceLevel: serviceLevel(queue) }));
      return { queues: levelled, agents, numbers, campaigns, tags, dispositions, extensions };
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
      const [agents, survey] = await Promise.all([
        agentsOf(context.db, stretch, context.clock.wall()),
        surveyFigures(context.db, stretch),
      ]);
      return { agents, survey };
    },
  }),
};
