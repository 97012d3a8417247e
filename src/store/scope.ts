// What of an exchange somebody sees: everything, or the calls and mailboxes of some extensions and some queues.

import { type Reach, reachOf, type StaffRole } from "../nouns/role.ts";
import type { Db } from "./db.ts";
import { type Sql, sql } from "./sql.ts";

export type Within = {
  /** Whose calls, mailbox, forms and state are seen. */
  readonly extensions: readonly string[];
  /** Queues that are seen, with those who wait there. */
  readonly queues: readonly string[];
  /** Those of them all of whose calls are seen, whoever took them. */
  readonly calledAt: readonly string[];
};

export type Scope = "everything" | Within;

type Somebody = { id: number; exchangeId: number; role: StaffRole; extension: string | null };

/** Read for each request: who was taken off a queue sees nothing more of it. */
export async function scopeOf(db: Db, { id, exchangeId, role, extension }: Somebody): Promise<Scope> {
  return scopes[reachOf({ role })](db, { id, exchangeId, own: extension });
}

const NOTHING: Within = { extensions: [], queues: [], calledAt: [] };

type Asked = { id: number; exchangeId: number; own: string | null };

const scopes: Record<Reach, (db: Db, asked: Asked) => Promise<Scope>> = {
  everything: async () => "everything",

  async queues(db, { id, exchangeId, own }) {
    const [row] = await db.query<{ queues: string[]; agents: string[] }>(
      sql`with led as (select q.id, q.number from staff_queues s join queues q on q.id = s.queue_id
         where s.exchange_id = $1 and s.staff_id = $2)
       select array(select number from led order by number) as queues,
         array(select distinct e.number from queue_members m join extensions e on e.id = m.extension_id
           where m.exchange_id = $1 and m.queue_id in (select id from led) order by 1) as agents`,
      [exchangeId, id],
    );
    const { queues, agents } = row!; // two arrays always make a row
    return { queues, calledAt: queues, extensions: [...new Set([...(own === null ? [] : [own]), ...agents])] };
  },

  async own(db, { exchangeId, own }) {
    if (own === null) return NOTHING;
    return { extensions: [own], queues: await queuesOfAgent(db, exchangeId, own), calledAt: [] };
  },
};

/** That he takes calls from. */
export async function queuesOfAgent(db: Db, exchangeId: number, extension: string): Promise<string[]> {
  const rows = await db.query<{ number: string }>(
    sql`select q.number from queue_members m join queues q on q.id = m.queue_id
       join extensions e on e.id = m.extension_id
     where m.exchange_id = $1 and e.exchange_id = $1 and e.number = $2 order by q.number`,
    [exchangeId, extension],
  );
  return rows.map(({ number }) => number);
}

export function seesExtension(scope: Scope, extension: string): boolean {
  return scope === "everything" || scope.extensions.includes(extension);
}

export function seesQueue(scope: Scope, queue: string): boolean {
  return scope === "everything" || scope.queues.includes(queue);
}

/** A call that is up, by who is in it or is rung for it. */
export function seesCall(
  scope: Scope,
  { queue, onTheLine, ringing }: { queue: string | null; onTheLine: readonly string[]; ringing: readonly string[] },
): boolean {
  if (scope === "everything") return true;
  if (queue !== null && scope.calledAt.includes(queue)) return true;
  return [...onTheLine, ...ringing].some((number) => scope.extensions.includes(number));
}

/** Undefined for everything: a filter then has nothing to say. */
export function withinOf(scope: Scope): Within | undefined {
  return scope === "everything" ? undefined : scope;
}

/** `within` is the place of a `Within` as JSON. */
export const listed = (within: Sql, name: Sql): Sql =>
  sql`any (array(select jsonb_array_elements_text(${within}::jsonb -> ${name})))`;

export function seenExtensions(column: Sql, within: Sql): Sql {
  return sql`${column} = ${listed(within, sql`'extensions'`)}`;
}

export function seenQueues(column: Sql, within: Sql): Sql {
  return sql`${column} = ${listed(within, sql`'queues'`)}`;
}
