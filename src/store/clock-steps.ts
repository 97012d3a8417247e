// A clock that was set: whatever waits for so long from now waits for as long as before. What is due at a time that somebody
// named (a message, a campaign's hours, a day's upkeep) stays where it is.

import type { Db } from "./db.ts";
import { type Sql, sql } from "./sql.ts";

/** By how much the clock was set, forward or back, and the earlier of what it said before and says now. */
export type ClockStep = { stepMs: number; fromMs: number };

/** `by` is the step, `from` the time after which there is something left to wait for. */
const by = sql`make_interval(secs => $1::float8 / 1000)`;
const from = sql`to_timestamp($2::float8 / 1000)`;

const waiting: readonly Sql[] = [
  // A job that was never tried waits for a time that somebody named; what is held waits for another job.
  sql`update jobs set run_at = run_at + ${by}, leased_until = leased_until + ${by}
    where dead_at is null and run_at > ${from} and (attempts > 0 or held)`,
  sql`update fax_orders set next_try_at = next_try_at + ${by} where state = 'waiting' and next_try_at > ${from}`,
  sql`update campaign_numbers set next_try_at = next_try_at + ${by} where state = 'waiting' and next_try_at > ${from}`,
  sql`update queue_callbacks set next_try_at = next_try_at + ${by} where ended_at is null and next_try_at > ${from}`,
  sql`update missed_callers set leased_until = leased_until + ${by} where leased_until > ${from}`,
  sql`update contact_sources set next_run_at = next_run_at + ${by} where next_run_at > ${from}`,
  sql`update registrations set expires_at = expires_at + ${by} where expires_at > ${from}`,
  sql`update phone_publications set expires_at = expires_at + ${by} where expires_at > ${from}`,
  sql`update trunk_states set registered_until = registered_until + ${by} where registered_until > ${from}`,
  sql`update trunk_states set proved_until = array(select good + ${by} from unnest(proved_until) with ordinality
      as kept (good, place) order by place) where proved_until[1] > ${from}`,
  sql`update tickets set expires_at = expires_at + ${by} where expires_at > ${from}`,
  sql`update webphone_tokens set expires_at = expires_at + ${by} where expires_at > ${from}`,
  sql`update staff_sessions set expires_at = expires_at + ${by}, last_seen_at = last_seen_at + ${by},
    proved_at = proved_at + ${by} where expires_at > ${from}`,
  sql`update sign_in_attempts set expires_at = expires_at + ${by} where expires_at > ${from}`,
  sql`update mailboxes set pins_closed_until = pins_closed_until + ${by} where pins_closed_until > ${from}`,
  sql`update staff set locked_until = locked_until + ${by} where locked_until > ${from}`,
];

/** All of it or nothing. */
export function moveWaiting(db: Db, { stepMs, fromMs }: ClockStep): Promise<void> {
  return db.transaction(async (db) => {
    for (const statement of waiting) await db.query(statement, [stepMs, fromMs]);
  });
}

export type StepInCalls = { node: string; stepMs: number; nowMs: number; setAfterMs: number };

/** Calls that are up keep their own time; one that has begun since the clock was set knows the new one. */
export async function noteStepInCalls(db: Db, { node, stepMs, nowMs, setAfterMs }: StepInCalls): Promise<void> {
  await db.query(
    sql`update live_calls set stepped_ms = stepped_ms + $1, last_seen_at = to_timestamp($2::float8 / 1000)
     where node = $3 and started_at not between to_timestamp($4::float8 / 1000) and to_timestamp($2::float8 / 1000)`,
    [Math.round(stepMs), nowMs, node, setAfterMs],
  );
}

/** What the database's own clock says, which may be another machine's. */
export async function databaseTimeMs(db: Db): Promise<number> {
  const [row] = await db.query<{ ms: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  return row!.ms; // a select without a table has one row
}
