// Agents and the floor they work on: what is stored of queues, their members and who is logged in.

import type { QueueStrategy } from "../nouns/choices.ts";
import type { Language } from "../speech/language.ts";
import { writeAuditLine } from "./audit.ts";
import type { Doer } from "./audit-facts.ts";
import { OWED_DISPOSITION } from "./call-notes.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export const QUEUES_CHANNEL = "queues";

export type StoredAgentStatus = "AVAILABLE" | "LOGGED_OUT" | "ON_BREAK";
export type StoredAgent = { status: StoredAgentStatus; description: string | null };

export type FloorQueue = {
  number: string;
  name: string;
  strategy: QueueStrategy;
  /** Extensions in order. */
  members: string[];
  priority: number;
  ringSeconds: number;
  wrapUpSeconds: number;
  mostMisses: number;
  maxWaitSeconds: number;
  maxWaiting: number;
  overflowTarget: string | null;
  musicSound: number | null;
  waitingSound: number | null;
  agentSound: number | null;
  /** How often a caller hears where he stands; 0 is never. */
  announceSeconds: number;
  language: Language;
  callbackKey: string | null;
  survey: boolean;
  followsForwards: boolean;
  /** Who takes a call of it says what became of it before he gets another. */
  dispositionRequired: boolean;
};

/** `owes`: a disposition of some call. */
export type FloorAgent = StoredAgent & { number: string; name: string; dnd: boolean; owes: boolean };

export type FloorPlan = { queues: FloorQueue[]; agents: FloorAgent[] };

export async function readFloorPlan(db: Db, exchangeId: number): Promise<FloorPlan> {
  const [queues, agents] = await Promise.all([
    db.query<FloorQueue>(
      sql`select q.number, q.name, q.strategy, q.priority, q.ring_seconds as "ringSeconds",
         q.wrap_up_seconds as "wrapUpSeconds", q.most_misses as "mostMisses", q.max_wait_seconds as "maxWaitSeconds",
         q.max_waiting as "maxWaiting", q.overflow_target as "overflowTarget", q.music_announcement_id as "musicSound",
         q.waiting_announcement_id as "waitingSound", q.agent_announcement_id as "agentSound",
         q.announce_seconds as "announceSeconds", q.language, q.callback_key as "callbackKey", q.survey,
         q.follows_forwards as "followsForwards",
         q.disposition_required and cardinality(q.dispositions) > 0 as "dispositionRequired",
         coalesce(array_agg(e.number order by m.position) filter (where e.active), '{}') as members
       from queues q
         left join queue_members m on m.queue_id = q.id
         left join extensions e on e.id = m.extension_id
       where q.exchange_id = $1 group by q.id order by length(q.number), q.number`,
      [exchangeId],
    ),
    db.query<FloorAgent>(
      sql`select e.number, e.name, e.dnd, coalesce(s.status, 'LOGGED_OUT') as status, s.break_description as description,
         exists (select from call_notes where call_notes.exchange_id = $1 and call_notes.extension = e.number
           and ${OWED_DISPOSITION}) as owes
       from extensions e left join agent_states s on s.extension_id = e.id
       where e.exchange_id = $1 and e.active
         and (e.is_agent or exists (select 1 from queue_members m where m.extension_id = e.id))`,
      [exchangeId],
    ),
  ]);
  return { queues, agents };
}

/** Undefined: not now. */
export type AgentChange = (from: StoredAgent) => StoredAgent | undefined;

export type AgentChanged = { before: StoredAgent; after: StoredAgent | undefined };

/** One change at a time for each agent, with its line in the audit trail; undefined when there is no such agent. */
export function changeAgent(
  db: Db,
  { exchangeId, extension, by, change }: { exchangeId: number; extension: string; by: Doer; change: AgentChange },
): Promise<AgentChanged | undefined> {
  return db.transaction(async (db) => {
    const [agent] = await db.query<{ id: number }>(
      sql`select id from extensions e where exchange_id = $1 and number = $2 and active
         and (is_agent or exists (select 1 from queue_members m where m.extension_id = e.id)) for update`,
      [exchangeId, extension],
    );
    if (!agent) return undefined;
    const [stored] = await db.query<StoredAgent>(
      sql`select status, break_description as description from agent_states where exchange_id = $1 and extension_id = $2`,
      [exchangeId, agent.id],
    );
    const before = stored ?? { status: "LOGGED_OUT", description: null };
    const after = change(before);
    if (!after) return { before, after };
    await db.query(
      sql`insert into agent_states (exchange_id, extension_id, status, break_description, changed_at)
       values ($1, $2, $3, $4, now())
       on conflict (extension_id) do update
         set status = excluded.status, break_description = excluded.break_description, changed_at = now()`,
      [exchangeId, agent.id, after.status, after.description],
    );
    const pause = after.description === null ? {} : { break: after.description };
    const details = { extension, from: before.status, to: after.status, ...pause };
    await writeAuditLine(db, { ...by, exchangeId, did: "agent-moved", details });
    return { before, after };
  });
}

/** By phone a supervisor is whoever may: a switch of his extension, or the administrator whose extension it is. */
export async function maySupervise(db: Db, exchangeId: number, extension: string): Promise<boolean> {
  const found = await db.query(
    sql`select 1 from extensions e where e.exchange_id = $1 and e.number = $2 and e.active and (e.may_supervise
       or exists (select 1 from staff s where s.extension_id = e.id and s.active and s.role = 'administrator'))`,
    [exchangeId, extension],
  );
  return found.length > 0;
}
