// The time a report is about, and whose calls.

import type { Db } from "./db.ts";
import type { Within } from "./scope.ts";
import { type Sql, sql } from "./sql.ts";

export type Stretch = {
  exchangeId: number;
  from: Date;
  before: Date;
  timeZone: string;
  /** Only what somebody sees who does not see everything. */
  within?: Within | undefined;
};

/** Whole days of the exchange's calendar, both inside, each as YYYY-MM-DD. */
export async function stretchOfDays(
  db: Db,
  { exchangeId, timeZone, from, to }: { exchangeId: number; timeZone: string; from: string; to: string },
): Promise<Stretch> {
  const [row] = await db.query<{ from: Date; before: Date }>(
    sql`select $1::date::timestamp at time zone $3 as from, ($2::date + 1)::timestamp at time zone $3 as before`,
    [from, to, timeZone],
  );
  return { ...row!, timeZone, exchangeId }; // a select without a source has its row
}

const QUARTER_MS = 900_000;

/** Sums know quarters of an hour: a stretch about them reaches from the beginning of one to the end of another. */
export function inQuarters<Some extends { from: Date; before: Date }>(stretch: Some): Some {
  const from = Math.floor(stretch.from.getTime() / QUARTER_MS) * QUARTER_MS;
  const before = Math.ceil(stretch.before.getTime() / QUARTER_MS) * QUARTER_MS;
  return { ...stretch, from: new Date(from), before: new Date(before) };
}

/** Whether it is whole days of the exchange, each of them added up by now; `owed` is the table of those that are not. */
export async function areDaysSummed(
  db: Db,
  { exchangeId, from, before, timeZone }: Omit<Stretch, "within">,
  owed: Sql,
): Promise<boolean> {
  const [how] = await db.query<{ owed: boolean; whole: boolean }>(
    sql`select exists (select from ${owed} where exchange_id = $1
         and day >= ($2::timestamptz at time zone 'UTC')::date and day <= ($3::timestamptz at time zone 'UTC')::date) as owed,
       $2::timestamptz = date_trunc('day', $2::timestamptz, $4) and $3::timestamptz = date_trunc('day', $3::timestamptz, $4)
         as whole`,
    [exchangeId, from, before, timeZone],
  );
  return how?.whole === true && !how.owed;
}
