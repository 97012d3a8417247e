// What an earlier server was in the middle of.

import type { Db } from "../store/db.ts";
import { sql } from "../store/sql.ts";

/** One that ends the server whenever it is tried is not to end it again at once, for ever. */
const TRIED_AT_ONCE = 3;

/**
 * At a start, when no earlier server can still be at work: what those were in the middle of is due now, not when their
 * leases are over. How many.
 */
export async function freeLeases(db: Db, epoch: number): Promise<number> {
  const freed = await db.query(
    sql`update jobs set lease = null, leased_until = null, leased_by = null, run_at = 'epoch', cut_off = cut_off + 1
     where lease is not null and leased_by is distinct from $1 and dead_at is null and attempts <= $2 returning id`,
    [epoch, TRIED_AT_ONCE],
  );
  return freed.length;
}
