// How long agents wrote their notes after calls of queues.

import type { Db } from "./db.ts";
import { seenExtensions } from "./scope.ts";
import { place, sql } from "./sql.ts";
import type { Stretch } from "./stretch.ts";

export type WrapUp = { callUuid: string; extension: string; beganMs: number; seconds: number };

/** Once for a call and an agent, however often it is asked. */
export async function keepWrapUp(
  db: Db,
  exchangeId: number,
  { callUuid, extension, beganMs, seconds }: WrapUp,
): Promise<void> {
  await db.query(
    sql`insert into agent_wrap_ups (exchange_id, call_uuid, extension, began_at, seconds)
     select id, $2, $3, $4, $5 from exchanges where id = $1 on conflict do nothing`,
    [exchangeId, callUuid, extension, new Date(beganMs), seconds],
  );
}

/** By the moment they began. */
export function wrapUps(
  db: Db,
  { exchangeId, from, before, within }: Stretch,
): Promise<{ extension: string; seconds: number }[]> {
  const and = within === undefined ? sql`` : sql`and ${seenExtensions(sql`extension`, place(4))}`;
  return db.query(
    sql`select extension, sum(seconds)::float8 as seconds from agent_wrap_ups
     where exchange_id = $1 and began_at >= $2 and began_at < $3 ${and} group by extension`,
    [exchangeId, from, before, ...(within === undefined ? [] : [JSON.stringify(within)])],
  );
}

/**
 * Calls of queues that each agent has answered since he last came, however long ago; a break in between changes nothing. Those
 * of that day are counted, and days after it are read from their sums.
 */
export async function answeredSinceLogIn(db: Db, exchangeId: number): Promise<Map<string, number>> {
  const rows = await db.query<{ extension: string; calls: number }>(
    sql`select came.agent as extension, (
         select count(distinct c.call_uuid) from cdrs c join cdr_legs l on l.call_uuid = c.call_uuid
         where c.exchange_id = $1 and c.start_stamp >= came.at - interval '1 hour' and c.start_stamp < came.day_over
           and c.queue is not null and l.position > 0 and l.destination_number = came.agent and l.answer_stamp >= came.at)
         + (select coalesce(sum(answered), 0) from call_sums where exchange_id = $1 and span = 'day' and of = 'agent'
           and which = came.agent and call_sums.at >= came.day_over)::int as calls
     from extensions e join exchanges x on x.id = e.exchange_id
     join agent_states s on s.extension_id = e.id and s.status <> 'LOGGED_OUT'
     cross join lateral (
       select agent, a.at, (date_trunc('day', a.at at time zone x.time_zone) + interval '1 day') at time zone x.time_zone
         as day_over
       from audit_lines a where a.exchange_id = $1 and a.agent = e.number and a.details ->> 'from' = 'LOGGED_OUT'
       order by a.at desc, id desc limit 1) as came
     where e.exchange_id = $1`,
    [exchangeId],
  );
  return new Map(rows.map(({ extension, calls }) => [extension, calls]));
}
