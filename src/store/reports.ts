// Figures about calls for the reports of the console, read from their sums. Every statement looks at one exchange and one
// stretch of time, and adds up before it looks for names: the planner takes a year of sums for a few. What the figures mean:
// figures.ts.

import { PROMISES, USUAL_PROMISE } from "../nouns/promises.ts";
import { type Summed, sumsOf } from "./call-sums.ts";
import type { Db } from "./db.ts";
import { abandoned, averageOf, type Counted, type PassedOn } from "./figures.ts";
import { seenExtensions, seenQueues, type Within } from "./scope.ts";
import { literal, place, type Sql, sql } from "./sql.ts";
import type { Stretch } from "./stretch.ts";

export type { Stretch } from "./stretch.ts";

/** A further condition on what is counted, with its value behind the others: nothing for who sees everything. */
function further(
  within: Within | undefined,
  given: readonly unknown[],
  condition: (place: Sql) => Sql,
): { and: Sql; values: unknown[] } {
  if (within === undefined) return { and: sql``, values: [...given] };
  return { and: sql`and ${condition(place(given.length + 1))}`, values: [...given, JSON.stringify(within)] };
}

/** Sums that are of one queue or extension anyway: who sees that one sees all of it, and needs no counting. */
const whole = (stretch: Stretch): Stretch => ({ ...stretch, within: undefined });

/** What is passed on has no more than a number. */
const SUMMED_OF_QUEUES = sql`coalesce(sum(calls) filter (where of = 'queue'), 0)::int as calls,
  coalesce(sum(calls) filter (where of = 'passed-on'), 0)::int as "passedOn", coalesce(sum(answered), 0)::int as answered,
  coalesce(sum(missed), 0)::int as missed, coalesce(sum(talk_seconds), 0)::float8 as "talkSeconds",
  coalesce(sum(wait_seconds), 0)::float8 as "waitSeconds", coalesce(max(longest_wait), 0) as "longestWait"`;

const of = (summed: Summed) => sql`of = ${literal(summed)}`;

/** How many of each direction; missed are incoming calls alone. */
const DIRECTIONS = sql`coalesce(sum(calls) filter (where which = 'inbound'), 0)::int as inbound,
  coalesce(sum(calls) filter (where which = 'outbound'), 0)::int as outbound,
  coalesce(sum(calls) filter (where which = 'internal'), 0)::int as internal,
  coalesce(sum(answered) filter (where which = 'inbound'), 0)::int as answered,
  coalesce(sum(missed) filter (where which = 'inbound'), 0)::int as missed,
  coalesce(sum(talk_seconds), 0)::float8 as talk`;

export type DirectionCounts = {
  inbound: number;
  outbound: number;
  internal: number;
  /** Of the incoming ones. */
  answered: number;
  missed: number;
  talk: number;
};

export async function directionCounts(db: Db, stretch: Stretch): Promise<DirectionCounts> {
  const { sums, values } = await sumsOf(db, stretch);
  const [row] = await db.query<DirectionCounts>(
    sql`select ${DIRECTIONS} from ${sums} as sums where ${of("direction")}`,
    values,
  );
  return row!; // an aggregate always has its row
}

export type HourRow = DirectionCounts & { weekday: number; hour: number };

/** By the weekday, Monday is 1, and the hour at the exchange: those with calls. */
export async function callsByHour(db: Db, stretch: Stretch): Promise<HourRow[]> {
  const { sums, values } = await sumsOf(db, stretch, "hour");
  const zone = place(values.length + 1);
  return db.query<HourRow>(
    sql`select date_part('isodow', at at time zone ${zone})::int as weekday, date_part('hour', at at time zone ${zone})::int as hour,
       ${DIRECTIONS}
     from ${sums} as sums where ${of("direction")} group by 1, 2 order by 1, 2`,
    [...values, stretch.timeZone],
  );
}

export type DayRow = DirectionCounts & { day: string };

/** Every day, those without calls as well. */
export async function callsByDay(db: Db, stretch: Stretch): Promise<DayRow[]> {
  const { sums, values } = await sumsOf(db, stretch);
  const zone = place(values.length + 1);
  return db.query<DayRow>(
    sql`select to_char(day, 'YYYY-MM-DD') as day, ${DIRECTIONS}
     from generate_series(date_trunc('day', $2::timestamptz at time zone ${zone}),
       date_trunc('day', ($3::timestamptz - interval '1 second') at time zone ${zone}), interval '1 day') as day
     left join ${sums} as sums on ${of("direction")} and date_trunc('day', at at time zone ${zone}) = day
     group by day order by day`,
    [...values, stretch.timeZone],
  );
}

export type QueueFigures = {
  queue: string;
  name: string;
  calls: number;
  answered: number;
  abandoned: number;
  passedOn: number;
  /** Of the answered ones, those who waited no longer than the promise. */
  inTime: number;
  promisedSeconds: number;
  averageWait: number;
  longestWait: number;
  averageTalk: number;
};

/** What a queue promises; a ring group promises what is usual. */
const PROMISE = sql`coalesce(q.promised_seconds::int, ${literal(String(USUAL_PROMISE))}::int)`;
const PROMISES_IN_ORDER = sql`array_position(${literal(`{${PROMISES.join(",")}}`)}::int[], ${PROMISE})`;

export async function queueFigures(db: Db, stretch: Stretch, wanted?: "exact"): Promise<QueueFigures[]> {
  const { sums, values: given } = await sumsOf(db, whole(stretch), wanted);
  const { and, values } = further(stretch.within, given, (place) => seenQueues(sql`which`, place));
  const rows = await db.query<Counted & PassedOn & Pick<QueueFigures, "queue" | "name" | "inTime" | "promisedSeconds">>(
    sql`select figures.*, which as queue, coalesce(q.name, g.name, '') as name, ${PROMISE} as "promisedSeconds",
       in_order[${PROMISES_IN_ORDER}] as "inTime"
     from (select which, ${SUMMED_OF_QUEUES}, add_up(within) as in_order from ${sums} as sums
       where of in ('queue', 'passed-on') ${and} group by which) as figures
     left join queues q on q.exchange_id = $1 and q.number = which
     left join ring_groups g on g.exchange_id = $1 and g.number = which order by length(which), which`,
    values,
  );
  return rows.map(({ queue, name, calls, answered, passedOn, inTime, promisedSeconds, longestWait, ...sum }) => ({
    queue,
    name,
    calls,
    answered,
    passedOn,
    inTime,
    promisedSeconds,
    longestWait,
    abandoned: abandoned({ calls, answered, passedOn }),
    averageWait: averageOf(sum.waitSeconds, calls),
    averageTalk: averageOf(sum.talkSeconds, answered),
  }));
}

export type ExtensionFigures = {
  extension: string;
  name: string;
  made: number;
  taken: number;
  missed: number;
  talk: number;
  averageTalk: number;
};

/** A call counts for up to three extensions. */
export async function extensionFigures(db: Db, stretch: Stretch): Promise<ExtensionFigures[]> {
  const { sums, values: given } = await sumsOf(db, whole(stretch));
  const { and, values } = further(stretch.within, given, (place) => seenExtensions(sql`e.number`, place));
  const rows = await db.query<Omit<ExtensionFigures, "averageTalk"> & { talked: number }>(
    sql`select e.number as extension, e.name, coalesce(made, 0) as made, coalesce(taken, 0) as taken,
       coalesce(unanswered, 0) as missed, coalesce(talk, 0) as talk, coalesce(talked, 0) as talked
     from extensions e left join (
       select which, sum(calls) filter (where ${of("made")})::int as made,
         sum(calls) filter (where ${of("taken")})::int as taken,
         sum(calls) filter (where ${of("unanswered")})::int as unanswered,
         sum(talk_seconds)::float8 as talk, sum(answered)::int as talked
       from ${sums} as sums where of in ('made', 'taken', 'unanswered') group by which) as figures on which = e.number
     where e.exchange_id = $1 ${and} order by length(e.number), e.number`,
    values,
  );
  return rows.map(({ talked, ...row }) => ({ ...row, averageTalk: averageOf(row.talk, talked) }));
}

export type AgentCalls = {
  extension: string;
  name: string;
  offered: number;
  answered: number;
  missed: number;
  talk: number;
};

/** What queues rang each extension for, and what became of it. */
export async function agentCalls(db: Db, stretch: Stretch): Promise<AgentCalls[]> {
  const { sums, values: given } = await sumsOf(db, whole(stretch));
  const { and, values } = further(stretch.within, given, (place) => seenExtensions(sql`which`, place));
  return db.query<AgentCalls>(
    sql`select which as extension, e.name, offered, answered, missed, talk
     from (select which, sum(calls)::int as offered, sum(answered)::int as answered, sum(missed)::int as missed,
         sum(talk_seconds)::float8 as talk
       from ${sums} as sums where ${of("agent")} ${and} group by which) as figures
     join extensions e on e.exchange_id = $1 and e.number = which order by length(which), which`,
    values,
  );
}

export type NumberFigures = {
  number: string;
  incoming: number;
  answered: number;
  missed: number;
  outgoing: number;
  talk: number;
};

/** Numbers of ours: called from outside, or shown to the outside. */
export async function numberFigures(db: Db, stretch: Stretch, most?: number): Promise<NumberFigures[]> {
  const { sums, values } = await sumsOf(db, stretch);
  return db.query<NumberFigures>(
    sql`select which as number, coalesce(sum(calls) filter (where ${of("number")}), 0)::int as incoming,
       coalesce(sum(answered) filter (where ${of("number")}), 0)::int as answered,
       coalesce(sum(missed) filter (where ${of("number")}), 0)::int as missed,
       coalesce(sum(calls) filter (where ${of("shown-number")}), 0)::int as outgoing, sum(talk_seconds)::float8 as talk
     from ${sums} as sums where of in ('number', 'shown-number') group by which
     order by sum(calls) desc, which limit ${place(values.length + 1)}`,
    [...values, most ?? null],
  );
}

export type CampaignFigures = { campaign: number; name: string; calls: number; answered: number; talk: number };

export async function campaignFigures(db: Db, stretch: Stretch, most?: number): Promise<CampaignFigures[]> {
  const { sums, values } = await sumsOf(db, stretch);
  return db.query<CampaignFigures>(
    sql`select c.id as campaign, c.name, calls, answered, talk
     from (select which, sum(calls)::int as calls, sum(answered)::int as answered, sum(talk_seconds)::float8 as talk
       from ${sums} as sums where ${of("campaign")} group by which) as figures
     join call_campaigns c on c.exchange_id = $1 and c.id = which::bigint order by c.id desc limit ${place(values.length + 1)}`,
    [...values, most ?? null],
  );
}

/** What callers said of their agents, by when the calls began; they are asked soon after. */
export type SurveyFigures = { extension: string; name: string; answers: number; average: number };

export function surveyFigures(db: Db, { exchangeId, from, before, within }: Stretch): Promise<SurveyFigures[]> {
  const given = [exchangeId, from, before];
  const { and, values } = further(within, given, (place) => seenExtensions(sql`s.extension`, place));
  return db.query<SurveyFigures>(
    sql`select s.extension, coalesce(max(e.name), '') as name, count(*) as answers,
       round(avg(score), 2)::float8 as average
     from survey_answers s join cdrs c on c.exchange_id = $1 and c.call_uuid = s.call_uuid
     left join extensions e on e.exchange_id = $1 and e.number = s.extension
     where s.exchange_id = $1 and c.start_stamp >= $2 and c.start_stamp < $3
       and answered_at >= $2::timestamptz - interval '1 day' and answered_at < $3::timestamptz + interval '1 day' ${and}
     group by s.extension order by s.extension`,
    values,
  );
}
