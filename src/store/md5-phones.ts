// From where phones of an extension got in by MD5, kept so that a restart shuts none of them out.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** `place`: the phone by its own name, or its address; nothing for one that was known before places were. */
export type Md5Phone = { exchangeId: number; extensionId: number; place: string; userAgent: string };

/** Those seen longest ago first. One without a place counts for a month, in which it has come and has one. */
export function readMd5Phones(db: Db): Promise<Md5Phone[]> {
  return db.query<Md5Phone>(
    sql`select exchange_id as "exchangeId", extension_id as "extensionId", place, user_agent as "userAgent"
     from md5_phones where place <> '' or seen_at > now() - interval '30 days' order by seen_at`,
  );
}

/** All of a moment's in one statement. None may be there twice. */
export async function saveMd5Phones(db: Db, saved: readonly Md5Phone[]): Promise<void> {
  if (saved.length === 0) return;
  await db.query(
    sql`insert into md5_phones (exchange_id, extension_id, place, user_agent)
     select e.exchange_id, e.id, saved.place, saved."userAgent"
     from json_to_recordset($1::json) as saved ("exchangeId" bigint, "extensionId" bigint, place text, "userAgent" text)
       join extensions e on e.exchange_id = saved."exchangeId" and e.id = saved."extensionId"
     on conflict (extension_id, place, user_agent) do update set seen_at = now()
       where md5_phones.exchange_id = excluded.exchange_id`,
    [JSON.stringify(saved)],
  );
}

export async function forgetMd5Phones(db: Db, forgotten: readonly Md5Phone[]): Promise<void> {
  if (forgotten.length === 0) return;
  await db.query(
    sql`delete from md5_phones p
     using json_to_recordset($1::json) as gone ("exchangeId" bigint, "extensionId" bigint, place text, "userAgent" text)
     where p.exchange_id = gone."exchangeId" and p.extension_id = gone."extensionId" and p.place = gone.place
       and p.user_agent = gone."userAgent"`,
    [JSON.stringify(forgotten)],
  );
}
