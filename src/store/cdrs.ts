// Call detail records, as reports ask for them.

import { countBySums } from "./call-counts.ts";
import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { seenCalls, type Within } from "./scope.ts";
import { CALL_IN_WORDS, MOST_SOUGHT, type Sought, sought } from "./sought-calls.ts";
import { joined, place, type Sql, sql } from "./sql.ts";

export type Direction = "inbound" | "outbound" | "internal";

/** Who ended a call: one of its parties, somebody who had it ended, or the exchange itself, for the cause that it has. */
export type EndedBy = "caller" | "callee" | "interface" | "supervisor" | "operator" | "exchange";

export type Cdr = {
  callUuid: string;
  direction: Direction;
  origin: "phone" | "api" | "campaign";
  startStamp: Date;
  answerStamp: Date | null;
  endStamp: Date;
  callerIdNumber: string;
  callerIdName: string;
  destinationNumber: string;
  destinationName: string;
  durationSeconds: number;
  talkSeconds: number;
  queue: string | null;
  queueWaitSeconds: number;
  missed: boolean;
  returnUuid: string | null;
  recording: "none" | "present" | "deleted";
  sipHangupDisposition: "caller" | "callee";
  hangupCause: string;
  /** Null of a call that an older exchange wrote down. */
  endedBy: EndedBy | null;
};

export type CdrLeg = {
  destinationNumber: string;
  startStamp: Date;
  answerStamp: Date | null;
  endStamp: Date;
  ipAddress: string;
  sipUserAgent: string;
  writeCodec: string;
  readCodec: string;
  hangupCause: string;
};

export type CdrFilter = Sought & {
  from?: Date | undefined;
  /** Calls that began before this moment. */
  before?: Date | undefined;
  direction?: Direction | undefined;
  missed?: boolean | undefined;
  recording?: Cdr["recording"][] | undefined;
  /** Every way in which the number may have been written. */
  callerNumbers?: string[] | undefined;
  destinationNumbers?: string[] | undefined;
  queues?: string[] | undefined;
  /** A person took it. */
  taken?: boolean | undefined;
  /** Seconds until a person took it, or until it ended when nobody did: more than the one, at most the other. */
  waitedOver?: number | undefined;
  waitedUpTo?: number | undefined;
  /** The hour of the day, at the exchange, in which it began. */
  hour?: number | undefined;
  /** The day of the week there; Monday is 1. */
  weekday?: number | undefined;
  /** Seconds in the queue, at most. */
  queueWaitedUpTo?: number | undefined;
  /** It came to some queue or ring group. */
  queued?: boolean | undefined;
  /** What each means: `call_parts` of the migrations, by which it is counted. */
  madeBy?: string | undefined;
  takenBy?: string | undefined;
  unansweredBy?: string | undefined;
  offeredTo?: string | undefined;
  answeredBy?: string | undefined;
  letPassBy?: string | undefined;
  campaign?: number | undefined;
  /** Who took it, or who rang last when nobody did. */
  extension?: string | undefined;
  /** Somebody who listened to another call. */
  listening?: boolean | undefined;
  /** Numbers of ours: the one that was called from outside, or that the outside saw. */
  ownNumbers?: string[] | undefined;
  /** Only what somebody sees who does not see everything. */
  within?: Within | undefined;
};

/**
 * The record has an answer of a mailbox or of a fax machine as well: a person is an extension that picked up, or
 * somebody outside, whose leg was answered beside the caller's.
 */
export const TAKEN = sql`(cdrs.answer_stamp is not null and (cdrs.connected_user <> '' or
  (select count(*) from cdr_legs where cdr_legs.call_uuid = cdrs.call_uuid and cdr_legs.answer_stamp is not null) > 1))`;

/**
 * Whole seconds from when it began until the answer, or until its end: with every menu, announcement and queue on the
 * way. Rounded as the record's other seconds are.
 */
export const WAITED = sql`greatest(0, floor(date_part('epoch',
  coalesce(cdrs.answer_stamp, cdrs.end_stamp) - cdrs.start_stamp) + 0.5)::int)`;

const columns = sql`call_uuid as "callUuid", direction, origin, start_stamp as "startStamp", answer_stamp as "answerStamp",
  end_stamp as "endStamp", caller_id_number as "callerIdNumber", caller_id_name as "callerIdName",
  destination_number as "destinationNumber", destination_name as "destinationName",
  duration_seconds as "durationSeconds", talk_seconds as "talkSeconds", queue,
  queue_wait_seconds as "queueWaitSeconds", missed, return_uuid as "returnUuid", recording,
  sip_hangup_disposition as "sipHangupDisposition", hangup_cause as "hangupCause",
  ended_by as "endedBy"`;

const ANSWERED = sql`leg.answer_stamp is not null`;
const LET_PASS = sql`leg.hangup_cause not in ('LOSE_RACE', 'PICKED_OFF', 'ORIGINATOR_CANCEL')`;

/** A queue rang this extension; its first leg is the caller's. */
const rang = (extension: Sql, how: Sql = sql`true`) =>
  sql`exists (select from cdr_legs leg where leg.call_uuid = cdrs.call_uuid and leg.position > 0
    and leg.destination_number = ${extension} and ${how})`;

const conditions: { [Name in keyof CdrFilter]-?: (value: Sql) => Sql } = {
  direction: (value) => sql`direction = ${value}`,
  missed: (value) => sql`missed = ${value}`,
  listening: (value) => sql`listening = ${value}`,
  from: (value) => sql`start_stamp >= ${value}`,
  before: (value) => sql`start_stamp < ${value}`,
  recording: (value) => sql`recording = any(${value})`,
  callerNumbers: (value) => sql`caller_id_number = any(${value})`,
  destinationNumbers: (value) => sql`destination_number = any(${value})`,
  queues: (value) => sql`queue = any(${value})`,
  taken: (value) => sql`${TAKEN} = ${value}`,
  waitedOver: (value) => sql`${WAITED} > ${value}::int`,
  waitedUpTo: (value) => sql`${WAITED} <= ${value}::int`,
  hour: (value) =>
    sql`date_part('hour', start_stamp at time zone (select time_zone from exchanges where id = $1)) = ${value}::int`,
  weekday: (value) =>
    sql`date_part('isodow', start_stamp at time zone (select time_zone from exchanges where id = $1)) = ${value}::int`,
  queueWaitedUpTo: (value) => sql`queue_wait_seconds <= ${value}::int`,
  queued: (value) => sql`(queue is not null) = ${value}`,
  madeBy: (value) => sql`(direction <> 'inbound' and caller_id_number = ${value})`,
  takenBy: (value) => sql`(direction <> 'outbound' and connected_user = ${value})`,
  unansweredBy: (value) => sql`(missed and dialed_user = ${value})`,
  offeredTo: (value) => sql`(queue is not null and ${rang(value)})`,
  answeredBy: (value) => sql`(queue is not null and ${rang(value, ANSWERED)})`,
  letPassBy: (value) => sql`(queue is not null and not ${rang(value, ANSWERED)} and ${rang(value, LET_PASS)})`,
  campaign: (value) =>
    sql`(origin = 'campaign' and exists (select from campaign_attempts a
      where a.call_uuid = cdrs.call_uuid and a.campaign_id = ${value}::bigint))`,
  extension: (value) => sql`case when answer_stamp is null then dialed_user else connected_user end = ${value}`,
  about: (value) =>
    sql`cdrs.id in (select matching_calls($1, (${value}::text[])[1], (${value}::text[])[2]::timestamptz,
      (${value}::text[])[3]::timestamptz, null))`,
  commonPart: (value) => sql`${CALL_IN_WORDS} like search_pattern(${value})`,
  ownNumbers: (value) =>
    sql`case direction when 'inbound' then destination_number else outbound_caller_id_number end = any(${value})`,
  within: seenCalls,
};

/**
 * Which records a filter means, with the exchange as the first value. Only the conditions asked for are in the
 * statement, so that each mixture gets the index that fits it.
 */
export function cdrsWhere(exchangeId: number, filter: CdrFilter): { where: Sql; values: unknown[] } {
  const values: unknown[] = [exchangeId];
  const where = [sql`cdrs.exchange_id = $1`];
  for (const [name, condition] of Object.entries(conditions)) {
    const value = filter[name as keyof CdrFilter];
    if (value === undefined) continue;
    values.push(name === "within" ? JSON.stringify(value) : value);
    where.push(condition(place(values.length)));
  }
  return { where: joined(where, " and "), values };
}

export async function listCdrs(db: Db, exchangeId: number, wanted: CdrFilter, page: Page): Promise<Paged<Cdr>> {
  const filter = await sought(db, exchangeId, wanted);
  const { where, values } = cdrsWhere(exchangeId, filter);
  const source = sql`from cdrs where ${where}`;
  const counting = countCdrs(db, exchangeId, filter);
  // A far page is found in the index alone, eleven times as fast: only its own rows are read.
  const newestFirst = sql`order by start_stamp desc, id desc`;
  const those = sql`select id ${source} ${newestFirst} limit ${place(values.length + 1)} offset ${place(values.length + 2)}`;
  const reading = db.query<Cdr>(sql`select ${columns} from cdrs where id in (${those}) ${newestFirst}`, [
    ...values,
    page.limit,
    offsetOf(page),
  ]);
  const [total, rows] = await Promise.all([counting, reading]);
  return total > MOST_SOUGHT && filter.commonPart ? { rows, total: MOST_SOUGHT, more: true } : { rows, total };
}

async function countCdrs(db: Db, exchangeId: number, filter: CdrFilter): Promise<number> {
  const summed = await countBySums(db, exchangeId, filter);
  if (summed !== undefined) return summed;
  const { where, values } = cdrsWhere(exchangeId, filter);
  const most = filter.commonPart === undefined ? sql`` : sql`limit ${MOST_SOUGHT + 1}`;
  const [count] = await db.query<{ total: number }>(
    sql`select count(*) as total from (select from cdrs where ${where} ${most}) as counted`,
    values,
  );
  return count!.total; // a count always has a row
}

/**
 * All of them in portions, newest first, each found behind the last record of the one before: the thousandth portion
 * costs what the first one does.
 */
export async function* walkCdrs(
  db: Db,
  exchangeId: number,
  wanted: CdrFilter,
  { atOnce, most }: { atOnce: number; most: number },
): AsyncGenerator<Cdr[]> {
  const { where, values } = cdrsWhere(exchangeId, await sought(db, exchangeId, wanted));
  const [stamp, id, limit] = [1, 2, 3].map((more) => place(values.length + more));
  // As text: the database tells microseconds apart, and a Date does not.
  let last = { at: "infinity", id: 0 };
  for (let seen = 0; seen < most; ) {
    const rows = await db.query<Cdr & typeof last>(
      sql`select ${columns}, id, start_stamp::text as at from cdrs
       where ${where} and (start_stamp, id) < (${stamp!}::timestamptz, ${id!})
       order by start_stamp desc, id desc limit ${limit!}`,
      [...values, last.at, last.id, Math.min(atOnce, most - seen)],
    );
    yield rows;
    seen += rows.length;
    const end = rows.at(-1);
    if (!end || rows.length < atOnce) return;
    last = end;
  }
}

export async function findCdr(
  db: Db,
  exchangeId: number,
  callUuid: string,
  within?: Within,
): Promise<{ cdr: Cdr; legs: CdrLeg[] } | undefined> {
  const { where, values } = cdrsWhere(exchangeId, { within });
  const [cdr] = await db.query<Cdr>(
    sql`select ${columns} from cdrs where ${where} and call_uuid = ${place(values.length + 1)}`,
    [...values, callUuid],
  );
  if (!cdr) return undefined;
  const legs = await db.query<CdrLeg>(
    sql`select destination_number as "destinationNumber", start_stamp as "startStamp", answer_stamp as "answerStamp",
       end_stamp as "endStamp", ip_address as "ipAddress", sip_user_agent as "sipUserAgent",
       write_codec as "writeCodec", read_codec as "readCodec", hangup_cause as "hangupCause"
     from cdr_legs where call_uuid = $1 order by position`,
    [callUuid],
  );
  return { cdr, legs };
}

/** Whether there is a record of it, seen by this one or not. */
export async function hasCdr(db: Db, exchangeId: number, callUuid: string, within?: Within): Promise<boolean> {
  const { where, values } = cdrsWhere(exchangeId, { within });
  const found = await db.query(sql`select 1 from cdrs where ${where} and call_uuid = ${place(values.length + 1)}`, [
    ...values,
    callUuid,
  ]);
  return found.length > 0;
}

/** Whether this exchange wants at most a month in one request. */
export async function limitsCdrRange(db: Db, exchangeId: number): Promise<boolean> {
  const [row] = await db.query<{ limits: boolean }>(
    sql`select cdr_range_limit as limits from exchanges where id = $1`,
    [exchangeId],
  );
  return row?.limits ?? false;
}

/** The numbers of the queues and ring groups that go by this number or name. */
export async function queuesCalled(db: Db, exchangeId: number, numberOrName: string): Promise<string[]> {
  const rows = await db.query<{ number: string }>(
    sql`select number from queues where exchange_id = $1 and name = $2
     union select number from ring_groups where exchange_id = $1 and name = $2`,
    [exchangeId, numberOrName],
  );
  return [numberOrName, ...rows.map(({ number }) => number)];
}
