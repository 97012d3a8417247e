// Messages that came in, whole or in parts.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type Inbound = {
  id: number;
  createdAt: Date;
  receivedAt: Date;
  network: string;
  sourceAddr: string;
  destinationAddr: string;
  keyword: string;
  content: string;
};

const columns = sql`id, created_at as "createdAt", received_at as "receivedAt", network, source_addr as "sourceAddr",
  destination_addr as "destinationAddr", keyword, content`;

export type NewInbound = Omit<Inbound, "id" | "createdAt"> & {
  exchangeId: number;
  onceKey: string | undefined;
  now: Date;
};

/** Nothing when the same delivery is here already. Every account of the exchange that wants pushes is owed one. */
export async function writeInbound(db: Db, inbound: NewInbound): Promise<number | undefined> {
  const {
    exchangeId,
    now,
    receivedAt,
    network,
    sourceAddr,
    destinationAddr,
    keyword,
    content,
    onceKey = null,
  } = inbound;
  const [row] = await db.query<{ id: number }>(
    sql`with came as (
       insert into sms_inbound
         (exchange_id, created_at, received_at, network, source_addr, destination_addr, keyword, content, once_key)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (exchange_id, once_key) do nothing returning id),
     owed as (
       insert into sms_owed_pushes (account_id, inbound_id)
       select a.id, came.id from came, sms_accounts a where a.exchange_id = $1 and a.push_url is not null)
     select id from came`,
    [exchangeId, now, receivedAt, network, sourceAddr, destinationAddr, keyword, content, onceKey],
  );
  return row?.id;
}

export type InboundPage = { from: Date | undefined; to: Date | undefined; greaterThan: number; limit: number };

export function listInbound(
  db: Db,
  exchangeId: number,
  { from, to, greaterThan, limit }: InboundPage,
): Promise<Inbound[]> {
  return db.query<Inbound>(
    sql`select ${columns} from sms_inbound where exchange_id = $1 and id > $2
       and ($3::timestamptz is null or created_at >= $3) and ($4::timestamptz is null or created_at <= $4)
     order by id limit $5`,
    [exchangeId, greaterThan, from ?? null, to ?? null, limit],
  );
}

export function inboundOf(db: Db, exchangeId: number, ids: readonly number[]): Promise<Inbound[]> {
  return db.query<Inbound>(
    sql`select ${columns} from sms_inbound where exchange_id = $1 and id = any($2) order by id`,
    [exchangeId, ids],
  );
}

export type InboundPart = {
  carrierId: number;
  sourceAddr: string;
  destinationAddr: string;
  reference: number;
  part: number;
  parts: number;
  content: string;
  now: Date;
};

/** Keeps a part; with the last one the whole text comes out, and the parts are gone. */
export async function keepInboundPart(db: Db, part: InboundPart): Promise<string | undefined> {
  const { carrierId, sourceAddr, destinationAddr, reference, parts, now } = part;
  const of = [carrierId, sourceAddr, destinationAddr, reference];
  // Parts come together: without waiting for each other none would see the last one.
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [of.join(" ")]);
  await db.query(
    sql`insert into sms_inbound_parts
       (carrier_id, source_addr, destination_addr, reference, part, parts, content, received_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (carrier_id, source_addr, destination_addr, reference, part) do update
       set content = excluded.content, parts = excluded.parts, received_at = excluded.received_at`,
    [...of, part.part, parts, part.content, now],
  );
  const rows = await db.query<{ part: number; content: string }>(
    sql`select part, content from sms_inbound_parts
     where carrier_id = $1 and source_addr = $2 and destination_addr = $3 and reference = $4 and parts = $5 order by part`,
    [...of, parts],
  );
  if (rows.length < parts) return undefined;
  await db.query(
    sql`delete from sms_inbound_parts
     where carrier_id = $1 and source_addr = $2 and destination_addr = $3 and reference = $4`,
    of,
  );
  return rows.map(({ content }) => content).join("");
}

/** Parts whose siblings never came: what is there is all there will be. */
export async function forgetInboundParts(db: Db, olderThan: Date): Promise<void> {
  await db.query(sql`delete from sms_inbound_parts where received_at < $1`, [olderThan]);
}
