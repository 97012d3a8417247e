// Recovery codes of a second factor: ten at a time, each opens once, and only their hashes are kept.

import { createHash, randomBytes } from "node:crypto";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

const CODES = 10;
/** Without letters that are taken for one another on paper. 32 of them: five bits each. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz023456789";
const LETTERS = 16;
const FORM = new RegExp(`^[${ALPHABET}]{${LETTERS}}$`);

type Owner = { exchangeId: number; staffId: number };

/** As they are shown this once, and none where the exchange has no such account. Those of before are void. */
export function renewRecoveryCodes(db: Db, { exchangeId, staffId }: Owner): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  return db.transaction(async (db) => {
    await db.query(sql`delete from staff_recovery_codes where exchange_id = $1 and staff_id = $2`, [
      exchangeId,
      staffId,
    ]);
    const made = await db.query(
      sql`insert into staff_recovery_codes (exchange_id, staff_id, code_hash)
       select exchange_id, id, unnest($3::bytea[]) from staff where exchange_id = $1 and id = $2 returning staff_id`,
      [exchangeId, staffId, codes.map((code) => hashOf(staffId, code))],
    );
    if (made.length === 0) return [];
    return codes.map((code) => (code.match(/.{4}/g) ?? []).join("-"));
  });
}

export async function dropRecoveryCodes(db: Db, staffId: number): Promise<void> {
  await db.query(sql`delete from staff_recovery_codes where staff_id = $1`, [staffId]);
}

/** Whether the text can be one at all: six digits of an app cannot. */
export function looksLikeRecoveryCode(text: string): boolean {
  return FORM.test(tidy(text));
}

/** True for whoever comes with it first. */
export async function useRecoveryCode(
  db: Db,
  { staffId, code, nowMs }: { staffId: number; code: string; nowMs: number },
): Promise<boolean> {
  const used = await db.query(
    sql`update staff_recovery_codes set used_at = $3
     where staff_id = $1 and code_hash = $2 and used_at is null returning staff_id`,
    [staffId, hashOf(staffId, tidy(code)), new Date(nowMs)],
  );
  return used.length > 0;
}

function newCode(): string {
  return Array.from(randomBytes(LETTERS), (octet) => ALPHABET[octet % ALPHABET.length]).join("");
}

/** As people write it down. */
function tidy(text: string): string {
  return text.slice(0, 100).toLowerCase().replace(/[\s-]/g, "");
}

/** 80 random bits need no slow hash: there is no list of them to try. */
function hashOf(staffId: number, code: string): Buffer {
  return createHash("sha256").update(`${staffId} ${code}`).digest();
}
