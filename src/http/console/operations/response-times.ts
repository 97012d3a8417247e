// The response-time report: how long callers waited for a person, as figures for the page and as a table to download.

import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { Db } from "../../../store/db.ts";
import { type ResponseFigures, type ResponseTimes, responseTimes } from "../../../store/response-times.ts";
import { closed } from "../operation/closed.ts";
import { operation } from "../operation/operation.ts";
import type { Cell } from "../workbook.ts";
import { callFilterOf } from "./call-filter.ts";
import { moment, text, whole } from "./fields.ts";
import { stretchOf } from "./stretch.ts";

const DEFAULT_PROMISE = 20;

const parameters = closed(
  Type.Object({
    from: moment(),
    before: moment(),
    direction: Type.Optional(Type.Enum(["inbound", "internal"])),
    queue: Type.Optional(text()),
    extension: Type.Optional(text(8)),
    ownNumber: Type.Optional(text(64)),
    promisedSeconds: Type.Optional(whole(1, 3_600)),
  }),
);

type Wanted = Static<typeof parameters>;
type Asker = { db: Db; exchangeId: number; timeZone: string };

export const responses = {
  "reports.responseTimes": operation({
    role: "read-only",
    reads: true,
    parameters,
    handle: (wanted, { db, exchangeId, tenant }) =>
      responseReport(wanted, { db, exchangeId, timeZone: tenant.timeZone }),
  }),
};

export async function responseReport(
  { from, before, promisedSeconds = DEFAULT_PROMISE, direction = "inbound", ...rest }: Wanted,
  { db, exchangeId, timeZone }: Asker,
): Promise<ResponseTimes & { promisedSeconds: number }> {
  const filter = {
    ...(await callFilterOf({ ...rest, direction }, { db, exchangeId })),
    ...stretchOf({ from, before }),
  };
  const times = await responseTimes(db, { exchangeId, timeZone, filter, promisedSeconds });
  return { promisedSeconds, ...times };
}

/** The same out of a query string. */
export function readResponseSearch(query: URLSearchParams): Wanted | undefined {
  const sent: Record<string, unknown> = Object.fromEntries([...query].filter(([, value]) => value !== ""));
  if (sent.promisedSeconds !== undefined) sent.promisedSeconds = Number(sent.promisedSeconds);
  return Value.Check(parameters, sent) ? sent : undefined;
}

const columns: [name: string, show: (figures: ResponseFigures) => Cell][] = [
  ["answered", ({ answered }) => answered],
  ["in_time", ({ inTime }) => inTime],
  ["average_wait_seconds", ({ average }) => tenth(average)],
  ["median_wait_seconds", ({ median }) => tenth(median)],
  ["p90_wait_seconds", ({ ninetieth }) => tenth(ninetieth)],
  ["longest_wait_seconds", ({ longest }) => tenth(longest)],
  ["unanswered", ({ unanswered }) => unanswered],
  ["average_given_up_seconds", ({ averageGone }) => tenth(averageGone)],
  ["median_given_up_seconds", ({ medianGone }) => tenth(medianGone)],
  ["longest_given_up_seconds", ({ longestGone }) => tenth(longestGone)],
];

/** One table: the whole, then the bands, the hours and the days, each line saying which it is. */
export function* responseRows(report: ResponseTimes & { promisedSeconds: number }): Generator<Cell[]> {
  const line = (figures: ResponseFigures) => columns.map(([, show]) => show(figures));
  yield ["by", "which", ...columns.map(([name]) => name), "promised_seconds"];
  yield ["all", "", ...line(report.whole), report.promisedSeconds];
  for (const { over, upTo, answered, unanswered } of report.bands) {
    const counts = columns.map(([name]) => (name === "answered" ? answered : name === "unanswered" ? unanswered : ""));
    // Not "5-10", which a spreadsheet takes for a day.
    yield ["band", [over && `> ${over}`, upTo && `<= ${upTo}`].filter(Boolean).join(" "), ...counts, ""];
  }
  for (const { hour, ...figures } of report.hours)
    yield ["hour", String(hour).padStart(2, "0"), ...line(figures), report.promisedSeconds];
  for (const { day, ...figures } of report.days) yield ["day", day, ...line(figures), report.promisedSeconds];
}

function tenth(seconds: number | null): Cell {
  return seconds === null ? "" : Math.round(seconds * 10) / 10;
}
