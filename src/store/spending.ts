// What calls cost and what an exchange has spent: prices by prefix, and one sum a month that never passes its limit.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type CallRate = { prefix: string; minutePrice: number };

export async function setCallRate(
  db: Db,
  { exchangeId, prefix, minutePrice }: { exchangeId: number; prefix: string; minutePrice: string },
): Promise<void> {
  await db.query(
    sql`insert into call_rates (exchange_id, prefix, minute_price) values ($1, $2, $3)
     on conflict (exchange_id, prefix) do update set minute_price = excluded.minute_price`,
    [exchangeId, prefix, minutePrice],
  );
}

export async function deleteCallRate(db: Db, exchangeId: number, prefix: string): Promise<boolean> {
  const deleted = await db.query(
    sql`delete from call_rates where exchange_id = $1 and prefix = $2 returning exchange_id`,
    [exchangeId, prefix],
  );
  return deleted.length > 0;
}

/** The longest prefix first: the first that fits a number is its price. */
export function listCallRates(db: Db, exchangeId: number): Promise<CallRate[]> {
  return db.query<CallRate>(
    sql`select prefix, minute_price::double precision as "minutePrice" from call_rates
     where exchange_id = $1 order by length(prefix) desc, prefix`,
    [exchangeId],
  );
}

export type Purchase = {
  exchangeId: number;
  /** The first day of it, as YYYY-MM-DD. */
  month: string;
  price: number;
  limit: number | null;
};

/** All of it or nothing: several calls may buy at the same moment. False when the limit does not allow it. */
export async function buy(db: Db, { exchangeId, month, price, limit }: Purchase): Promise<boolean> {
  const bought = await db.query(
    sql`insert into spending (exchange_id, month, amount)
     select $1, $2::date, $3::numeric where $4::numeric is null or $3::numeric <= $4::numeric
     on conflict (exchange_id, month) do update set amount = spending.amount + excluded.amount
       where $4::numeric is null or spending.amount + excluded.amount <= $4::numeric
     returning exchange_id`,
    [exchangeId, month, price, limit],
  );
  return bought.length > 0;
}

export async function spentIn(db: Db, exchangeId: number, month: string): Promise<number> {
  const [row] = await db.query<{ amount: number }>(
    sql`select amount::double precision as amount from spending where exchange_id = $1 and month = $2::date`,
    [exchangeId, month],
  );
  return row?.amount ?? 0;
}

/** True for the first in a month who says so. */
export async function noteLimitReached(
  db: Db,
  { exchangeId, month, at }: { exchangeId: number; month: string; at: Date },
): Promise<boolean> {
  const noted = await db.query(
    sql`insert into spending (exchange_id, month, amount, limit_reached_at) values ($1, $2::date, 0, $3)
     on conflict (exchange_id, month) do update set limit_reached_at = excluded.limit_reached_at
       where spending.limit_reached_at is null
     returning exchange_id`,
    [exchangeId, month, at],
  );
  return noted.length > 0;
}

/** Those who are told when something is wrong with an exchange. */
export async function addressesOfAdministrators(db: Db, exchangeId: number): Promise<string[]> {
  const rows = await db.query<{ email: string }>(
    sql`select email from staff where exchange_id = $1 and active and role = 'administrator' order by id`,
    [exchangeId],
  );
  return rows.map(({ email }) => email);
}
