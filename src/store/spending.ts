// What calls cost and what an exchange has spent: prices by prefix, and one sum a month that never passes its limit.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type CallRate = { prefix: string; minutePrice: number };

export async function setCallRate(
  db: Db,
  { exchangeId, prefix, minutePrice }: { exchangeId: number; prefix: string; minutePrice: string },
): Promise<void> {
  await db.query(
    sql`insert into call_rates (exchange_id, prefix, minute_price) values ($1, $2, $3)
     on conflict (exchange_id, prefix) do update set minute_price = excluded.minute_price`,
    [exchangeId, prefix, minutePrice],
  );
}

export async function deleteCallRate(db: Db, exchangeId: number, prefix: string): Promise<boolean> {
  const deleted = await db.query(
    sql`delete from call_rates where exchange_id = $1 and prefix = $2 returning exchange_id`,
    [exchangeId, prefix],
  );
  return deleted.length > 0;
}

/** The longest prefix first: the first that fits a number is its price. */
export function listCallRates(db: Db, exchangeId: number): Promise<CallRate[]> {
  return db.query<CallRate>(
    sql`select prefix, minute_price::double precision as "minutePrice" from call_rates
     where exchange_id = $1 order by length(prefix) desc, prefix`,
    [exchangeId],
  );
}

export type Purchase = {
  exchangeId: number;
  /** The first day of it, as YYYY-MM-DD. */
  month: string;
  minutePrice: number;
  limit: number | null;
  /** What an hour may cost. */
  hourlyLimit?: number | null;
  minutes: Minutes;
  /** Unknown to those who owed it to an older version. */
  call?: PaidCall;
};

/** Who spends it, and on whom. */
export type PaidCall = PaidBy & {
  /** As the exchange writes it: 90… for inland, 00… for abroad. */
  number: string;
  /** Of the price that it goes by. */
  prefix: string;
  /** When its first minute of that month was bought. */
  atMs: number;
};

/** What is known of a leg outside when it is answered. `trunk` is null for the network in the box. */
export type PaidBy = {
  kind: "call" | "fax";
  callUuid: string;
  trunk: string | null;
  /** Whose right it was to call; "" where it was nobody's. */
  extension: string;
  campaign?: { id: number; name: string } | undefined;
};

/** Of one leg from its answer on: however often it is asked for, and by whichever process, a minute is paid once. */
export type Minutes = {
  leg: string;
  /** The day of its answer, as YYYY-MM-DD by universal time. */
  day: string;
  /** So many are known to be paid, and so many shall be. */
  paid: number;
  through: number;
};

/**
 * All of it or nothing: several calls may buy at the same moment. False when the limit does not allow it. The sum's row is
 * taken first, by everybody, so that nobody waits for somebody who waits for him. What is added to it is added to its leg.
 */
export function buy(db: Db, purchase: Purchase): Promise<boolean> {
  const { exchangeId, month, minutePrice, limit, hourlyLimit, minutes, call } = purchase;
  const stream = `${PAID_MINUTES} ${minutes.day} ${minutes.leg}`;
  return db.transaction(async (db) => {
    await db.query(
      sql`insert into spending (exchange_id, month, amount) values ($1, $2::date, 0)
       on conflict (exchange_id, month) do update set amount = spending.amount`,
      [exchangeId, month],
    );
    const [before] = await db.query<{ paid: number }>(
      sql`insert into written_batches (stream, life, batch) values ($1, $2, $3)
       on conflict (stream) do update set batch = written_batches.batch returning batch::int as paid`,
      [stream, minutes.leg, minutes.paid],
    );
    const due = minutes.through - before!.paid; // an insert that changes what it meets returns its row
    if (due <= 0) return true;
    const bought = await db.query(
      sql`with spent as (
         update spending set amount = amount + $3::numeric where exchange_id = $1 and month = $2::date
           and ($4::numeric is null or amount + $3::numeric <= $4::numeric)
           and ($20::numeric is null or ${SPENT_IN_HOUR} + $3::numeric <= $20::numeric) returning exchange_id, month),
       lately as (
         insert into spent_lately as known (exchange_id, since, extension, amount)
         select exchange_id, date_bin('5 minutes', ${PAID_AT}, 'epoch'), coalesce($15, ''), $3::numeric from spent
         on conflict (exchange_id, since, extension) do update set amount = known.amount + excluded.amount),
       noted as (
         insert into paid_legs as leg (exchange_id, month, leg, at, kind, call_uuid, number, prefix, trunk, extension,
           campaign_id, campaign, calls, minutes, amount)
         select exchange_id, month, $7, ${WHEN}, coalesce($10, 'unnoted'), $11::uuid, coalesce($12, ''), $13, $14,
           coalesce($15, ''), $16::bigint, coalesce($17, ''), $18::smallint, $19::integer, $3::numeric from spent
         on conflict (exchange_id, month, leg) do update set at = least(leg.at, excluded.at),
           minutes = leg.minutes + excluded.minutes, amount = leg.amount + excluded.amount)
       update written_batches set batch = $6 where stream = $5 and exists (select from spent) returning 1`,
      [
        ...[exchangeId, month, minutePrice * due, limit, stream, minutes.through],
        ...[minutes.leg, call ? new Date(call.atMs) : null, minutes.day],
        ...[call?.kind, call?.callUuid, call?.number, call?.prefix, call?.trunk, call?.extension],
        ...[call?.campaign?.id, call?.campaign?.name],
        before!.paid === 0 ? 1 : 0, // what goes on over the end of a month is one call of the month in which it began
        ...[due, hourlyLimit],
      ].map((value) => value ?? null),
    );
    if (before!.paid === 0) {
      await forgetPaidMinutes(db, minutes.day);
      await forgetHours(db, exchangeId, call);
    }
    return bought.length > 0;
  });
}

/** Of an older version it is known on which day it was answered, and for which month it counts. */
const WHEN = sql`coalesce($8::timestamptz, (select greatest($9::date, spent.month)::timestamp at time zone time_zone
  from exchanges where id = spent.exchange_id))`;

const PAID_AT = sql`coalesce($8::timestamptz, now())`;
const SPENT_IN_HOUR = sql`(select coalesce(sum(lately.amount), 0) from spent_lately as lately
  where lately.exchange_id = $1 and since > ${PAID_AT} - interval '1 hour' and since <= ${PAID_AT})`;

const PAID_MINUTES = "minutes";
/** Far longer than anybody tries again to pay for one. */
const KEPT_DAYS = 7;

/** A few at a time, by whoever comes along. */
async function forgetPaidMinutes(db: Db, today: string): Promise<void> {
  await db.query(
    sql`delete from written_batches where stream in (
       select stream from written_batches
       where stream >= $1 and stream < $1 || ($2::date - $3::int)::text limit 10 for update skip locked)`,
    [`${PAID_MINUTES} `, today, KEPT_DAYS],
  );
}

async function forgetHours(db: Db, exchangeId: number, call: PaidCall | undefined): Promise<void> {
  const at = call ? new Date(call.atMs) : null;
  await db.query(
    sql`delete from spent_lately where exchange_id = $1
       and not since between coalesce($2::timestamptz, now()) - interval '1 day' and coalesce($2, now()) + interval '1 day'`,
    [exchangeId, at],
  );
}

/** Owed by an older version, which did not say for whose minutes. */
export async function charge(
  db: Db,
  { exchangeId, month, price }: { exchangeId: number; month: string; price: number },
): Promise<void> {
  await db.query(
    sql`with spent as (
       insert into spending (exchange_id, month, amount) values ($1, $2::date, $3::numeric)
       on conflict (exchange_id, month) do update set amount = spending.amount + excluded.amount returning exchange_id)
     insert into paid_legs as leg (exchange_id, month, leg, at, kind, amount)
     select id, $2::date, '', $2::timestamp at time zone time_zone, 'unnoted', $3::numeric
     from exchanges where id in (select exchange_id from spent)
     on conflict (exchange_id, month, leg) do update set amount = leg.amount + excluded.amount`,
    [exchangeId, month, price],
  );
}

export async function spentIn(db: Db, exchangeId: number, month: string): Promise<number> {
  const [row] = await db.query<{ amount: number }>(
    sql`select amount::double precision as amount from spending where exchange_id = $1 and month = $2::date`,
    [exchangeId, month],
  );
  return row?.amount ?? 0;
}

/** `month` as YYYY-MM. */
type MonthSpent = { month: string; amount: number; limitReachedAt: Date | null };

/** The newest first, two years at most; and what a month and an hour may cost. */
export async function spentByMonth(
  db: Db,
  exchangeId: number,
): Promise<{ limit: number | null; hourlyLimit: number | null; months: MonthSpent[] }> {
  const months = await db.query<MonthSpent>(
    sql`select to_char(month, 'YYYY-MM') as month, amount::double precision as amount,
       limit_reached_at as "limitReachedAt"
     from spending where exchange_id = $1 order by spending.month desc limit 24`,
    [exchangeId],
  );
  const [row] = await db.query<{ limit: number | null; hourlyLimit: number | null }>(
    sql`select monthly_spending_limit::double precision as "limit",
       hourly_spending_limit::double precision as "hourlyLimit" from exchanges where id = $1`,
    [exchangeId],
  );
  return { limit: row?.limit ?? null, hourlyLimit: row?.hourlyLimit ?? null, months };
}

/** True for the first in a month who says so. */
export async function noteLimitReached(
  db: Db,
  { exchangeId, month, at }: { exchangeId: number; month: string; at: Date },
): Promise<boolean> {
  const noted = await db.query(
    sql`insert into spending (exchange_id, month, amount, limit_reached_at) values ($1, $2::date, 0, $3)
     on conflict (exchange_id, month) do update set limit_reached_at = excluded.limit_reached_at
       where spending.limit_reached_at is null
     returning exchange_id`,
    [exchangeId, month, at],
  );
  return noted.length > 0;
}

/** Those who are told when something is wrong with an exchange. */
export async function addressesOfAdministrators(db: Db, exchangeId: number): Promise<string[]> {
  const rows = await db.query<{ email: string }>(
    sql`select email from staff where exchange_id = $1 and active and role = 'administrator' order by id`,
    [exchangeId],
  );
  return rows.map(({ email }) => email);
}
