// A table as a file for a spreadsheet: as CSV or as an Excel workbook, written while its rows arrive.

import type { Language } from "../languages.ts";
import type { TableFormat } from "../nouns/report-plan.ts";
import { MOST_SHEET_ROWS } from "../nouns/report-plan.ts";
import { showDate, showWall } from "../words/stamps.ts";
import { columnInWords } from "../words/table-columns.ts";
import { type Cell, isDayAlone, type Wall, type WrittenCell, writtenCell } from "./cell.ts";
import { type Portions, upTo } from "./portions.ts";
import { WORKBOOK_MEDIA_TYPE, writeWorkbook } from "./workbook.ts";

type Writing = (portions: Portions, language?: Language) => AsyncIterable<string | Buffer>;

/** Who names a language gets the heading in it, and days and figures as it writes them. */
export const tableFormats: Record<TableFormat, { mediaType: string; write: Writing }> = {
  csv: { mediaType: "text/csv; charset=utf-8", write: (rows, language) => writeCsv(headed(rows, language), language) },
  xlsx: {
    mediaType: WORKBOOK_MEDIA_TYPE,
    write: (rows, language) =>
      writeWorkbook(written(upTo(MOST_SHEET_ROWS, headed(rows, language)), language), language),
  },
};

function headed(portions: Portions, language: Language | undefined): Portions {
  return language === undefined ? portions : inWords(portions, language);
}

async function* inWords(portions: Portions, language: Language): AsyncGenerator<Cell[][]> {
  let isHeading = true;
  for await (const [first = [], ...rows] of portions) {
    yield [isHeading ? first.map((name) => columnInWords(String(name), language)) : first, ...rows];
    isHeading = false;
  }
}

async function* written(portions: Portions, language: Language | undefined): AsyncGenerator<WrittenCell[][]> {
  for await (const rows of portions) yield rows.map((row) => row.map((cell) => writtenCell(cell, language)));
}

async function* writeCsv(portions: Portions, language?: Language): AsyncGenerator<string> {
  yield "\uFEFF"; // tells spreadsheets that this is UTF-8
  for await (const rows of portions)
    yield csvLines(rows, language)
      .map((line) => `${line}\r\n`)
      .join("");
}

type Spelling = { between: string; point: string; day: (wall: Wall) => string };

/**
 * Where a comma stands before tenths, spreadsheets want a semicolon between cells. English is read by some who put the
 * day first and by others who put the month: their spreadsheets take only a year in front the same way.
 */
const spellings: Record<Language, Spelling> = {
  tr: {
    between: ";",
    point: ",",
    day: (it) => (isDayAlone(it) ? showDate(it.wall, "tr") : showWall(it.wall, "tr")),
  },
  en: { between: ",", point: ".", day: ({ wall }) => wall },
};

export function csvLines(rows: Cell[][], language?: Language): string[] {
  const spelling = spellings[language ?? "en"];
  return rows.map((row) => row.map((it) => cell(writtenCell(it, language), spelling)).join(spelling.between));
}

/** A cell that begins like a formula would be run by a spreadsheet; a quotation mark before it makes it text. */
function cell(value: WrittenCell, { point, day }: Spelling): string {
  if (typeof value === "number") return String(value).replace(".", point);
  if (typeof value === "object") return day(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
