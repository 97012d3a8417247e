// Which faxes' pages an exchange no longer wants to keep. A sent fax has one document for all its calls: its order's.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** Of a finished order, or of a call that came in. */
export type KeptFax = { orderId: number | null; callUuid: string | null; objectKeys: string[] };

/** The oldest first; faxes of exchanges that keep theirs for good are never among them. */
export function expiredFaxes(db: Db, nowMs: number, limit: number): Promise<KeptFax[]> {
  return db.query<KeptFax>(
    sql`select "orderId", "callUuid", "objectKeys"
     from exchanges cross join lateral (
       (select id as "orderId", null::uuid as "callUuid", finished_at as at,
          array[object_key, regexp_replace(object_key, '[.]tif$', '.pdf')] as "objectKeys"
        from fax_orders where exchange_id = exchanges.id and finished_at is not null and deleted_at is null
          and finished_at < $1::timestamptz - exchanges.fax_retention_days * interval '1 day'
        order by finished_at limit $2)
       union all
       (select null, call_uuid, end_stamp, array_remove(array[object_key, pdf_key], null)
        from fax_records where exchange_id = exchanges.id and end_stamp is not null and deleted_at is null
          and order_id is null and object_key is not null
          and end_stamp < $1::timestamptz - exchanges.fax_retention_days * interval '1 day'
        order by end_stamp limit $2)) as old
     where fax_retention_days is not null order by old.at limit $2`,
    [new Date(nowMs), limit],
  );
}

/** The records stay, without their documents. */
export async function forgetFaxes(db: Db, gone: readonly KeptFax[], nowMs: number): Promise<void> {
  const orders = gone.flatMap(({ orderId }) => orderId ?? []);
  const calls = gone.flatMap(({ callUuid }) => callUuid ?? []);
  await db.query(
    sql`with orders as (update fax_orders set deleted_at = $3 where id = any ($1::bigint[]))
     update fax_records set deleted_at = $3 where order_id = any ($1::bigint[]) or call_uuid = any ($2::uuid[])`,
    [orders, calls, new Date(nowMs)],
  );
}
