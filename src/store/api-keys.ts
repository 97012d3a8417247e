// API keys: `K` + UUID, shown once. Only a hash is kept, so that a copy of the database opens no door.

import { createHash, randomUUID } from "node:crypto";
import { type Clock, pause } from "../clock.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type ApiKey = { id: number; hint: string; label: string; createdAt: Date; revokedAt: Date | null };

/** How long a server may go on with what it read of a key, should it miss the word that the key was revoked. */
export const KEY_REMEMBERED_MS = 1_000;

const KEY_FORM = /^K[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function newApiKey(): string {
  return `K${randomUUID()}`;
}

function hashOfKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

export async function createApiKey(
  db: Db,
  exchangeId: number,
  { label = "", key = newApiKey() } = {},
): Promise<ApiKey & { key: string }> {
  const [row] = await db.query<ApiKey>(
    sql`insert into api_keys (exchange_id, key_hash, hint, label) values ($1, $2, $3, $4)
     returning id, hint, label, created_at as "createdAt", revoked_at as "revokedAt"`,
    [exchangeId, hashOfKey(key), `${key.slice(0, 5)}…${key.slice(-4)}`, label],
  );
  return { ...row!, key }; // an insert without a condition returns its row
}

export function listApiKeys(db: Db, exchangeId: number): Promise<ApiKey[]> {
  return db.query<ApiKey>(
    sql`select id, hint, label, created_at as "createdAt", revoked_at as "revokedAt"
     from api_keys where exchange_id = $1 order by id`,
    [exchangeId],
  );
}

/** A trigger says so with the commit: whoever remembers keys forgets this one at the moment it dies. */
export async function revokeApiKey(db: Db, exchangeId: number, id: number): Promise<boolean> {
  const revoked = await db.query(
    sql`update api_keys set revoked_at = now() where exchange_id = $1 and id = $2 and revoked_at is null returning id`,
    [exchangeId, id],
  );
  return revoked.length > 0;
}

/** Every key but one, for the day when somebody may have seen the others. */
export async function revokeOtherApiKeys(db: Db, exchangeId: number, keepId: number): Promise<number> {
  const revoked = await db.query(
    sql`update api_keys set revoked_at = now() where exchange_id = $1 and id <> $2 and revoked_at is null returning id`,
    [exchangeId, keepId],
  );
  return revoked.length;
}

export async function exchangeOfKey(db: Db, key: string): Promise<number | undefined> {
  if (!KEY_FORM.test(key)) return undefined;
  const [row] = await db.query<{ exchangeId: number }>(
    sql`select exchange_id as "exchangeId" from api_keys where key_hash = $1 and revoked_at is null`,
    [hashOfKey(key)],
  );
  return row?.exchangeId;
}

/** A running server hears of a dead key in a moment; whoever must be able to rely on it waits until none can know it. */
export function untilKeysForgotten(clock: Clock): Promise<void> {
  return pause(clock, KEY_REMEMBERED_MS);
}
