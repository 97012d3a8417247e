// The files that rows speak of, as far as they should lie here.

import type { Db } from "../store/db.ts";
import { sql } from "../store/sql.ts";

const FETCHED_AT_ONCE = sql`2000`;

const NAMED = sql`
  select object_key as key from recordings where deleted_at is null and local_gone_at is null
  union all select object_key from announcements
  union all select object_key from voicemail_messages where deleted_at is null
  union all select greeting_object_key from mailboxes where greeting_object_key is not null
  union all select object_key from fax_orders where deleted_at is null
  union all select unnest(array_remove(array[object_key, pdf_key], null)) from fax_records
    where deleted_at is null and end_stamp is not null
  union all select object_key from imports where object_key is not null`;

/** Inside a transaction: by its snapshot. */
export async function* namedFiles(db: Db): AsyncGenerator<string> {
  await db.query(sql`declare named no scroll cursor for ${NAMED}`);
  for (;;) {
    const rows = await db.query<{ key: string }>(sql`fetch ${FETCHED_AT_ONCE} from named`);
    for (const { key } of rows) yield key;
    if (rows.length === 0) break;
  }
  await db.query(sql`close named`);
}
