// The database for one command: that of the running server if there is one, or else started for the command alone.

import { existsSync } from "node:fs";
import { type Clock, pause, within } from "../clock.ts";
import type { Config } from "../config.ts";
import { silentLog } from "../log.ts";
import { migrationsFolder } from "../places.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { type Database, type DatabaseUrls, openDatabase } from "../store/db.ts";
import { missingMigrations } from "../store/migrate.ts";
import { type DataFolder, placesIn, prepareDataFolder, tryLock } from "./data-folder.ts";
import { bringUpToDate, databaseUrls, openDatabaseServer } from "./database-server.ts";
import { giveUp } from "./give-up.ts";
import { openKeys, sealEverything } from "./open-secrets.ts";
import { readRun } from "./run-file.ts";

export type CommandDatabase = {
  db: Database;
  secrets: Secrets;
  urls: DatabaseUrls;
  folder: Omit<DataFolder, "close">;
};

/** `make`: whether the command may be the first thing that ever happens in this data folder. */
type Needs = { config: Config; clock: Clock; make: boolean };

const CONNECTIONS = 4;

/** A server that is starting, or another command, is soon done with the folder. */
const PATIENCE_MS = 30_000;
const BETWEEN_LOOKS_MS = 50;

export async function withDatabase<Result>(
  { config, clock, make }: Needs,
  work: (database: CommandDatabase) => Promise<Result>,
): Promise<Result> {
  const folder = placesIn(config.dataFolder);
  const urls = databaseUrls(config, folder);
  if (config.databaseUrl) return besideServer({ urls, folder, config, clock }, work);
  if (!make && !existsSync(folder.database))
    giveUp(`there is no exchange in ${folder.path} yet: run "santral start" first, or set SANTRAL_DATA to its folder`);
  await prepareDataFolder(folder.path);
  for (
    const lastChance = within(clock, PATIENCE_MS);
    clock.ticks() < lastChance;
    await pause(clock, BETWEEN_LOOKS_MS)
  ) {
    if (await readRun(folder.run)) return besideServer({ urls, folder, config, clock }, work);
    const lock = await tryLock(folder.path, "command");
    if (lock) return onOurOwn({ config, clock, folder }, work).finally(() => lock.close());
  }
  return giveUp(`${folder.path} stays in use by a server that does not become ready, or by another command`, "inUse");
}

async function besideServer<Result>(
  { urls, folder, config, clock }: Omit<CommandDatabase, "db" | "secrets"> & { config: Config; clock: Clock },
  work: (database: CommandDatabase) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase(urls.server, clock, { connections: CONNECTIONS, life: "command" });
  try {
    const missing = await missingMigrations(db, migrationsFolder).catch((error: Error) =>
      giveUp(`the database does not answer: ${error.message}`),
    );
    if (missing.unknown.length > 0) giveUp("this database was made by a newer version of Santral", "newerSchema");
    if (missing.pending.length > 0)
      giveUp('the database is older than this program: run "santral migrate", or start the server again');
    const secrets = await openKeys({ config, db, clock, log: silentLog });
    return await work({ db, secrets, urls, folder });
  } finally {
    await db.close();
  }
}

async function onOurOwn<Result>(
  { config, clock, folder }: { config: Config; clock: Clock; folder: CommandDatabase["folder"] },
  work: (database: CommandDatabase) => Promise<Result>,
): Promise<Result> {
  const server = await openDatabaseServer({ config, folder, clock, log: silentLog });
  const { urls } = server;
  try {
    await bringUpToDate(urls, clock, silentLog);
    const db = openDatabase(urls.server, clock, { connections: CONNECTIONS });
    try {
      const secrets = await sealEverything({ config, db, urls, clock, log: silentLog });
      return await work({ db, secrets, urls, folder });
    } finally {
      await db.close();
    }
  } finally {
    await server.close();
  }
}
