// The database behind the exchange: the operator's own server, or the embedded one, kept running for as long as we run.

import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { migrationsFolder } from "../places.ts";
import { type Database, type DatabaseUrls, type Db, openDatabase } from "../store/db.ts";
import { type EmbeddedServer, startEmbeddedServer } from "../store/embedded.ts";
import { embeddedUrls, prepareRoles } from "../store/embedded-roles.ts";
import { migrate } from "../store/migrate.ts";
import { sql } from "../store/sql.ts";
import { raiseWalls } from "../store/walls.ts";
import type { DataFolder } from "./data-folder.ts";
import { giveUp } from "./give-up.ts";

export type DatabaseServer = { urls: DatabaseUrls; close(): Promise<void> };

type Needs = { config: Config; folder: Pick<DataFolder, "database">; clock: Clock; log: Log };

export async function openDatabaseServer({ config, folder, clock, log }: Needs): Promise<DatabaseServer> {
  const urls = databaseUrls(config, folder);
  if (config.databaseUrl) return { urls, close: async () => undefined };
  const start = () => startEmbeddedServer(folder.database, clock);
  let server = await start();
  await prepareRoles(server.connection, clock);
  let closing = false;
  const watch = (watched: EmbeddedServer): void => {
    void watched.gone.then(async () => {
      if (closing) return;
      log.error({ pid: watched.pid }, "the embedded database ended by itself; starting it again");
      server = await start(); // a failure here is an unhandled rejection: we end, and say so
      log.info({ pid: server.pid }, "the embedded database is back");
      watch(server);
    });
  };
  watch(server);
  return {
    urls,
    close: () => {
      closing = true;
      return server.stop();
    },
  };
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
  const db = openDatabase(owner, clock, { connections: 1 });
  return work(db).finally(() => db.close());
}

/** Applies what is missing, or gives up on a schema that only a later version of Santral understands. */
export function bringUpToDate(urls: DatabaseUrls, clock: Clock, log: Log): Promise<string[]> {
  return asOwner(urls, clock, async (db) => {
    const applied = await applyMigrations(db, log);
    const tenant = urls.tenants === undefined ? undefined : await roleBehind(urls.tenants, clock);
    const raised = await raiseWalls(db, { server: await roleBehind(urls.server, clock), tenant });
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
  return done.applied;
}
