// Faxes to be sent as people see them: which wait, what was tried, what came of it; sent at once, or taken back.

import type { Db } from "./db.ts";
import type { FaxPages } from "./fax-inbox.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { joined, place, type Sql, sql } from "./sql.ts";

export const faxOrderStates = ["waiting", "sending", "sent", "failed", "cancelled"] as const;
export type FaxOrderState = (typeof faxOrderStates)[number];

/** One call for an order. Without an end it goes on now. */
export type FaxTry = {
  callUuid: string;
  startStamp: Date;
  endStamp: Date | null;
  /** Pages that it brought over. */
  pages: number;
  /** T.30's own number, or one of ours; null while nothing is known. */
  resultCode: number | null;
  resultText: string;
};

export type OutgoingFax = {
  id: number;
  createdAt: Date;
  from: string;
  to: string;
  pages: number;
  confirmedPages: number;
  state: FaxOrderState;
  /** Null: at once, or never. */
  nextTryAt: Date | null;
  finishedAt: Date | null;
  hasPages: boolean;
  tries: number;
  lastTry: FaxTry | null;
};

export type OutboxFilter = {
  from?: Date | undefined;
  before?: Date | undefined;
  about?: string | undefined;
  states?: readonly FaxOrderState[] | undefined;
  id?: number | undefined;
};

const conditions: { [Name in keyof OutboxFilter]-?: (value: Sql) => Sql } = {
  from: (value) => sql`o.created_at >= ${value}`,
  before: (value) => sql`o.created_at < ${value}`,
  about: (value) =>
    sql`search_form(o.remote_station_id || ' ' || o.local_station_id || ' ' || o.local_station_header)
      like search_pattern(${value})`,
  states: (value) => sql`o.state = any(${value})`,
  id: (value) => sql`o.id = ${value}`,
};

const tryColumns = sql`call_uuid as "callUuid", start_stamp as "startStamp", end_stamp as "endStamp", pages,
  result_code as "resultCode", result_text as "resultText"`;

/** The newest first. */
export async function listOutgoingFaxes(
  db: Db,
  exchangeId: number,
  filter: OutboxFilter,
  page: Page,
): Promise<Paged<OutgoingFax>> {
  const values: unknown[] = [exchangeId];
  const where = [sql`o.exchange_id = $1`];
  for (const [name, condition] of Object.entries(conditions)) {
    const value = filter[name as keyof OutboxFilter];
    if (value === undefined) continue;
    values.push(value);
    where.push(condition(place(values.length)));
  }
  const source = sql`from fax_orders o where ${joined(where, " and ")}`;
  type Row = Omit<OutgoingFax, "lastTry">;
  const rows = await db.query<Row>(
    sql`select o.id, o.created_at as "createdAt", o.local_station_id as "from", o.remote_station_id as "to", o.pages,
       o.confirmed_pages as "confirmedPages", o.state, o.finished_at as "finishedAt",
       case when o.state = 'waiting' and o.next_try_at > 'epoch' then o.next_try_at end as "nextTryAt",
       o.deleted_at is null as "hasPages",
       (select count(*)::int from fax_records r where r.exchange_id = $1 and r.order_id = o.id) as tries
     ${source} order by o.id desc limit ${place(values.length + 1)} offset ${place(values.length + 2)}`,
    [...values, page.limit, offsetOf(page)],
  );
  const lasts = await db.query<FaxTry & { orderId: number }>(
    sql`select distinct on (order_id) order_id as "orderId", ${tryColumns} from fax_records
     where exchange_id = $1 and order_id = any($2::bigint[]) order by order_id, start_stamp desc`,
    [exchangeId, rows.map(({ id }) => id)],
  );
  const lastOf = new Map(lasts.map(({ orderId, ...last }) => [orderId, last]));
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total ${source}`, values);
  return { rows: rows.map((row) => ({ ...row, lastTry: lastOf.get(row.id) ?? null })), total: count!.total }; // a count always has a row
}

const MOST_TRIES = 200;

/** The calls for one order, the newest first. */
export function triesOfFax(db: Db, exchangeId: number, id: number): Promise<FaxTry[]> {
  return db.query<FaxTry>(
    sql`select ${tryColumns} from fax_records where exchange_id = $1 and order_id = $2
     order by start_stamp desc, call_uuid limit $3`,
    [exchangeId, id, MOST_TRIES],
  );
}

/** False unless it waits. */
export async function sendFaxNow(db: Db, exchangeId: number, id: number): Promise<boolean> {
  const moved = await db.query(
    sql`update fax_orders set next_try_at = 'epoch' where exchange_id = $1 and id = $2 and state = 'waiting' returning 1`,
    [exchangeId, id],
  );
  return moved.length > 0;
}

/** Undefined when it is over already; otherwise the call that goes on for it, if one does. */
export async function cancelFax(
  db: Db,
  { exchangeId, id, nowMs }: { exchangeId: number; id: number; nowMs: number },
): Promise<{ callUuid: string | null } | undefined> {
  const [row] = await db.query<{ callUuid: string | null }>(
    sql`with before as (select id, state, call_uuid from fax_orders where exchange_id = $1 and id = $2
         and state in ('waiting', 'sending') for update)
     update fax_orders o set state = 'cancelled', finished_at = $3 from before where o.id = before.id
     returning case when before.state = 'sending' then before.call_uuid end as "callUuid"`,
    [exchangeId, id, new Date(nowMs)],
  );
  return row;
}

export async function outgoingPages(db: Db, exchangeId: number, id: number): Promise<FaxPages | undefined> {
  const [row] = await db.query<FaxPages>(
    sql`select object_key as "objectKey", regexp_replace(object_key, '[.]tif$', '.pdf') as "pdfKey", pages
     from fax_orders where exchange_id = $1 and id = $2 and deleted_at is null`,
    [exchangeId, id],
  );
  return row;
}
