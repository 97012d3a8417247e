// What an exchange spends in an hour, and of what those who run it were told about that: at most once an hour for each cause.

import type { SpendingCause } from "../nouns/spent.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** `extension` is empty where the whole exchange is meant. */
export type SpendingAlarm = {
  cause: SpendingCause;
  extension: string;
  /** What was reached, and what had been set: amounts, or calls. */
  value: number;
  threshold: number;
  at: Date;
};

export type SpentHour = { exchange: number; extension: number };

/** In the hour before that moment. */
export async function spentInHour(
  db: Db,
  { exchangeId, extension, at }: { exchangeId: number; extension: string; at: Date },
): Promise<SpentHour> {
  const [row] = await db.query<SpentHour>(
    sql`select coalesce(sum(amount), 0)::double precision as exchange,
       coalesce(sum(amount) filter (where extension = $3), 0)::double precision as extension
     from spent_lately where exchange_id = $1 and since > $2::timestamptz - interval '1 hour' and since <= $2`,
    [exchangeId, at, extension],
  );
  return row!; // an aggregate always has its row
}

/** What the dearest hour cost in the four weeks before that moment, its last hour aside. */
export async function dearestHour(db: Db, exchangeId: number, at: Date): Promise<number> {
  const [row] = await db.query<{ amount: number }>(
    sql`select coalesce(max(amount), 0)::double precision as amount from (
       select sum(amount) as amount from paid_legs where exchange_id = $1 and kind <> 'unnoted'
         and at >= $2::timestamptz - interval '28 days' and at < $2::timestamptz - interval '1 hour'
       group by date_trunc('hour', at)) as hours`,
    [exchangeId, at],
  );
  return row!.amount; // an aggregate always has its row
}

/** True for the first in an hour who says so. */
export async function noteSpendingAlarm(
  db: Db,
  { exchangeId, cause, extension, value, threshold, at }: SpendingAlarm & { exchangeId: number },
): Promise<boolean> {
  const noted = await db.query(
    sql`insert into spending_alarms as known (exchange_id, cause, extension, value, threshold, told_at)
       values ($1, $2, $3, $4, $5, $6)
     on conflict (exchange_id, cause, extension) do update
       set value = excluded.value, threshold = excluded.threshold, told_at = excluded.told_at
       where excluded.told_at not between known.told_at and known.told_at + interval '1 hour'
     returning exchange_id`,
    [exchangeId, cause, extension, value, threshold, at],
  );
  return noted.length > 0;
}

/** The last of each cause, the newest first. */
export function spendingAlarms(db: Db, exchangeId: number): Promise<SpendingAlarm[]> {
  return db.query<SpendingAlarm>(
    sql`select cause, extension, value::double precision as value, threshold::double precision as threshold,
       told_at as at
     from spending_alarms where exchange_id = $1 order by told_at desc, cause, extension limit 50`,
    [exchangeId],
  );
}
