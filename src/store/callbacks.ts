// Callers who kept their place in a queue and are owed a call, and what callers said when they were asked.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type Callback = {
  id: string;
  queue: string;
  callUuid: string;
  caller: string;
  /** A call of ours, whose extension has said who it is. */
  isInside: boolean;
  callerName: string;
  priority: number;
  joinedMs: number;
  attempts: number;
  nextTryMs: number;
};

/** False when the queue has gone in the meantime. */
export async function keepCallback(db: Db, exchangeId: number, callback: Callback): Promise<boolean> {
  const { id, queue, callUuid, caller, isInside, callerName, priority, joinedMs } = callback;
  const kept = await db.query(
    sql`insert into queue_callbacks
       (id, exchange_id, queue_id, call_uuid, caller, caller_name, priority, joined_at, next_try_at, is_inside)
     select $1, $2, id, $4, $5, $6, $7, to_timestamp($8::double precision / 1000), now(), $9
     from queues where exchange_id = $2 and number = $3 returning id`,
    [id, exchangeId, queue, callUuid, caller, callerName, priority, joinedMs, isInside],
  );
  return kept.length > 0;
}

export function listOwedCallbacks(db: Db, exchangeId: number): Promise<Callback[]> {
  return db.query<Callback>(
    sql`select c.id, q.number as queue, c.call_uuid as "callUuid", c.caller, c.is_inside as "isInside", c.caller_name as "callerName", c.priority,
       (extract(epoch from c.joined_at) * 1000)::double precision as "joinedMs", c.attempts,
       (extract(epoch from c.next_try_at) * 1000)::double precision as "nextTryMs"
     from queue_callbacks c join queues q on q.id = c.queue_id
     where c.exchange_id = $1 and c.ended_at is null order by c.joined_at, c.id`,
    [exchangeId],
  );
}

export async function exchangesOwingCallbacks(db: Db): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`select distinct exchange_id as id from queue_callbacks where ended_at is null`,
  );
  return rows.map(({ id }) => id);
}

/** Written before anybody is dialled: after a crash the attempt has counted, and nobody is rung without end. */
export async function beginCallback(
  db: Db,
  { exchangeId, id, againMs }: { exchangeId: number; id: string; againMs: number },
): Promise<void> {
  await db.query(
    sql`update queue_callbacks set attempts = attempts + 1, next_try_at = to_timestamp($3::double precision / 1000)
     where exchange_id = $1 and id = $2`,
    [exchangeId, id, againMs],
  );
}

export async function endCallback(
  db: Db,
  { exchangeId, id, outcome }: { exchangeId: number; id: string; outcome: "talked" | "not-reached" },
): Promise<void> {
  await db.query(
    sql`update queue_callbacks set ended_at = now(), outcome = $3 where exchange_id = $1 and id = $2 and ended_at is null`,
    [exchangeId, id, outcome],
  );
}

export type SurveyAnswer = { callUuid: string; queue: string; extension: string; score: number; atMs: number };

export async function keepSurveyAnswer(db: Db, exchangeId: number, answer: SurveyAnswer): Promise<void> {
  const { callUuid, queue, extension, score, atMs } = answer;
  await db.query(
    sql`insert into survey_answers (exchange_id, call_uuid, queue, extension, score, answered_at)
     values ($1, $2, $3, $4, $5, to_timestamp($6::double precision / 1000))`,
    [exchangeId, callUuid, queue, extension, score, atMs],
  );
}
