// Where the sound of a call, of a message and of an announcement lies, for whoever wants to hear it.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type KeptSound = { objectKey: string; mediaType: string };

const statements = {
  recording: sql`select object_key as "objectKey", media_type as "mediaType" from recordings
    where exchange_id = $1 and call_uuid::text = $2 and deleted_at is null`,
  voicemail: sql`select object_key as "objectKey", media_type as "mediaType" from voicemail_messages
    where exchange_id = $1 and uuid::text = $2 and deleted_at is null`,
  announcement: sql`select object_key as "objectKey", 'audio/wav' as "mediaType" from announcements
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
