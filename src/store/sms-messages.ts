// Messages on their way: answered by their carrier, cut off or run out of time. Moves as in sms-state.ts.

import type { Db } from "./db.ts";
import { type Finished, settle } from "./sms-settlement.ts";
import { before, type FinalState } from "./sms-state.ts";
import { sql } from "./sql.ts";

export type Claimed = {
  id: number;
  title: string;
  dest: string;
  text: string;
  coding: 0 | 1 | 2;
  expiresAt: Date;
};

/** What the carrier took and has not reported on, in order. */
export function acceptedMessages(db: Db, carrierId: number, afterId: number, most: number): Promise<Claimed[]> {
  return db.query<Claimed>(
    sql`select m.id, t.name as title, m.dest, m.text, m.coding, m.expires_at as "expiresAt"
     from sms_messages m join sms_titles t on t.id = m.title_id
     where m.carrier_id = $1 and m.state = 'accepted' and m.id > $2 order by m.id limit $3`,
    [carrierId, afterId, most],
  );
}

const FINISHED = sql`m.id, m.account_id as "accountId", m.campaign_id as "campaignId", m.exchange_id as "exchangeId", m.credits`;

export type Accepted = { id: number; references: readonly string[] };

/** The carrier has these. Without receipts to come that is the end of it: handed over. */
export async function acceptMessages(
  db: Db,
  { carrierId, receipts, now }: { carrierId: number; receipts: boolean; now: Date },
  accepted: readonly Accepted[],
): Promise<void> {
  // Who reports on nothing needs no parts to report on.
  const parts = (receipts ? accepted : []).flatMap(({ id, references }) =>
    references.map((reference, place) => ({ id, reference, place })),
  );
  const moved = await db.query<Finished>(
    sql`with told as (select * from unnest($1::bigint[], $2::int[]) as told (id, parts)),
     moved as (
       update sms_messages m set state = case when $3 then 'accepted' else 'SENT' end, submits = submits + 1,
         parts_open = told.parts, sent_at = $4, done_at = case when not $3 then $4::timestamptz end
       from told where m.id = told.id and m.id = any($1) and m.${before("accept")}
       returning ${FINISHED}, true as charged),
     noted as (
       insert into sms_parts (message_id, carrier_id, part, carrier_reference)
       select p.id, $5, p.part, p.reference from unnest($6::bigint[], $7::int[], $8::text[]) as p (id, part, reference)
       on conflict (message_id, part) do update
         set carrier_id = excluded.carrier_id, carrier_reference = excluded.carrier_reference, state = null)
     select * from moved`,
    [
      accepted.map(({ id }) => id),
      accepted.map(({ references }) => references.length),
      receipts,
      now,
      carrierId,
      parts.map(({ id }) => id),
      parts.map(({ place }) => place + 1),
      parts.map(({ reference }) => reference),
    ],
  );
  if (!receipts) await settle(db, moved, now);
}

export type Failed = { id: number; state: FinalState; gsmError: number };

/** The carrier refused these outright, so it never had them. */
export async function failMessages(db: Db, failed: readonly Failed[], now: Date): Promise<void> {
  const moved = await db.query<Finished>(
    sql`update sms_messages m set state = f.state, gsm_error = f.gsm_error, submits = submits + 1, done_at = $4
     from unnest($1::bigint[], $2::text[], $3::int[]) as f (id, state, gsm_error)
     where m.id = f.id and m.id = any($1) and m.${before("fail")}
     returning ${FINISHED}, false as charged`,
    [failed.map(({ id }) => id), failed.map(({ state }) => state), failed.map(({ gsmError }) => gsmError), now],
  );
  await settle(db, moved, now);
}

export type WhenUncertain = "resend" | "keep";

/** How often a message whose answers are cut off is sent again before we leave it to its receipt. */
const MOST_UNANSWERED = 5;

/**
 * The carrier may or may not have these: its answer was cut off. The record keeps count; then, by the carrier's policy, they
 * are sent again (none is lost, a doubled one is known to be) or left until a receipt or their time decides. They still stand
 * in their claims, so that one that is cut off is counted once, however often that is written.
 */
export async function cutOffMessages(
  db: Db,
  carrierId: number,
  ids: readonly number[],
  policy: WhenUncertain,
): Promise<number> {
  const moved = await db.query(
    sql`update sms_messages set submits = submits + 1, unanswered = unanswered + 1,
       state = case when $2 = 'resend' and unanswered + 1 < ${MOST_UNANSWERED} then 'queued' else 'uncertain' end
     where id = any($1) and ${before("cut-off")}
       and id in (select unnest(message_ids) from sms_claims where carrier_id = $3)
     returning id`,
    [ids, policy, carrierId],
  );
  return moved.length;
}

const EXPIRE_AT_ONCE = 2_000;

export type Expiry = { now: Date; graceMinutes: number; noReport: number };

/**
 * Validity has run out. What still waits for its carrier was never sent; for what the carrier has, the receipt is given some
 * time more, because it is usually the carrier that says so. What is in a carrier's hands just now is left alone: it was claimed
 * before its time was over, and that was committed before this looks. Returns whether there may be more to do.
 */
export async function expireMessages(db: Db, { now, graceMinutes, noReport }: Expiry): Promise<boolean> {
  const campaigns = await db.query<{ id: number; over: boolean }>(
    sql`select id, expires_at < $1::timestamptz - make_interval(mins => $2) as over from sms_campaigns
     where expires_at < $1 order by expires_at limit 1000`,
    [now, graceMinutes],
  );
  let more = false;
  for (const { id, over } of campaigns) more = (await expireCampaign(db, { id, over, now, noReport })) || more;
  return more;
}

type Expiring = { id: number; over: boolean; now: Date; noReport: number };

async function expireCampaign(db: Db, { id, over, now, noReport }: Expiring): Promise<boolean> {
  return db.transaction(async (db) => {
    const moved = await db.query<Finished>(
      sql`with past as (
         select id, state as was from sms_messages
         where campaign_id = $1 and ${before("expire")} and (state = 'queued' or $2)
           and (state <> 'queued' or id not in (select unnest(message_ids) from sms_claims)) limit ${EXPIRE_AT_ONCE}
         for update skip locked)
       update sms_messages m set state = 'EXPIRED', done_at = $3,
         gsm_error = case when past.was = 'queued' then null else $4::int end
       from past where m.id = past.id
       returning ${FINISHED}, past.was = 'accepted' as charged`,
      [id, over, now, noReport],
    );
    await settle(db, moved, now);
    // A message that is being told just now keeps its campaign open.
    if (over && moved.length === 0)
      await db.query(
        sql`update sms_campaigns set expires_at = null where id = $1
           and not exists (select from sms_messages where campaign_id = $1 and done_at is null)`,
        [id],
      );
    return moved.length === EXPIRE_AT_ONCE;
  });
}
