// The response-time report as a table to download.

import type { ResponseFigures } from "../store/response-times.ts";
import { type TablePart, tableParts } from "../words/table-columns.ts";
import type { Cell } from "./cell.ts";
import type { ResponseReport } from "./response-report.ts";

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
export function* responseRows(report: ResponseReport): Generator<Cell[]> {
  const line = (figures: ResponseFigures) => columns.map(([, show]) => show(figures));
  yield ["by", "which", ...columns.map(([name]) => name), "promised_seconds"];
  yield [by("all"), "", ...line(report.whole), report.promisedSeconds];
  for (const { over, upTo, answered, unanswered } of report.bands) {
    const counts = columns.map(([name]) => (name === "answered" ? answered : name === "unanswered" ? unanswered : ""));
    // Not "5-10", which a spreadsheet takes for a day.
    yield [by("band"), [over && `> ${over}`, upTo && `<= ${upTo}`].filter(Boolean).join(" "), ...counts, ""];
  }
  for (const { hour, ...figures } of report.hours)
    yield [by("hour"), String(hour).padStart(2, "0"), ...line(figures), report.promisedSeconds];
  for (const { day, ...figures } of report.days)
    yield [by("day"), { wall: day }, ...line(figures), report.promisedSeconds];
}

const by = (plain: TablePart): Cell => ({ plain, said: (language) => tableParts[plain][language] });

function tenth(seconds: number | null): Cell {
  return seconds === null ? "" : Math.round(seconds * 10) / 10;
}
