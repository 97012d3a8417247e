// Sums of the calls that somebody sees who does not see everything: days that are over are counted once, and kept as long
// as the exchange's own sums of that day are what they were then. The newest day is counted whenever it is asked for.

import { createHash } from "node:crypto";
import type { Db } from "./db.ts";
import { TAKEN, WAITED } from "./outcomes.ts";
import type { Within } from "./scope.ts";
import { allSeen } from "./seen-calls.ts";
import { place, type Sql, sql } from "./sql.ts";
import type { Stretch } from "./stretch.ts";

type Asked = Stretch & { within: Within };

/** So many days are counted by one statement. */
const DAYS_AT_ONCE = 31;

/** Whom nobody but himself is seen by has few calls: they are counted anew. */
export const keepsSums = (within: Within): boolean => within.calledAt.length > 0;

export function keyOf({ extensions, queues, calledAt }: Within): string {
  const text = JSON.stringify([[...extensions].sort(), [...queues].sort(), [...calledAt].sort()]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 24);
}

const COUNTED = sql`count(*)::int as calls, count(*) filter (where seen.taken)::int as answered,
  count(*) filter (where seen.missed)::int as missed, coalesce(sum(seen.talk_seconds), 0)::bigint as talk_seconds`;

/** The calls between two moments that are seen. */
const seenCalls = (from: Sql, before: Sql, within: Sql) => sql`
  select call_uuid, direction, origin, destination_number, outbound_caller_id_number as shown_number, ${TAKEN} as taken,
    missed, talk_seconds, date_bin('15 minutes', start_stamp, timestamptz '2000-01-01 00:00+00') as at,
    start_stamp, ${WAITED} as waited
  from ${allSeen(within, { from, before, where: sql`not listening` })}`;

/**
 * They, by quarters of an hour: what `call_parts` counts them for, but for what is one queue's or extension's anyway. To go
 * through all of that takes minutes for a year. Each has its name as it stands, so that what nobody asks for is left out.
 */
const QUARTERS = sql`
  select 'direction' as of, at, direction as which, ${COUNTED} from seen group by at, which
  union all select 'number', at, destination_number, ${COUNTED} from seen where direction = 'inbound' group by 2, 3
  union all select 'shown-number', at, shown_number, ${COUNTED} from seen where direction = 'outbound' group by 2, 3
  union all select 'campaign', at, campaign_id::text, ${COUNTED} from seen join campaign_attempts using (call_uuid)
    where origin = 'campaign' group by 2, 3
  union all select 'tag', at, mark.which, ${COUNTED} from seen cross join lateral (
    select distinct tag as which from call_notes as note cross join lateral unnest(note.tags) as tag
    where note.exchange_id = $1 and note.call_uuid = seen.call_uuid) as mark group by 2, 3
  union all select 'disposition', at, mark.which, ${COUNTED} from seen cross join lateral (
    select distinct note.disposition as which from call_notes as note
    where note.exchange_id = $1 and note.call_uuid = seen.call_uuid and note.disposition is not null) as mark group by 2, 3`;

/** How long callers waited, by the hours of each day and the whole of it; as `hour_waits` of the migrations. */
const heaps = (timeZone: Sql) => sql`
  select direction, at, hour, taken, array_agg(waited order by waited) as waits, array_agg(calls order by waited) as calls
  from (select direction, date_trunc('day', start_stamp, ${timeZone}) as at, coalesce(hour, -1) as hour, taken, waited,
      count(*)::int as calls
    from (select *, date_part('hour', start_stamp at time zone ${timeZone})::smallint as hour from seen
      where direction <> 'outbound' and (taken or missed)) as waiting
    group by direction, 2, taken, waited, grouping sets ((hour), ())) as heaps
  group by direction, at, hour, taken`;

/** With exchange, beginning and end as the first three values. `by`: whole days, or hours, of the exchange. */
export async function sumsOfSeen(
  db: Db,
  stretch: Asked,
  by: "day" | "hour" | "now",
): Promise<{ sums: Sql; values: unknown[] }> {
  const { exchangeId, from, before, within } = stretch;
  const values: unknown[] = [exchangeId, from, before];
  const put = (value: unknown) => place(values.push(value));
  const live = (first: Sql, after: Sql) =>
    sql`(with seen as materialized (${seenCalls(first, after, put(JSON.stringify(within)))}) ${QUARTERS})`;
  if (by === "now" || !keepsSums(within)) return { sums: live(place(2), place(3)), values };
  const newest = await keepDays(db, stretch);
  const kept = sql`select of, at, which, calls, answered, missed, talk_seconds from seen_sums
    where exchange_id = $1 and at >= $2 and at < $3 and seen = ${put(keyOf(within))} and span = ${put(by)}`;
  if (!newest) return { sums: sql`(${kept})`, values };
  const [first, after] = [put(newest.at), put(newest.after)];
  return {
    sums: sql`(${kept} and not (at >= ${first} and at < ${after}) union all select * from ${live(first, after)} as live)`,
    values,
  };
}

export type Day = { at: Date; after: Date };

/** Counts what is missing, but for the newest day, which it gives: of that one everything is to be counted. */
export async function keepDays(db: Db, stretch: Asked): Promise<Day | undefined> {
  let missing = await missingDays(db, stretch);
  while (missing.length > 1) {
    await keep(db, stretch, missing.slice(0, -1));
    missing = await missingDays(db, stretch);
  }
  return missing[0];
}

/** What the sums of a day are, as something that changes with them. */
const told = (from: Sql, before: Sql) => sql`(
  select at, md5(string_agg(concat_ws(' ', of, which, calls, answered, missed, talk_seconds), ',' order by of, which)) as told
  from call_sums where exchange_id = $1 and span = 'day' and of in ('direction', 'tag', 'disposition')
    and at >= ${from} and at < ${before} group by at)`;

/** Of those that have calls, or had some, the oldest first. */
export function missingDays(db: Db, { exchangeId, from, before, timeZone, within }: Asked): Promise<Day[]> {
  return db.query<Day>(
    sql`select at, (at at time zone $5 + interval '1 day') at time zone $5 as after
     from ${told(place(2), place(3))} as now
       full join (select at, told from seen_days where exchange_id = $1 and seen = $4 and at >= $2 and at < $3) as kept using (at)
     where kept.told is distinct from now.told order by at`,
    [exchangeId, from, before, keyOf(within), timeZone],
  );
}

type Whose = Pick<Asked, "exchangeId" | "timeZone" | "within">;

/** Counts the first of these days, and whatever lies between them. Who writes a call meanwhile does not wait. */
export function keep(db: Db, { exchangeId, timeZone, within }: Whose, days: readonly Day[]): Promise<void> {
  const seen = keyOf(within);
  const from = days[0]!.at; // who calls this has some
  const inside = days.filter(({ at }) => at.getTime() - from.getTime() < DAYS_AT_ONCE * 86_400_000);
  const before = inside.at(-1)!.after; // the first one is inside
  return alone(db, exchangeId, seen, async (db) => {
    const whose = [exchangeId, from, before, seen];
    const those = sql`where exchange_id = $1 and at >= $2 and at < $3 and seen = $4`;
    await db.query(sql`delete from seen_sums ${those}`, whose);
    await db.query(sql`delete from seen_waits ${those} and span = 'day'`, whose);
    await db.query(sql`delete from seen_days ${those}`, whose);
    // One statement, so that days and their sums are of the same moment.
    await db.query(
      sql`with seen as materialized (${seenCalls(place(2), place(3), place(6))}),
       sums as (insert into seen_sums
         select $1, $4, span, of, begins, which, sum(calls), sum(answered), sum(missed), sum(talk_seconds)
         from (${QUARTERS}) as quarters cross join lateral longer_spans(of, at, $5) as longer (span, begins)
         group by span, of, begins, which),
       waits as (insert into seen_waits
         select $1, $4, 'day', direction, at, hour, taken, waits, calls from (${heaps(place(5))}) as heaps)
       insert into seen_days select $1, $4, at, told from ${told(place(2), place(3))} as day`,
      [...whose, timeZone, JSON.stringify(within)],
    );
  });
}

/** Nobody else counts for those who see the same; a record that is changed waits, and makes its day be forgotten after this. */
export function alone(db: Db, exchangeId: number, seen: string, work: (db: Db) => Promise<void>): Promise<void> {
  return db.transaction(async (db) => {
    await db.query(sql`select pg_advisory_xact_lock_shared(call_sums_lock($1))`, [exchangeId]);
    await db.query(sql`select pg_advisory_xact_lock(hashtextextended($2, $1))`, [exchangeId, `seen ${seen}`]);
    await work(db);
  });
}
