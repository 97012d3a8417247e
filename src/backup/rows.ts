// Rows of any table as text and back, by the database's own spelling of a row, so that no type is lost on the way.

import type { Db } from "../store/db.ts";
import { joined, quoted, sql } from "../store/sql.ts";

/** Rows held in memory at a time, and characters after which a part is full. */
const FETCHED_AT_ONCE = 2_000;
const PART_CHARACTERS = 4 * 1024 * 1024;

export async function tablesOf(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    sql`select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by relname`,
  );
  return rows.map(({ name }) => name);
}

/** Parts of a table, each a text of one JSON string a line. */
export async function* dumpTable(db: Db, table: string): AsyncGenerator<{ text: string; rows: number }> {
  await db.query(
    sql`declare dumped no scroll cursor for select dumped_row::text as row from ${quoted(table)} as dumped_row`,
  );
  let lines: string[] = [];
  let characters = 0;
  for (;;) {
    const fetched = await db.query<{ row: string }>(sql`fetch ${FETCHED_AT_ONCE} from dumped`);
    for (const { row } of fetched) {
      const line = JSON.stringify(row);
      lines.push(line);
      characters += line.length;
    }
    const last = fetched.length < FETCHED_AT_ONCE;
    if (lines.length > 0 && (last || characters > PART_CHARACTERS)) {
      yield { text: `${lines.join("\n")}\n`, rows: lines.length };
      [lines, characters] = [[], 0];
    }
    if (last) break;
  }
  await db.query(sql`close dumped`);
}

export async function loadRows(db: Db, table: string, text: string): Promise<number> {
  const rows = text.split("\n").flatMap((line) => (line === "" ? [] : (JSON.parse(line) as string)));
  const columns = joined((await columnsOf(db, table)).map(quoted), ", ");
  await db.query(
    sql`insert into ${quoted(table)} (${columns}) overriding system value
     select ${columns} from unnest($1::${quoted(table)}[])`,
    [rows],
  );
  return rows.length;
}

/** Spelt the same on every server, whatever its settings say. */
export async function fixSpelling(db: Db): Promise<void> {
  for (const setting of [
    sql`datestyle = 'ISO'`,
    sql`intervalstyle = 'postgres'`,
    sql`extra_float_digits = 3`,
    sql`timezone = 'UTC'`,
  ])
    await db.query(sql`set local ${setting}`);
}

/** What our triggers make of a row lies in the backup as well: it would come twice. References are checked all the same. */
export async function withTriggersAside<Result>(db: Db, work: () => Promise<Result>): Promise<Result> {
  const triggers = await db.query<{ name: string; table: string; always: boolean }>(
    sql`select tgname as name, relname as table, tgenabled = 'A' as always
     from pg_trigger join pg_class on pg_class.oid = tgrelid
     where relnamespace = current_schema()::regnamespace and not tgisinternal`,
  );
  for (const { name, table } of triggers)
    await db.query(sql`alter table ${quoted(table)} disable trigger ${quoted(name)}`);
  const result = await work();
  for (const { name, table, always } of triggers)
    await db.query(sql`alter table ${quoted(table)} enable ${always ? sql`always` : sql``} trigger ${quoted(name)}`);
  return result;
}

/** A table after those it points at. */
export async function inOrderOfReference(db: Db): Promise<string[]> {
  const references = await db.query<{ from: string; to: string }>(
    sql`select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
     where contype = 'f' and connamespace = current_schema()::regnamespace and conrelid <> confrelid`,
  );
  const ordered: string[] = [];
  const visit = (table: string): void => {
    if (ordered.includes(table)) return;
    for (const { from, to } of references) if (from === table) visit(to);
    ordered.push(table);
  };
  for (const table of await tablesOf(db)) visit(table);
  return ordered;
}

async function columnsOf(db: Db, table: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    sql`select column_name as name from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}
