// Two PostgreSQL servers of Debian's in folders of ours: a primary, and a standby without which nothing is acknowledged.
// When the primary dies the standby takes its place, and a new standby is made where the old primary was.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { realClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { giveTo, type OrdinaryUser, ordinaryUserFor, succeeds } from "../../src/store/ordinary-user.ts";
import { literal, quoted, type Sql, sql } from "../../src/store/sql.ts";
import { childrenOf } from "../ground/children.ts";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { whenOver } from "../ground/when-over.ts";

const ADDRESS = "127.0.0.1";
const SUPERUSER = "santral";
const DATABASE = "santral";
export const ROLES = { owner: "santral_owner", server: "santral_server", tenant: "santral_tenant" };

export type DatabaseServer = { name: string; port: number; pid: number };

export type DatabasePair = {
  /** Both hosts, of which the one is used that takes writes. */
  urlOf(role: string): string;
  superuser: string;
  primary(): DatabaseServer;
  standby(): DatabaseServer;
  /** How often something was refused because that life was over, or the exchange another's. */
  refused(life: number): number;
  /** Kills the primary and all its processes, as a machine dies; back once another primary takes writes. */
  killPrimary(): Promise<void>;
  /** Once a standby keeps up again, so that the next may die. */
  whole(): Promise<void>;
};

type Server = DatabaseServer & { folder: string; child: ChildProcess | undefined };

/** `refused`: a life for each statement that a fence let not through. */
type Ground = { bin: string; folder: string; user: OrdinaryUser; refused: number[] };

const REFUSED = /ERROR: .*\bnode life (\d+)/;

const run = promisify(execFile);

export async function openDatabasePair(folder: string, say: (line: string) => void = () => {}): Promise<DatabasePair> {
  const bin = binaries();
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const user = ordinaryUserFor(join(folder, "one"), join(bin, "postgres"));
  chmodSync(folder, 0o755);
  const ground: Ground = { bin, folder, user, refused: [] };
  let [primary, standby] = [await server(folder, "one"), await server(folder, "two")];
  let isOver = false;
  let rebuilding = Promise.resolve();
  whenOver(async () => {
    isOver = true;
    for (const each of [primary, standby]) await end(each, "SIGQUIT");
    await rebuilding.catch(() => undefined);
    for (const each of [primary, standby]) await end(each, "SIGQUIT");
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const watch = (watched: Server) =>
    watched.child?.once("exit", () => {
      if (isOver) return;
      const isPrimary = watched === primary;
      say(`PostgreSQL ${watched.name}, the ${isPrimary ? "primary" : "standby"}, is gone`);
      rebuilding = rebuilding.then(() => replace(watched)).catch((error: Error) => say(`PostgreSQL: ${error.message}`));
    });

  /** What Patroni does: the standby is promoted, acknowledges alone until it has a standby itself. */
  const replace = async (gone: Server) => {
    await end(gone, "SIGKILL");
    if (gone === primary) {
      [primary, standby] = [standby, primary];
      await acknowledges(primary, "");
      await run(...words(ground, "pg_ctl", "promote", "-D", primary.folder));
      say(`PostgreSQL ${primary.name} is the primary now (pid ${primary.pid})`);
    } else await acknowledges(primary, "");
    if (isOver) return;
    await follow(ground, { primary, standby });
    watch(standby);
    say(`PostgreSQL ${standby.name} follows it (pid ${standby.pid})`);
  };

  await initialise(ground, primary);
  await start(ground, primary);
  await makeRoles(primary);
  await follow(ground, { primary, standby });
  watch(primary);
  watch(standby);
  const urlOf = (role: string) =>
    `postgres://${role}@${ADDRESS}:${primary.port},${ADDRESS}:${standby.port}/${DATABASE}?target_session_attrs=read-write`;
  return {
    urlOf,
    superuser: urlOf(SUPERUSER),
    primary: () => primary,
    standby: () => standby,
    refused: (life) => ground.refused.filter((it) => it === life).length,
    async killPrimary() {
      await rebuilding;
      const former = primary;
      for (const pid of [former.pid, ...childrenOf(former.pid)]) signal(pid, "SIGKILL");
      await eventually("another primary", async () => primary !== former && takesWrites(primary));
    },
    whole: async () => {
      await eventually("a standby", async () => (await isInStep(primary)) || undefined, 120);
      await rebuilding;
    },
  };
}

function binaries(): string {
  const root = "/usr/lib/postgresql";
  const versions = readdirSync(root).filter((name) => Number(name) >= 15);
  const [newest] = versions.sort((one, other) => Number(other) - Number(one));
  if (newest === undefined) throw new Error(`there is no PostgreSQL 15 or later in ${root}`);
  return join(root, newest, "bin");
}

async function server(folder: string, name: string): Promise<Server> {
  const port = await freePorts(1);
  return { name, port, pid: 0, folder: join(folder, name), child: undefined };
}

function words({ bin, user }: Ground, program: string, ...rest: string[]): [string, string[]] {
  const [first = "", ...more] = [...user.wrapper, join(bin, program), ...rest];
  return [first, more];
}

async function initialise(ground: Ground, { folder }: Server): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  giveTo(ground.user, folder);
  const how = ["-U", SUPERUSER, "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-instructions", "--no-sync"];
  await run(...words(ground, "initdb", "-D", folder, ...how));
}

async function start(ground: Ground, server: Server): Promise<void> {
  const dies = succeeds("setpriv", "--pdeathsig", "INT", "true") ? ["setpriv", "--pdeathsig", "INT"] : [];
  const settings = [
    ...[
      `port=${server.port}`,
      `listen_addresses=${ADDRESS}`,
      "unix_socket_directories=",
      `cluster_name=${server.name}`,
    ],
    ...["shared_buffers=64MB", "max_connections=200", "hot_standby=on", "wal_keep_size=256MB", "max_wal_size=512MB"],
  ].flatMap((it) => ["-c", it]);
  const [command, rest] = words(ground, "postgres", "-D", server.folder, ...settings);
  const [first = "", ...more] = [...(ground.user.wrapper.length > 0 ? [] : dies), command, ...rest];
  // Ctrl-C at a terminal is for us; we end it in our time.
  const child = spawn(first, more, { stdio: ["ignore", "ignore", "pipe"], detached: true });
  let said = "";
  child.stderr.on("data", (text: Buffer) => {
    said = (said + text.toString()).slice(-4_000);
  });
  createInterface({ input: child.stderr }).on("line", (line) => {
    const [, life] = REFUSED.exec(line) ?? [];
    if (life !== undefined) ground.refused.push(Number(life));
  });
  server.child = child;
  await eventually(`PostgreSQL ${server.name} answers`, async () => {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ${server.name} did not start: ${said}`);
    return (await asks(server, sql`select 1`).catch(() => undefined)) && true;
  });
  server.pid = Number(readFileSync(join(server.folder, "postmaster.pid"), "utf8").split("\n")[0]);
}

async function makeRoles(server: Server): Promise<void> {
  for (const role of Object.values(ROLES)) await asks(server, sql`create role ${quoted(role)} login`);
  await asks(server, sql`create database ${quoted(DATABASE)} owner ${quoted(ROLES.owner)}`);
}

/** A copy of the primary that reads on from it; from then on nothing is acknowledged without it. */
async function follow(ground: Ground, { primary, standby }: { primary: Server; standby: Server }): Promise<void> {
  rmSync(standby.folder, { recursive: true, force: true });
  mkdirSync(standby.folder, { mode: 0o700 });
  giveTo(ground.user, standby.folder);
  const from = `host=${ADDRESS} port=${primary.port} user=${SUPERUSER} application_name=${standby.name}`;
  const how = ["-d", from, "-D", standby.folder, "-R", "-X", "stream", "-c", "fast", "--no-sync"];
  await run(...words(ground, "pg_basebackup", ...how));
  await start(ground, standby);
  await acknowledges(primary, standby.name);
  await eventually("the standby keeps up", async () => isInStep(primary));
}

async function isInStep(primary: Server): Promise<boolean> {
  const rows = await asks(primary, sql`select from pg_stat_replication where sync_state = 'sync'`).catch(() => []);
  return rows.length > 0;
}

async function takesWrites(server: Server): Promise<boolean> {
  const rows = await asks(server, sql`select where not pg_is_in_recovery()`).catch(() => []);
  return rows.length > 0;
}

/** Whose word it waits for before it says that something is kept; nobody's if there is none. */
async function acknowledges(server: Server, standby: string): Promise<void> {
  await asks(server, sql`alter system set synchronous_standby_names = ${literal(standby)}`);
  await asks(server, sql`select pg_reload_conf()`);
}

async function asks(server: Server, statement: Sql): Promise<unknown[]> {
  const url = `postgres://${SUPERUSER}@${ADDRESS}:${server.port}/postgres`;
  const db = openDatabase(url, realClock, { connections: 1, life: "command" });
  try {
    return await db.query(statement);
  } finally {
    await db.close();
  }
}

async function end({ child }: Server, how: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(how);
  await gone;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it went with the one before
  }
}
