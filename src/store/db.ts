// The one handle to PostgreSQL: plain SQL in, rows out, and transactions whose inner handle hides the outer one.

import pg from "pg";
import type { Clock } from "../clock.ts";
import { type HearNotice, Notices } from "./notices.ts";
import { type Sql, sql } from "./sql.ts";
import { ENTER_EXCHANGE } from "./walls.ts";

export type Db = {
  query<Row = Record<string, unknown>>(text: Sql, values?: readonly unknown[]): Promise<Row[]>;
  /** Inside, use only the handle that is passed in: what goes through the outer one is not part of it. */
  transaction<Result>(work: (db: Db) => Promise<Result>): Promise<Result>;
};

export type Database = Db & {
  /**
   * The same database as one tenant sees it: rows of other exchanges do not exist. Behind it stands a role of its own,
   * so that a statement that forgets whose rows it wants finds none but his.
   */
  forExchange(exchangeId: number): Database;
  /** Hears every NOTIFY on a channel, over reconnects; the promise is kept once the channel is open. */
  listen(channel: string, hear: HearNotice): Promise<() => Promise<void>>;
  /** Kept once all that was committed before has been heard by those who listen, and has sunk in. */
  heard(): Promise<void>;
  close(): Promise<void>;
};

const COUNTED: readonly number[] = [20]; // bigint: our ids and counts stay far below 2^53
const AS_WRITTEN: readonly number[] = [1082, 1083]; // date and time carry no zone and must not be given one

/** Statements that stand in the code are few; past this many we were handed generated text and stop naming it. */
const MOST_NAMED_STATEMENTS = 1_000;

/** Whom the database knows us as: for migrations, for our own work, and for what a tenant asks for. */
export type DatabaseUrls = { owner: string; server: string; tenants: string | undefined };

/** By the server's role, and for tenants' requests by theirs, which has walls around it; one address alone has none. */
export function openDatabase(
  urls: string | Omit<DatabaseUrls, "owner">,
  clock: Clock,
  { connections = 10 } = {},
): Database {
  const { server: connection, tenants } = typeof urls === "string" ? { server: urls, tenants: undefined } : urls;
  const pool = openPool(connection, connections);
  const queryOn = preparedQueries();
  const notices = new Notices(connection, clock);
  const walled =
    tenants === undefined
      ? undefined
      : { pool: openPool(tenants, connections, { pipeline: true }), queryOn: preparedQueries() };
  const ofExchanges = new Map<number, Database>();
  const whole: Database = {
    query: (text, values) => queryOn(pool, text, values),
    transaction: async (work) => inTransaction(await pool.connect(), queryOn, work),
    forExchange: (exchangeId) => {
      if (!walled) return whole;
      const known = ofExchanges.get(exchangeId);
      if (known) return known;
      const opened = { ...whole, ...openExchange(walled, exchangeId) };
      ofExchanges.set(exchangeId, opened);
      return opened;
    },
    listen: (channel, hear) => notices.listen(channel, hear),
    heard: () => notices.heard(),
    close: async () => void (await Promise.all([pool.end(), walled?.pool.end()])),
  };
  return whole;
}

function openPool(connectionString: string, max: number, { pipeline = false } = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString, max, types, pipeline });
  // An idle connection that breaks is replaced by the pool; the next query says whether the server is back.
  pool.on("error", () => undefined);
  // One that breaks in the middle of a transaction fails the statement that was under way, and that is enough.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

type Walled = { pool: pg.Pool; queryOn: Queries };

/** Which exchange a connection was last told of: it is told again only when it serves another. */
const entered = new WeakMap<pg.PoolClient, number>();

function openExchange({ pool, queryOn }: Walled, exchangeId: number): Db {
  /** Undefined where the connection knows already. */
  const enter = (client: pg.PoolClient): Promise<unknown> | undefined => {
    if (entered.get(client) === exchangeId) return undefined;
    entered.set(client, exchangeId);
    return queryOn(client, ENTER_EXCHANGE, [String(exchangeId)]);
  };
  /** What `ask` sends goes out right behind, on connections that answer in the order of asking: one round trip for both. */
  const inside = async <Result>(client: pg.PoolClient, ask: () => Promise<Result>): Promise<Result> => {
    const telling = enter(client);
    const asked = ask();
    if (!telling) return asked;
    asked.catch(() => undefined); // told below, unless there is worse to tell
    await telling.catch((error: unknown) => {
      entered.delete(client);
      throw error;
    });
    return asked;
  };
  return {
    query: async <Row>(text: Sql, values?: readonly unknown[]) => {
      const client = await pool.connect();
      try {
        return await inside(client, () => queryOn<Row>(client, text, values));
      } finally {
        client.release(!entered.has(client));
      }
    },
    transaction: async (work) => {
      const client = await pool.connect();
      await inside(client, async () => undefined).catch((error: Error) => {
        client.release(error);
        throw error;
      });
      return inTransaction(client, queryOn, work);
    },
  };
}

type Queries = <Row>(on: pg.Pool | pg.PoolClient, text: Sql, values?: readonly unknown[]) => Promise<Row[]>;

function preparedQueries(): Queries {
  const names = new Map<string, string>();
  return async <Row>(on: pg.Pool | pg.PoolClient, text: Sql, values: readonly unknown[] = []) => {
    let name = names.get(text);
    if (!name && values.length > 0 && names.size < MOST_NAMED_STATEMENTS) {
      name = `s${names.size}`;
      names.set(text, name);
    }
    const result = await on.query({ text, values: values as unknown[], ...(name ? { name } : {}) });
    return result.rows as Row[];
  };
}

async function inTransaction<Result>(
  client: pg.PoolClient,
  queryOn: Queries,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  let savepoints = 0;
  let before: Promise<unknown> = Promise.resolve();
  const inner: Db = {
    // One connection does one thing at a time, however many are asked of it at once.
    query: <Row>(text: Sql, values?: readonly unknown[]) => {
      const asked = before.then(() => queryOn<Row>(client, text, values));
      before = asked.catch(() => undefined); // told to whoever asked
      return asked;
    },
    transaction: async (nested) => {
      const savepoint = sql`nested_${savepoints++}`;
      await client.query(sql`savepoint ${savepoint}`);
      try {
        return await nested(inner);
      } catch (error) {
        await client.query(sql`rollback to savepoint ${savepoint}`);
        throw error;
      }
    },
  };
  let broken: Error | undefined;
  try {
    await client.query(sql`begin`);
    const result = await work(inner);
    await client.query(sql`commit`);
    return result;
  } catch (error) {
    await client.query(sql`rollback`).catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

const types = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (COUNTED.includes(oid)) return Number;
    if (AS_WRITTEN.includes(oid)) return String;
    return pg.types.getTypeParser(oid, format as "text");
  }) as typeof pg.types.getTypeParser,
};
