// What agents write about calls: a note, tags, and the disposition that a queue may insist on.

import { rolesWith } from "../nouns/role.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type CallNote = {
  callUuid: string;
  extension: string;
  note: string;
  tags: string[];
  disposition: string | null;
  /** Somebody still has to do something about it. */
  isOpen: boolean;
  owesDisposition: boolean;
  at: Date;
  changedAt: Date | null;
  changedBy: string | null;
};

const columns = sql`call_uuid as "callUuid", extension, note, tags, disposition, is_open as "isOpen",
  owes_disposition and disposition is null as "owesDisposition", at, changed_at as "changedAt", changed_by as "changedBy"`;

type OfAgent = { exchangeId: number; callUuid: string; extension: string };

export type OwedDisposition = OfAgent & { queue: string; peer: string; atMs: number };

/**
 * Once for a call and an extension, however often it is asked; what was written already stays. Nothing of an extension
 * that is no agent's and has no desk: nobody could ever give it there.
 */
export async function oweDisposition(db: Db, owed: OwedDisposition): Promise<void> {
  const { exchangeId, callUuid, extension, queue, peer, atMs } = owed;
  await db.query(
    sql`insert into call_notes (exchange_id, call_uuid, extension, queue, peer, at, owes_disposition)
     select $1, $2, $3, $4, $5, $6, true from extensions e where e.exchange_id = $1 and e.number = $3 and (e.is_agent
       or exists (select from queue_members m where m.extension_id = e.id)
       or exists (select from staff s where s.extension_id = e.id and s.active and s.role = any($7)))
     on conflict (exchange_id, call_uuid, extension) do update set owes_disposition = true, queue = excluded.queue
       where not call_notes.owes_disposition`,
    [exchangeId, callUuid, extension, queue, peer, new Date(atMs), rolesWith("desk")],
  );
}

export type WrittenNote = OfAgent & {
  queue: string | null;
  peer: string;
  note: string;
  tags: readonly string[];
  disposition: string | null;
  isOpen: boolean;
  by: string;
  at: Date;
};

/**
 * Tells whether the call has its record, and with it its last event: what is written later has to be told by itself.
 * Whoever writes that record meanwhile waits for us, or we for him.
 */
export async function writeCallNote(db: Db, written: WrittenNote): Promise<{ isRecorded: boolean }> {
  const { exchangeId, callUuid, extension, queue, peer, note, tags, disposition, isOpen, by, at } = written;
  // Its record may be written just now by somebody who does not see this yet: whichever is second counts it. Sums before
  // notes, as those who write records take them.
  await db.query(sql`select pg_advisory_xact_lock(call_sums_lock($1))`, [exchangeId]);
  await lockNotes(db, [callUuid]);
  await db.query(
    sql`insert into call_notes (exchange_id, call_uuid, extension, queue, peer, at, note, tags, disposition, is_open,
       changed_at, changed_by)
     values ($1, $2, $3, $4, $5, $11, $6, $7, $8, $9, $11, $10)
     on conflict (exchange_id, call_uuid, extension) do update set note = excluded.note, tags = excluded.tags,
       disposition = excluded.disposition, is_open = excluded.is_open, changed_at = excluded.changed_at,
       changed_by = excluded.changed_by`,
    [exchangeId, callUuid, extension, queue, peer, note, tags, disposition, isOpen, by, at],
  );
  const found = await db.query(sql`select 1 from cdrs where exchange_id = $1 and call_uuid = $2`, [
    exchangeId,
    callUuid,
  ]);
  return { isRecorded: found.length > 0 };
}

/** Until the end of the transaction nobody else writes about these calls, or tells what was written. */
export async function lockNotes(db: Db, callUuids: readonly string[]): Promise<void> {
  await db.query(
    sql`select pg_advisory_xact_lock(hashtextextended('call notes ' || uuid, 0))
     from (select unnest($1::text[]) as uuid order by 1) as calls`,
    [callUuids],
  );
}

/** In the order in which agents took the call. */
export function notesOfCalls(db: Db, exchangeId: number, callUuids: readonly string[]): Promise<CallNote[]> {
  return db.query<CallNote>(
    sql`select ${columns} from call_notes where exchange_id = $1 and call_uuid = any($2::uuid[]) order by at, extension`,
    [exchangeId, callUuids],
  );
}

/** A list of calls, each with what was written about it. */
export async function withNotes<Call extends { callUuid: string }>(
  db: Db,
  exchangeId: number,
  calls: readonly Call[],
): Promise<(Call & { notes: CallNote[] })[]> {
  const uuids = calls.map(({ callUuid }) => callUuid);
  const notes = uuids.length === 0 ? [] : await notesOfCalls(db, exchangeId, uuids);
  const byCall = new Map<string, CallNote[]>();
  for (const note of notes) byCall.set(note.callUuid, [...(byCall.get(note.callUuid) ?? []), note]);
  return calls.map((call) => ({ ...call, notes: byCall.get(call.callUuid) ?? [] }));
}

/** `owedTo`: the queue that wants to know what became of the call, or wanted to. */
export type OwnNote = CallNote & { peer: string; owedTo: string | null };

export async function findCallNote(db: Db, { exchangeId, callUuid, extension }: OfAgent): Promise<OwnNote | undefined> {
  const [found] = await db.query<OwnNote>(
    sql`select ${columns}, peer, case when owes_disposition then queue end as "owedTo" from call_notes
     where exchange_id = $1 and call_uuid = $2 and extension = $3`,
    [exchangeId, callUuid, extension],
  );
  return found;
}

/** What is still to be done about somebody, the newest first. */
export function openNotesAbout(db: Db, exchangeId: number, peer: string): Promise<CallNote[]> {
  return db.query<CallNote>(
    sql`select ${columns} from call_notes where exchange_id = $1 and peer = $2 and peer <> '' and is_open
     order by at desc limit 50`,
    [exchangeId, peer],
  );
}

/** Done about it. False: it is not open, or nobody wrote it about this one. */
export async function closeNote(
  db: Db,
  { exchangeId, callUuid, extension, peer, by, at }: OfAgent & { peer: string; by: string; at: Date },
): Promise<boolean> {
  const rows = await db.query(
    sql`update call_notes set is_open = false, changed_at = $6, changed_by = $5
     where exchange_id = $1 and call_uuid = $2 and extension = $3 and peer = $4 and is_open returning 1`,
    [exchangeId, callUuid, extension, peer, by, at],
  );
  return rows.length > 0;
}

/** What an agent has to give before he gets another call; a queue that has no list, or is gone, wants nothing. */
export const OWED_DISPOSITION = sql`call_notes.owes_disposition and call_notes.disposition is null
  and exists (select from queues q where q.exchange_id = call_notes.exchange_id and q.number = call_notes.queue
    and q.disposition_required and cardinality(q.dispositions) > 0)`;

export type OwedCall = { callUuid: string; queue: string; at: Date };

/** The oldest first: that is what he should remember first. */
export function dispositionsOwedBy(db: Db, exchangeId: number, extension: string): Promise<OwedCall[]> {
  return db.query<OwedCall>(
    sql`select call_uuid as "callUuid", queue, at from call_notes
     where exchange_id = $1 and extension = $2 and ${OWED_DISPOSITION} order by at limit 100`,
    [exchangeId, extension],
  );
}
