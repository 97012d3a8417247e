// Faxes that came: which are read, whose they are, and where their pages lie. What we sent ourselves is not among them.

import { hasRight, type StaffRole } from "../nouns/role.ts";
import type { Direction } from "./cdrs.ts";
import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { joined, place, type Sql, sql } from "./sql.ts";

export type ReceivedFax = {
  callUuid: string;
  direction: Direction;
  callerIdNumber: string;
  callerIdName: string;
  /** What the other machine calls itself. */
  remoteStationId: string;
  originalDestination: string;
  pages: number;
  startStamp: Date;
  success: boolean;
  /** T.30's own number, or one of ours. */
  resultCode: number | null;
  resultText: string;
  /** Its pages are kept. */
  hasPages: boolean;
  readAt: Date | null;
  /** A colleague, by his e-mail address. */
  assignedTo: string | null;
  assignedName: string | null;
};

/** Whose faxes somebody sees: everybody's, or those that are his. */
export type FaxReader = { only: number | undefined };

export type InboxFilter = {
  from?: Date | undefined;
  before?: Date | undefined;
  /** A part of a number or name. */
  about?: string | undefined;
  read?: boolean | undefined;
  success?: boolean | undefined;
  /** Of that colleague; "" is nobody. */
  assignedTo?: string | undefined;
  only?: number | undefined;
};

const conditions: { [Name in keyof InboxFilter]-?: (value: Sql) => Sql } = {
  from: (value) => sql`fax.start_stamp >= ${value}`,
  before: (value) => sql`fax.start_stamp < ${value}`,
  about: (value) =>
    sql`call_search_form(fax.caller_id_number, coalesce(cdr.caller_id_name, ''), fax.original_destination,
      fax.remote_station_id) like search_pattern(${value})`,
  read: (value) => sql`(fax.read_at is not null) = ${value}`,
  success: (value) => sql`fax.success = ${value}`,
  assignedTo: (value) => sql`case ${value}::text when '' then fax.assigned_to is null
      else fax.assigned_to in (select id from staff where staff.exchange_id = $1 and staff.email = ${value}) end`,
  only: (value) => sql`fax.assigned_to = ${value}`,
};

const received = sql`fax.exchange_id = $1 and fax.end_stamp is not null and fax.direction <> 'outbound'`;

/** The newest first. */
export async function listReceivedFaxes(
  db: Db,
  exchangeId: number,
  filter: InboxFilter,
  page: Page,
): Promise<Paged<ReceivedFax>> {
  const values: unknown[] = [exchangeId];
  const where = [received];
  for (const [name, condition] of Object.entries(conditions)) {
    const value = filter[name as keyof InboxFilter];
    if (value === undefined) continue;
    values.push(value);
    where.push(condition(place(values.length)));
  }
  const named = sql`left join cdrs cdr on cdr.call_uuid = fax.call_uuid`;
  const rows = await db.query<ReceivedFax>(
    sql`select fax.call_uuid as "callUuid", fax.direction, fax.caller_id_number as "callerIdNumber",
       coalesce(cdr.caller_id_name, '') as "callerIdName", fax.remote_station_id as "remoteStationId",
       fax.original_destination as "originalDestination", fax.pages, fax.start_stamp as "startStamp", fax.success,
       fax.result_code as "resultCode", fax.result_text as "resultText",
       fax.object_key is not null and fax.deleted_at is null and fax.pages > 0 as "hasPages",
       fax.read_at as "readAt", staff.email as "assignedTo", staff.name as "assignedName"
     from fax_records fax ${named} left join staff on staff.exchange_id = $1 and staff.id = fax.assigned_to
     where ${joined(where, " and ")} order by fax.start_stamp desc, fax.call_uuid
     limit ${place(values.length + 1)} offset ${place(values.length + 2)}`,
    [...values, page.limit, offsetOf(page)],
  );
  // Names cost a look at each call, so only who looks for one pays for them.
  const [count] = await db.query<{ total: number }>(
    sql`select count(*) as total from fax_records fax ${filter.about === undefined ? sql`` : named}
     where ${joined(where, " and ")}`,
    values,
  );
  return { rows, total: count!.total }; // a count always has a row
}

type OneFax = FaxReader & { exchangeId: number; callUuid: string };

const one = sql`${received} and fax.call_uuid = $2 and ($3::bigint is null or fax.assigned_to = $3)`;
const valuesOf = ({ exchangeId, callUuid, only }: OneFax) => [exchangeId, callUuid, only ?? null];

/** The first reading counts; null: as if nobody had. False: no such fax, or not one that he sees. */
export async function markFax(db: Db, fax: OneFax, readAt: Date | null): Promise<boolean> {
  const marked = await db.query(
    sql`update fax_records fax set read_at = case when $4::timestamptz is null then null else coalesce(read_at, $4) end
     where ${one} returning 1`,
    [...valuesOf(fax), readAt],
  );
  return marked.length > 0;
}

/** To somebody of the exchange, for whom it is new then; or to nobody. */
export async function assignFax(db: Db, fax: OneFax, to: Colleague | null): Promise<boolean> {
  const assigned = await db.query(
    sql`update fax_records fax set assigned_to = whose.id,
       read_at = case when whose.id is null or whose.id = assigned_to then read_at end
     from (select (select id from staff where staff.exchange_id = $1 and staff.email = $4) as id) as whose
     where ${one} and ($4::text is null or whose.id is not null) returning 1`,
    [...valuesOf(fax), to?.email ?? null],
  );
  return assigned.length > 0;
}

export type Colleague = { email: string; name: string };

/** Those whom a fax can be given: who sees none would never find it. */
export async function faxColleagues(db: Db, exchangeId: number): Promise<Colleague[]> {
  const people = await db.query<Colleague & { role: StaffRole }>(
    sql`select email, name, role from staff where exchange_id = $1 and active order by name, id`,
    [exchangeId],
  );
  const seers = people.filter(({ role }) => hasRight({ role, recordings: null, exports: null }, "see-faxes"));
  return seers.map(({ email, name }) => ({ email, name }));
}

export type FaxPages = { objectKey: string; pdfKey: string; pages: number };

export async function receivedPages(db: Db, fax: OneFax): Promise<FaxPages | undefined> {
  const [row] = await db.query<FaxPages>(
    sql`select fax.object_key as "objectKey", fax.pdf_key as "pdfKey", fax.pages from fax_records fax
     where ${one} and fax.deleted_at is null and fax.object_key is not null and fax.pdf_key is not null`,
    valuesOf(fax),
  );
  return row;
}
