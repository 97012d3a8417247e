// The numbers of a campaign: written in batches, claimed one attempt at a time, and never claimed again once finished.

import type { Language } from "../speech/language.ts";
import { CAMPAIGNS_CHANNEL, type CampaignNumber } from "./campaigns.ts";
import type { Db } from "./db.ts";
import { type Sql, sql } from "./sql.ts";

/** Columns, not rows: they go to the database as arrays. */
export type NumberBatch = { numbers: string[]; phrases: (string | null)[]; languages: Language[] };

export async function writeNumbers(
  db: Db,
  { exchangeId, campaignId }: { exchangeId: number; campaignId: number },
  { numbers, phrases, languages }: NumberBatch,
): Promise<void> {
  await db.query(
    sql`with written as (
       insert into campaign_numbers (exchange_id, campaign_id, number, phrase, language)
       select $1, $2, number, phrase, language
       from unnest($3::text[], $4::text[], $5::text[]) with ordinality as g (number, phrase, language, place)
       order by place)
     update campaign_counts set numbers = numbers + $6::int where campaign_id = $2`,
    [exchangeId, campaignId, numbers, phrases, languages, numbers.length],
  );
}

/** For who has dialled all that there were. */
export async function tellNumbersCame(db: Db, exchangeId: number): Promise<void> {
  await db.query(sql`select pg_notify($1, $2::text)`, [CAMPAIGNS_CHANNEL, exchangeId]);
}

export type ClaimedNumber = CampaignNumber & { attemptId: number; callUuid: string; tries: number };

/**
 * Commits that these numbers are about to be dialled, before any call leaves. A campaign that is being stopped waits for
 * this, and what is stopped or deleted gives nothing.
 */
export function claimNumbers(
  db: Db,
  { campaignId, most, nowMs }: { campaignId: number; most: number; nowMs: number },
): Promise<ClaimedNumber[]> {
  return db.query<ClaimedNumber>(
    sql`with campaign as (
       select id from call_campaigns where id = $1 and is_on and deleted_at is null for share),
     due as (
       select n.id from campaign_numbers n, campaign
       where n.campaign_id = campaign.id and n.state = 'waiting' and n.next_try_at <= to_timestamp($2::double precision / 1000)
       order by n.next_try_at, n.id limit $3 for update of n skip locked),
     claimed as (
       update campaign_numbers n set state = 'dialling', attempts = attempts + 1
       where n.campaign_id = $1 and n.id = any(array(select id from due)) returning n.*),
     begun as (
       insert into campaign_attempts (exchange_id, campaign_id, number_id, attempt, call_uuid, started_at)
       select exchange_id, campaign_id, id, attempts, gen_random_uuid(), to_timestamp($2::double precision / 1000)
       from claimed returning id, number_id, call_uuid),
     leaving as (
       update campaign_counts set leaving = leaving + (select count(*) from claimed)
       where campaign_id = $1 and exists (select from claimed))
     select c.id, c.number, c.phrase, c.language, c.attempts, c.tries, c.state, b.id as "attemptId",
       b.call_uuid as "callUuid"
     from claimed c join begun b on b.number_id = c.id order by c.next_try_at, c.id`,
    [campaignId, nowMs, most],
  );
}

/** Their calls have left, or never will. */
export async function noteLeft(db: Db, campaignId: number, numbers: number): Promise<void> {
  await db.query(sql`update campaign_counts set leaving = greatest(0, leaving - $2) where campaign_id = $1`, [
    campaignId,
    numbers,
  ]);
}

/** At a start: whatever was about to leave did not. */
export async function forgetLeaving(db: Db): Promise<void> {
  await db.query(sql`update campaign_counts set leaving = 0 where leaving <> 0`);
}

/** No call left after all: as if these had never been claimed. */
export async function putBackNumbers(db: Db, attemptIds: readonly number[]): Promise<void> {
  await db.query(
    sql`with undone as (
       delete from campaign_attempts where id = any($1) and ended_at is null returning campaign_id, number_id)
     update campaign_numbers n set state = 'waiting', attempts = attempts - 1
     from undone where n.campaign_id = undone.campaign_id and n.id = undone.number_id and n.state = 'dialling'`,
    [attemptIds],
  );
}

/** When the next waiting number may be dialled; undefined when none waits. Minus infinity means at once. */
export async function nextDueMs(db: Db, campaignId: number): Promise<number | undefined> {
  const [row] = await db.query<{ due: number | null }>(
    sql`select (extract(epoch from next_try_at) * 1000)::double precision as due
     from campaign_numbers where campaign_id = $1 and state = 'waiting' order by next_try_at, id limit 1`,
    [campaignId],
  );
  return row?.due ?? undefined;
}

export type AttemptAnswer = { attemptId: number; atMs: number };
export type AttemptKey = { attemptId: number; digit: string };

export async function noteAnswers(db: Db, answers: readonly AttemptAnswer[]): Promise<void> {
  await db.query(
    sql`update campaign_attempts a set answered_at = to_timestamp(t.at_ms / 1000)
     from unnest($1::bigint[], $2::double precision[]) as t (id, at_ms)
     where a.id = t.id and a.id = any($1) and a.answered_at is null`,
    [answers.map(({ attemptId }) => attemptId), answers.map(({ atMs }) => atMs)],
  );
}

export async function noteKeys(db: Db, keys: readonly AttemptKey[]): Promise<void> {
  await db.query(
    sql`update campaign_attempts a set digits = a.digits || t.digits
     from (select id, array_agg(digit order by place) as digits
       from unnest($1::bigint[], $2::text[]) with ordinality as g (id, digit, place) group by id) t
     where a.id = t.id and a.id = any($1)`,
    [keys.map(({ attemptId }) => attemptId), keys.map(({ digit }) => digit)],
  );
}

export type AttemptEnd = {
  attemptId: number;
  endMs: number;
  cause: string;
  answered: boolean;
  target: string | null;
  talkSeconds: number;
  queued: boolean;
  abandoned: boolean;
  machine: boolean;
  cutOff: boolean;
  /** When the number is dialled again; null: never. */
  againMs: number | null;
  /** Whether the attempt counts against the campaign's retries. */
  counts: boolean;
};

// "Any" beside the joins, here and below: the planner knows how few these are, and goes by the index, not over the table.
const END_ATTEMPTS = sql`with told as (
    select * from unnest($1::bigint[], $2::double precision[], $3::text[], $4::text[], $5::int[], $6::boolean[],
      $7::boolean[], $8::boolean[], $9::boolean[], $10::double precision[], $11::boolean[], $12::boolean[])
      as t (id, end_ms, cause, target, talk, queued, abandoned, machine, cut_off, again_ms, counts, answered)),
  ended as (
    update campaign_attempts a set ended_at = to_timestamp(told.end_ms / 1000), cause = told.cause,
      target = told.target, talk_seconds = told.talk, queued = told.queued, abandoned = told.abandoned,
      machine = told.machine, cut_off = told.cut_off,
      answered_at = case when told.answered then coalesce(a.answered_at, to_timestamp(told.end_ms / 1000)) end
    from told where a.id = told.id and a.id = any($1) and a.ended_at is null
    returning a.number_id, a.campaign_id, told.again_ms, told.counts, told.queued, told.abandoned, told.answered),
  moved as (
    update campaign_numbers n set state = case when ended.again_ms is null then 'finished' else 'waiting' end,
      next_try_at = case when ended.again_ms is null then n.next_try_at else to_timestamp(ended.again_ms / 1000) end,
      tries = n.tries + case when ended.counts then 1 else 0 end
    from ended where n.campaign_id = ended.campaign_id and n.id = ended.number_id and n.state = 'dialling'
      and n.campaign_id = any(array(select campaign_id from ended)) and n.id = any(array(select number_id from ended)))
  update campaign_counts k set attempts = k.attempts + sums.attempts, finished = k.finished + sums.finished,
    answered = k.answered + sums.answered, queued = k.queued + sums.queued, abandoned = k.abandoned + sums.abandoned
  from (select campaign_id, count(*) as attempts, count(*) filter (where again_ms is null) as finished,
      count(*) filter (where answered) as answered, count(*) filter (where queued) as queued,
      count(*) filter (where abandoned) as abandoned from ended group by campaign_id) sums
  where k.campaign_id = sums.campaign_id`;

/** In one statement the attempts are over, their numbers finished or waiting again, and the campaign's counts true. */
export async function endAttempts(db: Db, ends: readonly AttemptEnd[]): Promise<void> {
  await db.query(END_ATTEMPTS, [
    ends.map(({ attemptId }) => attemptId),
    ends.map(({ endMs }) => endMs),
    ends.map(({ cause }) => cause),
    ends.map(({ target }) => target),
    ends.map(({ talkSeconds }) => talkSeconds),
    ends.map(({ queued }) => queued),
    ends.map(({ abandoned }) => abandoned),
    ends.map(({ machine }) => machine),
    ends.map(({ cutOff }) => cutOff),
    ends.map(({ againMs }) => againMs),
    ends.map(({ counts }) => counts),
    ends.map(({ answered }) => answered),
  ]);
}

/** An attempt that had no end when the server stopped, with what the call's own record says of it, if there is one. */
export type OpenAttempt = {
  attemptId: number;
  exchangeId: number;
  campaignId: number;
  numberId: number;
  number: string;
  tries: number;
  callUuid: string;
  startedMs: number;
  answeredMs: number | null;
  digits: string[];
  /** By the CDR. Null: the call left none. */
  recordCause: string | null;
  recordAnsweredMs: number | null;
  recordEndMs: number | null;
  recordQueue: string | null;
  recordConnected: string | null;
};

export function openAttempts(db: Db): Promise<OpenAttempt[]> {
  const ms = (column: Sql) => sql`(extract(epoch from ${column}) * 1000)::double precision`;
  return db.query<OpenAttempt>(
    sql`select a.id as "attemptId", a.exchange_id as "exchangeId", a.campaign_id as "campaignId",
       a.number_id as "numberId", n.number, n.tries, a.call_uuid as "callUuid", ${ms(sql`a.started_at`)} as "startedMs",
       ${ms(sql`a.answered_at`)} as "answeredMs", a.digits, r.hangup_cause as "recordCause",
       ${ms(sql`r.answer_stamp`)} as "recordAnsweredMs", ${ms(sql`r.end_stamp`)} as "recordEndMs", r.queue as "recordQueue",
       r.connected_user as "recordConnected"
     from campaign_attempts a join campaign_numbers n on n.campaign_id = a.campaign_id and n.id = a.number_id
       left join cdrs r on r.call_uuid = a.call_uuid
     where a.ended_at is null order by a.id`,
  );
}

export async function takeNotificationIds(db: Db, most: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`select nextval('campaign_notification_ids') as id from generate_series(1, $1)`,
    [most],
  );
  return rows.map(({ id }) => id);
}
