// Staff accounts: people who may open the console, and the extension whose web phone is theirs.

import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Db } from "./db.ts";
import { extensionIdsOf } from "./queues.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";

export const STAFF_ROLES = ["administrator", "standard", "read-only"] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export type StaffAccount = {
  id: number;
  name: string;
  email: string;
  role: StaffRole;
  extension: string | null;
  active: boolean;
};

const columns = `staff.id, staff.name, staff.email, role, extensions.number as extension, staff.active`;

export async function createStaffAccount(
  db: Db,
  wanted: {
    exchangeId: number;
    name: string;
    email: string;
    role: StaffRole;
    password: string;
    extension?: string | undefined;
  },
): Promise<StaffAccount | SetupRefusal> {
  const { exchangeId, name, email, role, password, extension } = wanted;
  const hash = await hashPassword(password);
  return unlessTaken(db, { refused: "name-taken", what: "staff account", name: email }, async (db) => {
    const extensionIds = await extensionIdsOf(db, exchangeId, extension === undefined ? [] : [extension]);
    if (!Array.isArray(extensionIds)) return extensionIds;
    const [row] = await db.query<{ id: number }>(
      `insert into staff (exchange_id, name, email, role, password_hash, extension_id)
         values ($1, $2, $3, $4, $5, $6) returning id`,
      [exchangeId, name, email.toLowerCase(), role, hash, extensionIds[0] ?? null],
    );
    return { id: row!.id, name, email: email.toLowerCase(), role, extension: extension ?? null, active: true };
  });
}

export function listStaffAccounts(db: Db, exchangeId: number): Promise<StaffAccount[]> {
  return db.query<StaffAccount>(
    `select ${columns} from staff left join extensions on extensions.id = extension_id
     where staff.exchange_id = $1 order by staff.id`,
    [exchangeId],
  );
}

export async function setStaffPassword(
  db: Db,
  { exchangeId, email, password }: { exchangeId: number; email: string; password: string },
): Promise<boolean> {
  const hash = await hashPassword(password);
  const changed = await db.query(
    "update staff set password_hash = $3 where exchange_id = $1 and email = $2 returning id",
    [exchangeId, email.toLowerCase(), hash],
  );
  return changed.length > 0;
}

export async function deleteStaffAccount(db: Db, exchangeId: number, email: string): Promise<boolean> {
  const deleted = await db.query("delete from staff where exchange_id = $1 and email = $2 returning id", [
    exchangeId,
    email.toLowerCase(),
  ]);
  return deleted.length > 0;
}

/** Cost of one guess, as powers of two and counts: about 64 MB and a tenth of a second. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };
const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password.normalize("NFKC"), salt, 32, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), key.toString("base64")].join("$");
}

export async function isPasswordOf(hash: string, password: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = hash.split("$");
  if (kind !== "scrypt" || !salt || !key) return false;
  const wanted = Buffer.from(key, "base64");
  const cost = { ...COST, N: Number(N), r: Number(r), p: Number(p) };
  const given = await derive(password.normalize("NFKC"), Buffer.from(salt, "base64"), wanted.length, cost);
  return timingSafeEqual(wanted, given);
}

export type SignedIn = { id: number; exchangeId: number; email: string; role: StaffRole };

/** Hashed once, so that an address nobody has costs a guesser as much time as one that somebody has. */
let nobodysHash: Promise<string> | undefined;

/** The account whose e-mail address and password these are. */
export async function signIn(db: Db, email: string, password: string): Promise<SignedIn | undefined> {
  const found = await db.query<SignedIn & { hash: string }>(
    `select id, exchange_id as "exchangeId", email, role, password_hash as hash from staff
     where email = $1 and active order by id limit 3`,
    [email.toLowerCase()],
  );
  if (found.length === 0) {
    nobodysHash ??= hashPassword(randomBytes(16).toString("hex"));
    await isPasswordOf(await nobodysHash, password);
  }
  for (const { hash, ...account } of found) if (await isPasswordOf(hash, password)) return account;
  return undefined;
}
