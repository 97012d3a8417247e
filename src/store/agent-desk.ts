// What an agent has on his desk: what is known of a caller, the calls there were with him, and the agent's own last ones.

import type { Direction } from "./cdrs.ts";
import type { Db } from "./db.ts";
import { spellingsOf } from "./known-phones.ts";
import type { Within } from "./scope.ts";
import { isSeen } from "./seen-calls.ts";
import { type Sql, sql } from "./sql.ts";

export type KnownContact = {
  id: number;
  name: string;
  surname: string;
  company: string | null;
  title: string | null;
  email: string | null;
  address: string | null;
  note: string | null;
};

/** As `nameOfCaller` chooses among several. */
export async function contactWith(db: Db, exchangeId: number, number: string): Promise<KnownContact | undefined> {
  const [found] = await db.query<KnownContact>(
    sql`select id, name, surname, company_name as company, title, email, address, note1 as note from contacts
     where exchange_id = $1 and (phone = any($2) or phone1 = any($2) or phone2 = any($2))
     order by source_id is not null, phone <> all($2), id limit 1`,
    [exchangeId, spellingsOf(number)],
  );
  return found;
}

export type DeskCall = {
  callUuid: string;
  direction: Direction;
  /** The other side, as an agent knows it. */
  number: string;
  name: string;
  /** "" of a call that is up: only its record has it. */
  peer: string;
  queue: string | null;
  waitSeconds: number;
  at: Date;
  talkSeconds: number;
  isUp: boolean;
  /** This extension was on the line. */
  isTheirs: boolean;
};

/** As the call itself has it; null of one that an earlier version kept, and of who has not talked in it. */
export type BroughtCall = DeskCall & { brought: Pick<DeskCall, "queue" | "waitSeconds"> | null };

/** A call with its record, or one that is up; undefined when the exchange has none like it. */
export async function findDeskCall(
  db: Db,
  { exchangeId, callUuid, extension }: { exchangeId: number; callUuid: string; extension: string },
): Promise<BroughtCall | undefined> {
  const [found] = await db.query<BroughtCall>(
    sql`select call_uuid as "callUuid", direction,
       case direction when 'outbound' then destination_number else caller_id_number end as number,
       case direction when 'outbound' then destination_name else caller_id_name end as name, peer, queue,
       queue_wait_seconds as "waitSeconds", start_stamp as at, talk_seconds as "talkSeconds", false as "isUp",
       connected_user = $3 or (direction <> 'inbound' and caller_id_number = $3)
         or exists (select from cdr_legs leg where leg.call_uuid = cdrs.call_uuid and leg.destination_number = $3
           and leg.position > 0 and leg.answer_stamp is not null) as "isTheirs",
       ${broughtTo(sql`brought`)} as brought
     from cdrs where exchange_id = $1 and call_uuid = $2
     union all select call_uuid, facts ->> 'direction',
       case facts ->> 'direction' when 'outbound' then facts ->> 'destinationNumber' else facts ->> 'callerNumber' end,
       case facts ->> 'direction' when 'outbound' then facts ->> 'destinationName' else facts ->> 'callerName' end, '',
       facts ->> 'queue', coalesce((facts ->> 'queueWaitSeconds')::float8::int, 0), started_at, 0, true,
       facts ->> 'connectedUser' = $3 or (facts ->> 'direction' <> 'inbound' and facts ->> 'callerNumber' = $3)
         or coalesce(resume::jsonb -> 'took' ? $3, false),
       ${broughtTo(sql`facts::jsonb -> 'brought'`)}
     from live_calls where exchange_id = $1 and call_uuid = $2 limit 1`,
    [exchangeId, callUuid, extension],
  );
  return found;
}

/** Of `$3`. */
const broughtTo = (brought: Sql) =>
  sql`(select one from jsonb_array_elements(${brought}) as one where one ->> 'extension' = $3)`;

export type FormerCall = {
  callUuid: string;
  direction: Direction;
  at: Date;
  queue: string | null;
  talkSeconds: number;
  /** Whoever of ours talked with him; "" when nobody did. */
  extension: string;
  extensionName: string;
};

/** The calls there were with somebody, whoever took them, the newest first. */
export function callsWith(
  db: Db,
  { exchangeId, peer, except }: { exchangeId: number; peer: string; except: string },
): Promise<FormerCall[]> {
  return db.query<FormerCall>(
    sql`select c.call_uuid as "callUuid", c.direction, c.start_stamp as at, c.queue, c.talk_seconds as "talkSeconds",
       whose.number as extension,
       coalesce((select name from extensions e where e.exchange_id = $1 and e.number = whose.number), '')
         as "extensionName"
     from cdrs c cross join lateral (select case
       when c.answer_stamp is null then '' when c.direction = 'outbound' then c.caller_id_number
       else c.connected_user end as number) as whose
     where c.exchange_id = $1 and c.peer = $2 and c.peer <> '' and not c.listening and c.call_uuid <> $3
     order by c.start_stamp desc, c.id desc limit 10`,
    [exchangeId, peer, except],
  );
}

/** Those of them that somebody may open who sees only so much. */
export async function callsSeen(
  db: Db,
  { exchangeId, calls, within }: { exchangeId: number; calls: readonly string[]; within: Within | undefined },
): Promise<Set<string>> {
  if (within === undefined) return new Set(calls);
  const seen = await db.query<{ callUuid: string }>(
    sql`select call_uuid as "callUuid" from cdrs
     where exchange_id = $1 and call_uuid = any($2) and ${isSeen(sql`$3`)}`,
    [exchangeId, calls, JSON.stringify(within)],
  );
  return new Set(seen.map(({ callUuid }) => callUuid));
}

/** Those he was on the line in for the last day, the newest first. */
export function ownCalls(
  db: Db,
  { exchangeId, extension, now }: { exchangeId: number; extension: string; now: Date },
): Promise<Omit<DeskCall, "isTheirs" | "isUp" | "waitSeconds">[]> {
  return db.query(
    sql`select call_uuid as "callUuid", direction, peer, queue, start_stamp as at, talk_seconds as "talkSeconds",
       case direction when 'outbound' then destination_number else caller_id_number end as number,
       case direction when 'outbound' then destination_name else caller_id_name end as name
     from cdrs where exchange_id = $1 and start_stamp >= $3::timestamptz - interval '1 day' and not listening and (connected_user = $2
       or (direction <> 'inbound' and caller_id_number = $2)
       or exists (select from cdr_legs leg where leg.call_uuid = cdrs.call_uuid and leg.destination_number = $2
         and leg.position > 0 and leg.answer_stamp is not null offset 0))
     order by start_stamp desc, id desc limit 15`,
    [exchangeId, extension, now],
  );
}

export type DeskQueue = { number: string; name: string; dispositions: string[]; dispositionRequired: boolean };

/** What queues ask about their calls. */
export function deskQueues(db: Db, exchangeId: number): Promise<DeskQueue[]> {
  return db.query<DeskQueue>(
    sql`select number, name, dispositions, disposition_required as "dispositionRequired" from queues
     where exchange_id = $1 order by length(number), number`,
    [exchangeId],
  );
}

export type DeskSettings = {
  breaks: string[];
  tags: string[];
  pop: string | null;
  popIn: "tab" | "frame";
};

export async function deskSettings(db: Db, exchangeId: number): Promise<DeskSettings> {
  const [row] = await db.query<DeskSettings>(
    sql`select breaks, call_tags as tags, screen_pop as pop, screen_pop_in as "popIn" from exchanges where id = $1`,
    [exchangeId],
  );
  return row!; // whoever asks is signed in there
}
