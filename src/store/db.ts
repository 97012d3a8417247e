// The one handle to PostgreSQL: plain SQL in, rows out, and transactions whose inner handle hides the outer one.

import pg from "pg";
import type { Clock } from "../clock.ts";
import { type HearNotice, Notices } from "./notices.ts";
import { type Sql, sql } from "./sql.ts";

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
  const prepared = preparedStatements();
  const notices = new Notices(connection, clock);
  const walled =
    tenants === undefined
      ? undefined
      : { pool: openPool(tenants, connections, { pipeline: true }), prepared: preparedStatements() };
  const ofExchanges = new Map<number, Database>();
  const whole: Database = {
    query: async <Row>(text: Sql, values?: readonly unknown[]) => {
      const { rows } = await pool.query(prepared(text, values));
      return rows as Row[];
    },
    transaction: async (work) => inTransaction(await pool.connect(), prepared, work),
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

type Walled = { pool: pg.Pool; prepared: Prepared };

/** The setting whose rows the walls (`walls.ts`) leave to be seen. */
const ENTER_EXCHANGE = sql`select set_config('santral.exchange', $1, false)`;

/** Which exchange a connection was last told of: it is told again only when it serves another. */
const entered = new WeakMap<pg.PoolClient, number>();

function openExchange({ pool, prepared }: Walled, exchangeId: number): Db {
  const entering = () => prepared(ENTER_EXCHANGE, [String(exchangeId)]);
  return {
    query: <Row>(text: Sql, values?: readonly unknown[]) =>
      new Promise<Row[]>((resolve, reject) => {
        pool.connect((failure, client, release) => {
          if (failure || !client) return reject(failure);
          let broken: Error | undefined;
          // The statement goes out right behind, on connections that answer in the order of asking: one round trip.
          if (entered.get(client) !== exchangeId)
            client.query(entering(), (failure) => {
              broken = failure;
              if (!failure) entered.set(client, exchangeId);
            });
          client.query(prepared(text, values), (failure: Error | null | undefined, result) => {
            release(broken ?? (hasEnded(failure) ? failure : undefined));
            if (broken ?? failure) reject(broken ?? failure);
            else resolve(result.rows as Row[]);
          });
        });
      }).catch(toldFromHere),
    transaction: async (work) => {
      const client = await pool.connect();
      if (entered.get(client) !== exchangeId) {
        await client.query(entering()).catch((error: Error) => {
          client.release(error);
          throw error;
        });
        entered.set(client, exchangeId);
      }
      return inTransaction(client, prepared, work);
    },
  };
}

/** A statement that the server refused leaves its connection in order; anything worse has ended it, seen or not yet. */
const hasEnded = (failure: (Error & { severity?: string }) | null | undefined) =>
  failure ? failure.severity !== "ERROR" : false;

/** With the caller's own lines in its stack instead of the socket's. */
function toldFromHere(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}

type Prepared = (text: Sql, values?: readonly unknown[]) => pg.QueryConfig;

/** Statements by name, so that the database reads each of them once a connection. */
function preparedStatements(): Prepared {
  const names = new Map<string, string>();
  return (text, values = []) => {
    let name = names.get(text);
    if (!name && values.length > 0 && names.size < MOST_NAMED_STATEMENTS) {
      name = `s${names.size}`;
      names.set(text, name);
    }
    return { text, values: values as unknown[], ...(name ? { name } : {}) };
  };
}

async function inTransaction<Result>(
  client: pg.PoolClient,
  prepared: Prepared,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  let savepoints = 0;
  let before: Promise<unknown> = Promise.resolve();
  const inner: Db = {
    // One connection does one thing at a time, however many are asked of it at once.
    query: <Row>(text: Sql, values?: readonly unknown[]) => {
      const asked = before.then(async () => (await client.query(prepared(text, values))).rows as Row[]);
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
