// The journal of calls that are up, and the one way a call becomes a CDR. Every function takes several calls at once.

import type { OwedForm } from "./call-forms.ts";
import type { Brought, CallPass, QueueEnd } from "./call-passes.ts";
import type { Cdr, CdrLeg } from "./cdrs.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type LiveCall = {
  callUuid: string;
  exchangeId: number;
  facts: object;
  recordingPath?: string | undefined;
  forms?: OwedForm[] | undefined;
  startMs: number;
  /** What a later process needs to go on with it, as JSON; undefined: it could not. */
  resume?: string | undefined;
  /** When that was so. */
  seenMs: number;
};

export type AbandonedCall = {
  callUuid: string;
  exchangeId: number;
  /** That had it last. */
  node: string;
  facts: unknown;
  recordingPath: string | null;
  resume: unknown;
  /** When it was gone on with before, the last few times. */
  resumedMs: number[];
  /** It is this node's own: its phones and its media were here. */
  isOwn: boolean;
  /** The call's own last entry or its node's last sign of life, whichever was later. */
  lastSeenMs: number;
  /** By how much the clock was set while it was up: its own stamps know nothing of that. */
  steppedMs: number;
};

export type ClosedCall = {
  cdr: Omit<Cdr, "returnUuid"> & {
    exchangeId: number;
    outboundCallerIdNumber: string;
    dialedUser: string;
    connectedUser: string;
    failureStatus: number | null;
    failurePhrase: string | null;
    /** Who the call was with, in one form: see `cdrs.peer`. */
    peer: string;
    /** Somebody who listened to another call. An older exchange did not say. */
    listening?: boolean;
    /** Of the last queue or ring group, where the record does not say it otherwise. */
    queueStaySeconds?: number | null;
    queueEnd?: QueueEnd | null;
    /** Of a call that came to one. */
    brought?: Brought[] | null;
  };
  /** Queues and ring groups that it came to before. */
  passes?: CallPass[];
  legs: (CdrLeg & { inVain?: boolean })[];
  recording?: { objectKey: string; mediaType: string; durationMs: number } | undefined;
  story: object[];
  forms?: OwedForm[] | undefined;
};

/** Also writes what changed: the later facts of a call replace the earlier ones. */
export async function writeLiveCalls(db: Db, node: string, calls: LiveCall[]): Promise<void> {
  if (calls.length === 0) return;
  const rows = calls.map(
    ({ resume = "null", ...call }) => `{"resume":${resume},${JSON.stringify(rowOf(call)).slice(1)}`,
  );
  await db.query(
    sql`insert into live_calls (call_uuid, exchange_id, node, facts, recording_path, started_at, last_seen_at, resume)
     select call_uuid, exchange_id, $2, facts, recording_path, started_at, last_seen_at, resume
     from json_to_recordset($1::json) as call (call_uuid uuid, exchange_id bigint, facts json, recording_path text,
       started_at timestamptz, last_seen_at timestamptz, resume json)
     on conflict (call_uuid) do update set node = excluded.node, facts = excluded.facts, recording_path = excluded.recording_path,
       last_seen_at = excluded.last_seen_at, resume = excluded.resume
       where live_calls.exchange_id = excluded.exchange_id`,
    [`[${rows.join()}]`, node],
  );
}

function rowOf({ callUuid, exchangeId, facts, recordingPath, startMs, seenMs }: Omit<LiveCall, "resume">) {
  return {
    call_uuid: callUuid,
    exchange_id: exchangeId,
    facts,
    recording_path: recordingPath ?? null,
    started_at: new Date(startMs),
    last_seen_at: new Date(seenMs),
  };
}

export type KnownCall = {
  callUuid: string;
  /** It has its record. */
  isOver: boolean;
  /** Where it is up, and how much had been noted of it when that was written. */
  node: string | null;
  noted: number;
};

/** What is known of those calls; of one that never came here there is nothing. */
export async function knownCalls(db: Db, uuids: string[]): Promise<KnownCall[]> {
  return db.query(
    sql`select asked.uuid as "callUuid", cdrs.call_uuid is not null as "isOver", live_calls.node,
       coalesce((live_calls.facts ->> 'noted')::integer, 0) as noted
     from unnest($1::uuid[]) as asked (uuid)
     left join live_calls on live_calls.call_uuid = asked.uuid left join cdrs on cdrs.call_uuid = asked.uuid
     where live_calls.call_uuid is not null or cdrs.call_uuid is not null`,
    [uuids],
  );
}

/** One statement a second says for all calls of a node that they were still up. */
export async function giveSignOfLife(db: Db, node: string, nowMs: number): Promise<void> {
  await db.query(
    sql`insert into nodes (name, seen_at) values ($1, $2) on conflict (name) do update set seen_at = excluded.seen_at`,
    [node, new Date(nowMs)],
  );
}

/** Undefined: it was never here. */
export async function lastSignOfLife(db: Db, node: string): Promise<number | undefined> {
  const [row] = await db.query<{ at: Date }>(sql`select seen_at as at from nodes where name = $1`, [node]);
  return row?.at.getTime();
}

/** A node that says nothing for so long is dead; while it lives it gives a sign every second while a call is up, every five otherwise. */
const DEAD_AFTER = sql`'30 seconds'`;

/**
 * Asked at a start, before the first call: whatever this node has in the journal was cut off, and so was what belongs
 * to a node that is no more, be it only that the machine has a new name.
 */
export async function abandonedCalls(
  db: Db,
  node: string,
  nowMs: number,
  /** An exchange that another node has lost: whatever is there was cut off, however lately it was heard of. */
  takenExchange: number | null = null,
): Promise<AbandonedCall[]> {
  const rows = await db.query<AbandonedCall & { lastSeen: Date; resumed: Date[] }>(
    sql`select call_uuid as "callUuid", exchange_id as "exchangeId", node, facts, recording_path as "recordingPath",
       resume, resumed_at as resumed, $3::bigint is not null or node = $1 as "isOwn", greatest(last_seen_at, seen_at) as "lastSeen", stepped_ms as "steppedMs"
     from live_calls left join nodes on nodes.name = live_calls.node
     where case when $3::bigint is not null then exchange_id = $3
       else node = $1 or greatest(last_seen_at, seen_at) < $2::timestamptz - interval ${DEAD_AFTER} end
     order by started_at`,
    [node, new Date(nowMs), takenExchange],
  );
  return rows.map(({ lastSeen, resumed, ...call }) => ({
    ...call,
    lastSeenMs: lastSeen.getTime(),
    resumedMs: resumed.map((at) => at.getTime()),
  }));
}

/** Before they are gone on with: whatever kills us over them must not do so for ever. */
export async function noteResumed(
  db: Db,
  calls: { callUuid: string; exchangeId: number }[],
  nowMs: number,
): Promise<void> {
  if (calls.length === 0) return;
  await db.query(
    sql`update live_calls set resumed_at = (resumed_at || $3::timestamptz)[greatest(1, cardinality(resumed_at) - 3):]
     from unnest($1::uuid[], $2::bigint[]) as resumed (call_uuid, exchange_id)
     where live_calls.call_uuid = resumed.call_uuid and live_calls.exchange_id = resumed.exchange_id`,
    [calls.map(({ callUuid }) => callUuid), calls.map(({ exchangeId }) => exchangeId), new Date(nowMs)],
  );
}

/** After a stop in order: whatever ended us, it was not these calls. */
export async function forgetResumed(db: Db, calls: { callUuid: string; exchangeId: number }[]): Promise<void> {
  if (calls.length === 0) return;
  await db.query(
    sql`update live_calls set resumed_at = '{}'
     from unnest($1::uuid[], $2::bigint[]) as left_over (call_uuid, exchange_id)
     where live_calls.call_uuid = left_over.call_uuid and live_calls.exchange_id = left_over.exchange_id`,
    [calls.map(({ callUuid }) => callUuid), calls.map(({ exchangeId }) => exchangeId)],
  );
}

// The CDR comes first: of two that close the same call only the one whose row went in writes the rest.
const CLOSE = sql`
  with closed as (
    insert into cdrs (exchange_id, call_uuid, direction, origin, start_stamp, answer_stamp, end_stamp,
      caller_id_number, caller_id_name, outbound_caller_id_number, destination_number, destination_name, dialed_user,
      connected_user, duration_seconds, talk_seconds, queue, queue_wait_seconds, queue_stay_seconds, queue_end, missed,
      recording, sip_hangup_disposition, hangup_cause, ended_by, failure_status, failure_phrase, peer, listening,
      brought)
    select "exchangeId", "callUuid", direction, origin, "startStamp", "answerStamp", "endStamp",
      "callerIdNumber", "callerIdName", "outboundCallerIdNumber", "destinationNumber", "destinationName", "dialedUser",
      "connectedUser", "durationSeconds", "talkSeconds", queue, "queueWaitSeconds", "queueStaySeconds", "queueEnd", missed,
      recording, "sipHangupDisposition", "hangupCause", "endedBy", "failureStatus", "failurePhrase", peer, coalesce(listening, false),
      brought
    from json_to_recordset($1::json) as cdr ("exchangeId" bigint, "callUuid" uuid, direction text, origin text,
      "startStamp" timestamptz, "answerStamp" timestamptz, "endStamp" timestamptz, "callerIdNumber" text,
      "callerIdName" text, "outboundCallerIdNumber" text, "destinationNumber" text, "destinationName" text,
      "dialedUser" text, "connectedUser" text, "durationSeconds" integer, "talkSeconds" integer, queue text,
      "queueWaitSeconds" integer, "queueStaySeconds" integer, "queueEnd" text, missed boolean, recording text, "sipHangupDisposition" text, "hangupCause" text,
      "endedBy" text, "failureStatus" integer, "failurePhrase" text, peer text, listening boolean, brought jsonb)
    on conflict (call_uuid) do nothing
    returning id, call_uuid, exchange_id, start_stamp, end_stamp
  ),
  passes as (
    insert into call_passes (call_id, exchange_id, queue, start_stamp, wait_seconds, answered, talk_seconds)
    select closed.id, closed.exchange_id, queue, closed.start_stamp, "waitSeconds", answered, "talkSeconds"
    from closed join json_to_recordset($7::json) as pass ("callUuid" uuid, queue text, "waitSeconds" integer,
      answered boolean, "talkSeconds" integer) on pass."callUuid" = closed.call_uuid
  ),
  legs as (
    insert into cdr_legs (call_uuid, position, destination_number, start_stamp, answer_stamp, end_stamp, ip_address,
      sip_user_agent, write_codec, read_codec, hangup_cause, in_vain)
    select closed.call_uuid, position, "destinationNumber", "startStamp", "answerStamp", "endStamp", "ipAddress",
      "sipUserAgent", "writeCodec", "readCodec", "hangupCause", coalesce("inVain", false)
    from closed join json_to_recordset($2::json) as leg ("callUuid" uuid, position integer, "destinationNumber" text,
      "startStamp" timestamptz, "answerStamp" timestamptz, "endStamp" timestamptz, "ipAddress" text,
      "sipUserAgent" text, "writeCodec" text, "readCodec" text, "hangupCause" text, "inVain" boolean) on leg."callUuid" = closed.call_uuid
  ),
  recorded as (
    insert into recordings (call_uuid, exchange_id, object_key, media_type, duration_ms, created_at)
    select closed.call_uuid, closed.exchange_id, "objectKey", "mediaType", "durationMs", closed.end_stamp
    from closed join json_to_recordset($3::json) as kept ("callUuid" uuid, "objectKey" text, "mediaType" text,
      "durationMs" integer) on kept."callUuid" = closed.call_uuid
    on conflict (call_uuid) do nothing
  ),
  told as (
    insert into call_stories (call_uuid, story)
    select closed.call_uuid, story
    from closed join json_to_recordset($4::json) as told ("callUuid" uuid, story jsonb)
      on told."callUuid" = closed.call_uuid
  ),
  over as (
    delete from live_calls using unnest($5::uuid[], $6::bigint[]) as ended (call_uuid, exchange_id)
    where live_calls.call_uuid = any($5::uuid[]) and live_calls.call_uuid = ended.call_uuid
      and live_calls.exchange_id = ended.exchange_id
  )
  select call_uuid as "callUuid" from closed`;

// A missed call is returned by the first answered call, in either direction, that its exchange has with the same peer
// within thirty days after it began. A call that was itself answered, or was returned before, is left as it is.
const RETURN = sql`
  with returned as (
    select missed.id, answered.call_uuid
    from unnest($1::uuid[], $2::bigint[], $3::text[], $4::timestamptz[]) as answered (call_uuid, exchange_id, peer, began)
    cross join lateral (
      select id from cdrs where missed and return_uuid is null and peer <> ''
        and exchange_id = answered.exchange_id and peer = answered.peer
        and start_stamp < answered.began and start_stamp > answered.began - interval '30 days') as missed
  )
  update cdrs set return_uuid = returned.call_uuid from returned where cdrs.id = returned.id`;

/** Call it in a transaction. Returns the calls that had no CDR before: only those are anybody's news. */
export async function closeCalls(db: Db, calls: ClosedCall[]): Promise<Set<string>> {
  if (calls.length === 0) return new Set();
  const ofCall = <Row extends object>(rowsOf: (call: ClosedCall) => Row[]) =>
    JSON.stringify(calls.flatMap((call) => rowsOf(call).map((row) => ({ callUuid: call.cdr.callUuid, ...row }))));
  const closed = await db.query<{ callUuid: string }>(CLOSE, [
    ofCall(({ cdr }) => [cdr]),
    ofCall(({ legs }) => legs.map((leg, position) => ({ position, ...leg }))),
    ofCall(({ recording }) => (recording ? [recording] : [])),
    ofCall(({ story }) => (story.length > 0 ? [{ story }] : [])),
    calls.map(({ cdr }) => cdr.callUuid),
    calls.map(({ cdr }) => cdr.exchangeId),
    ofCall(({ passes = [] }) => passes),
  ]);
  const ours = new Set(closed.map(({ callUuid }) => callUuid));
  // Nothing hangs on its answer: it goes out with what comes next, and fails with the transaction.
  noteReturned(
    db,
    calls.map(({ cdr }) => cdr).filter(({ callUuid }) => ours.has(callUuid)),
  ).catch(() => undefined);
  return ours;
}

async function noteReturned(db: Db, closed: ClosedCall["cdr"][]): Promise<void> {
  const answered = closed
    .filter(({ answerStamp, peer }) => answerStamp !== null && peer !== "")
    .sort((a, b) => a.startStamp.getTime() - b.startStamp.getTime());
  if (answered.length === 0) return;
  await db.query(RETURN, [
    answered.map(({ callUuid }) => callUuid),
    answered.map(({ exchangeId }) => exchangeId),
    answered.map(({ peer }) => peer),
    answered.map(({ startStamp }) => startStamp),
  ]);
}

export async function readStory(db: Db, exchangeId: number, callUuid: string): Promise<unknown> {
  const [row] = await db.query<{ story: unknown }>(
    sql`select coalesce((select story from call_stories where call_uuid = $2 and exists
         (select from cdrs where call_uuid = $2 and exchange_id = $1)),
       (select (facts -> 'story')::jsonb from live_calls where call_uuid = $2 and exchange_id = $1)) as story`,
    [exchangeId, callUuid],
  );
  return row?.story ?? undefined;
}
