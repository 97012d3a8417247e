// How long callers waited, of the calls that somebody sees who does not see everything: heaps of the days that are kept for
// him. What many days add up to by the hour is kept by months.

import type { Db } from "./db.ts";
import type { Heaps, SummedWaits } from "./response-sums.ts";
import type { Within } from "./scope.ts";
import { alone, type Day, keepDays, keepsSums, keyOf } from "./seen-sums.ts";
import { type Sql, sql } from "./sql.ts";
import { areDaysSummed, type Stretch } from "./stretch.ts";

const known: readonly string[] = ["from", "before", "direction", "listening", "within"];

/** With the newest day, where its calls are still to be counted. Undefined: the records must be read. */
export async function heapsOfSeen(
  db: Db,
  { exchangeId, timeZone, filter }: SummedWaits,
): Promise<{ heaps: Heaps[]; newest: Day | undefined } | undefined> {
  const { from, before, within, direction } = filter;
  if (!within || !keepsSums(within) || !areKept(filter)) return undefined;
  const stretch = { exchangeId, from, before, timeZone, within };
  if (!(await areDaysSummed(db, stretch, sql`call_sums_owed`))) return undefined;
  const newest = await keepDays(db, stretch);
  const until = newest?.at ?? before; // what is older than the newest day is kept
  const months = await keepMonths(db, { ...stretch, before: until });
  const asked = [exchangeId, keyOf(within), direction, from, until];
  const [byDay, byHour] = await Promise.all([
    db.query<Heaps>(
      sql`select null as hour, to_char(at at time zone $6, 'YYYY-MM-DD') as day, taken, waits, calls from seen_waits
       where ${MINE} and span = 'day' and hour = -1 and at >= $4 and at < $5`,
      [...asked, timeZone],
    ),
    db.query<Heaps>(
      sql`select hour, null as day, taken, array_agg(waited order by waited) as waits, array_agg(calls order by waited) as calls
       from (select hour, taken, heap.waited, sum(heap.calls)::int as calls
         from (${KEPT}) as kept cross join lateral unnest(kept.waits, kept.calls) as heap (waited, calls)
         group by hour, taken, heap.waited) as heaps
       group by hour, taken`,
      [...asked, months.map(({ at }) => at), months.map(({ after }) => after)],
    ),
  ]);
  return { heaps: [...byDay, ...byHour], newest };
}

const MINE = sql`exchange_id = $1 and seen = $2 and direction = $3`;

/** Of the months that are kept, and of the days that are in none of them. */
const KEPT: Sql = sql`
  select hour, taken, waits, calls from seen_waits where ${MINE} and span = 'month' and at = any($6::timestamptz[])
  union all select hour, taken, waits, calls from seen_waits
    where ${MINE} and span = 'day' and hour >= 0 and at >= $4 and at < $5
      and not exists (select from unnest($6::timestamptz[], $7::timestamptz[]) as month (first, after)
        where at >= month.first and at < month.after)`;

function areKept(filter: SummedWaits["filter"]): boolean {
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (filter.listening !== false || filter.direction === undefined || filter.direction === "outbound") return false;
  return wanted.every(([name]) => known.includes(name));
}

type Months = Stretch & { within: Within };

/** Adds up the months that lie in a stretch of kept days, where that is not done yet. */
export async function keepMonths(db: Db, { exchangeId, from, before, timeZone, within }: Months): Promise<Day[]> {
  const seen = keyOf(within);
  const whose = [exchangeId, seen, from, before, timeZone];
  const months = await db.query<Day & { isKept: boolean }>(
    sql`select at, after, exists (select from seen_months as kept where kept.exchange_id = $1 and kept.seen = $2
       and kept.at = month.at and kept.told = month.told) as "isKept" from (${MONTHS}) as month order by at`,
    whose,
  );
  const missing = months.flatMap(({ at, isKept }) => (isKept ? [] : [at]));
  if (missing.length === 0) return months;
  await alone(db, exchangeId, seen, async (db) => {
    const those = [exchangeId, seen, missing];
    await db.query(
      sql`delete from seen_waits where exchange_id = $1 and seen = $2 and span = 'month' and at = any($3::timestamptz[])`,
      those,
    );
    await db.query(
      sql`delete from seen_months where exchange_id = $1 and seen = $2 and at = any($3::timestamptz[])`,
      those,
    );
    // One statement, so that months are of the days as they are now.
    await db.query(
      sql`with months as materialized (select * from (${MONTHS}) as month where at = any($6::timestamptz[])),
       heaps as (insert into seen_waits
         select $1, $2, 'month', direction, first, hour, taken, array_agg(waited order by waited), array_agg(calls order by waited)
         from (select direction, months.at as first, hour, taken, heap.waited, sum(heap.calls)::int as calls
           from months join seen_waits as day on day.exchange_id = $1 and day.seen = $2 and day.span = 'day'
             and day.at >= months.at and day.at < months.after and day.hour >= 0
           cross join lateral unnest(day.waits, day.calls) as heap (waited, calls)
           group by 1, 2, 3, 4, 5) as heaps
         group by 4, 5, 6, 7)
       insert into seen_months select $1, $2, at, told from months`,
      [...whose, missing],
    );
  });
  return months;
}

/** Those that lie wholly between two moments, and what their days tell. */
const MONTHS = sql`select at, after, told from (
    select first as at, (first at time zone $5 + interval '1 month') at time zone $5 as after,
      md5(string_agg(told, ',' order by at)) as told
    from (select at, told, date_trunc('month', at, $5) as first from seen_days
      where exchange_id = $1 and seen = $2 and at >= $3 and at < $4) as days group by first) as months
  where at >= $3 and after <= $4`;
