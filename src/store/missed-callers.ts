// Callers of queues whom nobody took and whom nobody has talked to since: taken by one agent at a time, who calls them back.

import type { Db } from "./db.ts";
import { MISSED } from "./outcomes.ts";
import { sql } from "./sql.ts";

export type MissedCaller = {
  /** The caller as `cdrs.peer` has him. */
  peer: string;
  number: string;
  name: string;
  queue: string;
  /** Of the last of his calls. */
  callUuid: string;
  at: Date;
  calls: number;
  waitSeconds: number;
  /** Calls of ours that he did not answer since. */
  tries: number;
  /** Who has taken him, while that holds. */
  takenBy: string | null;
  takenUntil: Date | null;
};

type Wanted = { exchangeId: number; queues: readonly string[]; now: Date; peer?: string };

/** Of these queues the one that the call came to last. */
const HERE = sql`
  select cdrs.queue, coalesce(cdrs.queue_stay_seconds, cdrs.queue_wait_seconds) as waited, 0 as later
    where cdrs.queue = any($2)
  union all select pass.queue, pass.wait_seconds, 1 from call_passes as pass
    where pass.call_id = cdrs.id and pass.queue = any($2)
  order by later, waited desc limit 1`;

/**
 * Of the last seven days, the newest first. An answered call with him, whoever made it, settles the calls before it (`return_uuid`); a call that
 * he was promised by the queue itself is the queue's business.
 */
export function missedCallers(db: Db, { exchangeId, queues, now, peer }: Wanted, most = 100): Promise<MissedCaller[]> {
  return db.query<MissedCaller>(
    sql`with missed as (
       select distinct on (peer) peer, caller_id_number as number, caller_id_name as name, here.queue,
         call_uuid as "callUuid", start_stamp as at, here.waited as "waitSeconds",
         count(*) over (partition by peer) as calls
       from cdrs cross join lateral (${HERE}) as here where exchange_id = $1 and ${MISSED} and return_uuid is null and peer <> ''
         and start_stamp >= $3::timestamptz - interval '7 days' and ($5::text is null or peer = $5) and not listening
         and not exists (select from queue_callbacks c where c.exchange_id = $1 and c.call_uuid = cdrs.call_uuid
           and c.ended_at is null)
       order by peer, start_stamp desc, id desc)
     select missed.*,
       (select count(*) from cdrs tried where tried.exchange_id = $1 and tried.peer = missed.peer and tried.peer <> ''
         and tried.start_stamp > missed.at and tried.direction = 'outbound') as tries,
       case when held.leased_until > $3 then held.extension end as "takenBy",
       case when held.leased_until > $3 then held.leased_until end as "takenUntil"
     from missed left join missed_callers held on held.exchange_id = $1 and held.peer = missed.peer
     where held.settled_at is null or held.settled_at < missed.at
     order by missed.at desc limit $4`,
    [exchangeId, queues, now, most, peer ?? null],
  );
}

type Taking = { exchangeId: number; peer: string; extension: string; now: Date };

/** Of two who take him at the same moment one has him: the other waits for the row, and then finds it taken. */
export async function takeMissedCaller(
  db: Db,
  { exchangeId, peer, extension, now, until }: Taking & { until: Date },
): Promise<boolean> {
  const rows = await db.query(
    sql`insert into missed_callers as held (exchange_id, peer, extension, leased_until)
     select id, $2, $3, $5 from exchanges where id = $1
     on conflict (exchange_id, peer) do update set extension = excluded.extension, leased_until = excluded.leased_until
       where held.extension is null or held.extension = excluded.extension or held.leased_until <= $4
     returning 1`,
    [exchangeId, peer, extension, now, until],
  );
  return rows.length > 0;
}

/** For somebody else; false when he does not have him. */
export async function leaveMissedCaller(
  db: Db,
  { exchangeId, peer, extension }: Omit<Taking, "now">,
): Promise<boolean> {
  const rows = await db.query(
    sql`update missed_callers set extension = null, leased_until = null
     where exchange_id = $1 and peer = $2 and extension = $3 returning 1`,
    [exchangeId, peer, extension],
  );
  return rows.length > 0;
}

/** Nobody has to call him back any more, for what was until now. False while another has him. */
export async function settleMissedCaller(
  db: Db,
  { exchangeId, peer, extension, now, by }: Taking & { by: string },
): Promise<boolean> {
  const rows = await db.query(
    sql`insert into missed_callers as held (exchange_id, peer, settled_at, settled_by)
     select id, $2, $4, $5 from exchanges where id = $1
     on conflict (exchange_id, peer) do update set settled_at = excluded.settled_at, settled_by = excluded.settled_by,
       extension = null, leased_until = null
       where held.extension is null or held.extension = $3 or held.leased_until <= $4
     returning 1`,
    [exchangeId, peer, extension, now, by],
  );
  return rows.length > 0;
}
