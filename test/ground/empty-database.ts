// An empty database on the server that the tests share: no program started that one, and none can stop it.

import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { realClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { quoted, sql } from "../../src/store/sql.ts";
import { whenOver } from "./when-over.ts";

/** Its address, by the superuser. */
export async function emptyDatabase(): Promise<string> {
  const folder = inject("databaseFolder");
  const name = `own_${randomUUID().replaceAll("-", "")}`;
  const root = openDatabase(connectionTo(folder, "postgres"), realClock, { connections: 1 });
  await root.query(sql`create database ${quoted(name)}`);
  whenOver(async () => {
    await root.query(sql`drop database ${quoted(name)} with (force)`);
    await root.close();
  });
  return connectionTo(folder, name);
}
