// What follows when messages have come to their end: reserved credits are spent or returned, and a report is owed.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type Finished = {
  id: number;
  exchangeId: number;
  accountId: number;
  campaignId: number;
  credits: number;
  /** A message that never reached a carrier costs nothing. */
  charged: boolean;
};

/** In the transaction that ended them; accounts in the order of their ids, so that two settlements never wait for each other. */
export async function settle(db: Db, finished: readonly Finished[], now: Date): Promise<void> {
  if (finished.length === 0) return;
  await db.query(
    sql`with ended as (select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[], $6::boolean[])
       as e (id, exchange_id, account_id, campaign_id, credits, charged)),
     owed as (
       insert into sms_owed_pushes (account_id, message_id)
       select e.account_id, e.id from ended e join sms_accounts a on a.id = e.account_id where a.push_url is not null),
     uncharged as (
       update sms_messages m set credits = 0, sent_on = null from ended e where m.id = e.id and not e.charged),
     returned as (
       insert into sms_credit_moves (exchange_id, account_id, at, credits, why, campaign_id)
       select exchange_id, account_id, $7, sum(credits), 'returned', campaign_id from ended
       where not charged and credits > 0 group by exchange_id, account_id, campaign_id),
     sums as (
       select account_id, sum(credits) as reserved, coalesce(sum(credits) filter (where not charged), 0) as back
       from ended group by account_id)
     update sms_accounts a set reserved = a.reserved - s.reserved, credits = a.credits + s.back
     from (select s.* from sums s join sms_accounts l on l.id = s.account_id order by l.id for update of l) s
     where a.id = s.account_id`,
    [
      finished.map(({ id }) => id),
      finished.map(({ exchangeId }) => exchangeId),
      finished.map(({ accountId }) => accountId),
      finished.map(({ campaignId }) => campaignId),
      finished.map(({ credits }) => credits),
      finished.map(({ charged }) => charged),
      now,
    ],
  );
}
