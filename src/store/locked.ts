// Who is kept waiting after wrong passwords or PINs, however right the next one is.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type Locked = { staff: number; mailboxes: number };

/** Of all exchanges. */
export async function countLocked(db: Db): Promise<Locked> {
  const [count] = await db.query<Locked>(
    sql`select (select count(*) from staff where locked_until > now())::int as staff,
       (select count(*) from mailboxes where pins_closed_until > now())::int as mailboxes`,
  );
  return count!; // it has one row
}
