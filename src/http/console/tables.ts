// Tables to download, written while their rows are read: as CSV, or as an Excel workbook.

import { type Cell, WORKBOOK_MEDIA_TYPE, writeWorkbook } from "./workbook.ts";

export type Portions = AsyncIterable<Cell[][]>;

export const tableFormats: Record<
  "csv" | "xlsx",
  { mediaType: string; write(portions: Portions): AsyncIterable<string | Buffer> }
> = {
  csv: { mediaType: "text/csv; charset=utf-8", write: writeCsv },
  xlsx: { mediaType: WORKBOOK_MEDIA_TYPE, write: writeWorkbook },
};

export const AT_ONCE = 1_000;
export const MOST_ROWS = 100_000;

async function* writeCsv(portions: Portions): AsyncGenerator<string> {
  yield "\uFEFF"; // tells spreadsheets that this is UTF-8
  for await (const rows of portions)
    yield csvLines(rows)
      .map((line) => `${line}\r\n`)
      .join("");
}

export function csvLines(rows: Cell[][]): string[] {
  return rows.map((row) => row.map(cell).join(","));
}

export function stamp(at: Date, timeZone: string): string {
  return at.toLocaleString("sv-SE", { timeZone });
}

/** A cell that begins like a formula would be run by a spreadsheet; a quotation mark before it makes it text. */
function cell(value: Cell): string {
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
