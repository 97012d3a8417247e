// Holidays: days on which an exchange, or one of its numbers, is closed all day.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** `last_day` is null where it is over with its first. */
export type Holiday = {
  id: number;
  day: string;
  last_day: string | null;
  number: string | null;
  description: string;
  target: string | null;
};

export type WantedHoliday = {
  exchangeId: number;
  day: string;
  lastDay?: string | undefined;
  number?: string | undefined;
  description?: string | undefined;
  target?: string | undefined;
};

const columns = sql`id, day, last_day, number, description, target`;

function valuesOf({ exchangeId, day, lastDay, number, description = "", target }: WantedHoliday): unknown[] {
  return [exchangeId, day, number ?? null, description, target ?? null, lastDay ?? null];
}

export async function createHoliday(db: Db, wanted: WantedHoliday): Promise<Holiday> {
  const [row] = await db.query<Holiday>(
    sql`insert into holidays (exchange_id, day, number, description, target, last_day)
     values ($1, $2, $3, $4, $5, $6) returning ${columns}`,
    valuesOf(wanted),
  );
  return row!; // an insert without a condition returns its row
}

/** False when the exchange has no such holiday. */
export async function updateHoliday(db: Db, id: number, wanted: WantedHoliday): Promise<boolean> {
  const changed = await db.query(
    sql`update holidays set day = $2, number = $3, description = $4, target = $5, last_day = $6
     where exchange_id = $1 and id = $7 returning id`,
    [...valuesOf(wanted), id],
  );
  return changed.length > 0;
}

export function listHolidays(db: Db, exchangeId: number): Promise<Holiday[]> {
  return db.query<Holiday>(sql`select ${columns} from holidays where exchange_id = $1 order by day, id`, [exchangeId]);
}

export async function deleteHoliday(db: Db, exchangeId: number, id: number): Promise<boolean> {
  const deleted = await db.query(sql`delete from holidays where exchange_id = $1 and id = $2 returning id`, [
    exchangeId,
    id,
  ]);
  return deleted.length > 0;
}
