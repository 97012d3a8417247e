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

export function openDatabase(connection: string, clock: Clock, { connections = 10 } = {}): Database {
  const pool = new pg.Pool({ connectionString: connection, max: connections, types });
  // An idle connection that breaks is replaced by the pool; the next query says whether the server is back.
  pool.on("error", () => undefined);
  // One that breaks in the middle of a transaction fails the statement that was under way, and that is enough.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const queryOn = preparedQueries();
  const notices = new Notices(connection, clock);
  return {
    query: (text, values) => queryOn(pool, text, values),
    transaction: async (work) => {
      const client = await pool.connect();
      return inTransaction(client, queryOn, work);
    },
    listen: (channel, hear) => notices.listen(channel, hear),
    heard: () => notices.heard(),
    close: () => pool.end(),
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
