// The database behind the exchange: the operator's own server, or the embedded one, kept running for as long as we run.

import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { DataFolder } from "./data-folder.ts";
import { giveUp } from "./give-up.ts";
import type { Log } from "./log.ts";
import { migrationsFolder } from "./places.ts";
import type { Db } from "./store/db.ts";
import { type EmbeddedServer, startEmbeddedServer } from "./store/embedded.ts";
import { migrate } from "./store/migrate.ts";

export type DatabaseServer = { connection: string; close(): Promise<void> };

type Needs = { config: Config; folder: Pick<DataFolder, "database">; clock: Clock; log: Log };

export async function openDatabaseServer({ config, folder, clock, log }: Needs): Promise<DatabaseServer> {
  if (config.databaseUrl) return { connection: config.databaseUrl, close: async () => undefined };
  const start = () => startEmbeddedServer(folder.database, clock);
  let server = await start();
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
    connection: server.connection,
    close: () => {
      closing = true;
      return server.stop();
    },
  };
}

/** Applies what is missing, or gives up on a schema that only a later version of Santral understands. */
export async function bringUpToDate(db: Db, log: Log): Promise<string[]> {
  const done = await migrate(db, migrationsFolder);
  if ("refused" in done)
    return giveUp(
      `this database was made by a newer version of Santral (${done.unknown.join(", ")} unknown): start that version, or restore a backup`,
      "newerSchema",
    );
  if (done.applied.length > 0) log.info({ applied: done.applied }, "schema brought up to date");
  return done.applied;
}
