// What became of each call event: the last answer of its receiver. Rows older than a week go when new ones come.

import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { sql } from "./sql.ts";

export type EventDelivery = {
  delivery: string;
  event: string;
  callUuid: string;
  body: string;
  url: string;
  attempts: number;
  delivered: boolean;
  answer: string;
  firstAt: Date;
  lastAt: Date;
};

export type NotedDelivery = Omit<EventDelivery, "firstAt" | "lastAt"> & { exchangeId: number; atMs: number };

const KEPT_MS = 7 * 86_400_000;

export async function noteDelivery(db: Db, noted: NotedDelivery): Promise<void> {
  const { delivery, exchangeId, event, callUuid, body, url, attempts, delivered, answer, atMs } = noted;
  await db.query(
    sql`with old as (delete from event_deliveries where delivery in
       (select delivery from event_deliveries where last_at < $10 order by last_at limit 10))
     insert into event_deliveries (delivery, exchange_id, event, call_uuid, body, url, attempts, delivered, answer,
       first_at, last_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $11, $11)
     on conflict (delivery) do update set url = $6, attempts = $7, delivered = $8, answer = $9, last_at = $11
       where event_deliveries.exchange_id = $2`,
    [
      ...[delivery, exchangeId, event, callUuid, body, url, attempts, delivered, answer.slice(0, 500)],
      ...[new Date(atMs - KEPT_MS), new Date(atMs)],
    ],
  );
}

const columns = sql`delivery, event, call_uuid as "callUuid", body, url, attempts, delivered, answer,
  first_at as "firstAt", last_at as "lastAt"`;

export async function listDeliveries(
  db: Db,
  exchangeId: number,
  { delivered, ...page }: Page & { delivered: boolean | undefined },
): Promise<Paged<EventDelivery>> {
  const source = sql`from event_deliveries where exchange_id = $1 and ($2::boolean is null or delivered = $2)`;
  const rows = await db.query<EventDelivery>(
    sql`select ${columns} ${source} order by last_at desc, delivery limit $3 offset $4`,
    [exchangeId, delivered ?? null, page.limit, offsetOf(page)],
  );
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total ${source}`, [
    exchangeId,
    delivered ?? null,
  ]);
  return { rows, total: count!.total }; // a count always has a row
}

export async function findDelivery(db: Db, exchangeId: number, delivery: string): Promise<EventDelivery | undefined> {
  const [row] = await db.query<EventDelivery>(
    sql`select ${columns} from event_deliveries where exchange_id = $1 and delivery = $2`,
    [exchangeId, delivery],
  );
  return row;
}
