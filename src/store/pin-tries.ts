// Wrong PINs of a mailbox, counted from call to call: after three in a row it hears none for a while, and longer with each
// further one.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

const FREE_TRIES = 3;
const FIRST_WAIT_SECONDS = 60;
const LONGEST_WAIT_SECONDS = 24 * 3_600;

type Whose = { exchangeId: number; extensionId: number; nowMs: number };

export async function hearsPins(db: Db, { exchangeId, extensionId, nowMs }: Whose): Promise<boolean> {
  const closed = await db.query(
    sql`select extension_id from mailboxes where exchange_id = $1 and extension_id = $2 and pins_closed_until > $3`,
    [exchangeId, extensionId, new Date(nowMs)],
  );
  return closed.length === 0;
}

/** Whether it opens: a right one, too, is nothing while the mailbox hears none, which another call may have brought about. */
export async function countPin(
  db: Db,
  { exchangeId, extensionId, nowMs, isRight }: Whose & { isRight: boolean },
): Promise<boolean> {
  const counted = await db.query(
    isRight
      ? sql`update mailboxes set wrong_pins = 0, pins_closed_until = null
         where exchange_id = $1 and extension_id = $2 and wrong_pins > 0
           and (pins_closed_until is null or pins_closed_until <= $3) returning extension_id`
      : sql`update mailboxes set wrong_pins = wrong_pins + 1, pins_closed_until = case when wrong_pins + 1 >= $4
           then $3::timestamptz + make_interval(secs => least($5 * 2 ^ least(wrong_pins + 1 - $4, 30), $6)) end
         where exchange_id = $1 and extension_id = $2 and (pins_closed_until is null or pins_closed_until <= $3)
         returning extension_id`,
    [
      ...[exchangeId, extensionId, new Date(nowMs)],
      ...(isRight ? [] : [FREE_TRIES, FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS]),
    ],
  );
  if (!isRight) return false;
  return counted.length > 0 || hearsPins(db, { exchangeId, extensionId, nowMs });
}
