// The statements by which workers take jobs, keep them, finish them and give them back. Time comes in as a parameter.

import type { Db } from "../store/db.ts";
import { sql } from "../store/sql.ts";

export type Claimed = {
  id: number;
  kind: string;
  lane: string | null;
  share: string;
  payload: unknown;
  lease: string;
  /** 1 at the first try. */
  attempt: number;
  maxAttempts: number;
  /** So often in a row whoever had it before ended in the middle of it. */
  cutOff: number;
};

export type ClaimRequest = {
  nowMs: number;
  leaseMs: number;
  /** Of the server that works: a later one takes up at once what it left in the middle. */
  epoch: number;
  /** Jobs wanted in all. */
  most: number;
  kinds: readonly string[];
  /** Kinds whose dead jobs no longer hold their lane. */
  freeing: readonly string[];
  /** Whoever asks is at work on these: however the clock was set, he is not to begin them again. */
  inHand: readonly number[];
  /** How many more a share may have at once; shares that are not named may have `perShare`. */
  room: ReadonlyMap<string, number>;
  perShare: number;
  /** The same for all shares of an exchange together. */
  exchangeRoom: ReadonlyMap<string, number>;
  perExchange: number;
};

/** Long ago, and not now: a clock that is set back would make now a time to come. */
const AT_ONCE = sql`'epoch'::timestamptz`;

// A job that finds an older one in its lane steps back: until that one's next try, or for a moment while it runs. The
// finish of the older one wakes it at once, so stepping back only keeps waiting jobs out of every later claim.
const STEP_BACK_WHILE_HEAD_RUNS = sql`'1 second'`;
const STEP_BACK_BEHIND_THE_DEAD = sql`'10 minutes'`;

// From share to share along the index: a share's backlog is never read.
const SHARES = sql`with recursive shares as (
    (select share from jobs where dead_at is null order by share limit 1)
    union all
    select (select share from jobs where dead_at is null and share > shares.share order by share limit 1)
    from shares where shares.share is not null
  )`;

// The number in a share's name is its exchange's. One without a number is nobody's but its own.
const WHOSE = sql`coalesce(substring(shares.share from ' ([0-9]+)'), shares.share)`;

// A leased job is simply one that is due when its lease is over, hence one comparison finds new, retried and orphaned
// jobs alike.
const CLAIM = sql`
  ${SHARES},
  turned as (
    select job.*, allowed.whose from shares
    cross join lateral (
      select ${WHOSE} as whose, least(coalesce((select room from unnest($6::text[], $7::int[]) as given (name, room)
        where name = shares.share), $8), 2 * ceil($3::numeric / (select count(share) from shares))) as room
      offset 0) as allowed
    cross join lateral (
      select id, lane, run_at, row_number() over (order by run_at, id) as turn from (
        select id, lane, run_at from jobs
        where share = shares.share and dead_at is null and run_at <= $1::timestamptz and kind = any ($4::text[])
          and id <> all ($10::bigint[])
        order by run_at, id limit greatest(allowed.room, 0) for update skip locked) as taken) as job
    where shares.share is not null
  ),
  placed as (
    select *, row_number() over (partition by whose order by turn, run_at, id) as place from turned
  ),
  ready as (
    select id, lane from placed
    where place <= coalesce((select room from unnest($11::text[], $12::int[]) as busy (name, room)
      where name = whose), $13)
    order by place, run_at, id
    limit $3
  ),
  judged as (
    select ready.id, head.id as head_id, head.dead_at, head.lease, head.run_at as head_run_at from ready
    left join lateral (
      select id, run_at, dead_at, lease from jobs as older
      where older.lane = ready.lane and older.id < ready.id
        and (older.dead_at is null or older.kind <> all ($5::text[]))
      order by older.id limit 1) as head on true
  ),
  stepped_back as (
    update jobs set held = true, run_at = case
        when judged.dead_at is not null then $1::timestamptz + interval ${STEP_BACK_BEHIND_THE_DEAD}
        when judged.lease is not null then $1::timestamptz + interval ${STEP_BACK_WHILE_HEAD_RUNS}
        else greatest(judged.head_run_at, $1::timestamptz + interval '1 millisecond') end
    from judged where jobs.id = judged.id and judged.head_id is not null
    returning jobs.id
  ),
  claimed as (
    update jobs set lease = gen_random_uuid(), leased_until = $2, leased_by = $9, run_at = $2, attempts = attempts + 1,
      cut_off = cut_off + (jobs.lease is not null)::int, held = false
    from judged where jobs.id = judged.id and judged.head_id is null
    returning jobs.id, kind, lane, share, payload, jobs.lease, attempts, max_attempts, cut_off
  )
  select claimed.id, kind, lane, share, payload, lease, attempts as attempt, max_attempts as "maxAttempts",
    cut_off as "cutOff",
    aside.ids as "steppedBack"
  from (select array_agg(id) as ids from stepped_back) as aside left join claimed on true
  order by claimed.id`;

/** `aside` are the ids of jobs that stepped back, behind which others may be ready; `comeForward` looks after them. */
export async function claim(db: Db, wanted: ClaimRequest): Promise<{ jobs: Claimed[]; aside: number[] }> {
  const rows = await db.query<Claimed & { steppedBack: number[] | null }>(CLAIM, [
    new Date(wanted.nowMs),
    new Date(wanted.nowMs + wanted.leaseMs),
    wanted.most,
    wanted.kinds,
    wanted.freeing,
    [...wanted.room.keys()],
    [...wanted.room.values()],
    wanted.perShare,
    wanted.epoch,
    wanted.inHand,
    [...wanted.exchangeRoom.keys()],
    [...wanted.exchangeRoom.values()],
    wanted.perExchange,
  ]);
  return { jobs: rows.filter(({ id }) => id !== null), aside: rows[0]?.steppedBack ?? [] };
}

const NEXT_DUE = sql`
  ${SHARES}
  select (extract(epoch from min(first.run_at) - $1::timestamptz) * 1000)::float8 as ms from shares cross join lateral (
    select run_at from jobs where share = shares.share and dead_at is null order by run_at limit 1) as first`;

/** How long until a job is due, whoever's it is; negative: it is. */
export async function untilDueMs(db: Db, nowMs: number): Promise<number> {
  const [next] = await db.query<{ ms: number | null }>(NEXT_DUE, [new Date(nowMs)]);
  return next?.ms ?? Number.POSITIVE_INFINITY;
}

// The claim saw the table as it was when it began: an older job that was finished meanwhile still looked alive, and its
// finish came before the step back, so nobody else will wake what waits for it. Hence this second look, with new eyes.
// It waits for nobody while it has locked any, or two that wait for each other would both be late.
const COME_FORWARD = sql`
  with behind_nobody as (
    select id from jobs where id = any ($1::bigint[]) and held and not exists (
      select 1 from jobs as older where older.lane = jobs.lane and older.id < jobs.id
        and (older.dead_at is null or older.kind <> all ($2::text[])))
  ),
  waiting as (select id from jobs where id in (select id from behind_nobody) and held for update skip locked),
  woken as (
    update jobs set run_at = ${AT_ONCE}, held = false from waiting where jobs.id = waiting.id returning jobs.id
  )
  select id from behind_nobody except select id from woken`;

// Who has locked such a job need not be about to wake it: a claim that saw it before it stepped back locks it, too, and
// lets it be. So it is looked at again as soon as nobody has it, and who waits for one holds none that others wait for.
const NOBODY_HAS = sql`select 1 from jobs where id = $1 for update`;

/** Whoever is locked again and again is left to the next who comes by, a second later. */
const LOOKS = 50;

/** Wakes those that stepped back behind nobody. */
export async function comeForward(
  db: Db,
  aside: readonly number[],
  { freeing }: Pick<ClaimRequest, "freeing">,
): Promise<void> {
  let left = aside;
  for (let looks = 0; looks < LOOKS && left.length > 0; looks++) {
    if (looks > 0) await db.query(NOBODY_HAS, [left[0]]);
    left = (await db.query<{ id: number }>(COME_FORWARD, [left, freeing])).map(({ id }) => id);
  }
}

export type Hold = Pick<Claimed, "id" | "lease">;

// Only the holder of the lease may finish: a worker that was thought dead cannot finish another's try. The next of the
// lane is locked before it is woken: a claim may be putting it aside at this very moment, and must not have the last word.
// (The odd question about death keeps the planner, while it has no statistics, from the index of all that are alive.)
const FINISH = sql`
  with done as (
    delete from jobs using unnest($1::bigint[], $2::uuid[]) as held (id, lease)
    where jobs.id = any ($1::bigint[]) and jobs.id = held.id and jobs.lease = held.lease returning jobs.id, jobs.lane
  ),
  next as (
    select waiting.id from (select distinct lane from done where lane is not null) as lanes
    cross join lateral (
      select id from jobs where jobs.lane = lanes.lane and coalesce(dead_at, 'infinity') = 'infinity'
        and id <> all ($1::bigint[])
      order by id limit 1 for update) as waiting
  ),
  woken as (
    update jobs set run_at = case when jobs.held then ${AT_ONCE} else jobs.run_at end, held = false
    from next where jobs.id = next.id returning jobs.lane
  )
  select distinct lane from done where lane is not null except select lane from woken`;

export async function finish(db: Db, held: Hold[], wanted: Pick<ClaimRequest, "freeing">): Promise<void> {
  const emptied = await db.query<{ lane: string }>(FINISH, [ids(held), leases(held)]);
  await bringForwardNew(db, emptied, wanted);
}

// A finish sees the table as it was when it began, too: of a job that was owed meanwhile it knows nothing. If a claim put
// that one aside, and found the older one still there when it looked again, it is for us to look with new eyes.
const ASIDE_IN_LANES = sql`
  select first.id from unnest($1::text[]) as lanes (lane) cross join lateral (
    select id, held from jobs where jobs.lane = lanes.lane and coalesce(dead_at, 'infinity') = 'infinity'
    order by id limit 1) as first
  where first.held`;

async function bringForwardNew(
  db: Db,
  emptied: readonly { lane: string }[],
  wanted: Pick<ClaimRequest, "freeing">,
): Promise<void> {
  if (emptied.length === 0) return;
  const aside = await db.query<{ id: number }>(ASIDE_IN_LANES, [emptied.map(({ lane }) => lane)]);
  await comeForward(
    db,
    aside.map(({ id }) => id),
    wanted,
  );
}

/** Keeps long jobs from being taken for orphans; returns the ids that are still ours. */
export async function renew(db: Db, held: Hold[], untilMs: number): Promise<Set<number>> {
  const kept = await db.query<{ id: number }>(
    sql`update jobs set leased_until = $3, run_at = $3 from unnest($1::bigint[], $2::uuid[]) as held (id, lease)
     where jobs.id = held.id and jobs.lease = held.lease returning jobs.id`,
    [ids(held), leases(held), new Date(untilMs)],
  );
  return new Set(kept.map(({ id }) => id));
}

export type Failure = Hold & { error: string; retryAtMs: number | "never" };

// Who waits behind a job that is tried again waits as long as it does; behind a dead one nobody needs to. The next of
// the lane is locked before it is woken, as in FINISH.
const FAIL = sql`
  with failed as (
    update jobs set lease = null, leased_until = null, cut_off = 0, run_at = $3, dead_at = $4, last_error = left($5, 1000)
    where id = $1 and lease = $2 returning id, lane
  ),
  next as (
    select waiting.id from failed
    cross join lateral (
      select id from jobs where $4::timestamptz is not null and jobs.lane = failed.lane and jobs.id > failed.id
        and dead_at is null
      order by id limit 1 for update) as waiting
  ),
  behind as (
    select id from next
    union select jobs.id from failed join jobs on jobs.lane = failed.lane and jobs.id > failed.id and jobs.held
  ),
  moved as (
    update jobs set held = $4::timestamptz is null, run_at = case
        when $4::timestamptz is null then greatest($3::timestamptz, run_at)
        when jobs.held then ${AT_ONCE}
        else run_at end
    from behind where jobs.id = behind.id returning jobs.lane
  )
  select lane from failed where lane is not null and $4::timestamptz is not null except select lane from moved`;

export type FailedThen = Pick<ClaimRequest, "freeing" | "nowMs">;

export async function fail(db: Db, { id, lease, error, retryAtMs }: Failure, then: FailedThen): Promise<void> {
  const isDead = retryAtMs === "never";
  const dead = isDead ? new Date(then.nowMs) : null;
  const tryAt = new Date(isDead ? then.nowMs : retryAtMs);
  const emptied = await db.query<{ lane: string }>(FAIL, [id, lease, tryAt, dead, error]);
  await bringForwardNew(db, emptied, then);
}

/** Hands unfinished jobs back at once, as if they had not been tried. */
export async function giveBack(db: Db, held: Hold[]): Promise<void> {
  await db.query(
    sql`update jobs set lease = null, leased_until = null, run_at = ${AT_ONCE}, attempts = attempts - 1
     from unnest($1::bigint[], $2::uuid[]) as held (id, lease) where jobs.id = held.id and jobs.lease = held.lease`,
    [ids(held), leases(held)],
  );
}

const ids = (held: Hold[]) => held.map(({ id }) => id);
const leases = (held: Hold[]) => held.map(({ lease }) => lease);
