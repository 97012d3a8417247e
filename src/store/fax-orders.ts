// Faxes to be sent: waiting, being sent, and what came of them.

import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { sql } from "./sql.ts";

export type FaxOrder = {
  id: number;
  exchangeId: number;
  localStationId: string;
  localStationHeader: string;
  remoteStationId: string;
  objectKey: string;
  pages: number;
  confirmedPages: number;
  failures: number;
  createdAt: Date;
};

export type NewFaxOrder = Omit<FaxOrder, "id" | "confirmedPages" | "failures">;

export type ListedFaxOrder = Pick<FaxOrder, "id" | "createdAt" | "localStationId" | "remoteStationId">;

const columns = sql`id, exchange_id as "exchangeId", local_station_id as "localStationId",
  local_station_header as "localStationHeader", remote_station_id as "remoteStationId", object_key as "objectKey",
  pages, confirmed_pages as "confirmedPages", failures, created_at as "createdAt"`;

export async function createFaxOrder(db: Db, order: NewFaxOrder): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    sql`insert into fax_orders (exchange_id, created_at, local_station_id, local_station_header, remote_station_id,
       object_key, pages, next_try_at) values ($1, $2, $3, $4, $5, $6, $7, 'epoch') returning id`,
    [
      ...[order.exchangeId, order.createdAt, order.localStationId, order.localStationHeader, order.remoteStationId],
      ...[order.objectKey, order.pages],
    ],
  );
  return row!.id; // an insert returns its row
}

/** Unfinished ones, the newest first. */
export async function listFaxOrders(db: Db, exchangeId: number, page: Page): Promise<Paged<ListedFaxOrder>> {
  const source = sql`from fax_orders where exchange_id = $1 and state in ('waiting', 'sending')`;
  const rows = await db.query<ListedFaxOrder>(
    sql`select id, created_at as "createdAt", local_station_id as "localStationId", remote_station_id as "remoteStationId"
     ${source} order by id desc limit $2 offset $3`,
    [exchangeId, page.limit, offsetOf(page)],
  );
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total ${source}`, [exchangeId]);
  return { rows, total: count!.total }; // a count always has a row
}

/** Of each exchange only the first few, so that one that sends much does not hide the others. */
export async function dueFaxOrders(db: Db, nowMs: number, { ofEach = 50 } = {}): Promise<FaxOrder[]> {
  return db.query<FaxOrder>(
    sql`select ${columns} from (
       select *, row_number() over (partition by exchange_id order by next_try_at, id) as turn
       from fax_orders where state = 'waiting' and next_try_at <= $1) as due
     where turn <= $2 order by next_try_at, id limit 1000`,
    [new Date(nowMs), ofEach],
  );
}

/** When the next one is due after this moment; undefined when none waits. */
export async function nextFaxOrderAt(db: Db, nowMs: number): Promise<number | undefined> {
  const [row] = await db.query<{ at: Date | null }>(
    sql`select min(next_try_at) as at from fax_orders where state = 'waiting' and next_try_at > $1`,
    [new Date(nowMs)],
  );
  return row?.at?.getTime();
}

/** Before the call is made; false when somebody else has it. */
export async function beginFaxOrder(db: Db, { id, callUuid }: { id: number; callUuid: string }): Promise<boolean> {
  const begun = await db.query(
    sql`update fax_orders set state = 'sending', call_uuid = $2 where id = $1 and state = 'waiting' returning id`,
    [id, callUuid],
  );
  return begun.length > 0;
}

/** The receiver has these pages; it never has fewer than it had. */
export async function confirmFaxPages(db: Db, { id, pages }: { id: number; pages: number }): Promise<void> {
  await db.query(
    sql`update fax_orders set confirmed_pages = greatest(confirmed_pages, least(pages, $2)) where id = $1`,
    [id, pages],
  );
}

export type FaxOrderOutcome =
  | { is: "sent" }
  | { is: "failed"; result: string }
  | { is: "again"; atMs: number; failures: number; result: string };

/** What somebody took back meanwhile stays so, unless it was all over there by then. */
export async function settleFaxOrder(
  db: Db,
  { id, nowMs, outcome }: { id: number; nowMs: number; outcome: FaxOrderOutcome },
): Promise<void> {
  if (outcome.is === "again") {
    await db.query(
      sql`update fax_orders set state = 'waiting', next_try_at = $2, failures = $3, last_result = $4
       where id = $1 and state <> 'cancelled'`,
      [id, new Date(outcome.atMs), outcome.failures, outcome.result],
    );
    return;
  }
  const result = outcome.is === "failed" ? outcome.result : "";
  await db.query(
    sql`update fax_orders set state = $2, finished_at = $3, last_result = $4
     where id = $1 and (state <> 'cancelled' or $2 = 'sent')`,
    [id, outcome.is, new Date(nowMs), result],
  );
}

/** Orders whose call a crash cut off. */
export async function interruptedFaxOrders(db: Db): Promise<FaxOrder[]> {
  return db.query<FaxOrder>(sql`select ${columns} from fax_orders where state = 'sending' order by id`);
}
