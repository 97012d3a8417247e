// santral backup and restore: all data and files in one archive, and back.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { backUp } from "../backup/backup.ts";
import { type RestoreRefusal, restore } from "../backup/restore.ts";
import type { Clock } from "../clock.ts";
import { isAlive, placesIn } from "../data-folder.ts";
import { asOwner, bringUpToDate } from "../database-server.ts";
import { giveUp } from "../give-up.ts";
import { silentLog } from "../log.ts";
import { migrationsFolder, programVersion } from "../places.ts";
import { readRun } from "../run-file.ts";
import { sql } from "../store/sql.ts";
import { sureAbout, YES } from "./ask.ts";
import { databaseCommand } from "./command.ts";
import { said } from "./show.ts";

const words: { [R in RestoreRefusal["refused"]]: (refusal: Extract<RestoreRefusal, { refused: R }>) => string } = {
  "not-a-backup": ({ why }) => `this is not a whole backup: ${why}`,
  damaged: ({ entry }) => `the backup is damaged: ${entry} does not have its checksum`,
  newer: ({ migrations }) => `the backup was made by a newer version of Santral (${migrations.join(", ")} unknown)`,
  "not-empty": ({ table }) =>
    `the database is not empty (${table}): restore into a new data folder, or an empty database by DATABASE_URL`,
};

export function addBackupCommands(program: Command, clock: Clock): void {
  databaseCommand(program, clock, {
    usage: "backup <file>",
    says: "write everything to one archive; the server may go on working meanwhile",
    options: [YES],
    act: async (given, { db, folder }) => {
      const file = resolve(given.words[0] ?? "");
      if (existsSync(file)) await sureAbout(`${file} is there already. Replace it?`, given);
      const done = await backUp({ db, objectsFolder: folder.objects, file, version: programVersion(), clock });
      const size = `${(done.bytes / 1024 ** 2).toFixed(1)} MiB`;
      return said(`${file}: ${done.rows} rows and ${done.files} files, ${size} before compression`, { file, ...done });
    },
  });
  databaseCommand(program, clock, {
    usage: "restore <file>",
    says: "put an archive back into an empty database; the server must not be running",
    make: true,
    act: async ({ words: [given = ""] }, { urls, clock, folder, config }) => {
      const run = await readRun(placesIn(config.dataFolder).run);
      if (run && isAlive(run.pid)) giveUp("a server is running on this data folder: stop it first", "inUse");
      const file = resolve(given);
      const done = await asOwner(urls, clock, (db) =>
        restore({ db, objectsFolder: folder.objects, file, migrationsFolder }),
      );
      // The words are chosen by the very field their parameter narrows on.
      if ("refused" in done) return giveUp((words[done.refused] as (refusal: RestoreRefusal) => string)(done));
      await bringUpToDate(urls, clock, silentLog);
      await asOwner(urls, clock, (db) => db.query(sql`analyze`));
      return said(`${done.rows} rows and ${done.files} files are back, as of ${done.madeAt}`, done);
    },
  });
}
