// Reports and inbound messages that are owed to customers' URLs, gathered into arrays for the outbox.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type OwedTo = { accountId: number; exchangeId: number; pushUrl: string | null; timeZone: string };

export function accountsOwed(db: Db): Promise<OwedTo[]> {
  return db.query<OwedTo>(
    sql`select a.id as "accountId", a.exchange_id as "exchangeId", a.push_url as "pushUrl", e.time_zone as "timeZone"
     from sms_accounts a join exchanges e on e.id = a.exchange_id
     where exists (select from sms_owed_pushes o where o.account_id = a.id) order by a.id`,
  );
}

export type Owed = { messageId: number | null; inboundId: number | null };

/** Takes the oldest debts off the list; the caller puts their array into the outbox in the same transaction. */
export async function takeOwedPushes(db: Db, accountId: number, most: number): Promise<Owed[]> {
  return db.query<Owed>(
    sql`with next as (
       select id from sms_owed_pushes where account_id = $1 order by id limit $2 for update skip locked)
     delete from sms_owed_pushes o using next where o.id = next.id
     returning o.message_id as "messageId", o.inbound_id as "inboundId"`,
    [accountId, most],
  );
}
