// A table to download, for a spreadsheet: as CSV or as an Excel workbook, written while its rows arrive.

import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Language, languageIn } from "../../languages.ts";
import { hasRight, type Right } from "../../nouns/role.ts";
import { writeAuditLine } from "../../store/audit.ts";
import type { Database } from "../../store/db.ts";
import { type Scope, scopeOf } from "../../store/scope.ts";
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

/** Whoever downloads: what he sees of it is what he sees on the page. */
export type Downloader = StaffSession & { scope: Scope };

/**
 * `rowsOf` has the heading in its first row, and nothing for a query that asks for nonsense. Who may see the page needs
 * another right to carry it away, and leaves a line in the audit trail. Who names a language gets the heading in it, and figures as it
 * writes them.
 */
export function mountTable(
  scope: FastifyInstance,
  { name, right, db, sessionOf }: { name: string; right: Right; db: Database; sessionOf: SessionOf },
  rowsOf: (query: URLSearchParams, staff: Downloader, language?: Language) => Promise<Portions | undefined>,
): void {
  for (const [ending, { mediaType, write }] of Object.entries(formats))
    scope.get(`/${name}.${ending}`, async (request, reply) => {
      const staff = await sessionOf(request);
      if (!staff || staff.mustChangePassword) return send(reply, refuse({ refused: "http", status: 401 }));
      if (!hasRight(staff, right) || !hasRight(staff, "exports"))
        return send(reply, refuse({ refused: "http", status: 403 }));
      const query = new URLSearchParams(request.arrived.query);
      const language = languageIn(query.get("lang"));
      query.delete("lang");
      const own = db.forExchange(staff.exchangeId);
      const rows = await rowsOf(query, { ...staff, scope: await scopeOf(own, staff) }, language);
      if (!rows) return send(reply, refuse({ refused: "http", status: 400 }));
      const { exchangeId, email: who } = staff;
      const details = { table: name, format: ending, wanted: query.toString().slice(0, 500) };
      await writeAuditLine(own, { exchangeId, doer: "staff", who, did: "table-exported", details });
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
