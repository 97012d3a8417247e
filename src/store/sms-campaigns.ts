// Campaigns: what one request sends. Its messages are written in batches, refused at once where they may not go out.

import type { Db } from "./db.ts";
import { type Finished, settle } from "./sms-settlement.ts";
import { sql } from "./sql.ts";

export type NewCampaign = {
  titleId: number;
  customId: string | undefined;
  sendAt: Date;
  later: boolean;
  validMinutes: number;
  commercial: boolean;
};

export type Whose = { exchangeId: number; accountId: number; now: Date };

/** Of one account; their ids in the order of the campaigns. */
export async function createCampaigns(
  db: Db,
  { exchangeId, accountId, now }: Whose,
  campaigns: readonly NewCampaign[],
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`insert into sms_campaigns
       (exchange_id, account_id, title_id, custom_id, state, send_at, valid_minutes, commercial, created_at, expires_at)
     select $1, $2, title_id, custom_id, case when later then 'scheduled' else 'started' end, send_at, valid_minutes,
       commercial, $3, send_at + make_interval(mins => valid_minutes)
     from unnest($4::bigint[], $5::text[], $6::timestamptz[], $7::boolean[], $8::int[], $9::boolean[]) with ordinality
       as c (title_id, custom_id, send_at, later, valid_minutes, commercial, place)
     order by place returning id`,
    [
      ...[exchangeId, accountId, now],
      campaigns.map(({ titleId }) => titleId),
      campaigns.map(({ customId = null }) => customId),
      campaigns.map(({ sendAt }) => sendAt),
      campaigns.map(({ later }) => later),
      campaigns.map(({ validMinutes }) => validMinutes),
      campaigns.map(({ commercial }) => commercial),
    ],
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b); // ids are given in the order of writing
}

/** Columns, not rows: they go to the database as arrays. */
export type MessageBatch = {
  /** Of which campaign each is, by its place in `Into`. */
  campaigns: number[];
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

export type Into = Whose & {
  campaigns: readonly { id: number; titleId: number; later: boolean; sentOn: string; expiresAt: Date }[];
};

/** Of a campaign: what was written, and the credits that the messages which may go out will cost. */
export type WrittenMessages = { campaignId: number; queued: number; credits: number };

export function writeMessages(db: Db, into: Into, batch: MessageBatch): Promise<WrittenMessages[]> {
  const { exchangeId, accountId, now, campaigns } = into;
  const { customIds, dests, texts, codings, sizes, multipliers, commercialTypes, lackingOptOut } = batch;
  return db.query<WrittenMessages>(WRITE_MESSAGES, [
    ...[exchangeId, accountId, now],
    campaigns.map(({ id }) => id),
    campaigns.map(({ titleId }) => titleId),
    campaigns.map(({ later }) => later),
    campaigns.map(({ sentOn }) => sentOn),
    campaigns.map(({ expiresAt }) => expiresAt),
    batch.campaigns.map((place) => place + 1), // the database counts from one
    ...[customIds, dests, texts, codings, sizes, multipliers, commercialTypes, lackingOptOut],
  ]);
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
// double: the index, and not a look beforehand, decides between two requests at once, and between two campaigns here.
const WRITE_MESSAGES = sql`with given as (
    select g.*, hashtextextended(g.text, 0) as text_hash, k.campaign_id, k.title_id, k.later, k.sent_on, k.expires_at
    from unnest($9::int[], $10::text[], $11::text[], $12::text[], $13::int[], $14::int[], $15::int[], $16::text[],
        $17::boolean[]) with ordinality
      as g (nth, custom_id, dest, text, coding, size, multiplier, commercial_type, lacks_opt_out, place)
    join unnest($4::bigint[], $5::bigint[], $6::boolean[], $7::date[], $8::timestamptz[]) with ordinality
      as k (campaign_id, title_id, later, sent_on, expires_at, nth) on k.nth = g.nth),
  decided as (
    select m.*, a.id as account_id, case when not m.later then c.id end as carrier_id,
      case when m.later then 'held' else ${DECIDED} end as state,
      row_number() over (partition by m.campaign_id, m.dest, m.text_hash order by m.place) as time
    from given m
    join sms_accounts a on a.id = $2 and a.exchange_id = $1
    join sms_titles t on t.id = m.title_id and t.exchange_id = $1
    ${SERVING_CARRIER}),
  priced as (
    select d.*, d.state in ('queued', 'held') as goes from decided d),
  first_times as (
    insert into sms_messages (exchange_id, campaign_id, account_id, title_id, carrier_id, custom_id, dest, text, coding,
      size, multiplier, credits, commercial_type, lacks_opt_out, state, sent_on, expires_at, done_at)
    select $1, campaign_id, account_id, title_id, carrier_id, custom_id, dest, text, coding, size,
      greatest(multiplier, 1), case when goes then size * multiplier else 0 end, commercial_type, lacks_opt_out, state,
      case when goes then sent_on end, expires_at, case when not goes then $3::timestamptz end
    from priced where time = 1 or not goes order by place
    on conflict (title_id, dest, text_hash, sent_on) where sent_on is not null do nothing
    returning id, campaign_id, account_id, dest, text_hash, state, credits, sent_on),
  doubles as (
    insert into sms_messages (exchange_id, campaign_id, account_id, title_id, custom_id, dest, text, coding, size,
      multiplier, credits, commercial_type, lacks_opt_out, state, expires_at, done_at)
    select $1, campaign_id, account_id, title_id, custom_id, dest, text, coding, size, greatest(multiplier, 1), 0,
      commercial_type, lacks_opt_out, 'DOUBLE_SEND_ERROR', expires_at, $3::timestamptz
    from priced p where goes and (time > 1 or not exists (
      select from first_times f where f.campaign_id = p.campaign_id and f.dest = p.dest and f.text_hash = p.text_hash
        and f.sent_on is not null))
    order by place
    returning id, campaign_id, account_id, state, credits),
  written as (
    select id, campaign_id, account_id, state, credits from first_times
    union all select id, campaign_id, account_id, state, credits from doubles),
  owed as (
    insert into sms_owed_pushes (account_id, message_id)
    select w.account_id, w.id from written w join sms_accounts a on a.id = w.account_id
    where w.state not in ('queued', 'held') and a.push_url is not null)
  select campaign_id as "campaignId", count(*) filter (where state = 'queued') as queued,
    coalesce(sum(credits), 0)::bigint as credits
  from written group by campaign_id`;

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
