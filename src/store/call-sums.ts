// Sums of calls a quarter of an hour, an hour and a day, as the database keeps them, and whether they are what the records say.

import type { Db } from "./db.ts";
import { sumsOfSeen } from "./seen-sums.ts";
import { type Sql, sql } from "./sql.ts";
import type { Stretch } from "./stretch.ts";

export type Summed =
  | "direction"
  | "queue"
  | "passed-on"
  | "number"
  | "shown-number"
  | "made"
  | "taken"
  | "unanswered"
  | "campaign"
  | "agent"
  | "tag"
  | "disposition";

const STORED = sql`(select * from call_sums where exchange_id = $1 and at >= $2 and at < $3`;
const sources = {
  day: sql`${STORED} and span = 'day')`,
  hour: sql`${STORED} and span = 'hour')`,
  quarter: sql`${STORED} and span = 'quarter')`,
  // While an older database is being counted, and for a stretch that fits no quarters: slower, and just as right.
  records: sql`(select * from quarter_sums(array(
    select id from cdrs where exchange_id = $1 and start_stamp >= $2 and start_stamp < $3)))`,
};

/**
 * Where the sums of a stretch are read, with exchange, beginning and end as the first three values. By the hour there are
 * those of directions; whole hours or days of the exchange are read as such, and anything else by the quarter.
 * `exact`: a short stretch, to the second.
 */
export async function sumsOf(
  db: Db,
  stretch: Stretch,
  by: "day" | "hour" | "quarter" | "exact" = "day",
): Promise<{ sums: Sql; values: unknown[] }> {
  const { exchangeId, from, before, timeZone, within } = stretch;
  const values: unknown[] = [exchangeId, from, before];
  if (by === "exact") return within ? sumsOfSeen(db, { ...stretch, within }, "now") : { sums: sources.records, values };
  const [how] = await db.query<{ owed: boolean; whole: boolean; days: boolean }>(
    sql`select exists (select from call_sums_owed where exchange_id = $1
         and day >= ($2::timestamptz at time zone 'UTC')::date and day <= ($3::timestamptz at time zone 'UTC')::date) as owed,
       $2::timestamptz = date_trunc($5, $2::timestamptz, $4) and $3::timestamptz = date_trunc($5, $3::timestamptz, $4)
         as whole,
       $2::timestamptz = date_trunc('day', $2::timestamptz, $4) and $3::timestamptz = date_trunc('day', $3::timestamptz, $4)
         as days`,
    [...values, timeZone, by],
  );
  if (within) {
    const isKept = how?.days && !how.owed && by !== "quarter";
    return sumsOfSeen(db, { ...stretch, within }, isKept ? by : "now");
  }
  const source = how?.owed ? "records" : how?.whole ? by : "quarter";
  return { sums: sources[source], values };
}

/** Counts one day that was there before sums were kept; false: none is left. In a transaction of its own, so that nobody waits long. */
export function countOwedDay(db: Db): Promise<boolean> {
  return db.transaction(async (db) => {
    const [owed] = await db.query<{ exchangeId: number; day: string }>(
      sql`select exchange_id as "exchangeId", day::text from call_sums_owed order by day desc, exchange_id
       limit 1 for update skip locked`,
    );
    if (!owed) return countOwedWaits(db);
    const { exchangeId, day } = owed;
    await db.query(
      sql`select recount_calls($1, $2::date::timestamp at time zone 'UTC',
        ($2::date + 1)::timestamp at time zone 'UTC')`,
      [exchangeId, day],
    );
    await db.query(sql`delete from call_sums_owed where exchange_id = $1 and day = $2::date`, [exchangeId, day]);
    return true;
  });
}

async function countOwedWaits(db: Db): Promise<boolean> {
  const [owed] = await db.query<{ exchangeId: number; day: string }>(
    sql`select exchange_id as "exchangeId", day::text from wait_sums_owed order by day desc, exchange_id
     limit 1 for update skip locked`,
  );
  if (!owed) return false;
  const { exchangeId, day } = owed;
  await db.query(
    sql`select recount_waits($1, $2::date::timestamp at time zone 'UTC', ($2::date + 1)::timestamp at time zone 'UTC')`,
    [exchangeId, day],
  );
  await db.query(sql`delete from wait_sums_owed where exchange_id = $1 and day = $2::date`, [exchangeId, day]);
  return true;
}

export type WrongDay = { day: string; wrong: number };

/**
 * Days, by UTC, of which the sums are not what the records say. Whoever writes a call meanwhile waits for the end of the
 * day that is looked at. `mend` counts such a day anew.
 */
export async function* checkSums(db: Db, exchangeId: number, { mend }: { mend: boolean }): AsyncGenerator<WrongDay> {
  const days = await db.query<{ day: string }>(
    sql`with ends as (
       select min(at) as first, max(at) as last from (
         (select start_stamp as at from cdrs where exchange_id = $1 order by start_stamp limit 1)
         union all (select start_stamp from cdrs where exchange_id = $1 order by start_stamp desc limit 1)
         union all select min(at) from call_sums where exchange_id = $1
         union all select max(at) from call_sums where exchange_id = $1) as known)
     select generate_series((first at time zone 'UTC')::date, (last at time zone 'UTC')::date, '1 day')::date::text as day
     from ends where first is not null`,
    [exchangeId],
  );
  for (const { day } of days) {
    const wrong = await checkDay(db, { exchangeId, day, mend });
    if (wrong > 0) yield { day, wrong };
  }
}

function checkDay(
  db: Db,
  { exchangeId, day, mend }: { exchangeId: number; day: string; mend: boolean },
): Promise<number> {
  return db.transaction(async (db) => {
    const values = [exchangeId, `${day}T00:00:00Z`];
    await db.query(sql`select pg_advisory_xact_lock(call_sums_lock($1))`, [exchangeId]);
    const [calls] = await db.query<{ wrong: number }>(WRONG, values);
    const [waits] = await db.query<{ wrong: number }>(WRONG_WAITS, values);
    const wrong = calls!.wrong + waits!.wrong; // a count always has a row
    if (mend && wrong > 0) await db.query(MEND, values);
    return wrong;
  });
}

/** Quarters against the records, and the exchange's hours and days that begin in this one against their quarters. */
const WRONG = sql`
  with zone as (select time_zone as name from exchanges where id = $1),
  quarters as (
    (select * from call_sums where exchange_id = $1 and span = 'quarter'
       and at >= $2::timestamptz and at < $2::timestamptz + interval '24 hours'
     except select * from quarter_sums(array(select id from cdrs where exchange_id = $1
       and start_stamp >= $2::timestamptz and start_stamp < $2::timestamptz + interval '24 hours')))
    union all
    (select * from quarter_sums(array(select id from cdrs where exchange_id = $1
       and start_stamp >= $2::timestamptz and start_stamp < $2::timestamptz + interval '24 hours'))
     except select * from call_sums where exchange_id = $1 and span = 'quarter'
       and at >= $2::timestamptz and at < $2::timestamptz + interval '24 hours')),
  stored as (select * from call_sums where exchange_id = $1 and span in ('hour', 'day')
    and at >= $2::timestamptz and at < $2::timestamptz + interval '24 hours'),
  counted as (
    select exchange_id, longer.span, of, begins, which, sum(calls)::integer, sum(answered)::integer,
      sum(missed)::integer, sum(talk_seconds)::bigint, sum(wait_seconds)::bigint, max(longest_wait), add_up(within)
    from call_sums, zone, longer_spans(of, at, zone.name) as longer
    where exchange_id = $1 and call_sums.span = 'quarter'
      and at >= $2::timestamptz and at < $2::timestamptz + interval '51 hours'
      and begins >= $2::timestamptz and begins < $2::timestamptz + interval '24 hours'
    group by exchange_id, longer.span, of, begins, which),
  days as ((select * from stored except select * from counted) union all (select * from counted except select * from stored))
  select (select count(*) from quarters) + (select count(*) from days) as wrong`;

const DAY = sql`$2::timestamptz, $2::timestamptz + interval '24 hours'`;
const MEND = sql`select recount_calls($1, ${DAY}), recount_waits($1, ${DAY}), recount_longer_waits($1, ${DAY})`;

/** Heaps of hours against the records, and of the days and months that begin here against their hours; not while they are owed. */
const WRONG_WAITS = sql`
  with asked as (select $2::timestamptz as first, $2::timestamptz + interval '24 hours' as after
    where not exists (select from wait_sums_owed where exchange_id = $1)),
  counted as (
    select w.* from asked, hour_waits(array(select id from cdrs where exchange_id = $1
      and start_stamp >= first and start_stamp < after + interval '1 hour')) as w where at >= first and at < after
    union all select w.* from asked, longer_waits(array(select h from wait_sums as h where exchange_id = $1
      and span = 'hour' and at >= first and at < after + interval '32 days')) as w where at >= first and at < after),
  stored as (select w.* from asked, wait_sums as w where exchange_id = $1 and at >= first and at < after)
  select count(*) as wrong from (
    (select * from stored except select * from counted) union all (select * from counted except select * from stored)) as wrong`;
