// Numbers that may not call the exchange, or may not be called from it. They are stored in one form only.

import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { sql } from "./sql.ts";

export type BlockedDirection = "inbound" | "outbound";
export type BlockedNumber = { id: number; number: string; direction: BlockedDirection };

export async function listBlockedNumbers(db: Db, exchangeId: number, page: Page): Promise<Paged<BlockedNumber>> {
  const rows = await db.query<BlockedNumber>(
    sql`select id, number, direction from blocked_numbers where exchange_id = $1 order by id limit $2 offset $3`,
    [exchangeId, page.limit, offsetOf(page)],
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*) as total from blocked_numbers where exchange_id = $1`,
    [exchangeId],
  );
  return { rows, total: count!.total }; // a count always has a row
}

/** Nothing when the number is blocked already. */
export async function blockNumber(
  db: Db,
  { exchangeId, number, direction }: { exchangeId: number; number: string; direction: BlockedDirection },
): Promise<number | undefined> {
  const [row] = await db.query<{ id: number }>(
    sql`insert into blocked_numbers (exchange_id, number, direction) values ($1, $2, $3)
     on conflict (exchange_id, number, direction) do nothing returning id`,
    [exchangeId, number, direction],
  );
  return row?.id;
}

/** Without a direction, in both. False when it was not blocked. */
export async function unblockNumber(
  db: Db,
  { exchangeId, number, direction }: { exchangeId: number; number: string; direction: BlockedDirection | undefined },
): Promise<boolean> {
  const gone = await db.query(
    sql`delete from blocked_numbers where exchange_id = $1 and number = $2 and ($3::text is null or direction = $3)
     returning id`,
    [exchangeId, number, direction ?? null],
  );
  return gone.length > 0;
}
