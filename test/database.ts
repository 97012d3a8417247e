// A fresh, migrated database for a test file: copied from the template, dropped when the file is done.

import { randomUUID } from "node:crypto";
import { afterAll, inject } from "vitest";
import { realClock } from "../src/clock.ts";
import { type Database, openDatabase } from "../src/store/db.ts";
import { connectionTo } from "../src/store/embedded.ts";
import { quoted, sql } from "../src/store/sql.ts";

export async function freshDatabase(): Promise<{ db: Database; connection: string }> {
  const folder = inject("databaseFolder");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const root = openDatabase(connectionTo(folder, "postgres"), realClock, { connections: 1 });
  await root.query(sql`create database ${quoted(name)} template template_exchange`);
  const connection = connectionTo(folder, name);
  const db = openDatabase(connection, realClock, { connections: 5 });
  afterAll(async () => {
    await db.close();
    await root.query(sql`drop database ${quoted(name)} with (force)`);
    await root.close();
  });
  return { db, connection };
}
