// What the message centre may have to do this second, asked in one.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** Campaigns that begin, reports and messages owed to customers. */
export type SmsDue = { campaigns: boolean; pushes: boolean };

export async function smsDue(db: Db, now: Date): Promise<SmsDue> {
  const [due] = await db.query<SmsDue>(
    sql`select exists (select from sms_campaigns where state in ('scheduled', 'starting') and send_at <= $1) as campaigns,
       exists (select from sms_owed_pushes) as pushes`,
    [now],
  );
  return due!; // a select without a source has its row
}
