// What a letter with a report holds: the table that is attached, and the few figures that stand in the letter itself.

import type { MailedReport } from "../nouns/report-plan.ts";
import { serviceLevel } from "../store/figures.ts";
import type { MailedFigure } from "../store/letter-facts.ts";
import { notedFigures } from "../store/noted-figures.ts";
import type { ResponseFilter } from "../store/report-plans.ts";
import { campaignFigures, extensionFigures, numberFigures, queueFigures } from "../store/reports.ts";
import { agentsOf } from "./agent-figures.ts";
import type { Cell } from "./cell.ts";
import { type Asked, reportTables } from "./report-tables.ts";
import { responseReport } from "./response-report.ts";
import { responseRows } from "./response-table.ts";
import { summaryOf } from "./summary.ts";

export type MailAsked = Asked & { filter: ResponseFilter };

/** With its heading in the first row. */
export async function mailedRows(report: MailedReport, asked: MailAsked): Promise<Cell[][]> {
  if (report !== "response-times") return reportTables[report](asked);
  return [...responseRows(await responseReport(asked.db, asked.stretch, asked.filter))];
}

type Figures = Partial<Record<MailedFigure, number | null>>;

export const mainFigures: { [Report in MailedReport]: (asked: MailAsked) => Promise<Figures> } = {
  async days({ db, stretch }) {
    const { inbound, answered, missed, answerRate, serviceLevel, abandoned, outbound, talk } = await summaryOf(
      db,
      stretch,
    );
    return { inbound, answered, missed, answerRate, serviceLevel, abandoned, outbound, talk };
  },
  async queues({ db, stretch }) {
    const rows = await queueFigures(db, stretch);
    const sums = { ...allOf(rows, "calls", "answered", "abandoned", "inTime") };
    const longestWait = rows.reduce((longest, row) => Math.max(longest, row.longestWait), 0);
    return { ...sums, serviceLevel: serviceLevel(sums), longestWait };
  },
  async agents({ db, stretch, nowMs }) {
    const rows = await agentsOf(db, stretch, nowMs);
    const {
      offered,
      answered,
      missed,
      talkSeconds: talk,
    } = allOf(rows, "offered", "answered", "missed", "talkSeconds");
    return { offered, answered, missed, talk };
  },
  async numbers({ db, stretch }) {
    const rows = await numberFigures(db, stretch);
    const {
      incoming: inbound,
      outgoing: outbound,
      ...sums
    } = allOf(rows, ...(["incoming", "answered", "missed", "outgoing", "talk"] as const));
    return { inbound, answered: sums.answered, missed: sums.missed, outbound, talk: sums.talk };
  },
  campaigns: async ({ db, stretch }) => allOf(await campaignFigures(db, stretch), "calls", "answered", "talk"),
  extensions: async ({ db, stretch }) => allOf(await extensionFigures(db, stretch), "made", "taken", "missed", "talk"),
  tags: async ({ db, stretch }) => ({ tags: (await notedFigures(db, stretch, "tag")).length }),
  dispositions: async ({ db, stretch }) =>
    allOf(await notedFigures(db, stretch, "disposition"), "calls", "answered", "talk"),
  async "response-times"({ db, stretch, filter }) {
    const { whole } = await responseReport(db, stretch, filter);
    const { answered, inTime, average, median, ninetieth, longest: longestWait, unanswered } = whole;
    return { answered, inTime, average, median, ninetieth, longestWait, unanswered };
  },
};

function allOf<Name extends string>(
  rows: readonly { readonly [Key in Name]: number }[],
  ...names: Name[]
): Record<Name, number> {
  const sums = names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]);
  return Object.fromEntries(sums) as Record<Name, number>; // name by name
}
