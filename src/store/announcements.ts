// Sound files: what is played to callers, and where it is used.

import type { Db } from "./db.ts";
import { usersOfTarget } from "./dial-plan.ts";
import type { User } from "./refusal.ts";
import { sql } from "./sql.ts";

export type Announcement = { id: number; name: string };
export type StoredSound = { objectKey: string; fileName: string; durationMs: number };

export function listAnnouncements(db: Db, exchangeId: number): Promise<Announcement[]> {
  return db.query<Announcement>(sql`select id, name from announcements where exchange_id = $1 order by id`, [
    exchangeId,
  ]);
}

export async function findAnnouncement(
  db: Db,
  exchangeId: number,
  id: number,
): Promise<(Announcement & StoredSound) | undefined> {
  const [row] = await db.query<Announcement & StoredSound>(
    sql`select id, name, object_key as "objectKey", file_name as "fileName", duration_ms as "durationMs"
     from announcements where exchange_id = $1 and id = $2`,
    [exchangeId, id],
  );
  return row;
}

export async function createAnnouncement(
  db: Db,
  { exchangeId, name, sound }: { exchangeId: number; name: string; sound: StoredSound },
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    sql`insert into announcements (exchange_id, name, object_key, file_name, duration_ms)
     values ($1, $2, $3, $4, $5) returning id`,
    [exchangeId, name, sound.objectKey, sound.fileName, sound.durationMs],
  );
  return row!.id; // an insert without a condition returns its row
}

/** The key of the sound that is no longer used, if a new one took its place. */
export function updateAnnouncement(
  db: Db,
  wanted: { exchangeId: number; id: number; name: string | undefined; sound: StoredSound | undefined },
): Promise<{ replaced: string | undefined } | { refused: "not-found" }> {
  const { exchangeId, id, name, sound } = wanted;
  return db.transaction(async (db) => {
    const [before] = await db.query<{ objectKey: string }>(
      sql`select object_key as "objectKey" from announcements where exchange_id = $1 and id = $2 for update`,
      [exchangeId, id],
    );
    if (!before) return { refused: "not-found" };
    await db.query(
      sql`update announcements set name = coalesce($3, name), object_key = coalesce($4, object_key),
         file_name = coalesce($5, file_name), duration_ms = coalesce($6, duration_ms)
       where exchange_id = $1 and id = $2`,
      [exchangeId, id, name ?? null, sound?.objectKey ?? null, sound?.fileName ?? null, sound?.durationMs ?? null],
    );
    return { replaced: sound && before.objectKey };
  });
}

export type DeletedAnnouncement = { objectKey: string } | { refused: "not-found" } | { refused: "in-use"; by: User };

/** Locked while we look: a queue that wants it in this moment waits, and then finds it gone. */
export function deleteAnnouncement(db: Db, exchangeId: number, id: number): Promise<DeletedAnnouncement> {
  return db.transaction(async (db) => {
    const [found] = await db.query<{ objectKey: string }>(
      sql`select object_key as "objectKey" from announcements where exchange_id = $1 and id = $2 for update`,
      [exchangeId, id],
    );
    if (!found) return { refused: "not-found" };
    const [by] = [
      ...(await usersOf(db, exchangeId, id)),
      ...(await usersOfTarget(db, exchangeId, `announcement/${id}`)),
    ];
    if (by !== undefined) return { refused: "in-use", by };
    await db.query(sql`delete from announcements where exchange_id = $1 and id = $2`, [exchangeId, id]);
    return found;
  });
}

async function usersOf(db: Db, exchangeId: number, id: number): Promise<User[]> {
  const target = `announcement/${id}`;
  return db.query<User>(
    sql`select 'queue' as noun, number as which from queues
       where exchange_id = $1 and $2 in (music_announcement_id, waiting_announcement_id, agent_announcement_id)
     union all select 'menu', number from menus where exchange_id = $1 and welcome_announcement_id = $2
     union all select 'mailbox', number from mailboxes join extensions on extensions.id = extension_id
       where mailboxes.exchange_id = $1 and greeting_announcement_id = $2
     union all select 'programming', '' from exchanges where id = $1 and program_spare_target = $3
     union all select 'extension', number from extensions
       where exchange_id = $1 and $3 in (forward_always, forward_busy, forward_no_answer, forward_unreachable)`,
    [exchangeId, id, target],
  );
}
