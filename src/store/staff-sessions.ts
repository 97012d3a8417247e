// Sessions of the console: a random token in the browser, its hash here, an end of their own, revocable at any time.

import { createHash, randomBytes } from "node:crypto";
import type { Holder } from "../nouns/role.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { sealing } from "./sealing.ts";
import type { SignInDoor } from "./sign-in-lines.ts";
import { type Sql, sql } from "./sql.ts";
import { wantsFactor } from "./staff-sign-in.ts";

export type StaffSession = Holder & {
  sessionId: number;
  id: number;
  exchangeId: number;
  exchangeName: string;
  sipDomain: string;
  timeZone: string;
  name: string;
  email: string;
  extension: string | null;
  mustChangePassword: boolean;
  /** His exchange wants a second factor of him, and he has none. */
  owesFactor: boolean;
  hasTotp: boolean;
  /** By which it began. */
  door: SignInDoor;
  /** When its owner showed last who he is. */
  provedAt: Date;
};

export type SessionRow = { id: number; createdAt: Date; lastSeenAt: Date; address: string; browser: string };

const HOUR = 3_600_000;
/** However busy it is, a session ends; and sooner when nobody uses it. */
const LIFE_MS = 7 * 24 * HOUR;
const IDLE_MS = 12 * HOUR;
/** Written this often at most: the board's socket alone would otherwise write every few seconds. */
const SEEN_EVERY_MS = 60_000;
const MOST_OF_ONE = 20;
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;

export type NewSession = { staffId: number; nowMs: number; address: string; browser: string; door?: SignInDoor };

export async function beginSession(
  db: Db,
  { staffId, nowMs, address, browser, door = "password" }: NewSession,
): Promise<{ id: number; token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(nowMs + LIFE_MS);
  const id = await db.transaction(async (db) => {
    await db.query(
      sql`delete from staff_sessions where expires_at <= $2 or last_seen_at <= $3 or id in
         (select id from staff_sessions where staff_id = $1 order by id desc offset $4)`,
      [staffId, new Date(nowMs), new Date(nowMs - IDLE_MS), MOST_OF_ONE - 1],
    );
    const [made] = await db.query<{ id: number }>(
      sql`insert into staff_sessions
         (staff_id, token_hash, created_at, last_seen_at, proved_at, expires_at, address, browser, door)
       values ($1, $2, $3, $3, $3, $4, $5, $6, $7) returning id`,
      [staffId, hashOf(token), new Date(nowMs), expiresAt, address, browser.slice(0, 200), door],
    );
    return made!.id; // an insert without a condition has its row
  });
  return { id, token, expiresAt };
}

/** Of a table of sessions, those that are not over at that moment. */
export function liveSessions(sessions: Sql, now: Sql): Sql {
  const idle = sql`${now}::timestamptz - interval '1 hour' * ${IDLE_MS / HOUR}`;
  return sql`${sessions}.expires_at > ${now} and ${sessions}.last_seen_at > ${idle}`;
}

/** Whose session it is, as long as it lives and its owner may come in. */
export async function findSession(db: Db, token: string, nowMs: number): Promise<StaffSession | undefined> {
  if (!TOKEN_FORM.test(token)) return undefined;
  const [row] = await db.query<StaffSession & { lastSeenAt: Date }>(
    sql`select s.id as "sessionId", staff.id, staff.exchange_id as "exchangeId", x.name as "exchangeName",
       x.sip_domain as "sipDomain", x.time_zone as "timeZone", staff.name, staff.email, role, recordings, exports,
       e.number as extension, must_change_password and s.door <> 'oidc' as "mustChangePassword",
       totp_secret is not null as "hasTotp", s.door,
       totp_secret is null and s.door <> 'oidc' and ${wantsFactor} as "owesFactor",
       last_seen_at as "lastSeenAt", proved_at as "provedAt"
     from staff_sessions s join staff on staff.id = s.staff_id join exchanges x on x.id = staff.exchange_id
       left join extensions e on e.id = staff.extension_id
     where token_hash = $1 and ${liveSessions(sql`s`, sql`$2`)} and staff.active`,
    [hashOf(token), new Date(nowMs)],
  );
  if (!row) return undefined;
  const { lastSeenAt, ...session } = row;
  if (lastSeenAt.getTime() < nowMs - SEEN_EVERY_MS)
    await db.query(sql`update staff_sessions set last_seen_at = $2 where id = $1`, [
      session.sessionId,
      new Date(nowMs),
    ]);
  return session;
}

const FRESH_MS = 15 * 60_000;

/** Whether it is still its owner who sits there, as far as a moment ago tells. */
export function isFresh({ provedAt }: Pick<StaffSession, "provedAt">, nowMs: number): boolean {
  return nowMs - provedAt.getTime() < FRESH_MS;
}

export async function noteProof(
  db: Db,
  { exchangeId, sessionId, nowMs }: { exchangeId: number; sessionId: number; nowMs: number },
): Promise<void> {
  await db.query(
    sql`update staff_sessions set proved_at = $3
     where id = $2 and staff_id in (select id from staff where exchange_id = $1)`,
    [exchangeId, sessionId, new Date(nowMs)],
  );
}

/** It names the person to the provider, so it is sealed. */
export async function keepLogOutUrl(
  db: Db,
  secrets: Pick<Secrets, "seal">,
  { exchangeId, sessionId, url }: { exchangeId: number; sessionId: number; url: string },
): Promise<void> {
  await sealing(db, secrets, (db, seal) =>
    db.query(
      sql`update staff_sessions set log_out_url = $3
       where id = $2 and staff_id in (select id from staff where exchange_id = $1)`,
      [exchangeId, sessionId, seal({ kind: "staff_sessions.log_out_url", exchangeId, row: sessionId }, url)],
    ),
  );
}

/** Null: there is none, or it cannot be opened any more. */
export async function readLogOutUrl(
  db: Db,
  { open }: Pick<Secrets, "open">,
  { exchangeId, sessionId }: { exchangeId: number; sessionId: number },
): Promise<string | null> {
  const [row] = await db.query<{ stored: string | null }>(
    sql`select log_out_url as stored from staff_sessions join staff on staff.id = staff_id
     where staff.exchange_id = $1 and staff_sessions.id = $2`,
    [exchangeId, sessionId],
  );
  if (!row?.stored) return null;
  const url = open({ kind: "staff_sessions.log_out_url", exchangeId, row: sessionId }, row.stored);
  return typeof url === "string" ? url : null;
}

export function listSessions(db: Db, staffId: number): Promise<SessionRow[]> {
  return db.query<SessionRow>(
    sql`select id, created_at as "createdAt", last_seen_at as "lastSeenAt", address, browser
     from staff_sessions where staff_id = $1 order by last_seen_at desc`,
    [staffId],
  );
}

export async function endSession(db: Db, staffId: number, sessionId: number): Promise<boolean> {
  const ended = await db.query(sql`delete from staff_sessions where staff_id = $1 and id = $2 returning id`, [
    staffId,
    sessionId,
  ]);
  return ended.length > 0;
}

export async function endSessionsOf(db: Db, staffId: number, exceptId = 0): Promise<void> {
  await db.query(sql`delete from staff_sessions where staff_id = $1 and id <> $2`, [staffId, exceptId]);
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
