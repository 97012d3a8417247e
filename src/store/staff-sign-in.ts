// Signing in: password, second factor, and an account that closes for a while when somebody guesses.

import { randomBytes } from "node:crypto";
import type { Holder } from "../nouns/role.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";
import { hashPassword, isPasswordOf } from "./staff-password.ts";
import { periodOfCode } from "./totp.ts";

export type SignedIn = Holder & { id: number; exchangeId: number; email: string; extension: string | null };

export type SignInRefusal =
  | { refused: "wrong-password" }
  | { refused: "locked"; untilMs: number }
  /** The password was right. */
  | { refused: "code-needed" }
  | { refused: "wrong-code" }
  /** There is a second factor that we cannot check: nobody comes in without it. */
  | { refused: "secret-unreadable" };

export type Credentials = { email: string; password: string; code?: string | undefined };

const MOST_FAILURES = 5;
const LOCKED_MS = 15 * 60_000;

/** Hashed once, so that an address nobody has costs a guesser as much time as one that somebody has. */
let nobodysHash: Promise<string> | undefined;

type Found = SignedIn & { hash: string; lockedUntil: Date | null; totpSecret: string | null; totpUsed: number };

export async function signIn(
  db: Db,
  { open }: Pick<Secrets, "open">,
  { email, password, code }: Credentials,
  nowMs: number,
): Promise<SignedIn | SignInRefusal> {
  const [found] = await db.query<Found>(
    sql`select id, exchange_id as "exchangeId", email, role, recordings, exports,
       (select number from extensions where extensions.id = extension_id) as extension, password_hash as hash, locked_until as "lockedUntil",
       totp_secret as "totpSecret", totp_used as "totpUsed"
     from staff where email = $1 and active`,
    [email.toLowerCase()],
  );
  nobodysHash ??= hashPassword(randomBytes(16).toString("hex"));
  const isRight = await isPasswordOf(found?.hash ?? (await nobodysHash), password);
  if (!found) return { refused: "wrong-password" };
  const { hash: _hash, lockedUntil, totpSecret, totpUsed, ...account } = found;
  if (lockedUntil && lockedUntil.getTime() > nowMs) return { refused: "locked", untilMs: lockedUntil.getTime() };
  if (!isRight) return noteFailure(db, found.id, { nowMs, says: "wrong-password" });
  if (totpSecret !== null) {
    if (code === undefined || code === "") return { refused: "code-needed" };
    const place = { kind: "staff.totp_secret", exchangeId: found.exchangeId, row: found.id } as const;
    const secret = open(place, totpSecret);
    if (typeof secret !== "string") return { refused: "secret-unreadable" };
    const period = periodOfCode(secret, code, { nowMs, usedPeriod: totpUsed });
    if (period === undefined || !(await takePeriod(db, found.id, period)))
      return noteFailure(db, found.id, { nowMs, says: "wrong-code" });
  }
  await db.query(sql`update staff set failed_sign_ins = 0, locked_until = null, last_sign_in_at = $2 where id = $1`, [
    found.id,
    new Date(nowMs),
  ]);
  return account;
}

/** False when another sign-in has just used the code. */
async function takePeriod(db: Db, id: number, period: number): Promise<boolean> {
  const used = await db.query(sql`update staff set totp_used = $2 where id = $1 and totp_used < $2 returning id`, [
    id,
    period,
  ]);
  return used.length > 0;
}

async function noteFailure(
  db: Db,
  id: number,
  { nowMs, says }: { nowMs: number; says: "wrong-password" | "wrong-code" },
): Promise<SignInRefusal> {
  const [row] = await db.query<{ lockedUntil: Date | null }>(
    sql`update staff set failed_sign_ins = (failed_sign_ins + 1) % $2,
       locked_until = case when failed_sign_ins + 1 >= $2 then $3::timestamptz end
     where id = $1 returning locked_until as "lockedUntil"`,
    [id, MOST_FAILURES, new Date(nowMs + LOCKED_MS)],
  );
  const until = row?.lockedUntil?.getTime();
  return until === undefined ? { refused: says } : { refused: "locked", untilMs: until };
}
