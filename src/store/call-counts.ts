// How many calls a filter means, from their sums: for lists of months and years, of which counting each call takes seconds.

import { type Outcome, outcomesOf } from "../nouns/outcome.ts";
import { sumsOf } from "./call-sums.ts";
import type { Db } from "./db.ts";
import type { Within } from "./scope.ts";
import { keepsSums } from "./seen-sums.ts";
import { joined, place, type Sql, sql } from "./sql.ts";
import { inQuarters, type Stretch } from "./stretch.ts";

type Filter = {
  from?: Date | undefined;
  before?: Date | undefined;
  direction?: string | undefined;
  missed?: boolean | undefined;
  outcomes?: readonly Outcome[] | undefined;
  queues?: string[] | undefined;
  hour?: number | undefined;
  weekday?: number | undefined;
  listening?: boolean | undefined;
  within?: Within | undefined;
};

const LONG_MS = 31 * 86_400_000;

/** What sums can tell apart. */
const known: readonly string[] = [
  ...(["from", "before", "direction", "missed", "outcomes", "queues", "hour", "weekday"] as const),
  ...(["listening", "within"] as const),
];

/** Undefined: the records must be counted, which is quick for a few weeks and for whatever has an index of its own. */
export async function countBySums(db: Db, exchangeId: number, filter: Filter): Promise<number | undefined> {
  const { from, before, queues, hour, weekday, within } = filter;
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (filter.listening !== false) return undefined; // sums leave listeners out
  if (!from || !before || (!within && before.getTime() - from.getTime() < LONG_MS)) return undefined;
  if (within && (queues || !keepsSums(within))) return undefined;
  if (!wanted.every(([name]) => known.includes(name))) return undefined;
  if (queues && filter.direction) return undefined;
  const counting = countingOf(filter);
  if (!counting) return undefined;
  const whole = inQuarters({ from, before });
  if (+whole.from !== +from || +whole.before !== +before) return undefined;
  const [exchange] = await db.query<{ timeZone: string }>(
    sql`select time_zone as "timeZone" from exchanges where id = $1`,
    [exchangeId],
  );
  if (!exchange) return undefined;
  const stretch: Stretch = { exchangeId, from, before, timeZone: exchange.timeZone, within };
  const isByHour = hour !== undefined || weekday !== undefined;
  const { sums, values } = await sumsOf(db, stretch, isByHour ? (queues ? "quarter" : "hour") : "day");
  const where: Sql[] = [queues ? sql`of = 'queue'` : sql`of = 'direction'`];
  const asked = (condition: (value: Sql) => Sql, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    where.push(condition(place(values.length)));
  };
  asked((value) => sql`which = ${value}`, counting.direction);
  asked((value) => sql`which = any(${value})`, queues);
  const local = sql`at at time zone (select time_zone from exchanges where id = $1)`;
  asked((value) => sql`date_part('hour', ${local}) = ${value}::int`, hour);
  asked((value) => sql`date_part('isodow', ${local}) = ${value}::int`, weekday);
  const [row] = await db.query<{ total: number }>(
    sql`select coalesce(sum(${counting.counted}), 0)::int as total from ${sums} as sums
     where ${joined(where, " and ")}`,
    values,
  );
  return row!.total; // an aggregate always has its row
}

type Counting = { counted: Sql; direction: string | undefined };

/** Sums have those a person took, and those without any answer: of incoming calls these are the missed ones. */
function countingOf({ direction, missed, outcomes, queues }: Filter): Counting | undefined {
  const of = (counted: Sql, which = direction): Counting => ({ counted, direction: which });
  if (missed !== undefined && outcomes) return undefined;
  if (missed !== undefined) return of(missed ? sql`missed` : sql`calls - missed`);
  if (!outcomes) return of(sql`calls`);
  const wanted = [...outcomes].sort().join();
  if (wanted === "answered") return of(sql`answered`);
  if (wanted === UNTAKEN) return of(sql`calls - answered`);
  if (queues || (direction ?? "inbound") !== "inbound") return undefined;
  if (wanted === "missed") return of(sql`missed`, "inbound");
  return wanted === WANTED_PERSON && direction ? of(sql`answered + missed`) : undefined;
}

const UNTAKEN = [...outcomesOf("untaken")].sort().join();
const WANTED_PERSON = [...outcomesOf("wanted-person")].sort().join();
