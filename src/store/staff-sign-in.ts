// Signing in: password, second factor or recovery code, and an account that closes for a while when somebody guesses.

import type { Holder } from "../nouns/role.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { looksLikeRecoveryCode, useRecoveryCode } from "./recovery-codes.ts";
import { noteFailedSignIn, noteUnknownName, type SignInDoor } from "./sign-in-lines.ts";
import { sql } from "./sql.ts";
import { isPasswordOf, nobodysPassword } from "./staff-password.ts";
import { periodOfCode } from "./totp.ts";

export type SignedIn = Holder & {
  id: number;
  exchangeId: number;
  email: string;
  extension: string | null;
  door: SignInDoor;
};

export type SignInRefusal =
  /** Also for a name that nobody has, and for an account that is locked: whoever guesses learns neither. */
  | { refused: "wrong-password" }
  /** The password was right. */
  | { refused: "code-needed" }
  | { refused: "wrong-code" }
  /** The password was right, but the exchange's provider is the only way in. */
  | { refused: "passwords-off" }
  /** The password was right, but the exchange wants more, and whoever comes by this door cannot be led to it. */
  | { refused: "second-factor-first" }
  /** There is a second factor that we cannot check: nobody comes in without it. */
  | { refused: "secret-unreadable" };

/**
 * `address`: from where, for the audit trail. `isProgram`: nobody is there who could be asked to do anything first.
 * `isInside`: he is signed in, and his password is all that he is asked for.
 */
export type Credentials = {
  email: string;
  password: string;
  code?: string | undefined;
  address?: string;
  isProgram?: boolean;
  isInside?: boolean;
};

const MOST_FAILURES = 5;
const LOCKED_MS = 15 * 60_000;

/** The id of no account: what is done for it changes nothing, and takes as long. */
const NOBODY = 0;

type Found = Omit<SignedIn, "door"> & {
  hash: string;
  lockedUntil: Date | null;
  totpSecret: string | null;
  totpUsed: number;
  passwordsOff: boolean;
  owesFactor: boolean;
};

/** Of staff in their exchange `x`: whether it wants a second factor of them. */
export const wantsFactor = sql`(x.second_factor = 'everybody' or x.second_factor = 'administrators' and role = 'administrator')`;

type Asking = { db: Db; secrets: Pick<Secrets, "open">; nowMs: number };

export async function signIn(
  db: Db,
  secrets: Pick<Secrets, "open">,
  { email, password, code = "", address = "", isProgram = false, isInside = false }: Credentials,
  nowMs: number,
): Promise<SignedIn | SignInRefusal> {
  const found = await findAccount(db, email);
  // An address that nobody has costs a guesser as much time as one that somebody has.
  const isRight = await isPasswordOf(found?.hash ?? nobodysPassword(), password);
  if (!found) {
    await noteFailure(db, NOBODY, { nowMs, says: "wrong-password" });
    await noteUnknownName(db, address);
    return { refused: "wrong-password" };
  }
  const door = await doorFor({ db, secrets, nowMs }, found, { isRight, isProgram, isInside, code });
  if (typeof door !== "string") {
    const { refused: why } = door;
    if (why !== "code-needed") await noteFailedSignIn(db, { ...found, door: "password", why, address });
    return why === "locked" ? { refused: "wrong-password" } : door;
  }
  await db.query(sql`update staff set failed_sign_ins = 0, locked_until = null, last_sign_in_at = $2 where id = $1`, [
    found.id,
    new Date(nowMs),
  ]);
  const {
    hash: _hash,
    lockedUntil: _until,
    totpSecret: _secret,
    totpUsed: _used,
    passwordsOff: _off,
    owesFactor: _owes,
    ...account
  } = found;
  return { ...account, door };
}

async function findAccount(db: Db, email: string): Promise<Found | undefined> {
  const [found] = await db.query<Found>(
    sql`select staff.id, staff.exchange_id as "exchangeId", email, role, recordings, exports,
       (select number from extensions where extensions.id = extension_id) as extension, password_hash as hash,
       locked_until as "lockedUntil", totp_secret as "totpSecret", totp_used as "totpUsed",
       coalesce(s.active and not s.passwords and s.break_glass is distinct from staff.email, false) as "passwordsOff",
       totp_secret is null and ${wantsFactor} as "owesFactor"
     from staff join exchanges x on x.id = staff.exchange_id
       left join single_sign_on s on s.exchange_id = staff.exchange_id
     where email = $1 and staff.active`,
    [email.toLowerCase()],
  );
  return found;
}

/** As the audit trail has it. */
type Failure = SignInRefusal | { refused: "locked" };

/** The door that opened. */
async function doorFor(
  asking: Asking,
  found: Found,
  { isRight, isProgram, isInside, code }: { isRight: boolean; isProgram: boolean; isInside: boolean; code: string },
): Promise<SignInDoor | Failure> {
  const { db, nowMs } = asking;
  const { lockedUntil, totpSecret } = found;
  if (lockedUntil && lockedUntil.getTime() > nowMs) {
    await noteFailure(db, NOBODY, { nowMs, says: "wrong-password" });
    return { refused: "locked" };
  }
  if (!isRight) return noteFailure(db, found.id, { nowMs, says: "wrong-password" });
  if (isInside) return "password";
  if (found.passwordsOff) return { refused: "passwords-off" };
  if (isProgram && found.owesFactor) return { refused: "second-factor-first" };
  if (totpSecret === null) return "password";
  if (code === "") return { refused: "code-needed" };
  if (looksLikeRecoveryCode(code))
    return (await useRecoveryCode(db, { staffId: found.id, code, nowMs }))
      ? "recovery-code"
      : noteFailure(db, found.id, { nowMs, says: "wrong-code" });
  return secondFactor(asking, { ...found, totpSecret }, code);
}

async function secondFactor(
  { db, secrets, nowMs }: Asking,
  { id, exchangeId, totpSecret, totpUsed }: Found & { totpSecret: string },
  code: string,
): Promise<SignInDoor | Failure> {
  const secret = secrets.open({ kind: "staff.totp_secret", exchangeId, row: id }, totpSecret);
  if (typeof secret !== "string") return { refused: "secret-unreadable" };
  const period = periodOfCode(secret, code, { nowMs, usedPeriod: totpUsed });
  if (period === undefined || !(await takePeriod(db, id, period)))
    return noteFailure(db, id, { nowMs, says: "wrong-code" });
  return "second-factor";
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
): Promise<Failure> {
  const [row] = await db.query<{ lockedUntil: Date | null }>(
    sql`update staff set failed_sign_ins = (failed_sign_ins + 1) % $2,
       locked_until = case when failed_sign_ins + 1 >= $2 then $3::timestamptz end
     where id = $1 returning locked_until as "lockedUntil"`,
    [id, MOST_FAILURES, new Date(nowMs + LOCKED_MS)],
  );
  return { refused: row?.lockedUntil ? "locked" : says };
}
