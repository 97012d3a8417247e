// A table to download, for a spreadsheet: as CSV or as an Excel workbook, written while its rows arrive.

import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Language, languageIn } from "../../languages.ts";
import { hasRight, type Right } from "../../nouns/role.ts";
import type { Wall } from "../../reports/cell.ts";
import type { Portions } from "../../reports/portions.ts";
import { tableFormats } from "../../reports/table-file.ts";
import { writeAuditLine } from "../../store/audit.ts";
import type { Database } from "../../store/db.ts";
import { whileWanted } from "../../store/limit.ts";
import { type Scope, scopeOf } from "../../store/scope.ts";
import type { StaffSession } from "../../store/staff-sessions.ts";
import { refuse, send } from "../door/answer.ts";
import { comesFirst } from "./operation/comes-first.ts";

export type SessionOf = (request: FastifyRequest) => Promise<StaffSession | undefined>;

export const AT_ONCE = 1_000;

/** Whoever downloads: what he sees of it is what he sees on the page. */
export type Downloader = StaffSession & { scope: Scope };

/** `db` is asked only as long as somebody waits for the table. */
export type Wanted = { db: Database; language: Language | undefined };

/**
 * `rowsOf` has the heading in its first row, and nothing for a query that asks for nonsense. Who may see the page needs
 * another right to carry it away, and leaves a line in the audit trail. Who names a language gets the heading in it, and figures as it
 * writes them.
 */
export function mountTable(
  scope: FastifyInstance,
  { name, right, db, sessionOf }: { name: string; right: Right; db: Database; sessionOf: SessionOf },
  rowsOf: (query: URLSearchParams, staff: Downloader, wanted: Wanted) => Promise<Portions | undefined>,
): void {
  for (const [ending, { mediaType, write }] of Object.entries(tableFormats))
    scope.get(`/${name}.${ending}`, async (request, reply) => {
      const staff = await sessionOf(request);
      if (!staff || comesFirst(staff)) return send(reply, refuse({ refused: "http", status: 401 }));
      if (!hasRight(staff, right) || !hasRight(staff, "exports"))
        return send(reply, refuse({ refused: "http", status: 403 }));
      const query = new URLSearchParams(request.arrived.query);
      const language = languageIn(query.get("lang"));
      query.delete("lang");
      const own = db.forExchange(staff.exchangeId);
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      const wanted = { db: db.forExchange(staff.exchangeId, whileWanted(gone.signal)), language };
      const rows = await rowsOf(query, { ...staff, scope: await scopeOf(own, staff) }, wanted);
      if (!rows) return send(reply, refuse({ refused: "http", status: 400 }));
      const { exchangeId, email: who } = staff;
      const details = { table: name, format: ending, wanted: query.toString().slice(0, 500) };
      await writeAuditLine(own, { exchangeId, doer: "staff", who, did: "table-exported", details });
      return reply
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="${name}.${ending}"`)
        .type(mediaType)
        .send(Readable.from(write(rows, language)));
    });
}

export function stamp(at: Date, timeZone: string): Wall {
  return { wall: at.toLocaleString("sv-SE", { timeZone }) };
}
