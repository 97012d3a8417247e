// Accounts whose credits have come down to the number at which somebody wants to be told, each told once.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type LowAccount = {
  exchangeId: number;
  username: string;
  credits: number;
  lowCredits: number;
  lowCreditsPhone: string | null;
};

/** Accounts that have credits again are told of the next time; the others that are low now are told of once. */
export async function takeLowAccounts(db: Db, now: Date): Promise<LowAccount[]> {
  await db.query(
    sql`update sms_accounts set low_credits_told_at = null
     where low_credits_told_at is not null and (low_credits is null or credits > low_credits)`,
  );
  return db.query<LowAccount>(
    sql`update sms_accounts set low_credits_told_at = $1
     where active and low_credits is not null and credits <= low_credits and low_credits_told_at is null
     returning exchange_id as "exchangeId", username, credits, low_credits as "lowCredits",
       low_credits_phone as "lowCreditsPhone"`,
    [now],
  );
}
