// The one importer: a file is kept and looked at, its columns are said, and its rows are taken over by background work.

import { randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { Type } from "typebox";
import { guessFields, importFields, isFieldOf, mainField } from "../../../imports/columns.ts";
import { endImport } from "../../../imports/end-import.ts";
import { prepareImport } from "../../../imports/prepare.ts";
import { previewImport } from "../../../imports/preview.ts";
import { openTableApart } from "../../../imports/table-apart.ts";
import { FileFailed } from "../../../imports/table-rows.ts";
import { type Holder, hasRight, type Right } from "../../../nouns/role.ts";
import { type Readers, ReadingFailed, shareOf } from "../../../readers/task.ts";
import {
  beginImport,
  createImport,
  findImport,
  type Import,
  type ImportKind,
  listImportFaults,
  listImports,
  resumeImport,
} from "../../../store/imports.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import type { ConsoleRefusal } from "../operation/refusal.ts";
import { id, lines, name, pageFields, text, whole } from "./fields.ts";

const MEBIBYTE = 1024 * 1024;
const MOST_MEBIBYTES = 32;
const LONGEST_CONTENT = Math.ceil((MOST_MEBIBYTES * MEBIBYTE * 4) / 3) + 4;
const SHOWN_ROWS = 5;
const SHOWN_FAULTS = 100;

const kind = Type.Enum(["contacts", "recipients", "consents", "campaign"]);
const fields = Type.Array(Type.Union([name(32), Type.Null()]), { maxItems: 200 });
const settings = Type.Object({
  known: Type.Optional(Type.Enum(["leave", "add"])),
  title: Type.Optional(text(11)),
  text: Type.Optional(text(1_000)),
  commercial: Type.Optional(Type.Boolean()),
  recipientType: Type.Optional(text(16)),
  addOptOut: Type.Optional(Type.Boolean()),
  type: Type.Optional(text(16)),
  status: Type.Optional(text(16)),
  source: Type.Optional(text(32)),
  date: Type.Optional(text(32)),
  campaignId: Type.Optional(id()),
});

/** What a file becomes asks for its own right: beginning one, looking at it and having rows of it back. */
const rightOf: Record<ImportKind, Right> = {
  contacts: "manage-contacts",
  recipients: "send-messages",
  consents: "send-messages",
  campaign: "run-campaigns",
};
const KINDS = Object.keys(rightOf) as ImportKind[]; // of the record above

const notFound = (id: number) => ({ refused: "not-found", what: "import", which: String(id) }) as const;

export const imports = {
  "imports.upload": operation({
    right: "import",
    apart: true,
    hides: ["content"],
    longestBody: LONGEST_CONTENT + MEBIBYTE,
    carries: "content",
    parameters: Type.Object({ kind, fileName: name(), content: lines(LONGEST_CONTENT) }),
    async handle({ kind, fileName }, { exchangeId, staff, objects, clock, record, readers, uploaded }) {
      if (!mayImport(staff, kind)) return notAllowed(kind);
      const bytes = uploaded?.bytes ?? Buffer.alloc(0);
      if (bytes.length > MOST_MEBIBYTES * MEBIBYTE) return { refused: "file-too-large", most: MOST_MEBIBYTES } as const;
      // A copy: what a thread is given is here no more, and the file itself is kept.
      const looked = await lookInto(readers, exchangeId, Buffer.from(bytes));
      if ("refused" in looked) return looked;
      const { heading, rows } = looked;
      const guessed = guessFields(kind, heading, rows[0] ?? []);
      const objectKey = `imports/${randomUUID()}`;
      await objects.put(objectKey, { bytes });
      const made = { exchangeId, kind, fileName, objectKey, heading, fields: guessed, begunBy: staff.email };
      const id = await record(({ db }) => createImport(db, { ...made, now: new Date(clock.wall()) }));
      return { id, heading, rows, fields: guessed, known: importFields(kind) };
    },
  }),

  "imports.preview": operation({
    right: "import",
    reads: true,
    parameters: Type.Object({ id: id(), fields, settings }),
    async handle({ id, fields, settings }, context) {
      const { db, clock, exchangeId, objects, readers } = context;
      const found = await ready(id, fields, context);
      if ("refused" in found) return found;
      const reading = found.objectKey === null ? undefined : await objects.read(found.objectKey);
      if (!reading) return { refused: "import-begun" } as const;
      const bytes = await buffer(reading.stream);
      return unlessFileFailed(
        previewImport({ db, clock, exchangeId }, { ...found, fields }, { bytes, settings, readers }),
      );
    },
  }),

  "imports.begin": operation({
    right: "import",
    parameters: Type.Object({ id: id(), fields, settings }),
    async handle({ id, fields, settings }, context) {
      const { db, clock, exchangeId } = context;
      const found = await ready(id, fields, context);
      if ("refused" in found) return found;
      const prepared = await prepareImport(found.kind, { db, clock, exchangeId }, settings);
      if ("refused" in prepared) return prepared;
      const begun = await beginImport(db, { exchangeId, id, fields, settings });
      return begun ? {} : ({ refused: "import-begun" } as const);
    },
  }),

  "imports.list": operation({
    right: "import",
    reads: true,
    parameters: Type.Object(pageFields),
    async handle(page, { db, exchangeId, staff }) {
      const kinds = KINDS.filter((kind) => mayImport(staff, kind));
      const { rows, total } = await listImports(db, exchangeId, { ...page, kinds });
      return { rows: rows.map(shown), total };
    },
  }),

  "imports.faults": operation({
    right: "import",
    reads: true,
    parameters: Type.Object({ id: id(), after: whole(0, 2_000_000) }),
    async handle({ id, after }, context) {
      const { db } = context;
      const found = await allowed(id, context);
      if ("refused" in found) return found;
      return { heading: found.heading, rows: await listImportFaults(db, found, { after, limit: SHOWN_FAULTS }) };
    },
  }),

  "imports.stop": operation({
    right: "import",
    parameters: Type.Object({ id: id() }),
    async handle({ id }, context) {
      const { db, exchangeId, clock } = context;
      const found = await allowed(id, context);
      if ("refused" in found) return found;
      const ended = await endImport(db, exchangeId, id, { state: "stopped", now: new Date(clock.wall()) });
      return ended ? {} : notFound(id);
    },
  }),

  "imports.resume": operation({
    right: "import",
    parameters: Type.Object({ id: id() }),
    async handle({ id }, context) {
      const found = await allowed(id, context);
      if ("refused" in found) return found;
      return (await resumeImport(context.db, context.exchangeId, id)) ? {} : notFound(id);
    },
  }),
};

export function mayImport(holder: Holder, kind: ImportKind): boolean {
  return hasRight(holder, rightOf[kind]);
}

const notAllowed = (kind: ImportKind) => ({ refused: "not-your-role", needs: rightOf[kind] }) as const;

type Asker = Pick<ConsoleContext, "db" | "exchangeId" | "staff">;

/** The import, if it is of a kind that whoever asks may import. */
async function allowed(id: number, { db, exchangeId, staff }: Asker): Promise<Import | ConsoleRefusal> {
  const found = await findImport(db, exchangeId, id);
  if (!found) return notFound(id);
  return mayImport(staff, found.kind) ? found : notAllowed(found.kind);
}

/** The import, if it can still be begun with these columns. */
async function ready(id: number, fields: readonly (string | null)[], asker: Asker): Promise<Import | ConsoleRefusal> {
  const found = await allowed(id, asker);
  if ("refused" in found) return found;
  if (found.state !== "new") return { refused: "import-begun" };
  const { kind } = found;
  if (!fields.every((field) => field === null || isFieldOf(kind, field)))
    return { refused: "invalid", field: "fields" };
  return fields.includes(mainField[kind]) ? found : { refused: "missing-column", field: mainField[kind] };
}

function shown({ id, kind, fileName, state, rowsDone, good, bad, madeId, failure, about, ...rest }: Import) {
  const { begunBy, createdAt, endedAt, objectKey } = rest;
  const canResume = objectKey !== null && (state === "failed" || state === "stopped");
  return {
    id,
    kind,
    fileName,
    state,
    rowsDone,
    good,
    bad,
    madeId,
    failure,
    about,
    begunBy,
    createdAt,
    endedAt,
    canResume,
  };
}

type Looked = { heading: string[]; rows: string[][] };

async function lookInto(readers: Readers, exchangeId: number, bytes: Buffer): Promise<Looked | ConsoleRefusal> {
  const first = async (): Promise<Looked> => {
    const how = { share: shareOf(exchangeId), when: "now" } as const;
    const { heading, portions } = await openTableApart(readers, bytes, how);
    const rows: string[][] = [];
    for await (const portion of portions) {
      rows.push(...portion.map(({ cells }) => cells));
      if (rows.length >= SHOWN_ROWS) break;
    }
    if (rows.length === 0) throw new FileFailed("empty");
    return { heading, rows: rows.slice(0, SHOWN_ROWS) };
  };
  return unlessFileFailed(first());
}

async function unlessFileFailed<Found>(asked: Promise<Found>): Promise<Found | ConsoleRefusal> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ReadingFailed) return { refused: "given-up", seconds: 5 };
    if (!(error instanceof FileFailed)) throw error;
    if (error.why === "empty") return { refused: "empty-file" };
    return error.why === "too-large" ? { refused: "file-too-large", most: 300 } : { refused: "unreadable-file" };
  }
}
