// Campaigns: what one request sends. Its messages are written in batches, refused at once where they may not go out.

import type { Db } from "./db.ts";
import { type Finished, settle } from "./sms-settlement.ts";
import { sql } from "./sql.ts";

export type NewCampaign = {
  exchangeId: number;
  accountId: number;
  titleId: number;
  customId: string | undefined;
  sendAt: Date;
  later: boolean;
  validMinutes: number;
  commercial: boolean;
  now: Date;
};

export async function createCampaign(db: Db, campaign: NewCampaign): Promise<number> {
  const { exchangeId, accountId, titleId, customId = null, sendAt, later, validMinutes, commercial, now } = campaign;
  const [row] = await db.query<{ id: number }>(
    sql`insert into sms_campaigns
       (exchange_id, account_id, title_id, custom_id, state, send_at, valid_minutes, commercial, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6::timestamptz, $7::int, $8, $9, $6::timestamptz + make_interval(mins => $7::int)) returning id`,
    [exchangeId, accountId, titleId, customId, later ? "scheduled" : "started", sendAt, validMinutes, commercial, now],
  );
  return row!.id; // an insert without a condition returns its row
}

/** Columns, not rows: they go to the database as arrays. */
export type MessageBatch = {
  customIds: (string | null)[];
  dests: string[];
  texts: string[];
  codings: number[];
  sizes: number[];
  /** 0 where no tariff is known. */
  multipliers: number[];
  commercialTypes: (string | null)[];
  lackingOptOut: boolean[];
};

export type Into = {
  campaignId: number;
  exchangeId: number;
  later: boolean;
  sentOn: string;
  now: Date;
  expiresAt: Date;
};

/** What was written, and the credits that the messages which may go out will cost. */
export async function writeMessages(
  db: Db,
  into: Into,
  batch: MessageBatch,
): Promise<{ queued: number; credits: number }> {
  const { campaignId, exchangeId, later, sentOn, expiresAt, now } = into;
  const { customIds, dests, texts, codings, sizes, multipliers, commercialTypes, lackingOptOut } = batch;
  const [row] = await db.query<{ queued: number; credits: number }>(WRITE_MESSAGES, [
    ...[campaignId, exchangeId, later, sentOn, expiresAt, now],
    ...[customIds, dests, texts, codings, sizes, multipliers, commercialTypes, lackingOptOut],
  ]);
  return row!; // an aggregate always has its row
}

// Why a message may not go out, asked in this order. It stands over `m` (the message), `a` (its account), `t` (its title)
// and `c` (the carrier that serves its number).
const DECIDED = sql`case
    when m.dest not like '00%' and m.dest not like '905%' then 'INVALID_DESTINATION_ADDRESS'
    when m.dest like '00%' and not a.international then 'INTERNATIONAL_DENIED'
    when m.multiplier = 0 then 'MISSING_TARIFF'
    when exists (select from sms_blacklist b where b.exchange_id = a.exchange_id and b.phone = m.dest)
      then 'BLACKLISTED_DESTINATION_ADDRESS'
    when m.commercial_type is not null and not exists (
      select from consents k where k.exchange_id = a.exchange_id and k.brand_code = t.iys_brand_code and k.type = 'MESAJ'
        and k.recipient_type = m.commercial_type and k.recipient = m.dest and k.status = 'ONAY')
      then 'NOT_ALLOWED_BY_IYS'
    when c.id is null then 'ROUTE_NOT_AVAILABLE'
    else 'queued' end`;

// The sandbox is for an exchange that has no other carrier: real traffic never falls back on it.
const SERVING_CARRIER = sql`left join lateral (
    select c.id from sms_carriers c
    where c.exchange_id = a.exchange_id and c.active
      and (c.kind <> 'sandbox' or not exists (
        select from sms_carriers r where r.exchange_id = a.exchange_id and r.active and r.kind <> 'sandbox'))
      and (c.prefixes = '{}' or exists (
        select from unnest(c.prefixes) as served (prefix) where regexp_replace(m.dest, '^00', '') like served.prefix || '%'))
    order by c.priority, c.id limit 1) c on true`;

// A second message of the same text to the same number on the same day meets the unique index and is written down as a
// double: the index, and not a look beforehand, decides between two requests at once.
const WRITE_MESSAGES = sql`with given as (
    select g.*, hashtextextended(g.text, 0) as text_hash
    from unnest($7::text[], $8::text[], $9::text[], $10::int[], $11::int[], $12::int[], $13::text[], $14::boolean[]) with ordinality
      as g (custom_id, dest, text, coding, size, multiplier, commercial_type, lacks_opt_out, place)),
  decided as (
    select m.*, a.id as account_id, t.id as title_id, case when not $3 then c.id end as carrier_id,
      case when $3 then 'held' else ${DECIDED} end as state,
      row_number() over (partition by m.dest, m.text_hash order by m.place) as time
    from given m
    join sms_campaigns k on k.id = $1 and k.exchange_id = $2
    join sms_accounts a on a.id = k.account_id join sms_titles t on t.id = k.title_id
    ${SERVING_CARRIER}),
  priced as (
    select d.*, d.state in ('queued', 'held') as goes from decided d),
  first_times as (
    insert into sms_messages (exchange_id, campaign_id, account_id, title_id, carrier_id, custom_id, dest, text, coding,
      size, multiplier, credits, commercial_type, lacks_opt_out, state, sent_on, expires_at, done_at)
    select $2, $1, account_id, title_id, carrier_id, custom_id, dest, text, coding, size, greatest(multiplier, 1),
      case when goes then size * multiplier else 0 end, commercial_type, lacks_opt_out, state,
      case when goes then $4::date end, $5::timestamptz, case when not goes then $6::timestamptz end
    from priced where time = 1 or not goes order by place
    on conflict (title_id, dest, text_hash, sent_on) where sent_on is not null do nothing
    returning id, account_id, dest, text_hash, state, credits, sent_on),
  doubles as (
    insert into sms_messages (exchange_id, campaign_id, account_id, title_id, custom_id, dest, text, coding, size,
      multiplier, credits, commercial_type, lacks_opt_out, state, expires_at, done_at)
    select $2, $1, account_id, title_id, custom_id, dest, text, coding, size, greatest(multiplier, 1), 0,
      commercial_type, lacks_opt_out, 'DOUBLE_SEND_ERROR', $5::timestamptz, $6::timestamptz
    from priced p where goes and (time > 1 or not exists (
      select from first_times f where f.dest = p.dest and f.text_hash = p.text_hash and f.sent_on is not null))
    order by place
    returning id, account_id, state, credits),
  written as (
    select id, account_id, state, credits from first_times
    union all select id, account_id, state, credits from doubles),
  owed as (
    insert into sms_owed_pushes (account_id, message_id)
    select w.account_id, w.id from written w join sms_accounts a on a.id = w.account_id
    where w.state not in ('queued', 'held') and a.push_url is not null)
  select count(*) filter (where state = 'queued') as queued, coalesce(sum(credits), 0)::bigint as credits from written`;

/** Campaigns whose time has come, or that a crash left half begun. */
export function dueCampaigns(db: Db, now: Date): Promise<{ id: number; exchangeId: number }[]> {
  return db.query(
    sql`select id, exchange_id as "exchangeId" from sms_campaigns
     where state in ('scheduled', 'starting') and send_at <= $1 order by send_at limit 100`,
    [now],
  );
}

const AT_ONCE = 5_000;

/** Begins a batch of the campaign's messages; whatever may not go out now is refused now. False when none is left. */
export async function startMessages(db: Db, campaignId: number, now: Date): Promise<boolean> {
  return db.transaction(async (db) => {
    await db.query(
      sql`update sms_campaigns set state = 'starting', expires_at = $2::timestamptz + make_interval(mins => valid_minutes)
       where id = $1 and state = 'scheduled'`,
      [campaignId, now],
    );
    const started = await db.query<Finished & { goes: boolean }>(
      sql`with decided as (
         select m.id, c.id as carrier_id, ${DECIDED} as state, k.valid_minutes
         from sms_messages m
         join sms_campaigns k on k.id = m.campaign_id join sms_accounts a on a.id = m.account_id
         join sms_titles t on t.id = m.title_id
         ${SERVING_CARRIER}
         where m.campaign_id = $1 and m.state = 'held' and k.state = 'starting' order by m.id limit ${AT_ONCE})
       update sms_messages m set state = d.state, carrier_id = d.carrier_id,
         sent_on = case when d.state = 'queued' then m.sent_on end,
         expires_at = $2::timestamptz + make_interval(mins => d.valid_minutes),
         done_at = case when d.state <> 'queued' then $2::timestamptz end
       from decided d where m.id = d.id
       returning m.id, m.account_id as "accountId", m.campaign_id as "campaignId", m.exchange_id as "exchangeId",
         m.credits, m.state, false as charged, d.state = 'queued' as goes`,
      [campaignId, now],
    );
    await settle(
      db,
      started.filter(({ goes }) => !goes),
      now,
    );
    if (started.length === AT_ONCE) return true;
    await db.query(sql`update sms_campaigns set state = 'started' where id = $1 and state = 'starting'`, [campaignId]);
    return false;
  });
}

/** Only what has not begun can be taken back; its credits return and its messages were never there. */
export async function cancelCampaign(db: Db, accountId: number, campaignId: number, now: Date): Promise<boolean> {
  return db.transaction(async (db) => {
    const cancelled = await db.query(
      sql`update sms_campaigns set state = 'cancelled', expires_at = null where account_id = $1 and id = $2 and state = 'scheduled' returning id`,
      [accountId, campaignId],
    );
    if (cancelled.length === 0) return false;
    const [sum] = await db.query<{ credits: number }>(
      sql`with gone as (delete from sms_messages where campaign_id = $1 returning credits)
       select coalesce(sum(credits), 0)::bigint as credits from gone`,
      [campaignId],
    );
    await db.query(
      sql`with back as (
         update sms_accounts set credits = credits + $2, reserved = reserved - $2 where id = $1 returning id, exchange_id)
       insert into sms_credit_moves (exchange_id, account_id, at, credits, why, campaign_id)
       select exchange_id, id, $3, $2, 'returned', $4 from back where $2 > 0`,
      [accountId, sum!.credits, now, campaignId],
    );
    return true;
  });
}
