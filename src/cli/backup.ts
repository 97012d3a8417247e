// santral backup and restore: all data and files in one archive, and back.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { lookAtArrears } from "../arrears/arrears.ts";
import { type BackedUp, backUp } from "../backup/backup.ts";
import { type RestoreRefusal, restore } from "../backup/restore.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { silentLog } from "../log.ts";
import { migrationsFolder, programVersion } from "../places.ts";
import { placesIn } from "../server/data-folder.ts";
import { asOwner, bringUpToDate } from "../server/database-server.ts";
import { giveUp } from "../server/give-up.ts";
import { keyFileOf, sealEverything } from "../server/open-secrets.ts";
import { readRun } from "../server/run-file.ts";
import { sql } from "../store/sql.ts";
import { sureAbout, YES } from "./ask.ts";
import { databaseCommand } from "./command.ts";
import { ringIn } from "./secrets.ts";
import { said } from "./show.ts";

const words: { [R in RestoreRefusal["refused"]]: (refusal: Extract<RestoreRefusal, { refused: R }>) => string } = {
  "not-a-backup": ({ why }) => `this is not a whole backup: ${why}`,
  damaged: ({ entry }) => `the backup is damaged: ${entry} does not have its checksum`,
  newer: ({ migrations }) => `the backup was made by a newer version of Santral (${migrations.join(", ")} unknown)`,
  "not-empty": ({ table }) =>
    `the database is not empty (${table}): restore into a new data folder, or an empty database by DATABASE_URL`,
  "keys-missing": ({ ids }) =>
    `the archive came without the keys of its secrets (${ids.join(", ")}): bring them with --keys FILE, or say --without-keys and set those secrets anew`,
  "keys-unusable": ({ why }) => `the keys cannot be used: ${why}`,
};

const aboutKeys: { [Keys in BackedUp["keys"]]: string } = {
  inside: "the keys of sealed secrets are inside: whoever has this file can read them",
  "left-out": "the keys of sealed secrets are not inside: keep the file of keys, or those secrets are lost",
  missing: "the keys of sealed secrets were not found and are not inside: see santral doctor",
};

/** What is not here. The bucket is not asked for each of them. */
const whereElse = ({ filesUrl }: Config): string =>
  filesUrl ? "are not here: they lie in the bucket, which a restored server needs as well" : "are lost";

export function addBackupCommands(program: Command, clock: Clock): void {
  databaseCommand(program, clock, {
    usage: "backup <file>",
    says: "write everything to one archive; the server may go on working meanwhile",
    options: [["--without-keys", "leave out the keys of sealed secrets; keep the file of keys elsewhere"], YES],
    act: async (given, { db, folder, config }) => {
      const file = resolve(given.words[0] ?? "");
      if (existsSync(file)) await sureAbout(`${file} is there already. Replace it?`, given);
      const keyFile = given.options.withoutKeys ? undefined : keyFileOf(config);
      const wanted = { objectsFolder: folder.objects, file, version: programVersion(), clock, keyFile };
      const done = await backUp({ ...wanted, db, hasBucket: config.filesUrl !== undefined });
      if ("refused" in done) return giveUp(`another backup is under way (process ${done.pid})`, "inUse");
      const { entries: owed } = await lookAtArrears(folder.arrears);
      const size = `${(done.bytes / 1024 ** 2).toFixed(1)} MiB`;
      return said(
        [
          `${file}: ${done.rows} rows and ${done.files} files, ${size} before compression`,
          aboutKeys[done.keys],
          ...(done.missing > 0
            ? [`${done.missing} files that rows speak of ${whereElse(config)}, and not inside`]
            : []),
          ...(owed > 0
            ? [`${owed} things wait on disk for the database and are not inside: make another when they are written`]
            : []),
        ],
        { file, ...done, owed },
      );
    },
  });
  databaseCommand(program, clock, {
    usage: "restore <file>",
    says: "put an archive back into an empty database; the server must not be running",
    options: [
      ["--keys <file>", "a file of keys, instead of those in the archive"],
      ["--without-keys", "go on without the keys of sealed secrets: they have to be set anew"],
    ],
    make: true,
    act: async ({ words: [given = ""], options }, { db, urls, clock, folder, config }) => {
      if (await readRun(placesIn(config.dataFolder).run))
        giveUp("a server is running on this data folder: stop it first", "inUse");
      const file = resolve(given);
      const wanted = {
        objectsFolder: folder.objects,
        file,
        migrationsFolder,
        keyFile: keyFileOf(config),
        broughtKeys: typeof options.keys === "string" ? ringIn(resolve(options.keys)) : undefined,
        withoutKeys: options.withoutKeys === true,
      };
      const done = await asOwner(urls, clock, (db) => restore({ ...wanted, db }));
      // The words are chosen by the very field their parameter narrows on.
      if ("refused" in done) return giveUp((words[done.refused] as (refusal: RestoreRefusal) => string)(done));
      await bringUpToDate(urls, clock, silentLog);
      await sealEverything({ config, db, urls, clock, log: silentLog });
      await asOwner(urls, clock, (db) => db.query(sql`analyze`));
      return said(`${done.rows} rows and ${done.files} files are back, as of ${done.madeAt}`, done);
    },
  });
}
