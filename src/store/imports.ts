// Files whose rows are taken over: what was asked for, how far each is, and which rows were left out.

import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { sql } from "./sql.ts";

/** Says that an import is to be read. */
export const IMPORTS_CHANNEL = "imports";

export type ImportKind = "contacts" | "recipients" | "consents" | "campaign";
export type ImportState = "new" | "waiting" | "done" | "stopped" | "failed";

export type Import = {
  id: number;
  exchangeId: number;
  kind: ImportKind;
  fileName: string;
  objectKey: string | null;
  state: ImportState;
  heading: string[];
  fields: (string | null)[];
  settings: Record<string, unknown>;
  rowsDone: number;
  good: number;
  bad: number;
  madeId: number | null;
  failure: string | null;
  about: string | null;
  begunBy: string;
  createdAt: Date;
  endedAt: Date | null;
};

const COLUMNS = sql`id, exchange_id as "exchangeId", kind, file_name as "fileName", object_key as "objectKey", state, heading,
  fields, settings, rows_done as "rowsDone", good, bad, made_id as "madeId", failure, about, begun_by as "begunBy",
  created_at as "createdAt", ended_at as "endedAt"`;

export type NewImport = Pick<Import, "exchangeId" | "kind" | "fileName" | "heading" | "fields" | "begunBy"> & {
  objectKey: string;
  now: Date;
};

export async function createImport(db: Db, made: NewImport): Promise<number> {
  const { exchangeId, kind, fileName, objectKey, heading, fields, begunBy, now } = made;
  const [row] = await db.query<{ id: number }>(
    sql`insert into imports (exchange_id, kind, file_name, object_key, heading, fields, begun_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [exchangeId, kind, fileName, objectKey, heading, fields, begunBy, now],
  );
  return row!.id; // an insert without a condition returns its row
}

export async function findImport(db: Db, exchangeId: number, id: number): Promise<Import | undefined> {
  const [row] = await db.query<Import>(sql`select ${COLUMNS} from imports where exchange_id = $1 and id = $2`, [
    exchangeId,
    id,
  ]);
  return row;
}

/** Those of these kinds that were begun, the newest first. */
export async function listImports(
  db: Db,
  exchangeId: number,
  { kinds, ...page }: Page & { kinds: readonly ImportKind[] },
): Promise<Paged<Import>> {
  const rows = await db.query<Import>(
    sql`select ${COLUMNS} from imports where exchange_id = $1 and kind = any($4) and state <> 'new'
     order by id desc limit $2 offset $3`,
    [exchangeId, page.limit, offsetOf(page), kinds],
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*) as total from imports where exchange_id = $1 and kind = any($2) and state <> 'new'`,
    [exchangeId, kinds],
  );
  return { rows, total: count!.total }; // a count always has a row
}

type Beginning = Pick<Import, "exchangeId" | "id" | "fields" | "settings">;

/** False when it was begun before. */
export async function beginImport(db: Db, { exchangeId, id, fields, settings }: Beginning): Promise<boolean> {
  const begun = await db.query(
    sql`with begun as (
       update imports set state = 'waiting', fields = $3, settings = $4
       where exchange_id = $1 and id = $2 and state = 'new' returning id)
     select id, pg_notify($5, '') from begun`,
    [exchangeId, id, fields, JSON.stringify(settings), IMPORTS_CHANNEL],
  );
  return begun.length > 0;
}

/** From the row after the last one that was taken. */
export async function resumeImport(db: Db, exchangeId: number, id: number): Promise<boolean> {
  const begun = await db.query(
    sql`with begun as (
       update imports set state = 'waiting', failure = null, about = null, ended_at = null
       where exchange_id = $1 and id = $2 and state in ('failed', 'stopped') and object_key is not null returning id)
     select id, pg_notify($3, '') from begun`,
    [exchangeId, id, IMPORTS_CHANNEL],
  );
  return begun.length > 0;
}

export function waitingImports(db: Db): Promise<{ id: number; exchangeId: number }[]> {
  return db.query(
    sql`select id, exchange_id as "exchangeId" from imports where state = 'waiting' order by id limit 100`,
  );
}

export type Portion = { rows: number; good: number; faults: readonly ImportFault[]; madeId: number | null };
export type ImportFault = { row: number; why: string; value: string; cells: readonly string[] };

/** Inside the transaction of what the rows became. False when the import is not at `from` any more: another run has it. */
export async function notePortion(db: Db, whose: Pick<Import, "exchangeId" | "id">, from: number, portion: Portion) {
  const { exchangeId, id } = whose;
  const { rows, good, faults, madeId } = portion;
  const moved = await db.query(
    sql`update imports set rows_done = rows_done + $4, good = good + $5, bad = bad + $6, made_id = $7
     where exchange_id = $1 and id = $2 and rows_done = $3 and state = 'waiting' returning id`,
    [exchangeId, id, from, rows, good, faults.length, madeId],
  );
  if (moved.length > 0 && faults.length > 0)
    await db.query(
      sql`insert into import_faults (exchange_id, import_id, row, why, value, cells)
       select $1, $2, row, why, value, cells
       from jsonb_to_recordset($3::jsonb) as fault (row int, why text, value text, cells text[])
       on conflict do nothing`,
      [exchangeId, id, JSON.stringify(faults)],
    );
  return moved.length > 0;
}

export type ImportEnd = { state: Exclude<ImportState, "new" | "waiting">; failure?: string; about?: string; now: Date };

/** Undefined when it had ended already. */
export async function endImport(
  db: Db,
  exchangeId: number,
  id: number,
  end: ImportEnd,
): Promise<Pick<Import, "kind" | "madeId"> | undefined> {
  const [ended] = await db.query<Pick<Import, "kind" | "madeId">>(
    sql`update imports set state = $3, failure = $4, about = $5, ended_at = $6
     where exchange_id = $1 and id = $2 and state = 'waiting' returning kind, made_id as "madeId"`,
    [exchangeId, id, end.state, end.failure ?? null, end.about ?? null, end.now],
  );
  return ended;
}

export async function listImportFaults(
  db: Db,
  { exchangeId, id }: Pick<Import, "exchangeId" | "id">,
  { after, limit }: { after: number; limit: number },
): Promise<ImportFault[]> {
  return db.query<ImportFault>(
    sql`select row, why, value, cells from import_faults
     where exchange_id = $1 and import_id = $2 and row > $3 order by row limit $4`,
    [exchangeId, id, after, limit],
  );
}

/** Whose file nobody reads any more: ended, or looked at a day ago and never begun. What failed may go on for a week. */
export function spentImports(db: Db, now: Date): Promise<{ id: number; objectKey: string }[]> {
  return db.query(
    sql`select id, object_key as "objectKey" from imports where object_key is not null
       and (state = 'done' or state = 'new' and created_at < $1::timestamptz - interval '1 day'
         or state in ('failed', 'stopped') and ended_at < $1::timestamptz - interval '7 days')
     order by id limit 100`,
    [now],
  );
}

/** The file is gone by now. What was never begun leaves no trace. */
export async function forgetFile(db: Db, id: number): Promise<void> {
  await db.query(sql`delete from imports where id = $1 and state = 'new'`, [id]);
  await db.query(sql`update imports set object_key = null where id = $1`, [id]);
}

/** Rows that were left out are strangers' data: they are kept for a month. */
export async function forgetFaults(db: Db, now: Date): Promise<void> {
  await db.query(
    sql`delete from import_faults f using imports i where i.id = f.import_id
       and i.ended_at < $1::timestamptz - interval '30 days'`,
    [now],
  );
}
