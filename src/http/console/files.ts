// What a browser fetches by itself, without a script: sounds to play, and tables for a spreadsheet.

import type { FastifyInstance } from "fastify";
import { firstLanguage } from "../../languages.ts";
import { type Cdr, type CdrFilter, walkCdrs } from "../../store/cdrs.ts";
import type { Db } from "../../store/db.ts";
import { findSound, type SoundKind } from "../../store/kept-sounds.ts";
import type { StaffSession } from "../../store/staff-sessions.ts";
import { markVoicemailRead } from "../../store/voicemail.ts";
import { refuse, send } from "../door/answer.ts";
import type { Services } from "../door/context.ts";
import { keptFile } from "../exchange/kept-file.ts";
import { formTable } from "./form-table.ts";
import { callFilterOf, readCallSearch } from "./operations/call-filter.ts";
import { formFilterOf, readFormSearch } from "./operations/form-filter.ts";
import { readResponseSearch, responseReport } from "./operations/response-times.ts";
import { reportStretch, reportTables, tableOf } from "./report-tables.ts";
import { responseRows } from "./response-table.ts";
import { AT_ONCE, MOST_ROWS, mountTable, type SessionOf, stamp } from "./tables.ts";
import type { Cell } from "./workbook.ts";

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
  mountTables(scope, services, sessionOf);
}

function mountTables(scope: FastifyInstance, { db, clock }: Services, sessionOf: SessionOf): void {
  mountTable(scope, { name: "calls", sessionOf }, async (query, staff) => {
    const wanted = readCallSearch(query);
    if (!wanted) return undefined;
    const own = db.forExchange(staff.exchangeId);
    const filter = await callFilterOf(wanted, { db: own, exchangeId: staff.exchangeId });
    return callRows(own, staff, filter);
  });
  mountTable(scope, { name: "response-times", sessionOf }, async (query, { exchangeId, timeZone }) => {
    const wanted = readResponseSearch(query);
    if (!wanted) return undefined;
    const report = await responseReport(wanted, { db: db.forExchange(exchangeId), exchangeId, timeZone });
    return inOnePortion(responseRows(report));
  });
  for (const [what, linesOf] of Object.entries(reportTables))
    mountTable(scope, { name: `report-${what}`, sessionOf }, async (query, { exchangeId, timeZone }) => {
      const stretch = reportStretch(query, { exchangeId, timeZone });
      if (!stretch) return undefined;
      return inOnePortion(tableOf(await linesOf({ db: db.forExchange(exchangeId), stretch, nowMs: clock.wall() })));
    });
  mountTable(
    scope,
    { name: "forms", sessionOf },
    async (query, { exchangeId, timeZone }, language = firstLanguage.console) => {
      const wanted = readFormSearch(query);
      if (!wanted) return undefined;
      const own = db.forExchange(exchangeId);
      return formTable(own, { exchangeId, timeZone, language }, await formFilterOf(wanted, { db: own, exchangeId }));
    },
  );
}

async function* inOnePortion(rows: Iterable<Cell[]>): AsyncGenerator<Cell[][]> {
  yield [...rows];
}

async function* callRows(db: Db, { exchangeId, timeZone }: StaffSession, filter: CdrFilter): AsyncGenerator<Cell[][]> {
  yield [columns.map(([name]) => name)];
  for await (const rows of walkCdrs(db, exchangeId, filter, { atOnce: AT_ONCE, most: MOST_ROWS }))
    yield rows.map((cdr) => columns.map(([, show]) => show(cdr, timeZone)));
}

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
