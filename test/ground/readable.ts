// Looks for a text in every row of a database, as somebody would who has stolen a dump of it.

import { tablesOf } from "../../src/backup/rows.ts";
import type { Db } from "../../src/store/db.ts";
import { quoted, sql } from "../../src/store/sql.ts";

/** The tables that hold it in some column. */
export async function tablesWith(db: Db, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tablesOf(db)) {
    const statement = sql`select 1 from ${quoted(table)} as searched where strpos(searched::text, $1) > 0 limit 1`;
    if ((await db.query(statement, [text])).length > 0) found.push(table);
  }
  return found;
}
