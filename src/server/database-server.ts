// The database behind the exchange: the operator's own server, or the embedded one, kept running for as long as we run.

import { type Clock, pause } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { migrationsFolder } from "../places.ts";
import { type Database, type DatabaseUrls, type Db, openDatabase } from "../store/db.ts";
import { type EmbeddedServer, startEmbeddedServer } from "../store/embedded.ts";
import { embeddedUrls, prepareRoles } from "../store/embedded-roles.ts";
import { exchangesWithPremiumCalls } from "../store/exchanges.ts";
import { migrate } from "../store/migrate.ts";
import { livingNodes } from "../store/nodes.ts";
import { sql } from "../store/sql.ts";
import { raiseWalls } from "../store/walls.ts";
import type { DataFolder } from "./data-folder.ts";
import { giveUp } from "./give-up.ts";
import type { Stop } from "./parts.ts";
import type { Supervisor } from "./supervised.ts";

export type DatabaseServer = {
  urls: DatabaseUrls;
  /** What keeps the embedded server from running; undefined while it runs, or is not ours. */
  trouble(): string | undefined;
  /** The embedded one goes on where the next process is started at once, by whoever keeps it. */
  close(stop?: Stop): Promise<void>;
};

/** After the first try in vain; twice as long after each further one. */
const TRY_AGAIN_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

type Needs = {
  config: Config;
  folder: Pick<DataFolder, "database">;
  clock: Clock;
  log: Log;
  /** Keeps the embedded server running when we are killed. */
  supervisor?: Supervisor | undefined;
};

/** By this name the database knows whoever holds the data folder. */
const NAME = "santral server";

export async function openDatabaseServer({ config, ...needs }: Needs): Promise<DatabaseServer> {
  const { folder, clock, log, supervisor } = needs;
  const urls = databaseUrls(config, folder);
  if (config.databaseUrl) return { urls, trouble: () => undefined, close: async () => undefined };
  const server = await startEmbeddedServer(folder.database, clock, { keeper: keeperOf(supervisor) });
  if (server.isFound) {
    log.info({ pid: server.pid }, "the embedded database has gone on running");
    await endFormerSelf(server.connection, clock);
  }
  await prepareRoles(server.connection, clock);
  return { urls: named(urls), ...keepRunning(server, needs) };
}

function keeperOf(supervisor: Supervisor | undefined): Supervisor | undefined {
  return supervisor?.isThere() ? supervisor : undefined;
}

/** What a process that was killed still has under way there ends before we look at anything. */
async function endFormerSelf(superuser: string, clock: Clock): Promise<void> {
  const db = openDatabase(superuser, clock, { connections: 1 });
  const others = sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = $1`;
  await db.query(others, [NAME]).finally(() => db.close());
}

function named({ owner, server, tenants }: DatabaseUrls): DatabaseUrls {
  const as = (url: string) => `${url}&application_name=${encodeURIComponent(NAME)}`;
  return { owner: as(owner), server: as(server), tenants: tenants === undefined ? undefined : as(tenants) };
}

/** Calls that are up need no database: it is started again for as long as that takes, and they go on meanwhile. */
function keepRunning(first: EmbeddedServer, { folder, clock, log, supervisor }: Omit<Needs, "config">) {
  let server: EmbeddedServer | undefined = first;
  let trouble: string | undefined;
  let isClosing = false;
  const startAgain = async (): Promise<EmbeddedServer | undefined> => {
    for (let pauseMs = TRY_AGAIN_MS; !isClosing; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        return await startEmbeddedServer(folder.database, clock, { again: true, keeper: keeperOf(supervisor) });
      } catch (error) {
        trouble = troubleIn(error);
        log.error({ error: String(error), tryAgainMs: pauseMs }, `the embedded database does not start: ${trouble}`);
      }
      await pause(clock, pauseMs);
    }
    return undefined;
  };
  const watch = async (): Promise<void> => {
    while (server) {
      const { pid, gone } = server;
      await gone;
      if (isClosing) return;
      log.error({ pid }, "the embedded database ended by itself; starting it again");
      trouble = "it ended by itself and is being started again";
      server = await startAgain();
      trouble = undefined;
      if (server) log.info({ pid: server.pid }, "the embedded database is back");
    }
  };
  const watching = watch();
  return {
    trouble: () => trouble,
    close: async (stop?: Stop) => {
      isClosing = true;
      if (stop?.again && supervisor?.isThere()) return;
      await server?.stop();
      await watching;
      await server?.stop(); // started while we waited
    },
  };
}

/** The server's own last word on it, without its stamp. */
function troubleIn(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  if (/No space left on device|ENOSPC/i.test(said)) return "no space left on device";
  const fatal = /(?:FATAL|PANIC|ERROR):\s*(.+)/.exec(said)?.[1];
  return (fatal ?? said.replace(/^the embedded database did not start: (postgres: )?/, "").split("\n")[0]!).slice(
    0,
    200,
  );
}

/** The operator's server, or the embedded one of this folder. */
export function databaseUrls(config: Config, folder: Pick<DataFolder, "database">): DatabaseUrls {
  const { databaseUrl: server, databaseOwnerUrl, databaseTenantUrl: tenants, tenantWalls } = config;
  const urls = server ? { server, owner: databaseOwnerUrl ?? server, tenants } : embeddedUrls(folder.database);
  return tenantWalls ? urls : { ...urls, tenants: undefined };
}

/** Opened for the owner's work alone: migrations, their walls, and what else only he may do. */
export async function asOwner<Result>(
  { owner }: DatabaseUrls,
  clock: Clock,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase(owner, clock, { connections: 1, life: "command" });
  return work(db).finally(() => db.close());
}

/** Applies what is missing, or gives up on a schema that only a later version of Santral understands. */
export function bringUpToDate(urls: DatabaseUrls, clock: Clock, log: Log, asNode = false): Promise<string[]> {
  return asOwner(urls, clock, async (db) => {
    const applied = await applyMigrations(db, log);
    const tenant = urls.tenants === undefined ? undefined : await roleBehind(urls.tenants, clock);
    // A command beside nodes that knows nothing of them takes no fence away.
    const fenced = asNode || (await livingNodes(db)).length > 0;
    const raised = await raiseWalls(db, { server: await roleBehind(urls.server, clock), tenant, fenced });
    log.debug({ walls: raised }, "the database's walls");
    return applied;
  });
}

async function roleBehind(url: string, clock: Clock): Promise<string> {
  const db = openDatabase(url, clock, { connections: 1 });
  try {
    const [row] = await db.query<{ role: string }>(sql`select current_user as role`);
    return row!.role; // a select without a condition has its row
  } finally {
    await db.close();
  }
}

async function applyMigrations(db: Db, log: Log): Promise<string[]> {
  const done = await migrate(db, migrationsFolder);
  if ("refused" in done)
    return giveUp(
      `this database was made by a newer version of Santral (${done.unknown.join(", ")} unknown): start that version, or restore a backup`,
      "newerSchema",
    );
  if (done.applied.length > 0) log.info({ applied: done.applied }, "schema brought up to date");
  if (done.applied.includes(LEARNS_PREMIUM)) await tellWhoKeepsPremium(db, log);
  return done.applied;
}

const LEARNS_PREMIUM = "0429-premium-calls.sql";

/** Calls to premium and satellite numbers are barred from then on, but for those who have had such calls of late. */
async function tellWhoKeepsPremium(db: Db, log: Log): Promise<void> {
  const kept = await exchangesWithPremiumCalls(db);
  for (const exchangeId of kept)
    log.warn({ exchangeId }, "calls to premium and satellite numbers stay allowed, since there were some in 90 days");
}
