// Call detail records, as reports ask for them.

import type { Outcome } from "../nouns/outcome.ts";
import { bySums, countBySums, isLong } from "./call-counts.ts";
import {
  type CdrFilter,
  cdrsWhere,
  type Direction,
  everyCdr,
  lookedThrough,
  newestCdrs,
  queuesThrough,
  type Recorded,
  writtenAlike,
} from "./cdr-filter.ts";
import type { Db } from "./db.ts";
import { OUTCOME } from "./outcomes.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import type { Within } from "./scope.ts";
import { MOST_SEEN, MOST_SOUGHT, sought } from "./sought-calls.ts";
import { place, sql } from "./sql.ts";

export type { Direction } from "./cdr-filter.ts";

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
  /** As the interface has it: without any answer, outgoing calls too. */
  missed: boolean;
  returnUuid: string | null;
  recording: Recorded;
  sipHangupDisposition: "caller" | "callee";
  hangupCause: string;
  /** Null of a call that an older exchange wrote down. */
  endedBy: EndedBy | null;
};

/** With what became of it, as people are told. */
export type ToldCdr = Cdr & { outcome: Outcome };

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

const columns = sql`call_uuid as "callUuid", direction, origin, start_stamp as "startStamp", answer_stamp as "answerStamp",
  end_stamp as "endStamp", caller_id_number as "callerIdNumber", caller_id_name as "callerIdName",
  destination_number as "destinationNumber", destination_name as "destinationName",
  duration_seconds as "durationSeconds", talk_seconds as "talkSeconds", queue,
  queue_wait_seconds as "queueWaitSeconds", missed, return_uuid as "returnUuid", recording,
  sip_hangup_disposition as "sipHangupDisposition", hangup_cause as "hangupCause",
  ended_by as "endedBy", ${OUTCOME} as outcome`;

const NEWEST_FIRST = sql`order by start_stamp desc, id desc`;

export async function listCdrs(db: Db, exchangeId: number, wanted: CdrFilter, page: Page): Promise<Paged<ToldCdr>> {
  const most = offsetOf(page) + page.limit;
  const { filter, isMore } = await sought(db, exchangeId, wanted, { most });
  const sums = bySums(wanted);
  const counted = mostCounted(filter);
  if (!sums && !isMore && counted !== undefined) return listAndCount(db, exchangeId, filter, { page, counted });
  const { source, values } = newestCdrs(exchangeId, filter, { most });
  const counting = async () => (sums && (await countBySums(db, exchangeId, sums))) ?? countCdrs(db, exchangeId, filter);
  // A far page is found in the index alone, eleven times as fast: only its own rows are read.
  const those = sql`select id ${source} ${NEWEST_FIRST} limit ${place(values.length + 1)} offset ${place(values.length + 2)}`;
  const reading = db.query<ToldCdr>(sql`select ${columns} from cdrs where id in (${those}) ${NEWEST_FIRST}`, [
    ...values,
    page.limit,
    offsetOf(page),
  ]);
  const [total, rows] = await Promise.all([isMore ? MOST_SOUGHT : counting(), reading]);
  return isMore ? { rows, total, more: true } : { rows, total };
}

/** Of what nobody has added up, and may be in very many, no more than so many are counted: they are found for both at once. */
async function listAndCount(
  db: Db,
  exchangeId: number,
  filter: CdrFilter,
  { page, counted }: { page: Page; counted: number },
): Promise<Paged<ToldCdr>> {
  const most = Math.max(offsetOf(page) + page.limit, counted + 1);
  const { source, values } = newestCdrs(exchangeId, filter, { most });
  const found = await db.query<{ id: number }>(
    sql`select id ${source} ${NEWEST_FIRST} limit ${place(values.length + 1)}`,
    [...values, most],
  );
  const those = found.slice(offsetOf(page), offsetOf(page) + page.limit).map(({ id }) => id);
  const rows = await db.query<ToldCdr>(
    sql`select ${columns} from cdrs where exchange_id = $1 and id = any($2::bigint[]) ${NEWEST_FIRST}`,
    [exchangeId, those],
  );
  return found.length > counted ? { rows, total: counted, more: true } : { rows, total: found.length };
}

async function countCdrs(db: Db, exchangeId: number, filter: CdrFilter): Promise<number> {
  const { source, values } = everyCdr(exchangeId, filter);
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total from ${source}`, values);
  return count!.total; // a count always has a row
}

function mostCounted(filter: CdrFilter): number | undefined {
  if (queuesThrough(filter) && !isLong(filter)) return undefined;
  if (lookedThrough(filter) || writtenAlike(filter)) return MOST_SEEN;
  return filter.commonPart === undefined ? undefined : MOST_SOUGHT;
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
): AsyncGenerator<ToldCdr[]> {
  const { filter } = await sought(db, exchangeId, wanted, { most: Number.POSITIVE_INFINITY });
  // As text: the database tells microseconds apart, and a Date does not.
  let older = { at: "infinity", id: 0 };
  for (let seen = 0; seen < most; ) {
    const portion = Math.min(atOnce, most - seen);
    const { source, values } = newestCdrs(exchangeId, filter, { most: portion, older });
    const those = sql`select id ${source} ${NEWEST_FIRST} limit ${place(values.length + 1)}`;
    const rows = await db.query<ToldCdr & typeof older>(
      sql`select ${columns}, id, start_stamp::text as at from cdrs where id in (${those}) ${NEWEST_FIRST}`,
      [...values, portion],
    );
    yield rows;
    seen += rows.length;
    const end = rows.at(-1);
    if (!end || rows.length < atOnce) return;
    older = end;
  }
}

export async function findCdr(
  db: Db,
  exchangeId: number,
  callUuid: string,
  within?: Within,
): Promise<{ cdr: ToldCdr; legs: CdrLeg[] } | undefined> {
  const { where, values } = cdrsWhere(exchangeId, { within });
  const [cdr] = await db.query<ToldCdr>(
    sql`select ${columns} from cdrs where ${where} and call_uuid = ${place(values.length + 1)}`,
    [...values, callUuid],
  );
  if (!cdr) return undefined;
  const legs = await db.query<CdrLeg>(
    sql`select destination_number as "destinationNumber", start_stamp as "startStamp", answer_stamp as "answerStamp",
       end_stamp as "endStamp", ip_address as "ipAddress", sip_user_agent as "sipUserAgent",
       write_codec as "writeCodec", read_codec as "readCodec", hangup_cause as "hangupCause"
     from cdr_legs where call_uuid = $1 and not in_vain order by position`,
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
