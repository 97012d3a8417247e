// What was spent on calls to the outside, added up: days that are over are counted once, and kept until one of their legs
// changes; the newest day, and what of a stretch is no whole day of the exchange, is counted whenever it is asked for.

import type { SpentBy } from "../nouns/spent.ts";
import type { Db } from "./db.ts";
import { joined, literal, PLANNED_ANEW, type Sql, sql } from "./sql.ts";
import type { Stretch } from "./stretch.ts";

export type SpentIn = Omit<Stretch, "within">;

/** Days are lines of all kinds. */
export type PaidOf = Exclude<SpentBy, "day">;

const noted = (column: Sql) => sql`case when leg.kind <> 'unnoted' then ${column} end`;

/** What a leg's line is called; the indexes of legs have it word by word. */
export const lineOf: Readonly<Record<PaidOf, Sql>> = {
  trunk: noted(sql`coalesce(leg.trunk, '')`),
  extension: noted(sql`leg.extension`),
  price: noted(sql`coalesce(leg.prefix, '')`),
  campaign: noted(sql`coalesce(leg.campaign_id::text, '')`),
  kind: sql`leg.kind`,
};
const nameOf = (of: PaidOf) => (of === "campaign" ? sql`leg.campaign` : sql`''`);

/** So many are counted by one statement, while nobody pays for a minute. */
const DAYS_AT_ONCE = 7;

type Whole = { first: Date; after: Date };

/** When the day after that of a moment begins: an hour late where clocks are changed at midnight. */
const nextDay = (moment: Sql, zone: Sql) =>
  sql`((${moment} at time zone ${zone})::date + 1)::timestamp at time zone ${zone}`;

/**
 * With exchange, beginning and end as the first three values, and time zone, first kept moment and the one after the last as
 * the next three. A row a day and line, `at` its beginning.
 */
export async function paidSums(db: Db, stretch: SpentIn, of: PaidOf): Promise<{ sums: Sql; values: unknown[] }> {
  const { exchangeId, from, before, timeZone } = stretch;
  const { first, after } = await keepPaidDays(db, stretch);
  const live = (since: Sql, until: Sql) => sql`
    select date_trunc('day', leg.at, $4) as at, ${lineOf[of]} as which, max(${nameOf(of)}) as name, ${COUNTED}
    from paid_legs as leg where leg.exchange_id = $1 and leg.at >= ${since} and leg.at < ${until} group by 1, 2`;
  const sums = sql`(
    select at, case when is_noted then which end as which, name, legs, calls, minutes, amount
    from paid_sums where exchange_id = $1 and of = ${literal(of)} and at >= $5 and at < $6
    union all ${live(sql`$2`, sql`$5`)} union all ${live(sql`$6`, sql`$3`)})`;
  return { sums, values: [exchangeId, from, before, timeZone, first, after] };
}

const COUNTED = sql`count(*)::int as legs, sum(leg.calls)::int as calls, sum(leg.minutes)::int as minutes,
  sum(leg.amount) as amount`;

/** The whole days of a stretch but the newest that has legs; each of them is counted then. */
async function keepPaidDays(db: Db, stretch: SpentIn): Promise<Whole> {
  for (;;) {
    const [whole] = await db.query<Whole & { missing: Date[] }>(
      sql`select first, after, array(select day::timestamp at time zone $4
           from generate_series((first at time zone $4)::date, ((after - interval '1 second') at time zone $4)::date, interval '1 day') as day
           where first < after and not exists (select from paid_days where exchange_id = $1 and at = day::timestamp at time zone $4)
           order by 1 limit ${literal(String(DAYS_AT_ONCE))}::int) as missing
         from (select first, greatest(first, date_trunc('day', least($3::timestamptz, coalesce(newest, $2)), $4)) as after
           from (select least($3, ${nextDay(sql`(greatest($2::timestamptz, min(at)) - interval '1 microsecond')`, sql`$4`)}) as first,
             max(at) as newest from paid_legs where exchange_id = $1) as ends) as whole`,
      [stretch.exchangeId, stretch.from, stretch.before, stretch.timeZone],
    );
    const { first, after, missing } = whole!; // there is always one
    if (missing.length === 0) return { first, after };
    await keep(db, stretch, missing);
  }
}

/** Days that lie together: so none but their legs are read. */
function keep(db: Db, { exchangeId, timeZone }: SpentIn, missing: readonly Date[]): Promise<void> {
  const [from] = missing;
  const days = missing.filter((day) => day.getTime() - from!.getTime() < DAYS_AT_ONCE * 86_400_000);
  return db.transaction(async (db) => {
    await db.query(sql`select pg_advisory_xact_lock(paid_days_lock($1))`, [exchangeId]);
    const those = [exchangeId, days];
    await db.query(sql`delete from paid_sums where exchange_id = $1 and at = any($2::timestamptz[])`, those);
    await db.query(
      sql`insert into paid_days select $1, at from unnest($2::timestamptz[]) as at on conflict do nothing`,
      those,
    );
    const lines = (Object.keys(lineOf) as PaidOf[]).map((of) => sql`(${literal(of)}, ${lineOf[of]}, ${nameOf(of)})`);
    await db.query(
      sql`insert into paid_sums
       select $1, leg.day, line.of, which is not null, coalesce(which, ''), max(line.name), ${COUNTED}
       from (${PLANNED_ANEW} select *, date_trunc('day', at, $3) as day from paid_legs
         where exchange_id = $1 and at >= $4 and at < ${nextDay(sql`$5::timestamptz`, sql`$3`)}) as leg
       cross join lateral (values ${joined(lines, ", ")}) as line (of, which, name)
       where leg.day = any($2::timestamptz[]) group by leg.day, line.of, which`,
      [...those, timeZone, from, days.at(-1)],
    );
  });
}

/** Counts some days before anybody asks for them; false: none is left. */
export async function keepSomePaidDays(db: Db): Promise<boolean> {
  const exchanges = await db.query<SpentIn>(
    sql`select id as "exchangeId", time_zone as "timeZone", legs.from, legs.before from exchanges
     cross join lateral (select (select min(at) from paid_legs where exchange_id = id) as from,
       (select max(at) from paid_legs where exchange_id = id) as before) as legs
     where legs.from < legs.before order by id`,
  );
  for (const stretch of exchanges) await keepPaidDays(db, stretch);
  return false;
}
