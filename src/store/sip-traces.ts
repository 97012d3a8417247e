// The SIP messages of calls, kept for a day so that somebody can say afterwards what happened.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type TracedMessage = {
  atMs: number;
  direction: "in" | "out";
  /** Transport, address and port of the other end. */
  peer: string;
  text: string;
};

export type TraceRow = {
  sipCallId: string;
  callUuid: string | null;
  messages: TracedMessage[];
  octets: number;
};

/** All that was heard since the last writing, in one statement. */
export async function saveTraces(db: Db, rows: readonly TraceRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(
    sql`insert into sip_traces (sip_call_id, call_uuid, messages, octets)
     select "sipCallId", "callUuid", messages, octets
     from json_to_recordset($1::json) as row ("sipCallId" text, "callUuid" uuid, messages jsonb, octets integer)`,
    [JSON.stringify(rows)],
  );
}

/** What was written before it was known to which call it belongs. */
export async function labelTraces(db: Db, labels: readonly { sipCallId: string; callUuid: string }[]): Promise<void> {
  if (labels.length === 0) return;
  await db.query(
    sql`update sip_traces set call_uuid = label.call_uuid
     from unnest($1::text[], $2::uuid[]) as label (sip_call_id, call_uuid)
     where sip_traces.sip_call_id = label.sip_call_id and sip_traces.call_uuid is null`,
    [labels.map(({ sipCallId }) => sipCallId), labels.map(({ callUuid }) => callUuid)],
  );
}

/** Every message of a call, by its own id or by the Call-ID of one of its dialogs, in the order in which they were seen. */
export async function tracesOf(db: Db, call: string): Promise<TracedMessage[]> {
  const rows = await db.query<{ messages: TracedMessage[] }>(
    sql`select messages from sip_traces
     where sip_call_id = $1
        or call_uuid::text = lower($1)
        or call_uuid = (select call_uuid from sip_traces where sip_call_id = $1 and call_uuid is not null limit 1)
     order by id`,
    [call],
  );
  return rows.flatMap(({ messages }) => messages).sort((one, other) => one.atMs - other.atMs);
}

/** That of the exchange whose call it is; a message that belongs to no call has none. */
export async function timeZoneOfTrace(db: Db, call: string): Promise<string | undefined> {
  const [found] = await db.query<{ timeZone: string }>(
    sql`with call as (select call_uuid from sip_traces
       where call_uuid is not null and (sip_call_id = $1 or call_uuid::text = lower($1)) limit 1)
     select time_zone as "timeZone" from exchanges where id in (
       select exchange_id from cdrs join call using (call_uuid)
       union all select exchange_id from live_calls join call using (call_uuid))`,
    [call],
  );
  return found?.timeZone;
}

/** A day after the last word of its call, so that no ladder loses its beginning first. */
export async function forgetTraces(db: Db, limits: { olderThanHours: number; mostRows: number }): Promise<void> {
  await db.query(
    sql`delete from sip_traces as old where id <= (select max(id) from sip_traces) - $2
       or (written_at < now() - make_interval(hours => $1)
         and not exists (select from live_calls where live_calls.call_uuid = old.call_uuid)
         and not exists (select from sip_traces as later where later.call_uuid = old.call_uuid
           and later.written_at >= now() - make_interval(hours => $1)))`,
    [limits.olderThanHours, limits.mostRows],
  );
}
