// Days and months that are counted for whoever leads queues, before he asks for them.

import type { StaffRole } from "../nouns/role.ts";
import type { Db } from "./db.ts";
import { scopeOf, withinOf } from "./scope.ts";
import { keep, keepsSums, keyOf, missingDays } from "./seen-sums.ts";
import { keepMonths } from "./seen-waits.ts";
import { sql } from "./sql.ts";

/** As far back as reports go. */
const DAYS_KEPT = 366;

type Leader = {
  id: number;
  exchangeId: number;
  role: StaffRole;
  extension: string | null;
  timeZone: string;
  today: Date;
};

/**
 * Counts some days for somebody who leads queues, before he asks for them; false: nothing is left but the newest day. What
 * nobody sees any more, since queues and their agents have changed, is forgotten.
 */
export async function keepDaysForLeaders(db: Db): Promise<boolean> {
  const leaders = await db.query<Leader>(
    sql`select staff.id, staff.exchange_id as "exchangeId", role, extensions.number as extension,
       time_zone as "timeZone", date_trunc('day', now(), time_zone) as today
     from staff join exchanges on exchanges.id = staff.exchange_id left join extensions on extensions.id = staff.extension_id
     where staff.id in (select staff_id from staff_queues) order by staff.id`,
  );
  const seen: { exchangeId: number; key: string }[] = [];
  for (const leader of leaders) {
    const within = withinOf(await scopeOf(db, leader));
    if (!within || !keepsSums(within)) continue;
    seen.push({ exchangeId: leader.exchangeId, key: keyOf(within) });
    const from = new Date(leader.today.getTime() - DAYS_KEPT * 86_400_000);
    const missing = await missingDays(db, { ...leader, within, from, before: leader.today });
    if (missing.length > 0) await keep(db, { ...leader, within }, missing);
    else await keepMonths(db, { ...leader, within, from, before: leader.today });
    if (missing.length > 0) return true;
  }
  const known = [seen.map(({ exchangeId }) => exchangeId), seen.map(({ key }) => key)];
  const forgotten = sql`(exchange_id, seen) not in (select * from unnest($1::bigint[], $2::text[]))`;
  for (const table of [sql`seen_days`, sql`seen_sums`, sql`seen_months`, sql`seen_waits`])
    await db.query(sql`delete from ${table} where ${forgotten}`, known);
  return false;
}
