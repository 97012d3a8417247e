// Numbers that want no messages from an exchange, and how each came to be here.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type BlacklistSource = "api" | "ret_web" | "oim" | "sms" | "manual";
export type Blacklisted = { phone: string; source: string; createdAt: Date };

export async function addToBlacklist(
  db: Db,
  {
    exchangeId,
    phones,
    source,
    now,
  }: { exchangeId: number; phones: readonly string[]; source: BlacklistSource; now: Date },
): Promise<void> {
  await db.query(
    sql`insert into sms_blacklist (exchange_id, phone, source, created_at)
     select $1, phone, $3, $4 from unnest($2::text[]) as phone on conflict (exchange_id, phone) do nothing`,
    [exchangeId, phones, source, now],
  );
}

/** All of them or none: a list with a number that is not there changes nothing. */
export async function removeFromBlacklist(db: Db, exchangeId: number, phones: readonly string[]): Promise<boolean> {
  const wanted = [...new Set(phones)];
  const removed = await db.query(
    sql`delete from sms_blacklist where exchange_id = $1 and phone = any($2)
       and (select count(*) from sms_blacklist where exchange_id = $1 and phone = any($2)) = cardinality($2::text[])
     returning phone`,
    [exchangeId, wanted],
  );
  return removed.length === wanted.length;
}

export type Page = { offset: number; limit: number };

export async function listBlacklist(
  db: Db,
  exchangeId: number,
  { offset, limit }: Page,
): Promise<{ total: number; records: Blacklisted[] }> {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*) as total from sms_blacklist where exchange_id = $1`,
    [exchangeId],
  );
  const records = await db.query<Blacklisted>(
    sql`select phone, source, created_at as "createdAt" from sms_blacklist where exchange_id = $1
     order by created_at desc, phone offset $2 limit $3`,
    [exchangeId, offset, limit],
  );
  return { total: count!.total, records }; // an aggregate always has its row
}
