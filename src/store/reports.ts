// Figures about calls for the reports of the console. Every statement looks at one exchange and one stretch of time.

import { TAKEN } from "./cdrs.ts";
import type { Db } from "./db.ts";
import { seenCalls, seenExtensions, seenQueues, type Within } from "./scope.ts";
import { place, type Sql, sql } from "./sql.ts";

export type Stretch = {
  exchangeId: number;
  from: Date;
  before: Date;
  timeZone: string;
  /** Only what somebody sees who does not see everything. */
  within?: Within | undefined;
};

/** A further condition on what is counted, with its value behind the others: nothing for who sees everything. */
function further(
  within: Within | undefined,
  given: readonly unknown[],
  condition: (place: Sql) => Sql,
): { and: Sql; values: unknown[] } {
  if (within === undefined) return { and: sql``, values: [...given] };
  return { and: sql`and ${condition(place(given.length + 1))}`, values: [...given, JSON.stringify(within)] };
}

export type HourRow = { hour: number; inbound: number; outbound: number; internal: number; missed: number };

/** Calls are counted before they are put beside their hours: each one's time of day is worked out once. */
export function callsByHour(db: Db, { exchangeId, from, before, timeZone, within }: Stretch): Promise<HourRow[]> {
  const { and, values } = further(within, [exchangeId, from, before, timeZone], seenCalls);
  return db.query<HourRow>(
    sql`select hour, coalesce(inbound, 0) as inbound, coalesce(outbound, 0) as outbound,
       coalesce(internal, 0) as internal, coalesce(missed, 0) as missed
     from generate_series(0, 23) as hour left join (
       select date_part('hour', start_stamp at time zone $4)::int as hour,
         count(*) filter (where direction = 'inbound') as inbound,
         count(*) filter (where direction = 'outbound') as outbound,
         count(*) filter (where direction = 'internal') as internal, count(*) filter (where missed) as missed
       from cdrs where exchange_id = $1 and start_stamp >= $2 and start_stamp < $3 and not listening ${and}
       group by 1) as counted using (hour)
     order by hour`,
    values,
  );
}

export type DayRow = { day: string; inbound: number; outbound: number; internal: number; missed: number; talk: number };

export function callsByDay(db: Db, { exchangeId, from, before, timeZone, within }: Stretch): Promise<DayRow[]> {
  const { and, values } = further(within, [exchangeId, from, before, timeZone], seenCalls);
  return db.query<DayRow>(
    sql`select to_char(day, 'YYYY-MM-DD') as day, coalesce(inbound, 0) as inbound, coalesce(outbound, 0) as outbound,
       coalesce(internal, 0) as internal, coalesce(missed, 0) as missed, coalesce(talk, 0)::int as talk
     from generate_series(date_trunc('day', $2::timestamptz at time zone $4),
       date_trunc('day', ($3::timestamptz - interval '1 second') at time zone $4), interval '1 day') as day
     left join (
       select date_trunc('day', start_stamp at time zone $4) as day,
         count(*) filter (where direction = 'inbound') as inbound,
         count(*) filter (where direction = 'outbound') as outbound,
         count(*) filter (where direction = 'internal') as internal, count(*) filter (where missed) as missed,
         sum(talk_seconds) as talk
       from cdrs where exchange_id = $1 and start_stamp >= $2 and start_stamp < $3 and not listening ${and}
       group by 1) as counted using (day)
     order by day`,
    values,
  );
}

export type QueueFigures = {
  queue: string;
  name: string;
  calls: number;
  answered: number;
  abandoned: number;
  /** Of the answered ones, those who waited no longer than the promise. */
  inTime: number;
  averageWait: number;
  longestWait: number;
  averageTalk: number;
};

/** What a queue promises: to answer within so many seconds. */
export const PROMISED_SECONDS = 20;

export function queueFigures(db: Db, { exchangeId, from, before, within }: Stretch): Promise<QueueFigures[]> {
  const given = [exchangeId, from, before, PROMISED_SECONDS];
  const { and, values } = further(within, given, (place) => seenQueues(sql`queue`, place));
  return db.query<QueueFigures>(
    sql`select c.queue, coalesce(max(q.name), max(g.name), '') as name, count(*) as calls,
       count(*) filter (where answered) as answered, count(*) filter (where not answered) as abandoned,
       count(*) filter (where answered and queue_wait_seconds <= $4) as "inTime",
       coalesce(round(avg(queue_wait_seconds)), 0)::int as "averageWait", max(queue_wait_seconds) as "longestWait",
       coalesce(round(avg(talk_seconds) filter (where answered)), 0)::int as "averageTalk"
     from (select *, ${TAKEN} as answered from cdrs
       where exchange_id = $1 and start_stamp >= $2 and start_stamp < $3 and queue is not null ${and}) c
     left join queues q on q.exchange_id = $1 and q.number = c.queue
     left join ring_groups g on g.exchange_id = $1 and g.number = c.queue
     group by c.queue order by c.queue`,
    values,
  );
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

/** A call counts for up to three extensions; it is read once. */
export function extensionFigures(db: Db, { exchangeId, from, before, within }: Stretch): Promise<ExtensionFigures[]> {
  const given = [exchangeId, from, before];
  const { and, values } = further(within, given, (place) => seenExtensions(sql`e.number`, place));
  return db.query<ExtensionFigures>(
    sql`with figures as (
       select number, count(*) filter (where did = 'made') as made, count(*) filter (where did = 'taken') as taken,
         count(*) filter (where did = 'missed') as missed, sum(talk_seconds) filter (where did <> 'missed') as talk,
         avg(talk_seconds) filter (where did <> 'missed' and talk_seconds > 0) as average
       from cdrs cross join lateral (values (caller_id_number, 'made', direction <> 'inbound'),
         (connected_user, 'taken', connected_user <> '' and direction <> 'outbound'),
         (dialed_user, 'missed', missed and dialed_user <> '')) as part (number, did, counts)
       where exchange_id = $1 and start_stamp >= $2 and start_stamp < $3 and counts and not listening group by number)
     select e.number as extension, e.name, coalesce(made, 0) as made, coalesce(taken, 0) as taken,
       coalesce(missed, 0) as missed, coalesce(talk, 0)::int as talk, coalesce(round(average), 0)::int as "averageTalk"
     from extensions e left join figures on figures.number = e.number
     where e.exchange_id = $1 ${and} order by length(e.number), e.number`,
    values,
  );
}

export type AgentMoveRow = { extension: string; name: string; at: Date; status: string; break: string };

/** Every change of an agent's status, and the last one before, so that the first stretch has a beginning. */
export function agentMoves(db: Db, { exchangeId, from, before, within }: Stretch): Promise<AgentMoveRow[]> {
  const given = [exchangeId, from, before];
  const { and, values } = further(within, given, (place) => seenExtensions(sql`agent`, place));
  return db.query<AgentMoveRow>(
    sql`with recursive inside as (
       select id, at, agent, details from audit_lines
       where exchange_id = $1 and did = 'agent-moved' and at >= $2 and at < $3),
     agents as (
       (select agent as number from audit_lines where exchange_id = $1 and agent is not null order by agent limit 1)
       union all select (
         select agent from audit_lines where exchange_id = $1 and agent > agents.number order by agent limit 1)
       from agents where agents.number is not null),
     moves as (
       select * from inside
       union all select last.* from agents cross join lateral (
         select id, at, agent, details from audit_lines
         where exchange_id = $1 and agent = agents.number and at < $2 order by at desc, id desc limit 1) as last)
     select agent as extension, at, details ->> 'to' as status, coalesce(details ->> 'break', '') as break,
       coalesce((select name from extensions where exchange_id = $1 and number = agent), '') as name
     from moves where agent is not null ${and} order by agent, at, id limit 20000`,
    values,
  );
}

export type SurveyFigures = { extension: string; name: string; answers: number; average: number };

export function surveyFigures(db: Db, { exchangeId, from, before, within }: Stretch): Promise<SurveyFigures[]> {
  const given = [exchangeId, from, before];
  const { and, values } = further(within, given, (place) => seenExtensions(sql`s.extension`, place));
  return db.query<SurveyFigures>(
    sql`select s.extension, coalesce(max(e.name), '') as name, count(*) as answers,
       round(avg(score), 2)::float8 as average
     from survey_answers s left join extensions e on e.exchange_id = $1 and e.number = s.extension
     where s.exchange_id = $1 and answered_at >= $2 and answered_at < $3 ${and}
     group by s.extension order by s.extension`,
    values,
  );
}

export type Today = { calls: number; inbound: number; outbound: number; missed: number; talk: number };

export async function callsToday(
  db: Db,
  { exchangeId, timeZone, within }: Pick<Stretch, "exchangeId" | "timeZone" | "within">,
): Promise<Today> {
  const { and, values } = further(within, [exchangeId, timeZone], seenCalls);
  const [row] = await db.query<Today>(
    sql`select count(*) as calls, count(*) filter (where direction = 'inbound') as inbound,
       count(*) filter (where direction = 'outbound') as outbound, count(*) filter (where missed) as missed,
       coalesce(sum(talk_seconds), 0)::int as talk
     from cdrs where exchange_id = $1 and start_stamp >= date_trunc('day', now() at time zone $2) at time zone $2
       and not listening ${and}`,
    values,
  );
  return row!; // an aggregate always has its row
}
