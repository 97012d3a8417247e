// Holidays: days on which an exchange, or one of its numbers, is closed all day.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type Holiday = { id: number; day: string; number: string | null; description: string; target: string | null };

export async function createHoliday(
  db: Db,
  wanted: {
    exchangeId: number;
    day: string;
    number?: string | undefined;
    description?: string | undefined;
    target?: string | undefined;
  },
): Promise<Holiday> {
  const { exchangeId, day, number, description = "", target } = wanted;
  const [row] = await db.query<Holiday>(
    sql`insert into holidays (exchange_id, day, number, description, target) values ($1, $2, $3, $4, $5)
     returning id, day, number, description, target`,
    [exchangeId, day, number ?? null, description, target ?? null],
  );
  return row!; // an insert without a condition returns its row
}

export function listHolidays(db: Db, exchangeId: number): Promise<Holiday[]> {
  return db.query<Holiday>(
    sql`select id, day, number, description, target from holidays where exchange_id = $1 order by day, id`,
    [exchangeId],
  );
}

export async function deleteHoliday(db: Db, exchangeId: number, id: number): Promise<boolean> {
  const deleted = await db.query(sql`delete from holidays where exchange_id = $1 and id = $2 returning id`, [
    exchangeId,
    id,
  ]);
  return deleted.length > 0;
}
