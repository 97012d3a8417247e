// By which ways one account comes in: whether its password is accepted, and how many recovery codes it has left.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type WaysIn = {
  acceptsPassword: boolean;
  codesLeft: number;
  /** Who he is at the exchange's provider is known. */
  isLinked: boolean;
};

export async function waysIn(
  db: Db,
  { exchangeId, staffId }: { exchangeId: number; staffId: number },
): Promise<WaysIn> {
  const [row] = await db.query<WaysIn>(
    sql`select not coalesce(s.active and not s.passwords and s.break_glass is distinct from staff.email, false)
         as "acceptsPassword", sso_subject is not null as "isLinked",
       (select count(*) from staff_recovery_codes c where c.staff_id = staff.id and used_at is null) as "codesLeft"
     from staff left join single_sign_on s on s.exchange_id = staff.exchange_id
     where staff.exchange_id = $1 and staff.id = $2`,
    [exchangeId, staffId],
  );
  return row!; // the account of whoever is signed in
}

/** Whose password is the only one that is accepted. */
export async function isBreakGlass(
  db: Db,
  { exchangeId, staffId }: { exchangeId: number; staffId: number },
): Promise<boolean> {
  const found = await db.query(
    sql`select staff.id from staff join single_sign_on s on s.exchange_id = staff.exchange_id
     where staff.exchange_id = $1 and staff.id = $2 and s.active and not s.passwords and s.break_glass = staff.email`,
    [exchangeId, staffId],
  );
  return found.length > 0;
}
