// Brings the schema up to date: plain SQL files in order, once each, under a lock, in one transaction a file.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "./db.ts";
import { despiteDeadlocks } from "./deadlocks.ts";
import { fromOwnFile, sql } from "./sql.ts";

export type Migrated = { applied: string[] } | { refused: "newer-schema"; unknown: string[] };

/** Any number that all nodes share: whoever holds it migrates, the others wait and find nothing left to do. */
export const MIGRATION_LOCK = 7_268_725;

export async function migrate(db: Db, folder: string): Promise<Migrated> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  // Other nodes go on meanwhile, and hold tables in another order.
  return despiteDeadlocks(() => db.transaction((db) => applyMissing(db, files, folder)));
}

async function applyMissing(db: Db, files: readonly string[], folder: string): Promise<Migrated> {
  await db.query(sql`select pg_advisory_xact_lock($1)`, [MIGRATION_LOCK]);
  await db.query(
    sql`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`,
  );
  const done = new Set((await db.query<{ name: string }>(sql`select name from migrations`)).map(({ name }) => name));
  const unknown = [...done].filter((name) => !files.includes(name));
  if (unknown.length > 0) return { refused: "newer-schema", unknown };
  const applied = files.filter((name) => !done.has(name));
  for (const name of applied) {
    await db.query(fromOwnFile(await readFile(join(folder, name), "utf8")));
    await db.query(sql`insert into migrations (name) values ($1)`, [name]);
  }
  return { applied };
}

/** What a look at the database says, changing nothing: files it lacks, and names that no file of ours has. */
export async function missingMigrations(db: Db, folder: string): Promise<{ pending: string[]; unknown: string[] }> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const [table] = await db.query<{ found: string | null }>(sql`select to_regclass('migrations')::text as found`);
  const rows = table?.found ? await db.query<{ name: string }>(sql`select name from migrations`) : [];
  const done = rows.map(({ name }) => name);
  return {
    pending: files.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !files.includes(name)),
  };
}
