// Which nodes share this database, since when each lives, and which exchange lives on which. Every statement goes over the
// connection that is given; time is the database's own alone.

import type { Db } from "./db.ts";
import type { Line } from "./server-lease.ts";
import { type Sql, sql } from "./sql.ts";

export type NodeState = "up" | "draining" | "over";

/** `isAlive`: its life holds now, whatever it was last heard to do. */
export type NodeRow = {
  name: string;
  life: number;
  state: NodeState;
  isAlive: boolean;
  url: string;
  sip: string;
  version: string;
  until: Date;
  exchanges: number;
};

/** Calls that keep an exchange from being given away: how many for which reason, and the first of them. */
export type NodeWaits = { counts: Record<string, number>; calls: { exchange: number; call: string; why: string }[] };

/** `node` is null where nobody ever owned it. */
export type OwnedExchange = { id: number; sipDomain: string; node: string | null; epoch: number };

/** Any numbers that all nodes share: with the exchange, and with the name. */
const EXCHANGE_LOCK = 7_268_741;
const NAME_LOCK = 7_268_742;

/** How long a life holds without being renewed, which is done every second. */
export const LIFE_MS = 6_000;
const LASTS = sql`interval '${LIFE_MS} milliseconds'`;

/** Who hangs in the middle of a write for longer is waited for at the next look. */
const LOCK_PATIENCE = sql`'3s'`;

/** A name is one process's at a time; the lock ends with its connection. */
export async function lockName(line: Line, name: string): Promise<boolean> {
  const [row] = await line.query(sql`select pg_try_advisory_lock($1, hashtext($2)) as locked`, [NAME_LOCK, name]);
  return row?.locked === true;
}

/** Looked at and not tried: whoever tries it is in the way of a process that begins. */
const NAME_IS_FREE = sql`not exists (select from pg_locks
  where locktype = 'advisory' and granted and classid = ${NAME_LOCK} and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())
    and objid = (hashtext(nodes.name)::bigint & 4294967295)::oid)`;

/** Only with the name's lock held: whoever had this name before writes nothing from now on. */
export async function beginLife(line: Line, { name, version }: { name: string; version: string }): Promise<number> {
  const [row] = await line.query(
    sql`insert into nodes (name, seen_at, life, version, state, until)
     values ($1, clock_timestamp(), nextval('node_lives'), $2, 'up', clock_timestamp() + ${LASTS})
     on conflict (name) do update set life = excluded.life, version = excluded.version, state = 'up',
       hasty = false, until = excluded.until, url = '', sip = '', waits = null
     returning life::float8`,
    [name, version],
  );
  return row!.life as number; // the row was written
}

/** Where it is reached, once its doors are open. */
export async function announceNode(
  line: Line,
  life: number,
  { url, sip }: { url: string; sip: string },
): Promise<void> {
  await line.query(sql`update nodes set url = $2, sip = $3 where life = $1`, [life, url, sip]);
}

/** What it waits for before it has given everything away; null: it keeps what it has. */
export async function noteWaits(line: Line, life: number, waits: NodeWaits | null): Promise<void> {
  await line.query(sql`update nodes set waits = $2::jsonb where life = $1`, [life, waits && JSON.stringify(waits)]);
}

/** What a node is told to do; `hasty`: calls are ended instead of waited for. */
export type Wanted = { state: "up" | "draining"; hasty: boolean };

/** Undefined: this life is over, and nothing brings it back. */
export async function renewLife(line: Line, life: number): Promise<Wanted | undefined> {
  const [row] = await line.query(
    sql`update nodes set until = clock_timestamp() + ${LASTS} where life = $1 and state <> 'over'
     returning state, hasty`,
    [life],
  );
  return row as Wanted | undefined;
}

/** Its own wish, as a command's: it takes nothing more and gives away what it has. */
export async function beginToLeave(line: Line, life: number): Promise<void> {
  await line.query(sql`update nodes set state = 'draining' where life = $1 and state = 'up'`, [life]);
}

/** At a clean stop: nobody need wait until it runs out. */
export async function endLife(line: Line, life: number): Promise<void> {
  await line.query(sql`update nodes set until = clock_timestamp(), state = 'over' where life = $1`, [life]);
}

/** Lives that were not renewed are over from now on, also for themselves. Which. */
export async function endSilentLives(line: Line): Promise<string[]> {
  const rows = await line.query(
    sql`update nodes set state = 'over' where until < clock_timestamp() and state <> 'over' returning name`,
  );
  return rows.map(({ name }) => String(name));
}

/**
 * Lives that hold and that nobody holds the name of: their sessions have ended. Where each could be reached; one that was
 * never told, or that is stopping, is not among them.
 */
export async function listUnheld(line: Line): Promise<Pick<NodeRow, "name" | "life" | "url">[]> {
  const rows = await line.query(
    sql`select name, life::float8, url from nodes
     where state <> 'over' and until > clock_timestamp() and url <> '' and ${NAME_IS_FREE}`,
  );
  return rows as Pick<NodeRow, "name" | "life" | "url">[];
}

/** That life is over, unless its name is held again by now. Whether it was so. */
export async function endGoneLife(line: Line, life: number): Promise<boolean> {
  const rows = await line.query(
    sql`update nodes set state = 'over', until = clock_timestamp()
     where life = $1 and state <> 'over' and ${NAME_IS_FREE} returning name`,
    [life],
  );
  return rows.length > 0;
}

/** Names of nodes whose lives hold, for a server that wants the database for itself; none where the schema knows of none. */
export async function livingNodes(line: Line): Promise<string[]> {
  const [table] = await line.query(
    sql`select case when to_regclass('exchange_owners') is null then false
       else has_table_privilege('nodes', 'select') end as readable`,
  );
  if (!table?.readable) return [];
  const rows = await line.query(sql`select name from nodes where state <> 'over' and until > clock_timestamp()`);
  return rows.map(({ name }) => String(name));
}

/** From now on one server has everything. */
export async function endEveryLife(line: Line): Promise<void> {
  await line.query(sql`update nodes set state = 'over', until = clock_timestamp() where state <> 'over'`);
}

const NODES = sql`select name, life::float8, state, state <> 'over' and until > clock_timestamp() as "isAlive", url, sip,
    version, until, (select count(*) from exchange_owners where node = nodes.name)::int as exchanges, waits
  from nodes where life is not null order by name`;

export async function listNodes(line: Line): Promise<NodeRow[]> {
  return (await line.query(NODES)) as NodeRow[];
}

/** The same for a command; `waits` is null for one that gives nothing away, or has not looked yet. */
export function readNodes(db: Db): Promise<(NodeRow & { waits: NodeWaits | null })[]> {
  return db.query<NodeRow & { waits: NodeWaits | null }>(NODES);
}

export async function listOwners(line: Line): Promise<OwnedExchange[]> {
  const rows = await line.query(
    sql`select id::float8, lower(sip_domain) as "sipDomain", node, coalesce(epoch, 0)::float8 as epoch
     from exchanges left join exchange_owners on exchange_id = id order by id`,
  );
  return rows as OwnedExchange[];
}

/**
 * Ours from now on, as far as nobody alive has them: which. Waits for whatever their former owner had begun to write
 * before its life was over.
 */
export async function takeExchanges(line: Line, life: number, ids: readonly number[]): Promise<number[]> {
  return changeOwner(line, ids, async () => {
    const rows = await line.query(
      sql`insert into exchange_owners (exchange_id, node, epoch)
       select id, me.name, 1 from exchanges cross join nodes me
       where id = any($2::bigint[]) and me.life = $1 and me.state <> 'over' and me.until > clock_timestamp()
       on conflict (exchange_id) do update set node = excluded.node, epoch = exchange_owners.epoch + 1
         where exchange_owners.node = excluded.node or not exists (select from nodes
           where nodes.name = exchange_owners.node and nodes.state <> 'over' and nodes.until > clock_timestamp())
       returning exchange_id::float8 as id`,
      [life, ids],
    );
    return rows.map(({ id }) => id as number);
  });
}

/** Gives an exchange of ours to a node that is up; whether it did. */
export async function giveExchange(line: Line, life: number, { id, to }: { id: number; to: string }): Promise<boolean> {
  const given = await changeOwner(line, [id], async () => {
    const rows = await line.query(
      sql`update exchange_owners set node = $3, epoch = epoch + 1
       where exchange_id = $2 and node = (select name from nodes where life = $1 and until > clock_timestamp())
         and exists (select from nodes where name = $3 and state = 'up' and until > clock_timestamp())
       returning exchange_id::float8 as id`,
      [life, id, to],
    );
    return rows.map(({ id }) => id as number);
  });
  return given.length > 0;
}

async function changeOwner(line: Line, ids: readonly number[], change: () => Promise<number[]>): Promise<number[]> {
  const say = (text: Sql, values: unknown[] = []) => line.query(text, values);
  await say(sql`begin`);
  try {
    await say(sql`set local lock_timeout = ${LOCK_PATIENCE}`);
    // In one order, so that two who take at once wait for each other and not for ever.
    for (const id of [...ids].sort((one, other) => one - other))
      await say(sql`select pg_advisory_xact_lock($1, ($2::bigint % 2147483647)::int)`, [EXCHANGE_LOCK, id]);
    const changed = await change();
    await say(sql`commit`);
    return changed;
  } catch (error) {
    await say(sql`rollback`).catch(() => undefined); // the line is cut, and that is one
    throw error;
  }
}

/** Where an exchange lives, as an operator sees it; `node` is null where nobody alive has it. */
export type Home = { id: number; name: string; node: string | null; epoch: number; calls: number };

export function readHomes(db: Db): Promise<Home[]> {
  return db.query<Home>(
    sql`select id, exchanges.name, nodes.name as node, coalesce(epoch, 0) as epoch,
       (select count(*) from live_calls where live_calls.exchange_id = exchanges.id) as calls
     from exchanges left join exchange_owners owned on owned.exchange_id = id
     left join nodes on nodes.name = owned.node and nodes.state <> 'over' and nodes.until > clock_timestamp()
     order by id`,
  );
}

/** Which standbys must have a commit before it counts, as the server's own setting says it; empty: none. */
export async function synchronousStandbys(db: Db): Promise<string> {
  const [row] = await db.query<{ names: string }>(sql`select current_setting('synchronous_standby_names') as names`);
  return row?.names ?? "";
}

/** Asked of a node by a command; it begins within a second. False: there is no such node that lives. */
export async function askNode(db: Db, name: string, { state, hasty }: Wanted): Promise<boolean> {
  const rows = await db.query(
    sql`update nodes set state = $2, hasty = $3, waits = case when state = $2 then waits end
     where name = $1 and state <> 'over' and until > clock_timestamp() returning name`,
    [name, state, hasty],
  );
  return rows.length > 0;
}

/** Where an exchange lives, for a command. */
export async function ownerOf(db: Db, exchangeId: number): Promise<{ node: string; epoch: number } | undefined> {
  const [row] = await db.query<{ node: string; epoch: number }>(
    sql`select node, epoch from exchange_owners where exchange_id = $1`,
    [exchangeId],
  );
  return row;
}

/** Work that was put in before there were nodes says only in its payload whose it is. */
export async function nameOwnersOfJobs(db: Db): Promise<void> {
  await db.query(
    sql`update jobs set exchange_id = exchange_of_job(payload)
     where exchange_id is null and exchange_of_job(payload) is not null`,
  );
}
