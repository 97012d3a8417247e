// What a browser fetches by itself, without a script: sounds to play, and call records as a table for a spreadsheet.

import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Cdr, type CdrFilter, listCdrs } from "../../store/cdrs.ts";
import type { Db } from "../../store/db.ts";
import { findSound, type SoundKind } from "../../store/kept-sounds.ts";
import type { StaffSession } from "../../store/staff-sessions.ts";
import { markVoicemailRead } from "../../store/voicemail.ts";
import { refuse, send } from "../door/answer.ts";
import type { Services } from "../door/context.ts";
import { keptFile } from "../exchange/kept-file.ts";
import { callFilterOf, readCallSearch } from "./operations/call-filter.ts";
import { type Cell, WORKBOOK_MEDIA_TYPE, writeWorkbook } from "./workbook.ts";

type SessionOf = (request: FastifyRequest) => Promise<StaffSession | undefined>;

const KINDS: readonly SoundKind[] = ["recording", "voicemail", "announcement"];

export function mountFiles(scope: FastifyInstance, services: Services, sessionOf: SessionOf): void {
  const { db } = services;
  for (const kind of KINDS)
    scope.get(`/sound/${kind}/:id`, async (request, reply) => {
      const staff = await sessionOf(request);
      if (!staff || staff.mustChangePassword) return send(reply, refuse({ refused: "http", status: 401 }));
      const { id } = request.params as { id: string };
      const { exchangeId } = staff;
      const own = db.forExchange(exchangeId);
      const found = await findSound(own, { exchangeId, kind, id: id.toLowerCase() });
      const file = found && (await keptFile(services, exchangeId, found));
      if (!file) return send(reply, refuse({ refused: "http", status: 404 }));
      if (kind === "voicemail") await markVoicemailRead(own, exchangeId, id.toLowerCase());
      return send(reply.header("cache-control", "private, no-store"), file);
    });
  mountExport(scope, services, sessionOf);
}

type Portions = AsyncIterable<Cell[][]>;

const formats: Record<
  "csv" | "xlsx",
  { mediaType: string; write(portions: Portions): AsyncIterable<string | Buffer> }
> = {
  csv: { mediaType: "text/csv; charset=utf-8", write: writeCsv },
  xlsx: { mediaType: WORKBOOK_MEDIA_TYPE, write: writeWorkbook },
};

function mountExport(scope: FastifyInstance, { db }: Services, sessionOf: SessionOf): void {
  for (const [ending, { mediaType, write }] of Object.entries(formats))
    scope.get(`/calls.${ending}`, async (request, reply) => {
      const staff = await sessionOf(request);
      if (!staff || staff.mustChangePassword) return send(reply, refuse({ refused: "http", status: 401 }));
      const wanted = readCallSearch(new URLSearchParams(request.arrived.query));
      if (!wanted) return send(reply, refuse({ refused: "http", status: 400 }));
      const own = db.forExchange(staff.exchangeId);
      const filter = await callFilterOf(wanted, { db: own, exchangeId: staff.exchangeId });
      return reply
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="calls.${ending}"`)
        .type(mediaType)
        .send(Readable.from(write(callRows(own, staff, filter))));
    });
}

async function* callRows(db: Db, { exchangeId, timeZone }: StaffSession, filter: CdrFilter): AsyncGenerator<Cell[][]> {
  yield [columns.map(([name]) => name)];
  for (let page = 1; page <= MOST_ROWS / AT_ONCE; page++) {
    const { rows } = await listCdrs(db, exchangeId, filter, { page, limit: AT_ONCE });
    yield rows.map((cdr) => columns.map(([, show]) => show(cdr, timeZone)));
    if (rows.length < AT_ONCE) return;
  }
}

async function* writeCsv(portions: Portions): AsyncGenerator<string> {
  yield "\uFEFF"; // tells spreadsheets that this is UTF-8
  for await (const rows of portions) yield rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

const AT_ONCE = 1_000;
const MOST_ROWS = 100_000;

const columns: [name: string, show: (cdr: Cdr, timeZone: string) => Cell][] = [
  ["start", (cdr, timeZone) => stamp(cdr.startStamp, timeZone)],
  ["direction", (cdr) => cdr.direction],
  ["caller", (cdr) => cdr.callerIdNumber],
  ["caller_name", (cdr) => cdr.callerIdName],
  ["destination", (cdr) => cdr.destinationNumber],
  ["destination_name", (cdr) => cdr.destinationName],
  ["queue", (cdr) => cdr.queue ?? ""],
  ["queue_wait_seconds", (cdr) => cdr.queueWaitSeconds],
  ["duration_seconds", (cdr) => cdr.durationSeconds],
  ["talk_seconds", (cdr) => cdr.talkSeconds],
  ["missed", (cdr) => String(cdr.missed)],
  ["hangup_cause", (cdr) => cdr.hangupCause],
  ["recording", (cdr) => cdr.recording],
  ["call_uuid", (cdr) => cdr.callUuid],
];

function stamp(at: Date, timeZone: string): string {
  return at.toLocaleString("sv-SE", { timeZone });
}

/** A cell that begins like a formula would be run by a spreadsheet; a quotation mark before it makes it text. */
function cell(value: Cell): string {
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
