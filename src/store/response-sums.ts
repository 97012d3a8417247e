// How long callers waited, out of the heaps that the database keeps: for what reports are usually narrowed to.

import type { CdrFilter } from "./cdr-filter.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";
import { areDaysSummed } from "./stretch.ts";

export type SummedWaits = {
  exchangeId: number;
  timeZone: string;
  filter: CdrFilter & { from: Date; before: Date };
};

/** So many calls waited so many seconds, each list in the order of the other. */
export type Heaps = { hour: number | null; day: string | null; taken: boolean; waits: number[]; calls: number[] };

/** What heaps can tell apart. */
const known: readonly string[] = ["from", "before", "direction", "queues", "listening", "within"];

/** Longer than this, whole months are read as such. */
const MONTHS = 62;

/** Undefined: the records must be read. */
export async function heapsFromSums(db: Db, wanted: SummedWaits): Promise<Heaps[] | undefined> {
  const { exchangeId, timeZone, filter } = wanted;
  if (!areHeaped(filter)) return undefined;
  const stretch = { exchangeId, timeZone, from: filter.from, before: filter.before };
  if (!(await areDaysSummed(db, stretch, sql`wait_sums_owed`))) return undefined;
  const asked = [exchangeId, filter.from, filter.before, timeZone, filter.direction, filter.queues ?? [""]];
  const isLong = filter.before.getTime() - filter.from.getTime() > MONTHS * 86_400_000;
  const [byDay, byHour] = await Promise.all([
    db.query<Heaps>(BY_DAY, asked),
    db.query<Heaps>(isLong ? BY_MONTHS_AND_HOUR : BY_HOUR, asked),
  ]);
  return [...byDay, ...byHour];
}

/** Who sees all calls of a queue sees what is kept of it. */
function areHeaped({ within, ...filter }: SummedWaits["filter"]): boolean {
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (filter.listening !== false || filter.direction === undefined || filter.direction === "outbound") return false;
  if (!wanted.every(([name]) => known.includes(name))) return false;
  if ((filter.queues?.length ?? 1) > 1) return false; // what came to two of them is in the heaps of both
  return within === undefined || (filter.queues?.every((queue) => within.calledAt.includes(queue)) ?? false);
}

const MINE = sql`exchange_id = $1 and direction = $5 and queue = any($6::text[])`;
const PACKED = sql`taken, array_agg(waited order by waited) as waits, array_agg(calls order by waited) as calls`;

const BY_DAY = sql`select null as hour, to_char(at at time zone $4, 'YYYY-MM-DD') as day, ${PACKED}
  from (select at, taken, waited, sum(calls)::int as calls from wait_sums
    where ${MINE} and span = 'day' and at >= $2 and at < $3 group by at, taken, waited) as heaps group by at, taken`;

const BY_HOUR = sql`select hour, null as day, ${PACKED}
  from (select hour, taken, waited, sum(calls)::int as calls from wait_sums
    where ${MINE} and $4::text is not null and span = 'hour' and at >= $2 and at < $3 group by hour, taken, waited) as heaps
  group by hour, taken`;

const BY_MONTHS_AND_HOUR = sql`
  with months as (select
    case when date_trunc('month', $2::timestamptz, $4) = $2::timestamptz then $2::timestamptz
      else (date_trunc('month', $2::timestamptz at time zone $4) + interval '1 month') at time zone $4 end as first,
    date_trunc('month', $3::timestamptz, $4) as after),
  spans as (
    select 'hour' as span, $2::timestamptz as first, first as after from months
    union all select 'month', first, after from months
    union all select 'hour', after, $3::timestamptz from months)
  select hour, null as day, ${PACKED}
  from (select w.hour, w.taken, w.waited, sum(w.calls)::int as calls
    from spans cross join lateral (select hour, taken, waited, calls from wait_sums where ${MINE}
      and span = spans.span and at >= spans.first and at < spans.after) as w group by w.hour, w.taken, w.waited) as heaps
  group by hour, taken`;
