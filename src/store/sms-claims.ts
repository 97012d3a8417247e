// Claims: what a carrier is about to hear of, committed before it hears of any. A message that stands in a claim is nobody else's.

import type { Db } from "./db.ts";
import { type Claimed, cutOffMessages, type WhenUncertain } from "./sms-messages.ts";
import { sql } from "./sql.ts";

export type TitleQueue = { titleId: number; messagesPerSecond: number | null };

/** The titles that have something for this carrier: each has its own speed, and none stands in another's way. */
export function titlesWaiting(db: Db, carrierId: number): Promise<TitleQueue[]> {
  return db.query<TitleQueue>(
    sql`select t.id as "titleId", t.messages_per_second as "messagesPerSecond"
     from sms_titles t join sms_carriers c on c.exchange_id = t.exchange_id and c.id = $1
     where exists (select from sms_messages m
       where m.carrier_id = $1 and m.title_id = t.id and m.queue_place is not null)
     order by t.id`,
    [carrierId],
  );
}

/** Who serves a carrier now. A process that was taken for dead and lives on claims nothing more. */
export type Shift = { carrierId: number; number: number };

export type Claim = { id: number; messages: Claimed[] };

export async function claimMessages(
  db: Db,
  shift: Shift,
  { titleId, most }: { titleId: number; most: number },
): Promise<Claim | undefined> {
  const rows = await db.query<Claimed & { claimId: number }>(
    sql`with duty as (select from sms_carriers where id = $1 and shift = $2 for share),
     picked as (
       select id, dest, text, coding, expires_at from sms_messages
       where carrier_id = $1 and title_id = $3 and queue_place is not null and exists (select from duty)
         and id not in (select unnest(message_ids) from sms_claims where carrier_id = $1)
       order by queue_place limit $4),
     claim as (
       insert into sms_claims (carrier_id, message_ids) select $1, array_agg(id) from picked having count(*) > 0
       returning id)
     select claim.id as "claimId", p.id, t.name as title, p.dest, p.text, p.coding, p.expires_at as "expiresAt"
     from claim, picked p, sms_titles t where t.id = $3 order by p.id`,
    [shift.carrierId, shift.number, titleId, most],
  );
  return rows[0] && { id: rows[0].claimId, messages: rows };
}

/** Takes a carrier over. What a crash left in a claim may or may not have been told: its fate is unknown now. */
export function takeOver(
  db: Db,
  carrierId: number,
  policy: WhenUncertain,
): Promise<{ shift: Shift; doubtful: number }> {
  return db.transaction(async (db) => {
    const [row] = await db.query<{ number: number }>(
      sql`update sms_carriers set shift = shift + 1 where id = $1 returning shift as number`,
      [carrierId],
    );
    const claimed = await db.query<{ id: number }>(
      sql`select distinct claimed.id from sms_claims, unnest(message_ids) as claimed (id) where carrier_id = $1`,
      [carrierId],
    );
    const ids = claimed.map(({ id }) => id);
    const doubtful = ids.length > 0 ? await cutOffMessages(db, carrierId, ids, policy) : 0;
    await db.query(sql`delete from sms_claims where carrier_id = $1`, [carrierId]);
    return { shift: { carrierId, number: row!.number }, doubtful }; // a carrier is switched off, never deleted
  });
}

/** A claim whose news never reached us was told to nobody; the new shift waits for one that is still being written. */
export function dropUnheardClaims(db: Db, shift: Shift, heard: readonly number[]): Promise<Shift> {
  return db.transaction(async (db) => {
    const [row] = await db.query<{ number: number }>(
      sql`update sms_carriers set shift = shift + 1 where id = $1 and shift = $2 returning shift as number`,
      [shift.carrierId, shift.number],
    );
    if (!row) return shift;
    await db.query(sql`delete from sms_claims where carrier_id = $1 and id <> all($2::bigint[])`, [
      shift.carrierId,
      heard,
    ]);
    return { ...shift, number: row.number };
  });
}

/** All of these claims' messages have their answers. */
export async function endClaims(db: Db, carrierId: number, claimIds: readonly number[]): Promise<void> {
  await db.query(sql`delete from sms_claims where carrier_id = $1 and id = any($2)`, [carrierId, claimIds]);
}

/** All of whose messages have left. */
export async function endEmptyClaims(db: Db, carrierId: number): Promise<void> {
  await db.query(sql`delete from sms_claims where carrier_id = $1 and message_ids = '{}'`, [carrierId]);
}

/** These wait again, or are in doubt already, while others of their claims have no answer yet. */
export async function leaveClaims(db: Db, carrierId: number, ids: readonly number[]): Promise<void> {
  await db.query(
    sql`update sms_claims set message_ids = array(select unnest(message_ids) except select unnest($2::bigint[]))
     where carrier_id = $1 and message_ids && $2::bigint[]`,
    [carrierId, ids],
  );
}
