// Where the sound of each call is kept, and for how long.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type KeptRecording = { callUuid: string; objectKey: string };

export type Replacement = KeptRecording & { newKey: string; mediaType: string };

/**
 * The calls whose recordings have a new object now, or had got it by an earlier try that was cut off. Of the others the
 * recording is gone, was replaced by somebody else or put outside: the new object is nobody's.
 */
export async function replaceRecordings(db: Db, wanted: readonly Replacement[]): Promise<Set<string>> {
  const replaced = await db.query<{ callUuid: string }>(
    sql`update recordings set object_key = wanted.new_key, media_type = wanted.media_type
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as wanted (call_uuid, object_key, new_key, media_type)
     where recordings.call_uuid = wanted.call_uuid and deleted_at is null
       and (recordings.object_key = wanted.new_key
         or (recordings.object_key = wanted.object_key and archive_name is null))
     returning recordings.call_uuid as "callUuid"`,
    [
      wanted.map(({ callUuid }) => callUuid),
      wanted.map(({ objectKey }) => objectKey),
      wanted.map(({ newKey }) => newKey),
      wanted.map(({ mediaType }) => mediaType),
    ],
  );
  return new Set(replaced.map(({ callUuid }) => callUuid));
}

/** The oldest recordings that their exchange no longer wants to keep. */
export function expiredRecordings(db: Db, nowMs: number, limit: number): Promise<KeptRecording[]> {
  return db.query<KeptRecording>(
    sql`select call_uuid as "callUuid", object_key as "objectKey"
     from exchanges cross join lateral (
       select call_uuid, object_key, created_at from recordings
       where exchange_id = exchanges.id and deleted_at is null
         and created_at < $1::timestamptz - exchanges.recording_retention_days * interval '1 day'
       order by created_at limit $2) as old
     order by old.created_at limit $2`,
    [new Date(nowMs), limit],
  );
}

/** The CDR stays and says that there was a recording. */
export async function forgetRecordings(db: Db, callUuids: string[], nowMs: number): Promise<void> {
  await db.query(
    sql`with gone as (update recordings set deleted_at = $2 where call_uuid = any ($1::uuid[]) returning call_uuid)
     update cdrs set recording = 'deleted' from gone where cdrs.call_uuid = gone.call_uuid`,
    [callUuids, new Date(nowMs)],
  );
}

export type RecordedCall = {
  exchangeId: number;
  /** It has no record yet, because it goes on. */
  isUp: boolean;
  recording: "none" | "present" | "deleted";
  objectKey: string | null;
  /** It is in a store outside, and perhaps only there. */
  isArchived: boolean;
};

/** The call that a file on disk is named after. */
export async function recordedCall(db: Db, callUuid: string): Promise<RecordedCall | undefined> {
  const [row] = await db.query<RecordedCall>(
    sql`select cdrs.exchange_id as "exchangeId", false as "isUp", cdrs.recording, recordings.object_key as "objectKey",
         recordings.archived_at is not null as "isArchived"
       from cdrs left join recordings using (call_uuid) where call_uuid = $1
     union all
     select exchange_id, true, 'none', null, false from live_calls where call_uuid = $1
     limit 1`,
    [callUuid],
  );
  return row;
}

/** The record said that there is none, because it could not be kept when its call ended. Call it in a transaction. */
export async function adoptRecording(
  db: Db,
  kept: KeptRecording & { exchangeId: number; mediaType: string; durationMs: number },
): Promise<void> {
  const { callUuid, exchangeId, objectKey, mediaType, durationMs } = kept;
  await db.query(
    sql`with kept as (
       insert into recordings (call_uuid, exchange_id, object_key, media_type, duration_ms, created_at)
       select call_uuid, exchange_id, $3, $4, $5, end_stamp from cdrs where call_uuid = $1 and exchange_id = $2
       on conflict (call_uuid) do update set object_key = excluded.object_key, media_type = excluded.media_type,
         duration_ms = excluded.duration_ms where recordings.deleted_at is null
       returning call_uuid)
     update cdrs set recording = 'present' from kept where cdrs.call_uuid = kept.call_uuid`,
    [callUuid, exchangeId, objectKey, mediaType, durationMs],
  );
}
