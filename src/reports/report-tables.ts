// The tables of the reports, to download and to mail: a line a day, queue, agent, number, campaign, extension, tag and
// disposition.

import type { MailedReport } from "../nouns/report-plan.ts";
import type { Db } from "../store/db.ts";
import { type Share, serviceLevel } from "../store/figures.ts";
import { type NotedFigures, notedFigures } from "../store/noted-figures.ts";
import {
  callsByDay,
  campaignFigures,
  extensionFigures,
  numberFigures,
  queueFigures,
  type Stretch,
} from "../store/reports.ts";
import { agentsOf } from "./agent-figures.ts";
import type { Cell } from "./workbook.ts";

export type Asked = { db: Db; stretch: Stretch; nowMs: number };
type Line = Readonly<Record<string, Cell>>;

/** What has a line for each of something; response times are a table of another kind. */
export type LinedReport = Exclude<MailedReport, "response-times">;

export const reportTables: Readonly<Record<LinedReport, (asked: Asked) => Promise<Line[]>>> = {
  days: async ({ db, stretch }) =>
    (await callsByDay(db, stretch)).map((it) => ({
      day: it.day,
      incoming: it.inbound,
      answered: it.answered,
      missed: it.missed,
      outgoing: it.outbound,
      internal: it.internal,
      talk_seconds: it.talk,
    })),
  queues: async ({ db, stretch }) =>
    (await queueFigures(db, stretch)).map((it) => ({
      queue: it.queue,
      name: it.name,
      calls: it.calls,
      answered: it.answered,
      abandoned: it.abandoned,
      in_time: it.inTime,
      promised_seconds: it.promisedSeconds,
      service_level_percent: percent(serviceLevel(it)),
      average_wait_seconds: it.averageWait,
      longest_wait_seconds: it.longestWait,
      average_talk_seconds: it.averageTalk,
    })),
  agents: async ({ db, stretch, nowMs }) =>
    (await agentsOf(db, stretch, nowMs)).map((it) => ({
      agent: it.extension,
      name: it.name,
      offered: it.offered,
      answered: it.answered,
      missed: it.missed,
      talk_seconds: it.talkSeconds,
      wrap_up_seconds: it.wrapUpSeconds,
      available_seconds: it.availableSeconds,
      break_seconds: it.breakSeconds,
      occupancy_percent: percent(it.occupancy),
      breaks: it.breaks.map(({ description, seconds }) => `${description || "…"} ${seconds}`).join(", "),
    })),
  numbers: async ({ db, stretch }) =>
    (await numberFigures(db, stretch)).map((it) => ({
      number: it.number,
      incoming: it.incoming,
      answered: it.answered,
      missed: it.missed,
      outgoing: it.outgoing,
      talk_seconds: it.talk,
    })),
  campaigns: async ({ db, stretch }) =>
    (await campaignFigures(db, stretch)).map((it) => ({
      campaign: it.name,
      calls: it.calls,
      answered: it.answered,
      talk_seconds: it.talk,
    })),
  extensions: async ({ db, stretch }) =>
    (await extensionFigures(db, stretch)).map((it) => ({
      extension: it.extension,
      name: it.name,
      made: it.made,
      taken: it.taken,
      missed: it.missed,
      talk_seconds: it.talk,
      average_talk_seconds: it.averageTalk,
    })),
  tags: async ({ db, stretch }) => (await notedFigures(db, stretch, "tag")).map((it) => noted("tag", it)),
  dispositions: async ({ db, stretch }) =>
    (await notedFigures(db, stretch, "disposition")).map((it) => noted("disposition", it)),
};

const noted = (of: "tag" | "disposition", { which, calls, answered, talk }: NotedFigures): Line => ({
  [of]: which,
  calls,
  answered,
  talk_seconds: talk,
});

/** To a tenth. */
function percent(share: Share): Cell {
  return share === null ? "" : Math.round(share * 1_000) / 10;
}

export function tableOf(lines: readonly Line[]): Cell[][] {
  const names = Object.keys(lines[0] ?? {});
  return [names, ...lines.map((line) => names.map((name) => line[name] ?? ""))];
}
