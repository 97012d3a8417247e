// Staff accounts: people who may open the console, and the extension whose web phone is theirs.

import type { Language } from "../languages.ts";
import type { Changes } from "../nouns/field.ts";
import type { Holder, StaffRole } from "../nouns/role.ts";
import { staff } from "../nouns/staff.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { extensionIdsOf } from "./queues.ts";
import { dropRecoveryCodes } from "./recovery-codes.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";
import { sealing } from "./sealing.ts";
import { sql } from "./sql.ts";
import type { PasswordHash } from "./staff-password.ts";
import { updateOwn } from "./update.ts";
import { revokeTokensOfStaff } from "./webphone-tokens.ts";

export type StaffAccount = Holder & {
  id: number;
  name: string;
  email: string;
  /** That a supervisor leads, by their numbers. */
  queues: readonly string[];
  extension: string | null;
  language: Language | null;
  active: boolean;
};

export type StaffDetail = StaffAccount & {
  lastSignInAt: Date | null;
  lockedUntil: Date | null;
  hasTotp: boolean;
  mustChangePassword: boolean;
};

const columns = sql`staff.id, staff.name, staff.email, role, recordings, exports,
  array(select q.number from staff_queues s join queues q on q.id = s.queue_id
    where s.staff_id = staff.id order by length(q.number), q.number) as queues, extensions.number as extension, staff.language, staff.active`;
const details = sql`last_sign_in_at as "lastSignInAt", locked_until as "lockedUntil", totp_secret is not null as "hasTotp",
  must_change_password as "mustChangePassword"`;

export async function createStaffAccount(
  db: Db,
  wanted: {
    exchangeId: number;
    name: string;
    email: string;
    role: StaffRole;
    password: PasswordHash;
    extension?: string | undefined;
    language?: Language | null | undefined;
    recordings?: Holder["recordings"] | undefined;
    exports?: Holder["exports"] | undefined;
    queues?: readonly string[] | undefined;
    /** The password is only good for choosing another one. */
    mustChangePassword?: boolean;
  },
): Promise<StaffAccount | SetupRefusal> {
  const { exchangeId, name, role, password, extension, language = null, mustChangePassword = false } = wanted;
  const { recordings = null, exports = null, queues = [] } = wanted;
  const email = wanted.email.toLowerCase();
  return unlessTaken(db, { refused: "name-taken", what: "staff account", name: wanted.email }, async (db) => {
    const extensionIds = await extensionIdsOf(db, exchangeId, extension === undefined ? [] : [extension]);
    if (!Array.isArray(extensionIds)) return extensionIds;
    const [row] = await db.query<{ id: number }>(
      sql`insert into staff (exchange_id, name, email, role, password_hash, extension_id, must_change_password,
           language, recordings, exports)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
      [
        ...[exchangeId, name, email, role, password, extensionIds[0] ?? null, mustChangePassword],
        ...[language, recordings, exports],
      ],
    );
    const { id } = row!; // an insert without a condition returns its row
    const refused = await setStaffQueues(db, { exchangeId, id, queues });
    if (refused) return refused;
    const phone = extension ?? null;
    return { id, name, email, role, recordings, exports, queues, extension: phone, language, active: true };
  });
}

export function listStaffAccounts(db: Db, exchangeId: number): Promise<StaffDetail[]> {
  return db.query<StaffDetail>(
    sql`select ${columns}, ${details} from staff left join extensions on extensions.id = extension_id
     where staff.exchange_id = $1 order by staff.id`,
    [exchangeId],
  );
}

/** Those and no others. */
async function setStaffQueues(
  db: Db,
  { exchangeId, id, queues }: { exchangeId: number; id: number; queues: readonly string[] },
): Promise<SetupRefusal | undefined> {
  const found = await db.query<{ id: number; number: string }>(
    sql`select id, number from queues where exchange_id = $1 and number = any($2)`,
    [exchangeId, queues],
  );
  const missing = queues.find((queue) => !found.some(({ number }) => number === queue));
  if (missing !== undefined) return { refused: "not-found", what: "queue", which: missing };
  await db.query(sql`delete from staff_queues where exchange_id = $1 and staff_id = $2`, [exchangeId, id]);
  await db.query(sql`insert into staff_queues (exchange_id, staff_id, queue_id) select $1, $2, unnest($3::bigint[])`, [
    exchangeId,
    id,
    found.map((queue) => queue.id),
  ]);
  return undefined;
}

export type StaffChanges = Changes<typeof staff>;

/** The last administrator stays one: an exchange that nobody may set up any more would have to be opened from below. */
export function updateStaffAccount(
  db: Db,
  { exchangeId, id, changes }: { exchangeId: number; id: number; changes: StaffChanges },
): Promise<undefined | SetupRefusal | { refused: "last-administrator" }> {
  return db.transaction(async (db) => {
    const { queues, ...kept } = changes;
    const { extension, ...plain } = kept;
    const extensionIds = await extensionIdsOf(db, exchangeId, extension ? [extension] : []);
    if (!Array.isArray(extensionIds)) return extensionIds;
    const loses = plain.active === false || (plain.role !== undefined && plain.role !== "administrator");
    if (loses && (await isLastAdministrator(db, exchangeId, id))) return { refused: "last-administrator" };
    const changed = await updateOwn(db, staff, { exchangeId, which: id, changes: kept });
    if (!changed) return { refused: "not-found", what: "staff account", which: String(id) };
    const refused = queues && (await setStaffQueues(db, { exchangeId, id, queues }));
    if (refused) return refused;
    if (plain.active === false || extension !== undefined) await revokeTokensOfStaff(db, id);
    return undefined;
  });
}

/** Whom somebody may ask who may not do what he wants. */
export async function administratorNames(db: Db, exchangeId: number): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    sql`select name from staff where exchange_id = $1 and role = 'administrator' and active order by id limit 5`,
    [exchangeId],
  );
  return rows.map(({ name }) => name);
}

/** By the address under which he signs in. */
export async function isAdministrator(db: Db, exchangeId: number, email: string | null): Promise<boolean> {
  const found = await db.query(
    sql`select id from staff where exchange_id = $1 and email = $2 and active and role = 'administrator'`,
    [exchangeId, email],
  );
  return found.length > 0;
}

export async function emailOf(db: Db, exchangeId: number, id: number): Promise<string | undefined> {
  const [row] = await db.query<{ email: string }>(sql`select email from staff where exchange_id = $1 and id = $2`, [
    exchangeId,
    id,
  ]);
  return row?.email;
}

/** Locked while we look: two administrators who dismiss each other in the same moment do not both succeed. */
export async function isLastAdministrator(db: Db, exchangeId: number, id: number): Promise<boolean> {
  const rows = await db.query<{ id: number }>(
    sql`select id from staff where exchange_id = $1 and role = 'administrator' and active order by id for update`,
    [exchangeId],
  );
  return rows.length === 1 && rows[0]!.id === id;
}

/** Also opens an account that was locked: whoever may set passwords may let somebody in. */
export async function setStaffPassword(
  db: Db,
  wanted: {
    exchangeId: number;
    email: string;
    password: PasswordHash;
    mustChangePassword?: boolean;
    dropTotp?: boolean;
  },
): Promise<boolean> {
  const { exchangeId, email, password, mustChangePassword = false, dropTotp = false } = wanted;
  const changed = await db.query(
    sql`with changed as (
       update staff set password_hash = $3, must_change_password = $4, failed_sign_ins = 0, locked_until = null,
         totp_secret = case when $5 then null else totp_secret end
       where exchange_id = $1 and email = $2 returning id),
     ended as (delete from staff_sessions where staff_id in (select id from changed)),
     void as (delete from staff_recovery_codes where $5 and staff_id in (select id from changed))
     select id from changed`,
    [exchangeId, email.toLowerCase(), password, mustChangePassword, dropTotp],
  );
  return changed.length > 0;
}

export function deleteStaffAccount(db: Db, exchangeId: number, email: string): Promise<boolean> {
  return db.transaction(async (db) => {
    const [found] = await db.query<{ id: number }>(
      sql`select id from staff where exchange_id = $1 and email = $2 for update`,
      [exchangeId, email.toLowerCase()],
    );
    if (!found) return false;
    await revokeTokensOfStaff(db, found.id);
    await db.query(sql`delete from staff where id = $1`, [found.id]);
    return true;
  });
}

export async function setTotpSecret(
  db: Db,
  secrets: Secrets,
  { exchangeId, id, secret }: { exchangeId: number; id: number; secret: string },
): Promise<void> {
  await sealing(db, secrets, (db, seal) =>
    db.query(sql`update staff set totp_secret = $3, totp_used = 0 where exchange_id = $1 and id = $2`, [
      ...[exchangeId, id],
      seal({ kind: "staff.totp_secret", exchangeId, row: id }, secret),
    ]),
  );
}

/** Takes the second factor away, and the codes that stand in for it. */
export async function dropTotpSecret(db: Db, id: number): Promise<void> {
  await db.query(sql`update staff set totp_secret = null, totp_used = 0 where id = $1`, [id]);
  await dropRecoveryCodes(db, id);
}
