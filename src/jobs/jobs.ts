// Durable work in a table: put in by whoever owes it, in the same transaction as the reason for it.

import type { Db } from "../store/db.ts";
import { sql } from "../store/sql.ts";

export const JOBS_CHANNEL = "jobs";

export type NewJob = {
  kind: string;
  payload: object;
  /** Of one lane only the oldest job runs: events of one call arrive in order. */
  lane?: string;
  /**
   * Shares take turns, so that a slow receiver's backlog delays nobody else; and so do exchanges, whatever shares they
   * have: the first number in a share's name, behind a blank, is its exchange's.
   */
  share?: string;
  /** A second job of this kind and key is not put in while the first is owed. */
  uniqueKey?: string;
  /** Milliseconds since 1970; the past means now. */
  runAt?: number;
  maxAttempts?: number;
  /** Nobody is woken for it: whoever does such work looks now and then. */
  isPatient?: boolean;
};

export type DeadJob = {
  id: number;
  kind: string;
  lane: string | null;
  share: string;
  payload: object;
  attempts: number;
  lastError: string;
  createdAt: Date;
  deadAt: Date;
};

export type Backlog = { waiting: number; oldestSeconds: number };

/** How much of one kind is owed, and since when. */
export async function backlogOf(db: Db, kind: string): Promise<Backlog> {
  const [found] = await db.query<Backlog>(
    sql`select count(*) as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
     from jobs where kind = $1 and dead_at is null`,
    [kind],
  );
  return found!; // an aggregate without a group has one row
}

const MAX_ATTEMPTS = 12;

/** Letters go by one mail server, and exchanges in turn. */
export const mailShare = (exchangeId: number) => `mail ${exchangeId}`;

/** Returns the ids of the jobs put in; one that is already owed by its unique key is left out. */
export async function enqueue(db: Db, ...jobs: NewJob[]): Promise<number[]> {
  if (jobs.length === 0) return [];
  const rows = jobs.map(({ runAt, lane, share, uniqueKey, maxAttempts, isPatient, ...job }) => ({
    ...job,
    lane: lane ?? null,
    share: share ?? "",
    unique_key: uniqueKey ?? null,
    run_at: new Date(runAt ?? 0).toISOString(),
    max_attempts: maxAttempts ?? MAX_ATTEMPTS,
  }));
  // "With ordinality" keeps ids in the order given, and ids are the order of a lane.
  const put = await db.query<{ id: number }>(
    sql`with put as (
       insert into jobs (kind, payload, lane, share, unique_key, run_at, max_attempts)
       select kind, payload, lane, share, unique_key, run_at, max_attempts
       from rows from (jsonb_to_recordset($1::jsonb) as (kind text, payload jsonb, lane text, share text,
         unique_key text, run_at timestamptz, max_attempts integer)) with ordinality
       order by ordinality
       on conflict (kind, unique_key) where unique_key is not null do nothing
       returning id)
     select id, case when $3 then pg_notify($2, '') end from put`,
    [JSON.stringify(rows), JOBS_CHANNEL, !jobs.every(({ isPatient }) => isPatient)],
  );
  return put.map(({ id }) => id);
}

export async function deadJobs(db: Db, { limit = 100 } = {}): Promise<DeadJob[]> {
  return db.query<DeadJob>(
    sql`select id, kind, lane, share, payload, attempts, coalesce(last_error, '') as "lastError",
       created_at as "createdAt", dead_at as "deadAt"
     from jobs where dead_at is not null order by dead_at, id limit $1`,
    [limit],
  );
}

/** Gives dead jobs all their attempts again: one by its id, or every one. Returns how many. */
export async function retryDeadJobs(db: Db, which: { id: number } | "all"): Promise<number> {
  const revived = await db.query(
    sql`with revived as (
       update jobs set dead_at = null, attempts = 0, cut_off = 0, run_at = 'epoch', lease = null, leased_until = null, held = false
       where dead_at is not null and ($1::bigint is null or id = $1) returning id)
     select id, pg_notify($2, '') from revived`,
    [which === "all" ? null : which.id, JOBS_CHANNEL],
  );
  return revived.length;
}

/** Drops dead jobs for good; what waited behind them in a lane goes on. */
export async function discardDeadJobs(db: Db, which: { id: number } | "all"): Promise<number> {
  const gone = await db.query(
    sql`with gone as (delete from jobs where dead_at is not null and ($1::bigint is null or id = $1) returning lane),
       woken as (update jobs set run_at = 'epoch', held = false where held and lane in (select lane from gone))
     select lane, pg_notify($2, '') from gone`,
    [which === "all" ? null : which.id, JOBS_CHANNEL],
  );
  return gone.length;
}

export async function countJobs(db: Db): Promise<{ waiting: number; dead: number }> {
  const [count] = await db.query<{ waiting: number; dead: number }>(
    sql`select count(*) filter (where dead_at is null) as waiting, count(*) filter (where dead_at is not null) as dead from jobs`,
  );
  return count!; // an aggregate always has its one row
}

/** Owed to one share; those that were given up do not count. */
export async function countShare(db: Db, share: string): Promise<number> {
  const [count] = await db.query<{ owed: number }>(
    sql`select count(*) as owed from jobs where share = $1 and dead_at is null`,
    [share],
  );
  return count!.owed; // an aggregate always has its one row
}

/** What waits for its next try is tried now: whatever hindered it was put right. */
export async function hurryShare(db: Db, share: string): Promise<void> {
  await db.query(
    sql`with hurried as (
       update jobs set run_at = 'epoch' where share = $1 and dead_at is null and lease is null and not held returning id)
     select count(*), pg_notify($2, '') from hurried`,
    [share, JOBS_CHANNEL],
  );
}
