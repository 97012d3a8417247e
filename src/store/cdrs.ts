// Call detail records, as reports ask for them.

import type { Outcome } from "../nouns/outcome.ts";
import { countBySums } from "./call-counts.ts";
import { type CdrFilter, cdrsWhere, type Direction, type Recorded } from "./cdr-filter.ts";
import type { Db } from "./db.ts";
import { OUTCOME } from "./outcomes.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import type { Within } from "./scope.ts";
import { MOST_SOUGHT, sought } from "./sought-calls.ts";
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

export async function listCdrs(db: Db, exchangeId: number, wanted: CdrFilter, page: Page): Promise<Paged<ToldCdr>> {
  const filter = await sought(db, exchangeId, wanted);
  const { where, values } = cdrsWhere(exchangeId, filter);
  const source = sql`from cdrs where ${where}`;
  const counting = countCdrs(db, exchangeId, filter);
  // A far page is found in the index alone, eleven times as fast: only its own rows are read.
  const newestFirst = sql`order by start_stamp desc, id desc`;
  const those = sql`select id ${source} ${newestFirst} limit ${place(values.length + 1)} offset ${place(values.length + 2)}`;
  const reading = db.query<ToldCdr>(sql`select ${columns} from cdrs where id in (${those}) ${newestFirst}`, [
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
): AsyncGenerator<ToldCdr[]> {
  const { where, values } = cdrsWhere(exchangeId, await sought(db, exchangeId, wanted));
  const [stamp, id, limit] = [1, 2, 3].map((more) => place(values.length + more));
  // As text: the database tells microseconds apart, and a Date does not.
  let last = { at: "infinity", id: 0 };
  for (let seen = 0; seen < most; ) {
    const rows = await db.query<ToldCdr & typeof last>(
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
