// Where the sound of a call, of a message and of an announcement lies, for whoever wants to hear it.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type KeptSound = { objectKey: string; mediaType: string; outside: KeptOutside | null };

/** Where it also, or only, lies. */
export type KeptOutside = { archiveId: number; name: string; size: number };

/** Of a row of recordings: nothing before the copy there was checked. */
export const outsideOf = sql`case when r.archived_at is null then null else jsonb_build_object(
  'archiveId', r.archive_id, 'name', r.archive_name, 'size', r.archived_size) end`;

const statements = {
  recording: sql`select object_key as "objectKey", media_type as "mediaType", ${outsideOf} as outside from recordings r
    where exchange_id = $1 and call_uuid::text = $2 and deleted_at is null`,
  voicemail: sql`select object_key as "objectKey", media_type as "mediaType", null as outside from voicemail_messages
    where exchange_id = $1 and uuid::text = $2 and deleted_at is null`,
  announcement: sql`select object_key as "objectKey", 'audio/wav' as "mediaType", null as outside from announcements
    where exchange_id = $1 and id::text = $2`,
};

export type SoundKind = keyof typeof statements;

export async function findSound(
  db: Db,
  { exchangeId, kind, id }: { exchangeId: number; kind: SoundKind; id: string },
): Promise<KeptSound | undefined> {
  const [row] = await db.query<KeptSound>(statements[kind], [exchangeId, id]);
  return row;
}
