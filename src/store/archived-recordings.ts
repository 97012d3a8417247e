// What the row of a recording says of its copy outside. The row is the truth: work is planned from it, again if need be.

import type { NotedTrouble } from "./archives.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type ArchivedRecording = {
  exchangeId: number;
  callUuid: string;
  objectKey: string;
  mediaType: string;
  createdAt: Date;
  deletedAt: Date | null;
  /** Where it is, or was begun to be, put; the name is known before anything lies there. */
  archiveId: number | null;
  archiveName: string | null;
  size: number | null;
  sha256: string | null;
  md5: string | null;
  archivedAt: Date | null;
  localGoneAt: Date | null;
};

type Which = { exchangeId: number; callUuid: string };

export async function findArchivedRecording(
  db: Db,
  { exchangeId, callUuid }: Which,
): Promise<ArchivedRecording | undefined> {
  const [row] = await db.query<ArchivedRecording>(
    sql`select exchange_id as "exchangeId", call_uuid as "callUuid", object_key as "objectKey",
       media_type as "mediaType", created_at as "createdAt", deleted_at as "deletedAt", archive_id as "archiveId",
       archive_name as "archiveName", archived_size as size, archived_sha256 as sha256, archived_md5 as md5,
       archived_at as "archivedAt", local_gone_at as "localGoneAt"
     from recordings where exchange_id = $1 and call_uuid = $2`,
    [exchangeId, callUuid],
  );
  return row;
}

type Due = { exchangeId: number; before: Date; limit: number };
const onlyUuids = (rows: { callUuid: string }[]) => rows.map(({ callUuid }) => callUuid);

/** The oldest that are to be put away; not while a job for it is owed, nor one that makes another file of it. */
export async function dueForArchive(db: Db, { exchangeId, before, limit }: Due): Promise<string[]> {
  return onlyUuids(
    await db.query<{ callUuid: string }>(
      sql`select call_uuid as "callUuid" from recordings
       where exchange_id = $1 and archived_at is null and deleted_at is null and created_at <= $2
         and coalesce(archive_trouble ->> 'trouble', '') <> 'no-local-file'
         and not exists (select from jobs where kind in ('recording.archive', 'recording.compress')
           and unique_key = recordings.call_uuid::text and dead_at is null)
       order by created_at limit $3`,
      [exchangeId, before, limit],
    ),
  );
}

/** The oldest whose copy here has stayed long enough. */
export async function dueToLeave(db: Db, { exchangeId, before, limit }: Due): Promise<string[]> {
  return onlyUuids(
    await db.query<{ callUuid: string }>(
      sql`select call_uuid as "callUuid" from recordings
       where exchange_id = $1 and archived_at <= $2 and local_gone_at is null and deleted_at is null
         and not exists (select from jobs where kind = 'recording.leave'
           and unique_key = recordings.call_uuid::text and dead_at is null)
       order by archived_at limit $3`,
      [exchangeId, before, limit],
    ),
  );
}

/** Deleted here, and still there. */
export async function dueForRemoval(db: Db, { exchangeId, limit }: Omit<Due, "before">): Promise<string[]> {
  return onlyUuids(
    await db.query<{ callUuid: string }>(
      sql`select call_uuid as "callUuid" from recordings
       where exchange_id = $1 and deleted_at is not null and archive_id is not null
         and not exists (select from jobs where kind = 'recording.remove'
           and unique_key = recordings.call_uuid::text and dead_at is null)
       limit $2`,
      [exchangeId, limit],
    ),
  );
}

export type Begun = Which & { archiveId: number; name: string; size: number; sha256: string; md5: string };

/** Before anything is put: from here on the name is never forgotten. False: it was deleted, or is there already. */
export async function beginArchiving(db: Db, begun: Begun): Promise<boolean> {
  const { exchangeId, callUuid, archiveId, name, size, sha256, md5 } = begun;
  const rows = await db.query(
    sql`update recordings set archive_id = $3, archive_name = $4, archived_size = $5, archived_sha256 = $6, archived_md5 = $7
     where exchange_id = $1 and call_uuid = $2 and deleted_at is null and archived_at is null returning 1`,
    [exchangeId, callUuid, archiveId, name, size, sha256, md5],
  );
  return rows.length > 0;
}

/** After the copy was checked. False: it was deleted meanwhile, or is begun elsewhere. */
export async function markArchived(db: Db, begun: Which & { name: string; nowMs: number }): Promise<boolean> {
  const { exchangeId, callUuid, name, nowMs } = begun;
  const rows = await db.query(
    sql`update recordings set archived_at = $4, archive_trouble = null
     where exchange_id = $1 and call_uuid = $2 and archive_name = $3 and deleted_at is null returning 1`,
    [exchangeId, callUuid, name, new Date(nowMs)],
  );
  return rows.length > 0;
}

/** The copy there is gone or another one: it has to be put again, as long as there is one here. */
export async function markUnarchived(db: Db, { exchangeId, callUuid }: Which): Promise<void> {
  await db.query(
    sql`update recordings set archived_at = null
     where exchange_id = $1 and call_uuid = $2 and local_gone_at is null`,
    [exchangeId, callUuid],
  );
}

export async function noteRecordingTrouble(
  db: Db,
  { exchangeId, callUuid, trouble }: Which & { trouble: NotedTrouble | null },
): Promise<void> {
  await db.query(sql`update recordings set archive_trouble = $3 where exchange_id = $1 and call_uuid = $2`, [
    exchangeId,
    callUuid,
    trouble,
  ]);
}

/** Before the file is deleted: who looks for it from now on goes outside. False: it is not to be. */
export async function markLocalGone(db: Db, { exchangeId, callUuid, nowMs }: Which & { nowMs: number }) {
  const rows = await db.query(
    sql`update recordings set local_gone_at = $3, archive_trouble = null
     where exchange_id = $1 and call_uuid = $2 and archived_at is not null and deleted_at is null returning 1`,
    [exchangeId, callUuid, new Date(nowMs)],
  );
  return rows.length > 0;
}

/** Nothing of it lies outside any more. */
export async function markRemoved(db: Db, { exchangeId, callUuid }: Which): Promise<void> {
  await db.query(
    sql`update recordings set archive_id = null, archive_name = null, archive_trouble = null
     where exchange_id = $1 and call_uuid = $2 and deleted_at is not null`,
    [exchangeId, callUuid],
  );
}

/** Some that lie, or may lie, outside, for whoever takes the exchange itself away. */
export async function someArchived(db: Db, exchangeId: number, limit: number): Promise<ArchivedName[]> {
  return db.query<ArchivedName>(
    sql`select call_uuid as "callUuid", archive_id as "archiveId", archive_name as name from recordings
     where exchange_id = $1 and archive_id is not null limit $2`,
    [exchangeId, limit],
  );
}

export type ArchivedName = { callUuid: string; archiveId: number; name: string };
