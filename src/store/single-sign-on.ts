// Signing in by the exchange's own provider: what is set of it, and those who were sent there and are not back yet.

import { createHash, randomBytes } from "node:crypto";
import type { Changes, Row, ValueOf } from "../nouns/field.ts";
import { singleSignOn } from "../nouns/single-sign-on.ts";
import type { SecretPlace } from "../secrets/sealed.ts";
import type { Secrets, Unreadable } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { sealing } from "./sealing.ts";
import { joined, sql } from "./sql.ts";
import { assignments, shownColumns, updateOwn } from "./update.ts";

type Fields = typeof singleSignOn.fields;

/** As it is set; the secret apart. */
export type SignOnSettings = { [Name in Exclude<keyof Fields, "client_secret">]: ValueOf<Fields[Name]> };
export type SignOnChanges = Changes<typeof singleSignOn>;
export type SignOnRow = Row<typeof singleSignOn> & { id: number; exchangeId: number };

export async function readSingleSignOn(db: Db, exchangeId: number): Promise<SignOnRow | undefined> {
  const [row] = await db.query<SignOnRow>(
    sql`select id, exchange_id as "exchangeId", ${shownColumns(singleSignOn)} from single_sign_on where exchange_id = $1`,
    [exchangeId],
  );
  return row;
}

/** Null: none is set. */
export async function readClientSecret(
  db: Db,
  { open }: Pick<Secrets, "open">,
  exchangeId: number,
): Promise<string | null | Unreadable> {
  const [row] = await db.query<{ id: number; stored: string | null }>(
    sql`select id, client_secret as stored from single_sign_on where exchange_id = $1`,
    [exchangeId],
  );
  return row?.stored ? open(secretOf(exchangeId, row.id), row.stored) : null;
}

function secretOf(exchangeId: number, row: number): SecretPlace {
  return { kind: "single_sign_on.client_secret", exchangeId, row };
}

/** `secret`: null takes it away, undefined leaves it. */
export function keepSingleSignOn(
  db: Db,
  secrets: Pick<Secrets, "seal">,
  { exchangeId, settings, secret }: { exchangeId: number; settings: SignOnSettings; secret: string | null | undefined },
): Promise<void> {
  return sealing(db, secrets, async (db, seal) => {
    const { names, places, values, list } = assignments(singleSignOn, settings, 2);
    const [made] = await db.query<{ id: number }>(
      sql`insert into single_sign_on (${joined([sql`exchange_id`, ...names], ", ")})
       values (${joined([sql`$1`, ...places], ", ")}) on conflict (exchange_id) do update set ${list} returning id`,
      [exchangeId, ...values],
    );
    const { id: which } = made!; // inserted or updated
    if (secret === undefined) return;
    const client_secret = secret === null ? null : seal(secretOf(exchangeId, which), secret);
    await updateOwn(db, singleSignOn, { exchangeId, which, changes: { client_secret } });
  });
}

/** False: it was off. Accounts stay linked, and passwords are accepted again. */
export async function switchSingleSignOnOff(db: Db, exchangeId: number): Promise<boolean> {
  const off = await db.query(
    sql`update single_sign_on set active = false where exchange_id = $1 and active returning id`,
    [exchangeId],
  );
  return off.length > 0;
}

export type SignOnDoor = { exchangeId: number; label: string; passwords: boolean };

/** The exchange of a domain, or the only one there is. Null: whoever asks learns nothing of why. */
export async function findSignOnDoor(db: Db, domain: string): Promise<{ door: SignOnDoor | null; several: boolean }> {
  const [row] = await db.query<{ several: boolean }>(
    sql`select (select count(*) from exchanges) > 1 or (select count(*) from exchange_owners) > 1 as several`,
  );
  const several = row!.several; // a count always has a row
  const [door = null] = await db.query<SignOnDoor>(
    sql`select x.id as "exchangeId", label, passwords from exchanges x join single_sign_on s on s.exchange_id = x.id
     where s.active and (x.sip_domain = lower($1) or ($1 = '' and not $2))`,
    [domain, several],
  );
  return { door, several };
}

export type Attempt = {
  exchangeId: number;
  issuer: string;
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
  /** The page of the console to come back to. */
  back: string;
};

const ATTEMPT_MS = 10 * 60_000;
/** Of one exchange: more people than that are not on their way at the same time. */
const MOST_ATTEMPTS = 10_000;

/** The token that the browser keeps meanwhile. */
export async function beginAttempt(db: Db, attempt: Attempt, nowMs: number): Promise<{ token: string; expires: Date }> {
  const token = randomBytes(32).toString("base64url");
  const expires = new Date(nowMs + ATTEMPT_MS);
  const { exchangeId, issuer, state, nonce, verifier, redirectUri, back } = attempt;
  await db.query(
    sql`delete from sign_in_attempts where exchange_id = $1 and (expires_at <= $2 or id in
       (select id from sign_in_attempts where exchange_id = $1 order by id desc offset $3))`,
    [exchangeId, new Date(nowMs), MOST_ATTEMPTS],
  );
  await db.query(
    sql`insert into sign_in_attempts (exchange_id, token_hash, issuer, state, nonce, verifier, redirect_uri, back, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [exchangeId, hashOf(token), issuer, state, nonce, verifier, redirectUri, back, expires],
  );
  return { token, expires };
}

/** Once: whoever comes again with the same token begins anew. */
export async function takeAttempt(
  db: Db,
  { exchangeId, token, nowMs }: { exchangeId: number; token: string; nowMs: number },
): Promise<Attempt | undefined> {
  const [taken] = await db.query<Attempt & { expiresAt: Date }>(
    sql`delete from sign_in_attempts where exchange_id = $1 and token_hash = $2 returning exchange_id as "exchangeId",
       issuer, state, nonce, verifier, redirect_uri as "redirectUri", back, expires_at as "expiresAt"`,
    [exchangeId, hashOf(token)],
  );
  return taken && taken.expiresAt.getTime() > nowMs ? taken : undefined;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
