// How many calls a filter means, from their sums: for lists of months and years, of which counting each call takes seconds.

import type { Became } from "../nouns/became.ts";
import { type Outcome, outcomesOf } from "../nouns/outcome.ts";
import { PROMISES } from "../nouns/promises.ts";
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
  queued?: boolean | undefined;
  became?: Became | undefined;
  queueWaitedUpTo?: number | undefined;
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

/** Records of less are counted quickly. */
export function isLong({ from, before }: Pick<Filter, "from" | "before">): boolean {
  return !from || !before || before.getTime() - from.getTime() >= LONG_MS;
}

/** What sums are to be asked. Undefined: the records must be counted, which is quick for a few weeks and for whatever has an index. */
export function bySums(filter: Filter): BySums | undefined {
  const { from, before, hour, weekday } = filter;
  if (filter.listening !== false || !from || !before) return undefined; // sums leave listeners out
  const whole = inQuarters({ from, before });
  if (+whole.from !== +from || +whole.before !== +before) return undefined;
  const counting = countingOf(filter);
  const isByHour = hour !== undefined || weekday !== undefined;
  // Records of some weeks are counted as quickly, but for what they have to be asked one by one.
  const isQuick = !isByHour && !counting?.within && counting?.of === "direction";
  if (!counting || (isQuick && !isLong(filter))) return undefined;
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
  const where: Sql[] = [sql`of in (${joined([counting.of, ...(counting.less ?? [])].map(literal), ", ")})`];
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
  of: "direction" | "queue" | "passed-on" | "agent" | "tag" | "disposition";
  /** What is taken away from that. */
  less?: ["passed-on"];
  which?: readonly string[] | undefined;
  counted: Sql;
  /** Whoever sees an extension sees all that it was rung for, and needs no sums of his own. */
  within?: Within | undefined;
};

/** What a filter asks for beside days and hours, as sums have it; nothing where they do not. */
function countingOf(filter: Filter): Counting | undefined {
  const asks = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const only = (...names: string[]) => asks.every((name) => [...OF_TIME, ...names].includes(name));
  const { within, queues } = filter;
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
  if (only("queues", "queued", "became", "queueWaitedUpTo", "within") && (queues || filter.became))
    return inQueues(filter);
  if (!only("direction", "missed", "outcomes", "within") || (within && !keepsSums(within))) return undefined;
  const how = outcomeOf(filter);
  if (!how) return undefined;
  return {
    of: "direction",
    which: how.direction === undefined ? undefined : [how.direction],
    counted: how.counted,
    within,
  };
}

/** Whoever sees all calls of a queue needs no sums of his own. What came to two of them, and is in the sums of both, is one call. */
function inQueues({ queues, queued, became, queueWaitedUpTo: upTo, within }: Filter): Counting | undefined {
  if (queued === false || (within && !queues?.every((queue) => within.calledAt.includes(queue)))) return undefined;
  if (upTo !== undefined) {
    const inOrder = (PROMISES as readonly number[]).indexOf(upTo) + 1;
    if (inOrder === 0 || became !== "answered" || queues?.length !== 1) return undefined;
    return { of: "queue", which: queues, counted: sql`within[${inOrder}]` };
  }
  if (became === "abandoned") {
    const counted = sql`case of when 'queue' then calls - answered else -calls end`;
    return { of: "queue", less: ["passed-on"], which: queues, counted };
  }
  if (queues?.length !== 1) return undefined;
  if (became === "passed-on") return { of: "passed-on", which: queues, counted: sql`calls` };
  return { of: "queue", which: queues, counted: became ? sql`answered` : sql`calls` };
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
function outcomeOf({ direction, missed, outcomes }: Filter): Counted | undefined {
  const of = (counted: Sql, which = direction): Counted => ({ counted, direction: which });
  if (missed !== undefined && outcomes) return undefined;
  if (missed !== undefined) return of(missed ? sql`missed` : sql`calls - missed`);
  if (!outcomes) return of(sql`calls`);
  const wanted = [...outcomes].sort().join();
  if (wanted === "answered") return of(sql`answered`);
  if (wanted === UNTAKEN) return of(sql`calls - answered`);
  if ((direction ?? "inbound") !== "inbound") return undefined;
  if (wanted === "missed") return of(sql`missed`, "inbound");
  return wanted === WANTED_PERSON && direction ? of(sql`answered + missed`) : undefined;
}

const UNTAKEN = [...outcomesOf("untaken")].sort().join();
const WANTED_PERSON = [...outcomesOf("wanted-person")].sort().join();
