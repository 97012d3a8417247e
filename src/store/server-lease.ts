// Which server has this database. Every statement goes over the connection that is given, since the lock is its own.

import { type Sql, sql } from "./sql.ts";

/** One connection that is no pool's: rows come as the driver reads them. */
export type Line = { query(text: Sql, values?: readonly unknown[]): Promise<Record<string, unknown>[]> };

/** For people, and to tell whether that process still runs: `system` is the machine since its start, as processes see it. */
export type LeaseHolder = { host: string; pid: number; began?: string | undefined; system: string; dataFolder: string };

export type ServerLease = { epoch: number; holder: LeaseHolder; takenAt: Date; isValid: boolean };

/** Any number that all servers share. */
const SERVER_LOCK = 7_268_740;

/** How long a lease holds without being renewed, which is done every second. */
const LASTS = sql`interval '6 seconds'`;

export async function lockServer(line: Line): Promise<boolean> {
  const [row] = await line.query(sql`select pg_try_advisory_lock($1) as locked`, [SERVER_LOCK]);
  return row?.locked === true;
}

/** Beside others who do the same, and beside nobody who wants the database for himself. */
export async function lockServerShared(line: Line): Promise<boolean> {
  const [row] = await line.query(sql`select pg_try_advisory_lock_shared($1) as locked`, [SERVER_LOCK]);
  return row?.locked === true;
}

export async function unlockServer(line: Line): Promise<void> {
  await line.query(sql`select pg_advisory_unlock($1)`, [SERVER_LOCK]);
}

/** Nothing where nobody ever had it, an older version of the program did, or an upgrade was cut off before rights were given. */
export async function readLease(line: Line): Promise<ServerLease | undefined> {
  const [table] = await line.query(
    sql`select case when to_regclass('server_lease') is null then false
       else has_table_privilege('server_lease', 'select') end as readable`,
  );
  if (!table?.readable) return undefined;
  const [row] = await line.query(
    sql`select epoch::float8, holder, taken_at as "takenAt", until > clock_timestamp() as "isValid" from server_lease`,
  );
  return row as ServerLease | undefined;
}

/** Only with the lock held. The new epoch. */
export async function takeLease(line: Line, holder: LeaseHolder): Promise<number> {
  const [row] = await line.query(
    sql`insert into server_lease (epoch, holder, taken_at, until)
     values (1, $1, clock_timestamp(), clock_timestamp() + ${LASTS})
     on conflict (the_only) do update set epoch = server_lease.epoch + 1, holder = excluded.holder,
       taken_at = excluded.taken_at, until = excluded.until
     returning epoch::float8`,
    [JSON.stringify(holder)],
  );
  return row!.epoch as number; // the row was written
}

/** False when another server has taken it since. */
export async function renewLease(line: Line, epoch: number): Promise<boolean> {
  const rows = await line.query(
    sql`update server_lease set until = clock_timestamp() + ${LASTS} where epoch = $1 returning epoch`,
    [epoch],
  );
  return rows.length > 0;
}

/** At a clean stop: the next server need not ask whether we are still there. */
export async function endLease(line: Line, epoch: number): Promise<void> {
  await line.query(sql`update server_lease set until = clock_timestamp() where epoch = $1`, [epoch]);
}
