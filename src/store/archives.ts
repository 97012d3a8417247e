// The places outside where an exchange's recordings are put: one in use, and those that still hold earlier ones.

import { archive } from "../nouns/archive.ts";
import type { Changes, ValueOf } from "../nouns/field.ts";
import type { SecretPlace } from "../secrets/sealed.ts";
import type { Secrets, Unreadable } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import type { SetupRefusal } from "./refusal.ts";
import { sealing } from "./sealing.ts";
import { joined, sql } from "./sql.ts";
import { assignments, updateOwn } from "./update.ts";

type Fields = typeof archive.fields;

/** As it is set; the secret apart. */
export type ArchiveSettings = { [Name in Exclude<keyof Fields, "secret">]: ValueOf<Fields[Name]> };

/** What went wrong, as whoever speaks to the store has put it. */
export type NotedTrouble = { trouble: string; detail: string };

export type ArchiveRow = ArchiveSettings & {
  id: number;
  exchangeId: number;
  active: boolean;
  /** As it is stored; see `openArchiveSecret`. */
  sealedSecret: string | null;
  trouble: NotedTrouble | null;
  troubleSince: Date | null;
};

const columns = sql`id, exchange_id as "exchangeId", kind, url, region, bucket, prefix, addressing, folder,
  user_name as "user", secret as "sealedSecret", after_days, local_days, active, trouble, trouble_since as "troubleSince"`;

export function listArchives(db: Db, exchangeId: number): Promise<ArchiveRow[]> {
  return db.query<ArchiveRow>(
    sql`select ${columns} from archives where exchange_id = $1 order by active desc, id desc`,
    [exchangeId],
  );
}

export async function findArchive(db: Db, exchangeId: number, id: number): Promise<ArchiveRow | undefined> {
  const [row] = await db.query<ArchiveRow>(sql`select ${columns} from archives where exchange_id = $1 and id = $2`, [
    exchangeId,
    id,
  ]);
  return row;
}

/** The one in use; recordings are put nowhere else. */
export async function archiveInUse(db: Db, exchangeId: number): Promise<ArchiveRow | undefined> {
  const [row] = await db.query<ArchiveRow>(sql`select ${columns} from archives where exchange_id = $1 and active`, [
    exchangeId,
  ]);
  return row;
}

/** Null: none is set. */
export function openArchiveSecret(
  { open }: Pick<Secrets, "open">,
  { exchangeId, id, sealedSecret }: ArchiveRow,
): string | null | Unreadable {
  return sealedSecret === null ? null : open(secretOf(exchangeId, id), sealedSecret);
}

function secretOf(exchangeId: number, id: number): SecretPlace {
  return { kind: "archives.secret", exchangeId, row: id };
}

type Wanted = { exchangeId: number; settings: ArchiveSettings; secret: string };

/** A place of its own, in use from now on instead of the one before. */
export function createArchive(db: Db, secrets: Secrets, { exchangeId, settings, secret }: Wanted): Promise<number> {
  return sealing(db, secrets, async (db, seal) => {
    await db.query(sql`update archives set active = false where exchange_id = $1 and active`, [exchangeId]);
    const { names, places, values } = assignments(archive, settings, 2);
    const [made] = await db.query<{ id: number }>(
      sql`insert into archives (${joined([sql`exchange_id`, ...names], ", ")})
       values (${joined([sql`$1`, ...places], ", ")}) returning id`,
      [exchangeId, ...values],
    );
    const { id } = made!; // an insert without a condition has its row
    await updateOwn(db, archive, {
      exchangeId,
      which: id,
      changes: { secret: seal(secretOf(exchangeId, id), secret) },
    });
    return id;
  });
}

/** The same place, in use from now on. A secret that is left out stays. */
export function changeArchive(
  db: Db,
  secrets: Secrets,
  { exchangeId, id, changes }: { exchangeId: number; id: number; changes: Changes<typeof archive> },
): Promise<boolean> {
  const { secret, ...others } = changes;
  return sealing(db, secrets, async (db, seal) => {
    await db.query(sql`update archives set active = (id = $2) where exchange_id = $1 and active <> (id = $2)`, [
      exchangeId,
      id,
    ]);
    const sealed = typeof secret === "string" ? { secret: seal(secretOf(exchangeId, id), secret) } : {};
    return updateOwn(db, archive, { exchangeId, which: id, changes: { ...others, ...sealed } });
  });
}

/** Nothing more is put away; what lies outside is served as before. False: it was off. */
export async function switchArchiveOff(db: Db, exchangeId: number): Promise<boolean> {
  const off = await db.query(sql`update archives set active = false where exchange_id = $1 and active returning id`, [
    exchangeId,
  ]);
  return off.length > 0;
}

/** Only once nothing lies there any more, and nothing is owed to be removed. */
export async function deleteArchive(db: Db, exchangeId: number, id: number): Promise<SetupRefusal | undefined> {
  const which = String(id);
  const held = await countInArchive(db, exchangeId, id);
  if (held > 0) return { refused: "in-use", what: "archive", which, by: { noun: "recording", which: `(${held})` } };
  const deleted = await db.query(sql`delete from archives where exchange_id = $1 and id = $2 returning id`, [
    exchangeId,
    id,
  ]);
  return deleted.length > 0 ? undefined : { refused: "not-found", what: "archive", which };
}

/** Recordings that lie there, or may lie there. */
export async function countInArchive(db: Db, exchangeId: number, id: number): Promise<number> {
  const [row] = await db.query<{ held: number }>(
    sql`select count(*) as held from recordings where exchange_id = $1 and archive_id = $2`,
    [exchangeId, id],
  );
  return row!.held; // a count always has a row
}

export type ArchivePlan = {
  exchangeId: number;
  /** Null: none is in use, but something may be owed to those of before. */
  archiveId: number | null;
  afterDays: number | null;
  localDays: number | null;
};

/** Every exchange that has or had one. */
export function archivePlans(db: Db): Promise<ArchivePlan[]> {
  return db.query<ArchivePlan>(
    sql`select exchange_id as "exchangeId", max(id) filter (where active) as "archiveId",
       max(after_days) filter (where active) as "afterDays", max(local_days) filter (where active) as "localDays"
     from archives group by exchange_id order by exchange_id`,
  );
}

type Note = { exchangeId: number; id: number; nowMs: number };

/** True when people are to be told: it is new, or they were told more than a day ago. */
export async function noteArchiveTrouble(
  db: Db,
  { exchangeId, id, nowMs, trouble }: Note & { trouble: NotedTrouble },
): Promise<boolean> {
  const [row] = await db.query<{ tell: boolean }>(
    sql`with before as (
       select id, coalesce(trouble_told_at < $3::timestamptz - interval '1 day', true) as tell from archives
       where exchange_id = $1 and id = $2 for update)
     update archives set trouble = $4, trouble_since = coalesce(trouble_since, $3),
       trouble_told_at = case when before.tell then $3 else trouble_told_at end
     from before where archives.id = before.id returning before.tell`,
    [exchangeId, id, new Date(nowMs), trouble],
  );
  return row?.tell ?? false;
}

/** True when it did not work before. */
export async function noteArchiveWorks(db: Db, { exchangeId, id }: Omit<Note, "nowMs">): Promise<boolean> {
  const mended = await db.query(
    sql`update archives set trouble = null, trouble_since = null
     where exchange_id = $1 and id = $2 and trouble is not null returning id`,
    [exchangeId, id],
  );
  return mended.length > 0;
}

export type ArchiveCounts = {
  archived: number;
  outsideOnly: number;
  waiting: number;
  failing: number;
  toRemove: number;
};

/** Of one exchange, or of all that have an archive. */
export async function countArchived(db: Db, exchangeId?: number): Promise<ArchiveCounts> {
  const [row] = await db.query<ArchiveCounts>(
    sql`with own as (select exchange_id from archives where $1::bigint is null or exchange_id = $1 group by 1)
     select
       (select count(*) from recordings r join own using (exchange_id)
        where r.archived_at is not null and r.deleted_at is null) as archived,
       (select count(*) from recordings r join own using (exchange_id)
        where r.archived_at is not null and r.local_gone_at is not null and r.deleted_at is null) as "outsideOnly",
       (select count(*) from recordings r join archives a using (exchange_id)
        where ($1::bigint is null or a.exchange_id = $1) and a.active and r.archived_at is null
          and r.deleted_at is null) as waiting,
       (select count(*) from recordings r join own using (exchange_id) where r.archive_trouble is not null) as failing,
       (select count(*) from recordings r join own using (exchange_id)
        where r.deleted_at is not null and r.archive_id is not null) as "toRemove"`,
    [exchangeId ?? null],
  );
  return row!; // one row of counts
}
