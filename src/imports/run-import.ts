// Imports as durable work: a portion of rows and how far the file is are written in one transaction, so that whoever
// goes on after a crash begins with the row after it.

import { buffer } from "node:stream/consumers";
import type { Clock } from "../clock.ts";
import { openTurns } from "../in-turns.ts";
import type { JobHandler, Outcome } from "../jobs/handler.ts";
import { enqueue } from "../jobs/jobs.ts";
import { keepPlanning } from "../jobs/planning.ts";
import type { Log } from "../log.ts";
import type { Objects } from "../objects/objects.ts";
import { type Readers, shareOf } from "../readers/task.ts";
import { unlessTooFewCredits } from "../sms/send.ts";
import type { Database } from "../store/db.ts";
import {
  findImport,
  forgetFaults,
  forgetFile,
  IMPORTS_CHANNEL,
  type Import,
  type ImportEnd,
  type ImportFault,
  notePortion,
  spentImports,
  waitingImports,
} from "../store/imports.ts";
import { endImport } from "./end-import.ts";
import { type Importing, type ImportSettings, isFault, ROWS_AT_ONCE, type RowFault } from "./importing.ts";
import { cellsBy, prepareImport } from "./prepare.ts";
import { openTableApart } from "./table-apart.ts";
import { FileFailed } from "./table-rows.ts";
import type { NumberedRow } from "./workbook.ts";

export const RUN_IMPORT = "imports.run";

export type ImportWork = { db: Database; clock: Clock; log: Log; objects: Objects; readers: Readers };

type Payload = { exchangeId: number; importId: number };

const AT_ONCE = 500;
const LOOK_MS = 60_000;
/** Somebody looks on: a minute at most from one try to the next, for an hour and a half. */
const LONGEST_WAIT_MS = 60_000;
const MOST_TRIES = 100;
const LONGEST_CELL_KEPT = 1_000;

/** Looks which files are to be read, and puts away those that nobody reads any more. Returns how to stop. */
export function planImports({ db, clock, log, objects }: Omit<ImportWork, "readers">): Promise<() => Promise<void>> {
  const look = async () => {
    const jobs = (await waitingImports(db)).map(({ id, exchangeId }) => ({
      kind: RUN_IMPORT,
      payload: { exchangeId, importId: id },
      uniqueKey: `import ${id}`,
      share: `imports ${exchangeId}`,
      maxAttempts: 1_000,
    }));
    await enqueue(db, ...jobs);
    for (const { id, objectKey } of await spentImports(db, new Date(clock.wall()))) {
      await objects.delete(objectKey);
      await forgetFile(db, id);
    }
    await forgetFaults(db, new Date(clock.wall()));
  };
  return keepPlanning({ db, clock, log }, { channel: IMPORTS_CHANNEL, everyMs: LOOK_MS, look, what: "imports" });
}

export function runImports(parts: ImportWork): JobHandler {
  return {
    backOffMs: (failures) => Math.min(LONGEST_WAIT_MS, 2 ** failures * 1_000),
    async run({ exchangeId, importId }: Payload, { attempt, signal }): Promise<Outcome> {
      const db = parts.db.forExchange(exchangeId); // strangers' words are written with it
      const found = await findImport(db, exchangeId, importId);
      if (found?.state !== "waiting") return undefined;
      const end = await readFile({ ...parts, db }, found, signal).catch((error: unknown) => {
        if (error instanceof FileFailed) return { state: "failed", failure: error.why } as const;
        // The database is away, a disk is full: what was taken is taken, and the rest is when it is over.
        if (attempt < MOST_TRIES) throw error;
        return broken(parts, found, error);
      });
      if (end) await endImport(db, exchangeId, importId, { ...end, now: new Date(parts.clock.wall()) });
      return undefined;
    },
  };
}

type End = Omit<ImportEnd, "now">;

function broken({ log }: ImportWork, { id, exchangeId }: Import, error: unknown): End {
  log.error(
    { error: String(error), import: id, exchange: exchangeId },
    "an import failed because of a mistake of ours",
  );
  return { state: "failed", failure: "broken" };
}

/** Undefined when another goes on with it, or somebody has stopped it. */
async function readFile(parts: ImportWork, found: Import, signal: AbortSignal): Promise<End | undefined> {
  const { db, clock, objects } = parts;
  const { exchangeId, kind, objectKey, heading, fields } = found;
  const settings = found.settings as ImportSettings; // checked when it was begun
  const importing = await prepareImport(kind, { db, clock, exchangeId }, settings);
  if ("refused" in importing) {
    const about = "code" in importing ? importing.code : "";
    return { state: "failed", failure: importing.refused, about };
  }
  const reading = objectKey === null ? undefined : await objects.read(objectKey);
  if (!reading) return { state: "failed", failure: "unreadable" };
  const how = { share: shareOf(exchangeId), when: "later" } as const;
  const table = await openTableApart(parts.readers, await buffer(reading.stream), how);
  const portions = inPortions(table.portions, found.rowsDone);
  const taking = openTaking(importing, { found, asCells: cellsBy(heading, fields) });
  for await (const { rows, isDone } of portions) {
    if (signal.aborted) return undefined;
    if (isDone) await taking.remember(rows);
    else {
      const taken = await unlessTooFewCredits(taking.take(db, rows));
      if (taken === "over") return undefined;
      if (typeof taken === "object") return { state: "failed", failure: "sms", about: taken.refused };
    }
  }
  return { state: "done" };
}

/** Rows that were taken before are only remembered, so that one that comes twice is known. */
async function* inPortions(
  all: AsyncIterable<NumberedRow[]>,
  done: number,
): AsyncGenerator<{ rows: NumberedRow[]; isDone: boolean }> {
  let skip = done;
  const waiting: NumberedRow[] = [];
  for await (const rows of all) {
    const old = rows.slice(0, skip);
    skip -= old.length;
    if (old.length > 0) yield { rows: old, isDone: true };
    waiting.push(...rows.slice(old.length));
    while (waiting.length >= AT_ONCE) yield { rows: waiting.splice(0, AT_ONCE), isDone: false };
  }
  if (waiting.length > 0) yield { rows: waiting, isDone: false };
}

type Context = { found: Import; asCells: ReturnType<typeof cellsBy> };

function openTaking(importing: Importing<unknown>, { found, asCells }: Context) {
  const seen = new Set<string>();
  let { rowsDone, madeId } = found;
  const turns = openTurns(ROWS_AT_ONCE);

  function readRow({ cells }: NumberedRow): { item: unknown } | RowFault {
    const read = importing.read(asCells(cells));
    if (isFault(read)) return read;
    if (seen.has(read.key)) return { why: "twice", value: read.shown[0] ?? "" };
    seen.add(read.key);
    return { item: read.item };
  }

  async function readAll(rows: readonly NumberedRow[]) {
    const read: { row: NumberedRow; read: ReturnType<typeof readRow> }[] = [];
    for (const row of rows) {
      read.push({ row, read: readRow(row) });
      const others = turns();
      if (others) await others;
    }
    return read;
  }

  return {
    async remember(rows: readonly NumberedRow[]) {
      await readAll(rows);
    },
    /** `over`: the import is not ours any more. */
    async take(db: Database, rows: readonly NumberedRow[]): Promise<"taken" | "over"> {
      const read = await readAll(rows);
      const good = read.flatMap(({ row, read }) => ("item" in read ? [{ row, item: read.item }] : []));
      const bad = read.flatMap(({ row, read }) => ("why" in read ? [faultOf(row, read)] : []));
      const result = await db
        .transaction(async (db) => {
          const items = good.map(({ item }) => item);
          const written = items.length === 0 ? undefined : await importing.write(db, items, madeId);
          const left = good.flatMap(({ row }, place) => {
            const why = written?.left.get(place);
            return why ? [faultOf(row, why)] : [];
          });
          const made = written?.madeId ?? madeId;
          const faults = [...bad, ...left];
          const portion = { rows: rows.length, good: rows.length - faults.length, faults, madeId: made };
          if (!(await notePortion(db, found, rowsDone, portion))) throw new NotOurs();
          return made;
        })
        .catch((error: unknown) => {
          if (error instanceof NotOurs) return "over" as const;
          throw error;
        });
      if (result === "over") return "over";
      rowsDone += rows.length;
      madeId = result;
      return "taken";
    },
  };
}

/** Takes back what the portion had written. */
class NotOurs extends Error {}

const faultOf = ({ row, cells }: NumberedRow, { why, value }: RowFault): ImportFault => ({
  row,
  why,
  value,
  cells: cells.slice(0, 100).map((it) => it.slice(0, LONGEST_CELL_KEPT)),
});
