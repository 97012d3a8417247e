// Connections to PostgreSQL that do not hang: bounded in how long they are waited for, watched for peers that have gone
// silent, and dropped when their server takes no writes any more.

import type { Socket } from "node:net";
import pg from "pg";
import { type Libc, loadLibc } from "../libc.ts";
import { type ActingLife, actingAs } from "./fences.ts";
import { type Address, addressOf, Hosts, mustTakeWrites, READ_ONLY } from "./hosts.ts";

/** For a connection out of the pool, or a new one. */
const CONNECT_MS = 5_000;
/** A lock that is not had by then is held by somebody who hangs. */
const LOCK_MS = 10_000;
/** A peer that acknowledges nothing for so long has gone: found while we wait for it, and while nothing is said. */
const SILENT_MS = 15_000;
const ASK_ALIVE_MS = 5_000;
/** A connection that nobody needs is kept for so long: making one costs the database more than all that is said on it. */
const IDLE_MS = 60_000;

export type PoolOptions = {
  connections: number;
  /** The server ends what takes longer; 0: nothing. */
  statementSeconds: number;
  pipeline?: boolean;
  /** Where several nodes share the database: in whose name they act. */
  life?: ActingLife | undefined;
};

export type Pool = {
  connect(taken: (error: Error | undefined, client: pg.PoolClient | undefined) => void): void;
  /** Back into the pool, or out of it: what has failed so that nothing more can be said there, or leads to the wrong server. */
  release(client: pg.PoolClient, failure?: Error | null): void;
  end(): Promise<void>;
};

export function openPool(connection: string, options: PoolOptions): Pool {
  const { connections, pipeline = false } = options;
  const address = readAddress(connection);
  const hosts = new Hosts(address);
  const epochs = new WeakMap<pg.PoolClient, number>();
  const pool = new pg.Pool({
    ...lineOptions(address),
    max: connections,
    idleTimeoutMillis: IDLE_MS,
    types,
    pipeline,
    Client: clientsOf(hosts) as unknown as new () => pg.ClientBase, // as the pool calls it: with its options
    onConnect: (client) => prepare(client, hosts, address, options),
  });
  // An idle connection that breaks is replaced by the pool; the next query says whether the server is back.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    epochs.set(client, hosts.epoch);
    // One that breaks in the middle of a transaction fails the statement that was under way, and that is enough.
    client.on("error", () => undefined);
  });
  const connect: Pool["connect"] = (taken) =>
    pool.connect((error, client) => {
      if (error || !client) return taken(error, undefined);
      if (epochs.get(client) === hosts.epoch) return taken(undefined, client);
      client.release(true);
      connect(taken);
    });
  return {
    connect,
    release(client, failure) {
      if (codeOf(failure) === READ_ONLY && epochs.get(client) === hosts.epoch) hosts.moved();
      client.release(isOver(failure));
    },
    end: () => pool.end(),
  };
}

/**
 * One connection that is no pool's, to the same place and watched in the same way; `isOfUse` fails where it is not.
 * `patient`: for statements that take as long as they take.
 */
export function openLine(
  connection: string,
  { patient = false } = {},
): { client: pg.Client; isOfUse(): Promise<void> } {
  const address = readAddress(connection);
  const client = new (clientsOf(new Hosts(address)))({
    ...lineOptions(address),
    query_timeout: patient ? 0 : CONNECT_MS,
  });
  const isOfUse = async () => {
    if (address.places.length > 0) await mustTakeWrites(client);
    else await client.query("select 1");
  };
  return { client, isOfUse };
}

function readAddress(connection: string): Address {
  const address = addressOf(connection);
  if ("unreadable" in address) throw new Error(`the database's address should be ${address.unreadable}`);
  return address;
}

function lineOptions({ url }: Address): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: ASK_ALIVE_MS,
  };
}

/** Clients that look for their host when they connect. */
function clientsOf(hosts: Hosts): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = this.#connect();
      if (!callback) return connected;
      connected.then(() => callback(undefined as unknown as Error), callback); // as the driver calls it
      return undefined;
    }

    async #connect(): Promise<pg.Client> {
      Object.assign(this, await hosts.place());
      watchPeer(this);
      try {
        return await super.connect();
      } catch (error) {
        hosts.lost();
        throw error;
      }
    }
  };
}

/** To compile a statement took three times as long as to run it: sums of calls look dear to the planner, and are not. */
const NO_JIT = "set jit = off";

/**
 * What we no longer wait for is ended: our end of the connection is then closed. Not every system can look for that while a
 * statement runs.
 */
const LOOKS_FOR_US =
  "do $$ begin set client_connection_check_interval = 1000; exception when invalid_parameter_value then null; end $$";

/** By statements and not by what a session begins with: a pooler between us and the server refuses that. */
async function prepare(
  client: pg.ClientBase,
  hosts: Hosts,
  { places }: Address,
  { statementSeconds: seconds, life }: PoolOptions,
): Promise<void> {
  try {
    if (places.length > 0) await mustTakeWrites(client);
    const limits = `set statement_timeout = ${seconds * 1_000}; set lock_timeout = ${Math.min(LOCK_MS, seconds * 1_000)}`;
    const text = [
      NO_JIT,
      LOOKS_FOR_US,
      ...(life === undefined ? [] : [actingAs(life)]),
      ...(seconds === 0 ? [] : [limits]),
    ].join("; ");
    await client.query({ text, query_timeout: CONNECT_MS } as pg.QueryConfig);
  } catch (error) {
    hosts.lost();
    throw error;
  }
}

const [SOL_TCP, TCP_KEEPINTVL, TCP_USER_TIMEOUT] = [6, 5, 18];
let libc: Libc | undefined | "not looked for" = "not looked for";

/**
 * The system asks a silent peer whether it is alive, and ends the connection when it is not; by itself it would take
 * minutes. Where its library cannot be called, time-outs of statements alone find it.
 */
function watchPeer(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.once("connect", () => {
    if (stream.remoteAddress === undefined) return; // a unix socket is never half open
    const fd = (stream as unknown as { _handle?: { fd?: number } })._handle?.fd ?? -1;
    if (libc === "not looked for") libc = loadLibc();
    if (fd < 0 || !libc) return;
    libc.setsockopt(fd, SOL_TCP, TCP_KEEPINTVL, Int32Array.of(ASK_ALIVE_MS / 1_000), 4);
    libc.setsockopt(fd, SOL_TCP, TCP_USER_TIMEOUT, Int32Array.of(SILENT_MS), 4);
  });
}

/**
 * Whether a connection is of no more use after this. A statement that the server refused leaves it in order; anything
 * worse has ended it, seen or not yet, and a server that takes no writes is the wrong one.
 */
export function isOver(failure: unknown): failure is Error {
  if (!(failure instanceof Error)) return false;
  return !("severity" in failure && failure.severity === "ERROR") || codeOf(failure) === READ_ONLY;
}

function codeOf(failure: Error | null | undefined): string {
  return failure && "code" in failure ? String(failure.code) : "";
}

const COUNTED: readonly number[] = [20]; // bigint: our ids and counts stay far below 2^53
const AS_WRITTEN: readonly number[] = [1082, 1083]; // date and time carry no zone and must not be given one

const types = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (COUNTED.includes(oid)) return Number;
    if (AS_WRITTEN.includes(oid)) return String;
    return pg.types.getTypeParser(oid, format as "text");
  }) as typeof pg.types.getTypeParser,
};
