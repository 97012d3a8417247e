// What is owed for one exchange, and what was given up for it, is bounded. Nothing is counted when something is put in:
// somebody looks now and then, and most looks cost no more than that there is little.

import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Database, Db } from "../store/db.ts";
import { sql } from "../store/sql.ts";

export type JobBounds = {
  /** Of one exchange. */
  owed: number;
  dead: number;
  deadDays: number;
};

export type BoundedJobs = {
  db: Database;
  clock: Clock;
  log: Log;
  /** Kinds that one can bring about at will, and that nobody loses but who is to be told. */
  kinds: readonly string[];
  bounds?: JobBounds;
};

/** As the error of such a job; the doctor looks for it. */
export const TOO_MANY_OWED = "too much is owed for this exchange already: its receivers are away, or it makes too much";

const usual: JobBounds = { owed: 100_000, dead: 10_000, deadDays: 30 };
const LOOK_MS = 60_000;
/** Every so many looks the dead are looked through as well. */
const LOOKS_TO_DEAD = 60;
/** In one statement, so that nobody waits for it long. */
const AT_ONCE = 10_000;

/** The number in a share's name is its exchange's, as for whoever takes jobs. */
const WHOSE = sql`coalesce(substring(share from ' ([0-9]+)'), share)`;

const IS_MUCH = sql`select count(*) > $1 as much from (select from jobs where dead_at is null limit $1 + 1) as first`;

const OVER = sql`
  select coalesce(substring(share from ' ([0-9]+)'), share) as whose, sum(owed)::float8 - $1 as beyond
  from (select share, count(*) as owed from jobs where dead_at is null group by share) as shares
  group by 1 having sum(owed) > $1`;

// The newest go: what was owed first is sent first, in its order.
const GIVE_UP = sql`
  with beyond as (
    select id from jobs where dead_at is null and lease is null and kind = any ($2::text[]) and ${WHOSE} = $1
    order by id desc limit $3 for update skip locked
  )
  update jobs set dead_at = $4, run_at = $4, held = false, cut_off = 0, last_error = $5
  from beyond where jobs.id = beyond.id returning jobs.id`;

/** Gives up what is owed beyond the bound, of the kinds that may be; by exchange, how many. */
async function giveUpBeyond(
  db: Db,
  { owed, kinds, nowMs }: { owed: number; kinds: readonly string[]; nowMs: number },
): Promise<Map<string, number>> {
  const gone = new Map<string, number>();
  const [found] = await db.query<{ much: boolean }>(IS_MUCH, [owed]);
  if (!found?.much) return gone;
  for (const { whose, beyond } of await db.query<{ whose: string; beyond: number }>(OVER, [owed])) {
    for (let left = beyond; left > 0; left -= AT_ONCE) {
      const most = Math.min(left, AT_ONCE);
      const given = await db.query(GIVE_UP, [whose, kinds, most, new Date(nowMs), TOO_MANY_OWED]);
      if (given.length > 0) gone.set(whose, (gone.get(whose) ?? 0) + given.length);
      if (given.length < most) break;
    }
  }
  return gone;
}

// What waited behind one of them in a lane goes on.
const PURGE = sql`
  with ranked as (
    select id, dead_at, row_number() over (partition by ${WHOSE} order by dead_at desc, id desc) as place
    from jobs where dead_at is not null
  ),
  gone as (
    delete from jobs where dead_at is not null and id in (
      select id from ranked where place > $1 or dead_at < $2::timestamptz - make_interval(days => $4)
        order by dead_at limit $3)
    returning lane
  ),
  woken as (update jobs set run_at = 'epoch', held = false where held and lane in (select lane from gone))
  select lane from gone`;

/** Drops what was given up long ago, and the oldest of what was given up too often. How many. */
async function purgeDead(
  db: Db,
  { dead, deadDays, nowMs }: { dead: number; deadDays: number; nowMs: number },
): Promise<number> {
  for (let all = 0; ; ) {
    const gone = await db.query(PURGE, [dead, new Date(nowMs), AT_ONCE, deadDays]);
    all += gone.length;
    if (gone.length < AT_ONCE) return all;
  }
}

/** Call what is returned to stop. */
export function boundJobs({ db, clock, log, kinds, bounds = usual }: BoundedJobs): () => Promise<void> {
  let stopped = false;
  let cancel = () => {};
  let looking = Promise.resolve();
  let looks = 0;
  const look = async () => {
    const nowMs = clock.wall();
    const given = await giveUpBeyond(db, { ...bounds, kinds, nowMs });
    for (const [exchange, jobs] of given) log.error({ exchange, jobs }, `given up: ${TOO_MANY_OWED}`);
    if (looks++ % LOOKS_TO_DEAD > 0) return;
    const purged = await purgeDead(db, { ...bounds, nowMs });
    if (purged > 0) log.warn({ jobs: purged }, "work that was given up long ago, or too often, is dropped for good");
  };
  const again = () => {
    looking = look()
      .catch((error: unknown) => {
        if (!stopped) log.warn({ error: String(error) }, "what is owed could not be looked through");
      })
      .then(() => {
        if (!stopped) cancel = clock.after(LOOK_MS, again);
      });
  };
  cancel = clock.after(LOOK_MS, again);
  return async () => {
    stopped = true;
    cancel();
    await looking;
  };
}
