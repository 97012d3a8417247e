// A table to download, for a spreadsheet: as CSV or as an Excel workbook, written while its rows arrive.

import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Language, languageIn } from "../../languages.ts";
import type { StaffSession } from "../../store/staff-sessions.ts";
import { columnInWords } from "../../words/table-columns.ts";
import { refuse, send } from "../door/answer.ts";
import { type Cell, WORKBOOK_MEDIA_TYPE, writeWorkbook } from "./workbook.ts";

export type SessionOf = (request: FastifyRequest) => Promise<StaffSession | undefined>;

export const AT_ONCE = 1_000;
export const MOST_ROWS = 100_000;

type Portions = AsyncIterable<Cell[][]>;

const formats: Record<
  "csv" | "xlsx",
  { mediaType: string; write(portions: Portions, language?: Language): AsyncIterable<string | Buffer> }
> = {
  csv: { mediaType: "text/csv; charset=utf-8", write: writeCsv },
  xlsx: { mediaType: WORKBOOK_MEDIA_TYPE, write: writeWorkbook },
};

/**
 * `rowsOf` has the heading in its first row, and nothing for a query that asks for nonsense. Who names a language gets
 * the heading in it, and figures as it writes them.
 */
export function mountTable(
  scope: FastifyInstance,
  { name, sessionOf }: { name: string; sessionOf: SessionOf },
  rowsOf: (query: URLSearchParams, staff: StaffSession, language?: Language) => Promise<Portions | undefined>,
): void {
  for (const [ending, { mediaType, write }] of Object.entries(formats))
    scope.get(`/${name}.${ending}`, async (request, reply) => {
      const staff = await sessionOf(request);
      if (!staff || staff.mustChangePassword) return send(reply, refuse({ refused: "http", status: 401 }));
      const query = new URLSearchParams(request.arrived.query);
      const language = languageIn(query.get("lang"));
      query.delete("lang");
      const rows = await rowsOf(query, staff, language);
      if (!rows) return send(reply, refuse({ refused: "http", status: 400 }));
      return reply
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="${name}.${ending}"`)
        .type(mediaType)
        .send(Readable.from(write(language ? inWords(rows, language) : rows, language)));
    });
}

async function* inWords(portions: Portions, language: Language): AsyncGenerator<Cell[][]> {
  let isHeading = true;
  for await (const [first = [], ...rows] of portions) {
    yield [isHeading ? first.map((name) => columnInWords(String(name), language)) : first, ...rows];
    isHeading = false;
  }
}

async function* writeCsv(portions: Portions, language?: Language): AsyncGenerator<string> {
  yield "\uFEFF"; // tells spreadsheets that this is UTF-8
  for await (const rows of portions)
    yield csvLines(rows, language)
      .map((line) => `${line}\r\n`)
      .join("");
}

/** Where a comma stands before tenths, spreadsheets want a semicolon between cells. */
const spellings: Record<Language, { between: string; point: string }> = {
  tr: { between: ";", point: "," },
  en: { between: ",", point: "." },
};

export function csvLines(rows: Cell[][], language: Language = "en"): string[] {
  const { between, point } = spellings[language];
  return rows.map((row) => row.map((value) => cell(value, point)).join(between));
}

export function stamp(at: Date, timeZone: string): string {
  return at.toLocaleString("sv-SE", { timeZone });
}

/** A cell that begins like a formula would be run by a spreadsheet; a quotation mark before it makes it text. */
function cell(value: Cell, point: string): string {
  if (typeof value === "number") return String(value).replace(".", point);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
