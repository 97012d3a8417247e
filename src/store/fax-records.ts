// Fax detail records: one a call, begun with it, closed with it.

import type { Direction } from "./cdrs.ts";
import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { joined, place, type Sql, sql } from "./sql.ts";

export type FaxRecord = {
  callUuid: string;
  direction: Direction;
  callerIdNumber: string;
  localStationHeader: string;
  originalDestination: string;
  pages: number;
  totalPages: number;
  transferRate: number;
  startStamp: Date;
  answerStamp: Date | null;
  endStamp: Date;
  durationSeconds: number;
  success: boolean;
};

export type BegunFax = {
  callUuid: string;
  exchangeId: number;
  orderId: number | null;
  direction: Direction;
  callerIdNumber: string;
  localStationHeader: string;
  originalDestination: string;
  totalPages: number;
  startMs: number;
  arrivingPath: string | null;
  email: string | null;
};

export type FaxRecordFilter = {
  from?: Date | undefined;
  before?: Date | undefined;
  direction?: Direction | undefined;
  /** Every way in which the number may have been written. */
  callerNumbers?: string[] | undefined;
  destinations?: string[] | undefined;
  success?: boolean | undefined;
};

export async function beginFaxRecord(db: Db, fax: BegunFax): Promise<void> {
  await db.query(
    sql`insert into fax_records (call_uuid, exchange_id, order_id, direction, caller_id_number, local_station_header,
       original_destination, total_pages, start_stamp, arriving_path, email)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (call_uuid) do nothing`,
    [
      ...[fax.callUuid, fax.exchangeId, fax.orderId, fax.direction, fax.callerIdNumber, fax.localStationHeader],
      ...[fax.originalDestination, fax.totalPages, new Date(fax.startMs), fax.arrivingPath, fax.email],
    ],
  );
}

export type FaxOutcome = {
  pages: number;
  totalPages: number;
  rate: number;
  ecm: boolean | null;
  t38: boolean | null;
  remoteStationId: string;
  success: boolean;
  code: number;
  text: string;
  objectKey: string | null;
  pdfKey: string | null;
};

/** What came of it, as soon as it is known: the call itself may go on for a moment. */
export async function noteFaxOutcome(db: Db, callUuid: string, outcome: FaxOutcome): Promise<void> {
  await db.query(
    sql`update fax_records set pages = $2, total_pages = $3, transfer_rate = $4, error_correction = $5, t38 = $6,
       remote_station_id = $7, success = $8, result_code = $9, result_text = $10, object_key = $11, pdf_key = $12
     where call_uuid = $1`,
    [
      ...[callUuid, outcome.pages, outcome.totalPages, outcome.rate, outcome.ecm, outcome.t38],
      ...[outcome.remoteStationId, outcome.success, outcome.code, outcome.text, outcome.objectKey, outcome.pdfKey],
    ],
  );
}

export type OpenFaxRecord = {
  callUuid: string;
  exchangeId: number;
  pages: number;
  objectKey: string | null;
  pdfKey: string | null;
  arrivingPath: string | null;
  email: string | null;
};

/** The call is over; its stamps are the CDR's. Undefined when the record was closed before, or never begun. */
export async function closeFaxRecord(
  db: Db,
  { callUuid, nowMs, answerMs }: { callUuid: string; nowMs: number; answerMs: number | undefined },
): Promise<OpenFaxRecord | undefined> {
  const [closed] = await db.query<OpenFaxRecord>(
    sql`update fax_records fax set end_stamp = coalesce(cdr.end_stamp, $2),
       answer_stamp = coalesce(cdr.answer_stamp, $3), arriving_path = null,
       duration_seconds = coalesce(cdr.duration_seconds,
         greatest(0, floor(extract(epoch from $2::timestamptz - fax.start_stamp)))::integer)
     from (select $1::uuid as call_uuid) as asked left join cdrs cdr using (call_uuid)
     where fax.call_uuid = asked.call_uuid and fax.end_stamp is null
     returning ${open}`,
    [callUuid, new Date(nowMs), answerMs === undefined ? null : new Date(answerMs)],
  );
  return closed;
}

const open = sql`fax.call_uuid as "callUuid", fax.exchange_id as "exchangeId", pages, object_key as "objectKey",
  pdf_key as "pdfKey", arriving_path as "arrivingPath", email`;

/** Asked at a start, before the first call: what a crash cut off. */
export function openFaxRecords(db: Db): Promise<OpenFaxRecord[]> {
  return db.query<OpenFaxRecord>(sql`select ${open} from fax_records fax where end_stamp is null order by start_stamp`);
}

const conditions: { [Name in keyof FaxRecordFilter]-?: (value: Sql) => Sql } = {
  from: (value) => sql`start_stamp >= ${value}`,
  before: (value) => sql`start_stamp < ${value}`,
  direction: (value) => sql`direction = ${value}`,
  callerNumbers: (value) => sql`caller_id_number = any(${value})`,
  destinations: (value) => sql`original_destination = any(${value})`,
  success: (value) => sql`success = ${value}`,
};

/** The newest first. */
export async function listFaxRecords(
  db: Db,
  exchangeId: number,
  filter: FaxRecordFilter,
  page: Page,
): Promise<Paged<FaxRecord>> {
  const values: unknown[] = [exchangeId];
  const where = [sql`exchange_id = $1`, sql`end_stamp is not null`];
  for (const [name, condition] of Object.entries(conditions)) {
    const value = filter[name as keyof FaxRecordFilter];
    if (value === undefined) continue;
    values.push(value);
    where.push(condition(place(values.length)));
  }
  const source = sql`from fax_records where ${joined(where, " and ")}`;
  const rows = await db.query<FaxRecord>(
    sql`select call_uuid as "callUuid", direction, caller_id_number as "callerIdNumber",
       local_station_header as "localStationHeader", original_destination as "originalDestination", pages,
       total_pages as "totalPages", transfer_rate as "transferRate", start_stamp as "startStamp",
       answer_stamp as "answerStamp", end_stamp as "endStamp", duration_seconds as "durationSeconds", success
     ${source} order by start_stamp desc, call_uuid limit ${place(values.length + 1)} offset ${place(values.length + 2)}`,
    [...values, page.limit, offsetOf(page)],
  );
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total ${source}`, values);
  return { rows, total: count!.total }; // a count always has a row
}

/** Only what was transferred well has a document. */
export async function hasFaxDocument(db: Db, exchangeId: number, callUuid: string): Promise<boolean> {
  const found = await db.query(
    sql`select 1 from fax_records where exchange_id = $1 and call_uuid = $2 and success and deleted_at is null
       and pdf_key is not null`,
    [exchangeId, callUuid],
  );
  return found.length > 0;
}

/** The pages themselves, beside the PDF that a ticket opens. */
export async function faxPagesOf(db: Db, exchangeId: number, callUuid: string): Promise<string | undefined> {
  const [row] = await db.query<{ objectKey: string | null }>(
    sql`select object_key as "objectKey" from fax_records where exchange_id = $1 and call_uuid = $2
       and deleted_at is null`,
    [exchangeId, callUuid],
  );
  return row?.objectKey ?? undefined;
}

/** For a call that was not made after all. */
export async function dropFaxRecord(db: Db, callUuid: string): Promise<void> {
  await db.query(sql`delete from fax_records where call_uuid = $1 and end_stamp is null`, [callUuid]);
}

export type FaxToMail = {
  callerIdNumber: string;
  originalDestination: string;
  remoteStationId: string;
  pages: number;
  success: boolean;
  pdfKey: string;
};

export async function findFaxToMail(db: Db, exchangeId: number, callUuid: string): Promise<FaxToMail | undefined> {
  const [row] = await db.query<FaxToMail>(
    sql`select caller_id_number as "callerIdNumber", original_destination as "originalDestination",
       remote_station_id as "remoteStationId", pages, success, pdf_key as "pdfKey"
     from fax_records where exchange_id = $1 and call_uuid = $2 and deleted_at is null and pdf_key is not null`,
    [exchangeId, callUuid],
  );
  return row;
}

/** What a crash cut off while it was being sent: as many pages as its order has noted. */
export async function noteInterruptedFaxes(db: Db): Promise<void> {
  await db.query(
    sql`update fax_records fax set pages = greatest(fax.pages, o.confirmed_pages - (o.pages - fax.total_pages)),
       success = o.confirmed_pages >= o.pages, object_key = o.object_key,
       pdf_key = regexp_replace(o.object_key, '[.]tif$', '.pdf'),
       result_text = 'the exchange stopped while the fax was under way'
     from fax_orders o where o.id = fax.order_id and fax.end_stamp is null`,
  );
}
