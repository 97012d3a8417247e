// Messages that callers left for an extension.

import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { sql } from "./sql.ts";

export type VoicemailMessage = {
  uuid: string;
  userNumber: string;
  callerIdNumber: string;
  callerIdName: string;
  startStamp: Date;
  readStamp: Date | null;
  durationSeconds: number;
};

export type VoicemailFilter = {
  from: Date | undefined;
  before: Date | undefined;
  read: boolean | undefined;
  userNumber: string | undefined;
  uuid: string | undefined;
  /** Only these mailboxes. */
  mailboxes?: readonly string[] | undefined;
};

const source = sql`from voicemail_messages m join extensions e on e.id = m.extension_id
  where m.exchange_id = $1 and m.deleted_at is null
    and ($2::timestamptz is null or m.start_stamp >= $2) and ($3::timestamptz is null or m.start_stamp < $3)
    and ($4::boolean is null or (m.read_stamp is not null) = $4)
    and ($5::text is null or e.number = $5) and ($6::uuid is null or m.uuid = $6)
    and ($7::text[] is null or e.number = any($7))`;

export async function listVoicemail(
  db: Db,
  exchangeId: number,
  { from, before, read, userNumber, uuid, mailboxes }: VoicemailFilter,
  page: Page,
): Promise<Paged<VoicemailMessage>> {
  const values = [exchangeId, from, before, read, userNumber, uuid, mailboxes].map((value) => value ?? null);
  const rows = await db.query<VoicemailMessage>(
    sql`select m.uuid, e.number as "userNumber", m.caller_id_number as "callerIdNumber",
       m.caller_id_name as "callerIdName", m.start_stamp as "startStamp", m.read_stamp as "readStamp",
       m.duration_seconds as "durationSeconds"
     ${source} order by m.start_stamp desc, m.uuid limit $8 offset $9`,
    [...values, page.limit, offsetOf(page)],
  );
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total ${source}`, values);
  return { rows, total: count!.total }; // a count always has a row
}

/** In one of these mailboxes, or in any. */
export async function hasVoicemail(
  db: Db,
  exchangeId: number,
  uuid: string,
  mailboxes?: readonly string[],
): Promise<boolean> {
  const found = await db.query(
    sql`select 1 from voicemail_messages m join extensions e on e.id = m.extension_id
     where m.exchange_id = $1 and m.uuid::text = $2 and m.deleted_at is null
       and ($3::text[] is null or e.number = any($3))`,
    [exchangeId, uuid, mailboxes ?? null],
  );
  return found.length > 0;
}

/** The first fetch counts; later ones do not move the stamp. */
export async function markVoicemailRead(db: Db, exchangeId: number, uuid: string): Promise<void> {
  await db.query(
    sql`update voicemail_messages set read_stamp = now() where exchange_id = $1 and uuid = $2 and read_stamp is null`,
    [exchangeId, uuid],
  );
}

export type DeletedMessage = { uuid: string; objectKey: string };

/** Those whose owner deleted them a day ago or earlier: by then nobody hears them any more. */
export function messagesDeletedLongAgo(db: Db, nowMs: number, limit: number): Promise<DeletedMessage[]> {
  return db.query<DeletedMessage>(
    sql`select uuid, object_key as "objectKey" from voicemail_messages
     where deleted_at < $1::timestamptz - interval '1 day' order by deleted_at limit $2`,
    [new Date(nowMs), limit],
  );
}

export async function forgetMessages(db: Db, gone: readonly DeletedMessage[]): Promise<void> {
  await db.query(sql`delete from voicemail_messages where uuid = any ($1::uuid[]) and deleted_at is not null`, [
    gone.map(({ uuid }) => uuid),
  ]);
}
