// What is stored about the state of extensions and agents.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type ExtensionState = { number: string; dnd: boolean };

export function listExtensionStates(db: Db, exchangeId: number): Promise<ExtensionState[]> {
  return db.query<ExtensionState>(
    sql`select number, dnd from extensions where exchange_id = $1 order by length(number), number`,
    [exchangeId],
  );
}

export type AgentState = {
  number: string;
  status: "AVAILABLE" | "LOGGED_OUT" | "ON_BREAK";
  breakDescription: string | null;
  queues: string[];
};

/** An agent is whoever is called one or stands in a queue. `queue` may be a queue's number or its name. */
export function listAgentStates(
  db: Db,
  exchangeId: number,
  { agent, queue }: { agent: string | undefined; queue: string | undefined },
): Promise<AgentState[]> {
  return db.query<AgentState>(
    sql`select e.number, coalesce(s.status, 'LOGGED_OUT') as status, s.break_description as "breakDescription",
       coalesce(array_agg(q.number order by length(q.number), q.number) filter (where q.id is not null), '{}') as queues
     from extensions e
       left join agent_states s on s.extension_id = e.id
       left join queue_members m on m.extension_id = e.id
       left join queues q on q.id = m.queue_id
     where e.exchange_id = $1 and ($2::text is null or e.number = $2)
     group by e.id, s.status, s.break_description
     having (e.is_agent or count(q.id) > 0) and ($3::text is null or bool_or(q.number = $3 or q.name = $3))
     order by length(e.number), e.number`,
    [exchangeId, agent ?? null, queue ?? null],
  );
}
