// What a browser fetches by itself, without a script: sounds to play, and tables for a spreadsheet.

import type { FastifyInstance } from "fastify";
import { firstLanguage } from "../../languages.ts";
import { outcomes } from "../../nouns/outcome.ts";
import { hasRight, type Right } from "../../nouns/role.ts";
import type { Cell } from "../../reports/cell.ts";
import { inOnePortion } from "../../reports/portions.ts";
import { LINED_REPORTS, reportTables } from "../../reports/report-tables.ts";
import { responseReport } from "../../reports/response-report.ts";
import { responseRows } from "../../reports/response-table.ts";
import { legRows, spentRows } from "../../reports/spent-table.ts";
import { noteHeard } from "../../store/audit.ts";
import { type CallNote, withNotes } from "../../store/call-notes.ts";
import type { CdrFilter } from "../../store/cdr-filter.ts";
import { hasCdr, type ToldCdr, walkCdrs } from "../../store/cdrs.ts";
import type { Db } from "../../store/db.ts";
import { findImport } from "../../store/imports.ts";
import { findSound, type SoundKind } from "../../store/kept-sounds.ts";
import { scopeOf, type Within, withinOf } from "../../store/scope.ts";
import type { StaffSession } from "../../store/staff-sessions.ts";
import { hasVoicemail, markVoicemailRead } from "../../store/voicemail.ts";
import { yesNo } from "../../words/form-words.ts";
import { directions } from "../../words/terms.ts";
import { refuse, send } from "../door/answer.ts";
import type { Services } from "../door/context.ts";
import { keptFile } from "../exchange/kept-file.ts";
import { formTable } from "./form-table.ts";
import { importFaultRows } from "./import-table.ts";
import { comesFirst } from "./operation/comes-first.ts";
import { callFilterOf, readCallSearch } from "./operations/call-filter.ts";
import { formFilterOf, readFormSearch } from "./operations/form-filter.ts";
import { mayImport } from "./operations/imports.ts";
import { readResponseSearch } from "./operations/response-times.ts";
import { readBreakdown, readLegs } from "./operations/spending.ts";
import { reportStretch, stretchOf } from "./operations/stretch.ts";
import { AT_ONCE, mountTable, type SessionOf, stamp } from "./tables.ts";

type Asked = { exchangeId: number; id: string; within: Within | undefined };

/** What each kind of sound asks of whoever wants to hear it, and what is kept of his having heard it. */
const kinds: Record<
  SoundKind,
  {
    right: Right;
    isSeen(db: Db, asked: Asked): Promise<boolean>;
    note(db: Db, staff: StaffSession, id: string): unknown;
  }
> = {
  recording: {
    right: "recordings",
    isSeen: async (db, { exchangeId, id, within }) =>
      within === undefined || (UUID.test(id) && hasCdr(db, exchangeId, id, within)),
    note: (db, { exchangeId, email: who }, call) => noteHeard(db, { exchangeId, who, did: "recording-heard", call }),
  },
  voicemail: {
    right: "see-voicemail",
    isSeen: (db, { exchangeId, id, within }) => hasVoicemail(db, exchangeId, id, within?.extensions),
    async note(db, { exchangeId, email: who }, call) {
      await markVoicemailRead(db, exchangeId, call);
      await noteHeard(db, { exchangeId, who, did: "message-heard", call });
    },
  },
  announcement: { right: "see-setup", isSeen: async () => true, note: () => undefined },
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const KINDS = Object.keys(kinds) as SoundKind[]; // of the record above

export function mountFiles(scope: FastifyInstance, services: Services, sessionOf: SessionOf): void {
  const { db } = services;
  for (const kind of KINDS)
    scope.get(`/sound/${kind}/:id`, async (request, reply) => {
      const staff = await sessionOf(request);
      if (!staff || comesFirst(staff)) return send(reply, refuse({ refused: "http", status: 401 }));
      const { right, isSeen, note } = kinds[kind];
      if (!hasRight(staff, right)) return send(reply, refuse({ refused: "http", status: 403 }));
      const id = (request.params as { id: string }).id.toLowerCase();
      const { exchangeId } = staff;
      const own = db.forExchange(exchangeId);
      const seen = await isSeen(own, { exchangeId, id, within: withinOf(await scopeOf(own, staff)) });
      const found = seen ? await findSound(own, { exchangeId, kind, id }) : undefined;
      const file = found && (await keptFile(services, exchangeId, found));
      if (!file) return send(reply, refuse({ refused: "http", status: 404 }));
      await note(own, staff, id);
      return send(reply.header("cache-control", "private, no-store"), file);
    });
  mountTables(scope, services, sessionOf);
  mountImportFaults(scope, services, sessionOf);
}

function mountTables(scope: FastifyInstance, { db, clock }: Services, sessionOf: SessionOf): void {
  mountTable(scope, { name: "calls", right: "see-calls", db, sessionOf }, async (query, staff, { db }) => {
    const wanted = readCallSearch(query);
    if (!wanted) return undefined;
    const filter = await callFilterOf(wanted, { ...staff, db });
    return callRows(db, staff, filter);
  });
  mountTable(scope, { name: "response-times", right: "see-reports", db, sessionOf }, async (query, staff, { db }) => {
    const wanted = readResponseSearch(query);
    if (!wanted) return undefined;
    const { exchangeId, timeZone } = staff;
    const stretch = { ...stretchOf(wanted), exchangeId, timeZone, within: withinOf(staff.scope) };
    return inOnePortion(responseRows(await responseReport(db, stretch, wanted)));
  });
  for (const what of LINED_REPORTS)
    mountTable(scope, { name: `report-${what}`, right: "see-reports", db, sessionOf }, async (query, staff, { db }) => {
      const { exchangeId, timeZone } = staff;
      const stretch = reportStretch(query, { exchangeId, timeZone, within: withinOf(staff.scope) });
      if (!stretch) return undefined;
      return inOnePortion(await reportTables[what]({ db, stretch, nowMs: clock.wall() }));
    });
  mountSpending(scope, db, sessionOf);
  mountTable(scope, { name: "forms", right: "see-reports", db, sessionOf }, async (query, staff, { db, language }) => {
    const wanted = readFormSearch(query);
    if (!wanted) return undefined;
    const reader = { ...staff, language: language ?? firstLanguage.console };
    return formTable(db, reader, await formFilterOf(wanted, { ...staff, db }));
  });
}

function mountSpending(scope: FastifyInstance, db: Services["db"], sessionOf: SessionOf): void {
  const table = (name: string) => ({ name, right: "see-spending", db, sessionOf }) as const;
  mountTable(scope, table("spending"), async (query, { exchangeId, timeZone }, { db }) => {
    const wanted = readBreakdown(query);
    return wanted && inOnePortion(await spentRows(db, { ...wanted, exchangeId, timeZone }, wanted.by));
  });
  mountTable(scope, table("spending-calls"), async (query, { exchangeId, timeZone }, { db }) => {
    const wanted = readLegs(query);
    return wanted && legRows(db, { ...wanted, exchangeId, timeZone }, { line: wanted.line, atOnce: AT_ONCE });
  });
}

/** Whoever may import may have back what was left out. */
function mountImportFaults(scope: FastifyInstance, { db }: Services, sessionOf: SessionOf): void {
  mountTable(
    scope,
    { name: "import-faults", right: "import", db, sessionOf },
    async (query, staff, { db, language }) => {
      const id = query.get("id") ?? "";
      if (!/^\d{1,15}$/.test(id)) return undefined;
      const found = await findImport(db, staff.exchangeId, Number(id));
      if (!found || !mayImport(staff, found.kind)) return undefined;
      return importFaultRows(db, found, language ?? firstLanguage.console);
    },
  );
}

async function* callRows(db: Db, { exchangeId, timeZone }: StaffSession, filter: CdrFilter): AsyncGenerator<Cell[][]> {
  yield [columns.map(([name]) => name)];
  for await (const rows of walkCdrs(db, exchangeId, filter, { atOnce: AT_ONCE, most: Number.POSITIVE_INFINITY }))
    yield await withNotes(db, exchangeId, rows).then((calls) =>
      calls.map((call) => columns.map(([, show]) => show(call, timeZone))),
    );
}

type WrittenAbout = ToldCdr & { notes: CallNote[] };

/** What each agent gave or wrote, in the order in which they had the call. */
const each = (notes: readonly CallNote[], of: (note: CallNote) => string, between: string) =>
  notes
    .map(of)
    .filter((text) => text !== "")
    .join(between);

const yesOrNo = (is: boolean): Cell => ({ plain: String(is), said: (language) => yesNo[language][is ? "yes" : "no"] });

const columns: [name: string, show: (call: WrittenAbout, timeZone: string) => Cell][] = [
  ["start", (cdr, timeZone) => stamp(cdr.startStamp, timeZone)],
  ["direction", ({ direction }) => ({ plain: direction, said: (language) => directions[direction][language] })],
  ["caller", (cdr) => cdr.callerIdNumber],
  ["caller_name", (cdr) => cdr.callerIdName],
  ["destination", (cdr) => cdr.destinationNumber],
  ["destination_name", (cdr) => cdr.destinationName],
  ["queue", (cdr) => cdr.queue ?? ""],
  ["queue_wait_seconds", (cdr) => cdr.queueWaitSeconds],
  ["duration_seconds", (cdr) => cdr.durationSeconds],
  ["talk_seconds", (cdr) => cdr.talkSeconds],
  ["missed", ({ outcome }) => yesOrNo(outcome === "missed")],
  ["hangup_cause", (cdr) => cdr.hangupCause],
  ["recording", (cdr) => cdr.recording],
  ["call_uuid", (cdr) => cdr.callUuid],
  ["disposition", ({ notes }) => each(notes, ({ disposition }) => disposition ?? "", ", ")],
  ["tags", ({ notes }) => [...new Set(notes.flatMap(({ tags }) => tags))].join(", ")],
  ["note", ({ notes }) => each(notes, ({ note }) => note, "\n")],
  ["result", ({ outcome }) => ({ plain: outcome, said: (language) => outcomes[outcome][language] })],
];
