// A fresh, migrated database for a test file: copied from the template, dropped when the file is done.

import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { realClock } from "../../src/clock.ts";
import { type Database, type DatabaseUrls, openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { embeddedUrls } from "../../src/store/embedded-roles.ts";
import { quoted, sql } from "../../src/store/sql.ts";
import { whenOver } from "./when-over.ts";

/** As a server has it: under the role that owns nothing, with the walls around tenants. `owner` may change the schema. */
export async function freshDatabase(): Promise<{
  db: Database;
  urls: DatabaseUrls;
  connection: string;
  owner: Database;
}> {
  const folder = inject("databaseFolder");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const root = openDatabase(connectionTo(folder, "postgres"), realClock, { connections: 1 });
  await root.query(sql`create database ${quoted(name)} template template_exchange owner santral_owner`);
  const urls = embeddedUrls(folder, name);
  const db = openDatabase(urls, realClock, { connections: 5 });
  const owner = openDatabase(urls.owner, realClock, { connections: 1 });
  whenOver(async () => {
    await Promise.all([db.close(), owner.close()]);
    await root.query(sql`drop database ${quoted(name)} with (force)`);
    await root.close();
  });
  return { db, urls, connection: urls.server, owner };
}
