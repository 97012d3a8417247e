// The columns that hold sealed secrets: how one is written, and how all of them are counted, sealed and sealed anew.

import type { SecretKind, SecretPlace } from "../secrets/sealed.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { joined, literal, type Sql, sql } from "./sql.ts";

type SecretColumn = { table: Sql; column: Sql; exchange: Sql; row: Sql };

/** A new secret is one more line: rotation, backup and doctor go by this table. */
export const secretColumns: { readonly [Kind in SecretKind]: SecretColumn } = {
  "trunks.password": { table: sql`trunks`, column: sql`password`, exchange: sql`exchange_id`, row: sql`id` },
  "staff.totp_secret": { table: sql`staff`, column: sql`totp_secret`, exchange: sql`exchange_id`, row: sql`id` },
  "mailboxes.pin": { table: sql`mailboxes`, column: sql`pin`, exchange: sql`exchange_id`, row: sql`extension_id` },
  "sms_carriers.password": {
    table: sql`sms_carriers`,
    column: sql`password`,
    exchange: sql`exchange_id`,
    row: sql`id`,
  },
  "exchanges.crm_secret": { table: sql`exchanges`, column: sql`crm_secret`, exchange: sql`id`, row: sql`id` },
  "extensions.shown_password": {
    table: sql`extensions`,
    column: sql`shown_password`,
    exchange: sql`exchange_id`,
    row: sql`id`,
  },
  "archives.secret": { table: sql`archives`, column: sql`secret`, exchange: sql`exchange_id`, row: sql`id` },
  "contact_sources.password": {
    table: sql`contact_sources`,
    column: sql`password`,
    exchange: sql`exchange_id`,
    row: sql`id`,
  },
  "single_sign_on.client_secret": {
    table: sql`single_sign_on`,
    column: sql`client_secret`,
    exchange: sql`exchange_id`,
    row: sql`id`,
  },
  "staff_sessions.log_out_url": {
    table: sql`staff_sessions`,
    column: sql`log_out_url`,
    exchange: sql`(select exchange_id from staff where staff.id = staff_id)`,
    row: sql`id`,
  },
  "push_keys.private_key": {
    table: sql`push_keys`,
    column: sql`private_key`,
    exchange: sql`exchange_id`,
    row: sql`exchange_id`,
  },
  "push_subscriptions.sealed": {
    table: sql`push_subscriptions`,
    column: sql`sealed`,
    exchange: sql`exchange_id`,
    row: sql`id`,
  },
};

export const secretKinds = Object.keys(secretColumns) as SecretKind[]; // the table's own keys

/** Any number that all nodes share: held by writers of secrets, each beside the others. */
const WRITING_LOCK = 7_268_731;

/** Any number that all nodes share: held while keys come and go, and shared by whoever needs them to stay. */
export const ROTATION_LOCK = 7_268_732;

const AT_ONCE = 500;

/**
 * The only way to write a secret. The lock is taken before the current key is asked for and kept until the commit, so
 * that whoever has made another key current can wait until nobody writes under the former one any more.
 */
export function sealing<Result>(
  db: Db,
  secrets: Pick<Secrets, "seal">,
  work: (db: Db, seal: Secrets["seal"]) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (db) => {
    await db.query(sql`select pg_advisory_xact_lock_shared($1)`, [WRITING_LOCK]);
    return work(db, (place, plain) => secrets.seal(place, plain));
  });
}

/** Kept once every secret that was sealed before now is committed or given up. */
export async function untilWritten(db: Db): Promise<void> {
  await db.query(sql`select pg_advisory_xact_lock($1)`, [WRITING_LOCK]);
}

/** No key leaves the ring while the work is done. It needs a connection of its own beside those of the work. */
export function whileKeysStay<Result>(db: Db, work: () => Promise<Result>): Promise<Result> {
  return db.transaction(async (db) => {
    await db.query(sql`set local idle_in_transaction_session_timeout = 0`);
    await db.query(sql`select pg_advisory_xact_lock_shared($1)`, [ROTATION_LOCK]);
    return work();
  });
}

/** `keyId` is null for what is not sealed. */
export type SecretCount = { kind: SecretKind; keyId: string | null; secrets: number };

export function countSecrets(db: Db): Promise<SecretCount[]> {
  const counts = secretKinds.map((kind) => {
    const { table, column } = secretColumns[kind];
    return sql`select ${literal(kind)} as kind, substring(${column} from ${SEALED_UNDER}) as "keyId", count(*) as secrets
      from ${table} where ${column} <> '' group by 2`;
  });
  return db.query<SecretCount>(sql`${joined(counts, " union all ")} order by 1, 2`);
}

/** Seals what still lies there readable; how many there were of each kind. Killed in the middle, it goes on next time. */
export function sealPlain(db: Db, secrets: Secrets): Promise<Partial<Record<SecretKind, number>>> {
  return changeAll(db, secrets, "plain", ({ stored }) => stored);
}

/** Seals under the current key what lies under another one. What cannot be opened stays as it is. */
export function resealAll(db: Db, secrets: Secrets, current: string): Promise<Partial<Record<SecretKind, number>>> {
  return changeAll(db, secrets, { notUnder: current }, ({ place, stored }) => {
    const opened = secrets.open(place, stored);
    return typeof opened === "string" ? opened : undefined;
  });
}

/** As a regular expression of PostgreSQL: what stands in brackets is taken out. */
const SEALED_UNDER = literal("^sealed:([0-9a-f]{8}):[A-Za-z0-9_-]{38,}$");

type Found = { place: SecretPlace; stored: string };

/** What is sealed under no key, or under another one than this; every key is another one than "". */
type Which = "plain" | { notUnder: string };

async function changeAll(
  db: Db,
  secrets: Secrets,
  which: Which,
  plainOf: (found: Found) => string | undefined,
): Promise<Partial<Record<SecretKind, number>>> {
  const changed: Partial<Record<SecretKind, number>> = {};
  for (const kind of secretKinds) {
    let after = 0;
    for (;;) {
      const batch = await sealing(db, secrets, async (db, seal) => {
        const found = await findSecrets(db, kind, { which, after });
        const plain = found.map(plainOf);
        const sealed = plain.map((text, index) => (text === undefined ? undefined : seal(found[index]!.place, text)));
        return { found, count: await replace(db, kind, found, sealed) };
      });
      if (batch.count > 0) changed[kind] = (changed[kind] ?? 0) + batch.count;
      if (batch.found.length < AT_ONCE) break;
      after = batch.found.at(-1)!.place.row;
    }
  }
  return changed;
}

async function findSecrets(
  db: Db,
  kind: SecretKind,
  { which, after }: { which: Which; after: number },
): Promise<Found[]> {
  const { table, column, exchange, row } = secretColumns[kind];
  const [under, values] = which === "plain" ? [sql`is null`, []] : [sql`<> $2`, [which.notUnder]];
  const rows = await db.query<{ exchangeId: number; row: number; stored: string }>(
    sql`select ${exchange} as "exchangeId", ${row} as row, ${column} as stored from ${table}
     where ${row} > $1 and ${column} <> '' and substring(${column} from ${SEALED_UNDER}) ${under}
     order by ${row} limit ${AT_ONCE}`,
    [after, ...values],
  );
  return rows.map(({ exchangeId, row, stored }) => ({ place: { kind, exchangeId, row }, stored }));
}

/** Only where the secret is still the one that was looked at: whoever has set a new one meanwhile has the last word. */
async function replace(
  db: Db,
  kind: SecretKind,
  found: readonly Found[],
  sealed: readonly (string | undefined)[],
): Promise<number> {
  const { table, column, row } = secretColumns[kind];
  const ready = found.flatMap(({ place, stored }, index) =>
    sealed[index] === undefined ? [] : { row: place.row, was: stored, becomes: sealed[index] },
  );
  if (ready.length === 0) return 0;
  const changed = await db.query(
    sql`update ${table} as secret set ${column} = sealed.becomes
     from unnest($1::bigint[], $2::text[], $3::text[]) as sealed (row_key, was, becomes)
     where secret.${row} = sealed.row_key and secret.${column} = sealed.was returning 1`,
    [ready.map((it) => it.row), ready.map((it) => it.was), ready.map((it) => it.becomes)],
  );
  return changed.length;
}

/** Whoever keeps opened secrets in memory, or stands still for want of one, reads them again. */
export async function tellKeysCame(db: Db): Promise<void> {
  await db.query(sql`select pg_notify('trunks', ''), pg_notify('sms_carriers', '')`);
}

/** Every secret, opened: which of them cannot be. */
export async function unreadableSecrets(db: Db, secrets: Pick<Secrets, "open">): Promise<SecretPlace[]> {
  const unreadable: SecretPlace[] = [];
  for (const kind of secretKinds)
    for (let after = 0; ; ) {
      const found = await findSecrets(db, kind, { which: { notUnder: "" }, after });
      for (const { place, stored } of found)
        if (typeof secrets.open(place, stored) !== "string") unreadable.push(place);
      if (found.length < AT_ONCE) break;
      after = found.at(-1)!.place.row;
    }
  return unreadable;
}
