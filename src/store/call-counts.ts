// How many calls a filter means, from their sums: for lists of months and years, of which counting each call takes seconds.

import { type Outcome, outcomesOf } from "../nouns/outcome.ts";
import { sumsOf } from "./call-sums.ts";
import type { Db } from "./db.ts";
import type { Within } from "./scope.ts";
import { keepsSums } from "./seen-sums.ts";
import { joined, literal, place, type Sql, sql } from "./sql.ts";
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
  offeredTo?: string | undefined;
  answeredBy?: string | undefined;
  letPassBy?: string | undefined;
  tag?: string | undefined;
  disposition?: string | undefined;
};

const LONG_MS = 31 * 86_400_000;

/** What sums are to be asked. Undefined: the records must be counted, which is quick for a few weeks and for whatever has an index. */
export function bySums(filter: Filter): BySums | undefined {
  const { from, before, hour, weekday } = filter;
  if (filter.listening !== false || !from || !before) return undefined; // sums leave listeners out
  const whole = inQuarters({ from, before });
  if (+whole.from !== +from || +whole.before !== +before) return undefined;
  const counting = countingOf(filter);
  const isByHour = hour !== undefined || weekday !== undefined;
  const isLong = before.getTime() - from.getTime() >= LONG_MS;
  // Records of some weeks are counted as quickly, but for what they have to be asked one by one.
  const isQuick = !isByHour && !counting?.within && (counting?.of === "direction" || counting?.of === "queue");
  if (!counting || (isQuick && !isLong)) return undefined;
  return { from, before, hour, weekday, isByHour, counting };
}

type BySums = {
  from: Date;
  before: Date;
  hour: number | undefined;
  weekday: number | undefined;
  isByHour: boolean;
  counting: Counting;
};

export async function countBySums(db: Db, exchangeId: number, asks: BySums): Promise<number | undefined> {
  const { from, before, hour, weekday, isByHour, counting } = asks;
  const [exchange] = await db.query<{ timeZone: string }>(
    sql`select time_zone as "timeZone" from exchanges where id = $1`,
    [exchangeId],
  );
  if (!exchange) return undefined;
  const stretch: Stretch = { exchangeId, from, before, timeZone: exchange.timeZone, within: counting.within };
  const hours = counting.of === "direction" ? "hour" : "quarter";
  const { sums, values } = await sumsOf(db, stretch, isByHour ? hours : "day");
  const where: Sql[] = [sql`of = ${literal(counting.of)}`];
  const asked = (condition: (value: Sql) => Sql, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    where.push(condition(place(values.length)));
  };
  asked((value) => sql`which = any(${value})`, counting.which);
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

type Counting = {
  of: "direction" | "queue" | "agent" | "tag" | "disposition";
  which?: readonly string[] | undefined;
  counted: Sql;
  /** Whoever sees an extension sees all that it was rung for, and needs no sums of his own. */
  within?: Within | undefined;
};

/** What a filter asks for beside days and hours, as sums have it; nothing where they do not. */
function countingOf(filter: Filter): Counting | undefined {
  const asks = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const only = (...names: string[]) => asks.every((name) => [...OF_TIME, ...names].includes(name));
  const { within, queues, direction } = filter;
  for (const [name, counted] of RUNG) {
    const who = filter[name];
    if (who === undefined || !only(name, "within")) continue;
    if (!within || within.extensions.includes(who)) return { of: "agent", which: [who], counted };
  }
  for (const of of ["tag", "disposition"] as const) {
    const which = filter[of];
    if (which === undefined || !only(of, "within") || (within && !keepsSums(within))) continue;
    return { of, which: [which], counted: sql`calls`, within };
  }
  if (!only("direction", "missed", "outcomes", "queues", "within")) return undefined;
  if (within && (queues || !keepsSums(within))) return undefined;
  if (queues && direction) return undefined;
  const how = outcomeOf(filter);
  if (!how) return undefined;
  if (queues) return { of: "queue", which: queues, counted: how.counted };
  return {
    of: "direction",
    which: how.direction === undefined ? undefined : [how.direction],
    counted: how.counted,
    within,
  };
}

/** What a queue rang an extension for, and what became of it. */
const RUNG = [
  ["offeredTo", sql`calls`],
  ["answeredBy", sql`answered`],
  ["letPassBy", sql`missed`],
] as const;

const OF_TIME = ["from", "before", "hour", "weekday", "listening"];

type Counted = { counted: Sql; direction: string | undefined };

/** Sums have those a person took, and those without any answer: of incoming calls these are the missed ones. */
function outcomeOf({ direction, missed, outcomes, queues }: Filter): Counted | undefined {
  const of = (counted: Sql, which = direction): Counted => ({ counted, direction: which });
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
