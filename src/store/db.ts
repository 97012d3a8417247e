// The one handle to PostgreSQL: plain SQL in, rows out, and transactions whose inner handle hides the outer one.

import type { Writable } from "node:stream";
import type pg from "pg";
import type { Clock } from "../clock.ts";
import { type ActingLife, asNotOwner } from "./fences.ts";
import { eachWithin, GivenUp, type Limit } from "./limit.ts";
import { type HearNotice, Notices } from "./notices.ts";
import { isOver, openPool, type Pool } from "./pool.ts";
import { literal, PLANNED_ANEW, type Sql, sql } from "./sql.ts";

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
  forExchange(exchangeId: number, limit?: Limit): Database;
  /** The same database for whoever waits only so long. */
  within(limit: Limit): Database;
  /** Hears every NOTIFY on a channel, over reconnects; the promise is kept once the channel is open. */
  listen(channel: string, hear: HearNotice): Promise<() => Promise<void>>;
  /** Kept once all that was committed before has been heard by those who listen, and has sunk in. */
  heard(): Promise<void>;
  /** Those who listen read everything again: what is seen here has become more, or less. Kept once that has sunk in. */
  reread(): Promise<void>;
  close(): Promise<void>;
};

/** Statements that stand in the code are few; past this many we were handed generated text and stop naming it. */
const MOST_NAMED_STATEMENTS = 1_000;

const GRACE_SECONDS = 2;

/** Whom the database knows us as: for migrations, for our own work, and for what a tenant asks for. */
export type DatabaseUrls = { owner: string; server: string; tenants: string | undefined };

export type DatabaseOptions = {
  connections?: number;
  /** How long a statement of background work may take; 0: for ever, as migrations may. */
  statementSeconds?: number;
  /** Where several nodes share the database: in whose name it is asked. */
  life?: ActingLife | undefined;
  /** Hears of every statement that a fence turned away. */
  onFenced?: (() => void) | undefined;
};

/** By the server's role, and for tenants' requests by theirs, which has walls around it; one address alone has none. */
export function openDatabase(
  urls: string | Omit<DatabaseUrls, "owner">,
  clock: Clock,
  { connections = 10, statementSeconds = 0, life, onFenced }: DatabaseOptions = {},
): Database {
  const { server: connection, tenants } = typeof urls === "string" ? { server: urls, tenants: undefined } : urls;
  const options = { connections, statementSeconds, life };
  const server = { pool: openPool(connection, { ...options, pipeline: true }), prepared: preparedStatements() };
  const notices = new Notices(connection, clock);
  const walled =
    tenants === undefined
      ? undefined
      : { pool: openPool(tenants, { ...options, pipeline: true }), prepared: preparedStatements() };
  // The server's own word comes first while it has one.
  const usual = eachWithin(statementSeconds === 0 ? 0 : statementSeconds + GRACE_SECONDS);
  const ofExchanges = new Map<number, Database>();
  /** Who may go waits no longer than others for a database that hangs. */
  const bounded = (limit: Limit): Limit =>
    limit.gone ? { ...limit, leftMs: () => Math.min(limit.leftMs(), usual.leftMs()) } : limit;
  return handle(usual);

  function handle(limit: Limit, inside?: number): Database {
    const asking =
      inside === undefined || !walled
        ? { ...server, limit, onFenced }
        : { ...walled, limit, onFenced, exchangeId: inside };
    const whole: Database = {
      query: (text, values) => ask(asking, text, values),
      transaction: (work) => transact(asking, work),
      forExchange: (exchangeId, within = limit) => {
        if (within !== usual) return handle(bounded(within), exchangeId);
        if (!walled) return whole;
        const opened = ofExchanges.get(exchangeId) ?? handle(usual, exchangeId);
        ofExchanges.set(exchangeId, opened);
        return opened;
      },
      within: (other) => handle(bounded(other), inside),
      listen: (channel, hear) => notices.listen(channel, hear),
      heard: () => notices.heard(),
      reread: () => notices.reread(),
      close: async () => void (await Promise.all([server.pool.end(), walled?.pool.end()])),
    };
    return whole;
  }
}

/** `exchangeId` where the connections are those of tenants, to which only the rows of one exchange exist. */
type Asking = {
  pool: Pool;
  prepared: Prepared;
  limit: Limit;
  exchangeId?: number;
  onFenced?: (() => void) | undefined;
};

/** The setting whose rows the walls (`walls.ts`) leave to be seen. */
const ENTER_EXCHANGE = sql`select set_config('santral.exchange', $1, false)`;

/** Which exchange a connection was last told of: it is told again only when it serves another. */
const entered = new WeakMap<pg.PoolClient, number>();

const READS = /^\s*select\b/i;

function ask<Row>(asking: Asking, text: Sql, values?: readonly unknown[]): Promise<Row[]> {
  const { pool, prepared, limit, exchangeId, onFenced } = asking;
  // A statement that lies in front of a server that hangs is carried out when it wakes up; without its commit it is not.
  if (limit.strict && !READS.test(text)) return transact(asking, (db) => db.query<Row>(text, values));
  return new Promise<Row[]>((resolve, reject) => {
    pool.connect((failure, client) => {
      if (!client) return reject(failure);
      const leftMs = limit.leftMs();
      if (leftMs <= 0) {
        pool.release(client);
        return reject(new GivenUp());
      }
      let broken: Error | undefined;
      // The statement goes out right behind, on connections that answer in the order of asking: one round trip.
      if (exchangeId !== undefined && entered.get(client) !== exchangeId)
        client.query(prepared(ENTER_EXCHANGE, [String(exchangeId)], leftMs), (failure) => {
          broken = failure;
          if (!failure) entered.set(client, exchangeId);
        });
      const stop = () => void socketOf(client).destroy();
      limit.gone?.addEventListener("abort", stop);
      client.query(prepared(text, values, leftMs), (failure: Error | null | undefined, result) => {
        limit.gone?.removeEventListener("abort", stop);
        pool.release(client, broken ?? failure);
        if (failure && limit.gone?.aborted) return reject(new GivenUp());
        if (broken ?? failure) reject(broken ?? failure);
        else resolve(result.rows as Row[]);
      });
    });
  }).catch((error: Error) => toldFromHere(error, onFenced));
}

/** With the caller's own lines in its stack instead of the socket's. */
function toldFromHere(error: Error, onFenced?: () => void): never {
  Error.captureStackTrace(error);
  throw asNotOwner(error, onFenced);
}

type Prepared = (text: Sql, values: readonly unknown[] | undefined, withinMs: number) => pg.QueryConfig;

/** Statements by name, so that the database reads each of them once a connection. */
function preparedStatements(): Prepared {
  const names = new Map<string, string>();
  return (text, values = [], withinMs) => {
    let name = names.get(text);
    if (!name && values.length > 0 && names.size < MOST_NAMED_STATEMENTS && !text.includes(PLANNED_ANEW)) {
      name = `s${names.size}`;
      names.set(text, name);
    }
    const query_timeout = withinMs === Number.POSITIVE_INFINITY ? 0 : Math.ceil(withinMs); // the driver's own name
    return { text, values: values as unknown[], query_timeout, ...(name ? { name } : {}) };
  };
}

async function transact<Result>(asking: Asking, work: (db: Db) => Promise<Result>): Promise<Result> {
  const { pool, prepared, limit, exchangeId } = asking;
  if (limit.leftMs() <= 0) throw new GivenUp();
  const client = await new Promise<pg.PoolClient>((resolve, reject) =>
    pool.connect((failure, client) => (client ? resolve(client) : reject(failure))),
  );
  let savepoints = 0;
  let broken: Error | undefined;
  let first: unknown;
  let isEnded = false;
  const say = async (text: Sql, values?: readonly unknown[]) => {
    const leftMs = limit.leftMs();
    if (leftMs <= 0) throw new GivenUp();
    if (broken) throw broken;
    try {
      together(client);
      return (await client.query(prepared(text, values, leftMs))).rows as unknown[];
    } catch (error) {
      if (isOver(error)) broken = error;
      first ??= error;
      throw error;
    }
  };
  /** Asked and not answered yet. What was asked first is carried out first, and after a failure nothing is. */
  const asked = new Set<Promise<unknown>>();
  const ask = <Row>(text: Sql, values?: readonly unknown[]) => {
    if (isEnded) throw new Error("a transaction that has ended is asked for more");
    const answer = say(text, values) as Promise<Row[]>;
    asked.add(answer);
    answer.then(
      () => asked.delete(answer),
      () => undefined, // told to whoever asked, and found by the end
    );
    return answer;
  };
  const inner: Db = {
    query: ask,
    transaction: async (nested) => {
      const savepoint = sql`nested_${savepoints++}`;
      const before = new Set(asked);
      await ask(sql`savepoint ${savepoint}`);
      try {
        return await nested(inner);
      } catch (error) {
        await Promise.allSettled(asked);
        await say(sql`rollback to savepoint ${savepoint}`);
        for (const answer of asked) if (!before.has(answer)) asked.delete(answer);
        throw error;
      }
    },
  };
  try {
    if (exchangeId !== undefined && entered.get(client) !== exchangeId) {
      await say(ENTER_EXCHANGE, [String(exchangeId)]);
      entered.set(client, exchangeId);
    }
    const lastsMs = limit.leftMs();
    // Goes out with the first statement: a connection that does not take the one does not take the other either.
    ask(sql`begin`).catch((cause: unknown) => {
      broken = new NotBegun(cause);
    });
    const result = await work(inner);
    isEnded = true;
    // What nobody waits for any more goes out with the commit, and undoes everything when it fails.
    const rest = Promise.all(asked);
    rest.catch(() => undefined);
    const committed = limit.strict ? say(commitWithin(lastsMs)).catch(refusedAsLate) : say(sql`commit`);
    await Promise.all([rest, committed]);
    return result;
  } catch (error) {
    isEnded = true;
    await Promise.allSettled(asked);
    // Nothing more can be said on a connection that hangs; the server takes its end for a rollback.
    if (!broken) await client.query(prepared(sql`rollback`, [], ROLLBACK_MS)).catch((failure) => (broken = failure));
    throw asNotOwner(broken instanceof NotBegun ? broken : causeOf(error, first), asking.onFenced);
  } finally {
    pool.release(client, broken);
  }
}

/** Nobody knows what became of what was said behind it: nothing of it is tried again, and the connection is closed. */
class NotBegun extends Error {
  constructor(cause: unknown) {
    super("a transaction was not begun", { cause });
  }
}

/** What is said after a failure is refused for that alone: the failure itself is told. */
function causeOf(error: unknown, first: unknown): unknown {
  return error instanceof Error && "code" in error && error.code === TRANSACTION_ABORTED ? (first ?? error) : error;
}

const TRANSACTION_ABORTED = "25P02";

function socketOf(client: pg.PoolClient): Writable {
  return (client as unknown as { connection: { stream: Writable } }).connection.stream;
}

/** What is said in one turn leaves in one write: the server wakes up once for all of it. */
function together(client: pg.PoolClient): void {
  const stream = socketOf(client);
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

const ROLLBACK_MS = 5_000;

/**
 * By the server's own clock, and both at once: a commit that reaches it late, because it hung or the network did, fails
 * at the division before it.
 */
function commitWithin(ms: number): Sql {
  return sql`select 1 / (clock_timestamp() - now() < ${literal(`${Math.ceil(ms)} ms`)}::interval)::int; commit`;
}

function refusedAsLate(error: unknown): never {
  throw error instanceof Error && "code" in error && error.code === DIVISION_BY_ZERO ? new GivenUp() : error;
}

const DIVISION_BY_ZERO = "22012";
