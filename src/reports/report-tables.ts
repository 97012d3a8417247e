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
  type SurveyFigures,
  surveyFigures,
} from "../store/reports.ts";
import { showDuration } from "../words/stamps.ts";
import { type AgentFigures, agentsOf } from "./agent-figures.ts";
import type { Cell } from "./cell.ts";

export type Asked = { db: Db; stretch: Stretch; nowMs: number };
type Table = (asked: Asked) => Promise<Cell[][]>;

/** The heading, and a row a line. */
function table<Line>(
  linesOf: (asked: Asked) => Promise<readonly Line[]>,
  columns: Readonly<Record<string, (line: Line) => Cell>>,
): Table {
  const show = Object.values(columns);
  return async (asked) => [
    Object.keys(columns),
    ...(await linesOf(asked)).map((line) => show.map((cell) => cell(line))),
  ];
}

const noted = (of: "tag" | "disposition") =>
  table(({ db, stretch }) => notedFigures(db, stretch, of), {
    [of]: ({ which }: NotedFigures) => which,
    calls: ({ calls }) => calls,
    answered: ({ answered }) => answered,
    talk_seconds: ({ talk }) => talk,
  });

/** What has a line for each of something; response times are a table of another kind. */
export type LinedReport = Exclude<MailedReport, "response-times">;

export const reportTables: Readonly<Record<LinedReport, Table>> = {
  days: table(({ db, stretch }) => callsByDay(db, stretch), {
    day: ({ day }) => ({ wall: day }),
    incoming: ({ inbound }) => inbound,
    answered: ({ answered }) => answered,
    missed: ({ missed }) => missed,
    outgoing: ({ outbound }) => outbound,
    internal: ({ internal }) => internal,
    talk_seconds: ({ talk }) => talk,
  }),
  queues: table(({ db, stretch }) => queueFigures(db, stretch), {
    queue: ({ queue }) => queue,
    name: ({ name }) => name,
    calls: ({ calls }) => calls,
    answered: ({ answered }) => answered,
    abandoned: ({ abandoned }) => abandoned,
    in_time: ({ inTime }) => inTime,
    promised_seconds: ({ promisedSeconds }) => promisedSeconds,
    service_level_percent: (it) => percent(serviceLevel(it)),
    average_wait_seconds: ({ averageWait }) => averageWait,
    longest_wait_seconds: ({ longestWait }) => longestWait,
    average_talk_seconds: ({ averageTalk }) => averageTalk,
    passed_on: ({ passedOn }) => passedOn, // last: there are programs that know the others by their place
  }),
  agents: table(agentsAndScores, {
    agent: ({ extension }) => extension,
    name: ({ name }) => name,
    offered: ({ offered }) => offered,
    answered: ({ answered }) => answered,
    missed: ({ missed }) => missed,
    talk_seconds: ({ talkSeconds }) => talkSeconds,
    wrap_up_seconds: ({ wrapUpSeconds }) => wrapUpSeconds,
    available_seconds: ({ availableSeconds }) => availableSeconds,
    break_seconds: ({ breakSeconds }) => breakSeconds,
    occupancy_percent: ({ occupancy }) => percent(occupancy),
    breaks: ({ breaks }) => ({ plain: inAList(breaks, String), said: () => inAList(breaks, showDuration) }),
    survey_answers: ({ survey }) => survey?.answers ?? 0,
    survey_score: ({ survey }) => survey?.average ?? "",
  }),
  numbers: table(({ db, stretch }) => numberFigures(db, stretch), {
    number: ({ number }) => number,
    incoming: ({ incoming }) => incoming,
    answered: ({ answered }) => answered,
    missed: ({ missed }) => missed,
    outgoing: ({ outgoing }) => outgoing,
    talk_seconds: ({ talk }) => talk,
  }),
  campaigns: table(({ db, stretch }) => campaignFigures(db, stretch), {
    campaign: ({ name }) => name,
    calls: ({ calls }) => calls,
    answered: ({ answered }) => answered,
    talk_seconds: ({ talk }) => talk,
  }),
  extensions: table(({ db, stretch }) => extensionFigures(db, stretch), {
    extension: ({ extension }) => extension,
    name: ({ name }) => name,
    made: ({ made }) => made,
    taken: ({ taken }) => taken,
    missed: ({ missed }) => missed,
    talk_seconds: ({ talk }) => talk,
    average_talk_seconds: ({ averageTalk }) => averageTalk,
  }),
  tags: noted("tag"),
  dispositions: noted("disposition"),
};

type Scored = AgentFigures & { survey: SurveyFigures | undefined };

async function agentsAndScores({ db, stretch, nowMs }: Asked): Promise<Scored[]> {
  const [agents, surveys] = await Promise.all([agentsOf(db, stretch, nowMs), surveyFigures(db, stretch)]);
  const of = new Map(surveys.map((survey) => [survey.extension, survey]));
  return agents.map((agent) => ({ ...agent, survey: of.get(agent.extension) }));
}

function inAList(breaks: AgentFigures["breaks"], show: (seconds: number) => string): string {
  return breaks.map(({ description, seconds }) => `${description || "…"} ${show(seconds)}`).join(", ");
}

/** To a tenth. */
function percent(share: Share): Cell {
  return share === null ? "" : Math.round(share * 1_000) / 10;
}

/** Reports that have a table of lines. */
export const LINED_REPORTS = Object.keys(reportTables) as LinedReport[]; // of that record
