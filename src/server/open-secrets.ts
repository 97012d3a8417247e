// The keys of sealed secrets as the settings want them: made once, everything readable sealed with them, and a loud word
// when one is missing. Nothing here keeps a server from starting: phones need none of these secrets.

import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { isOpenToOthers, makeRing, readRing } from "../secrets/key-file.ts";
import { keyOf } from "../secrets/ring.ts";
import { openSecrets, type Secrets } from "../secrets/secrets.ts";
import type { DatabaseUrls, Db } from "../store/db.ts";
import { countSecrets, type SecretCount, sealPlain, secretColumns, secretKinds } from "../store/sealing.ts";
import { joined, sql } from "../store/sql.ts";
import { placesIn } from "./data-folder.ts";
import { asOwner } from "./database-server.ts";
import { giveUp } from "./give-up.ts";

export type SecretsNeeds = { config: Config; db: Db; clock: Clock; log: Log };

export function keyFileOf({ secretKeys, dataFolder }: Pick<Config, "secretKeys" | "dataFolder">): string {
  return secretKeys ?? placesIn(dataFolder).secretKeys;
}

/**
 * The file of keys is made only while nothing is sealed. Afterwards a missing file is a lost one: a new one in its place
 * would hide that, and be overwritten by the old one when it is found.
 */
export async function openKeys({ config, db, clock, log }: SecretsNeeds): Promise<Secrets> {
  const file = keyFileOf(config);
  const ring = readRing(file);
  if ("missing" in ring && ring.missing === "no-file" && (await countSecrets(db)).every(({ keyId }) => keyId === null))
    await makeRing(file, clock.wall()).catch((error: Error) =>
      giveUp(`the file of keys cannot be made: ${error.message}; set SANTRAL_SECRET_KEYS to another place`),
    );
  return openSecrets({ read: () => readRing(file), log });
}

/** For whoever has just brought the schema up to date: from here on nothing readable is left in the columns. */
export async function sealEverything(needs: SecretsNeeds & { urls: DatabaseUrls }): Promise<Secrets> {
  const { config, db, urls, clock, log } = needs;
  const file = keyFileOf(config);
  const secrets = await openKeys(needs);
  if (!("missing" in readRing(file))) {
    const sealed = await sealPlain(db, secrets);
    if (Object.keys(sealed).length > 0)
      log.info({ sealed }, "secrets that lay readable in the database are sealed now");
    if (Object.keys(sealed).length > 0 && !config.databaseUrl)
      await asOwner(urls, clock, (db) => forgetOldRows(db, log));
  }
  for (const { says, todo, isGrave } of await troubleWithKeys(db, file))
    log[isGrave ? "error" : "warn"]({ file, todo }, says);
  return secrets;
}

// An update leaves the row as it was in the table's file until somebody needs the room. Only where the server is ours: it
// locks the tables.
async function forgetOldRows(db: Db, log: Log): Promise<void> {
  const tables = secretKinds.map((kind) => secretColumns[kind].table);
  await db
    .query(sql`vacuum (full) ${joined(tables, ", ")}`)
    .catch((error: Error) => log.warn({ error: error.message }, "old rows with readable secrets were not removed"));
}

export type KeyTrouble = { says: string; todo: string; isGrave: boolean };

/** What is wrong with the keys as a whole; whether each secret opens is another question. */
export async function troubleWithKeys(db: Db, file: string): Promise<KeyTrouble[]> {
  const ring = readRing(file);
  const sealed = (await countSecrets(db)).filter(({ keyId }) => keyId !== null);
  const troubles: KeyTrouble[] = [];
  if ("missing" in ring)
    troubles.push({
      says: `${ring.why}: ${sumOf(sealed)} secrets in the database cannot be opened`,
      isGrave: true,
      todo: `bring it back (santral secrets add FILE; it is part of a backup); if it is lost for good: santral secrets rotate --lost`,
    });
  else {
    const locked = sealed.filter(({ keyId }) => !keyOf(ring, keyId ?? ""));
    const ids = [...new Set(locked.map(({ keyId }) => keyId))].join(", ");
    if (locked.length > 0)
      troubles.push({
        says: `${sumOf(locked)} secrets cannot be opened: ${file} lacks key ${ids}`,
        isGrave: true,
        todo: "bring the file that has it (santral secrets add FILE), or set those secrets anew",
      });
  }
  if (await isOpenToOthers(file))
    troubles.push({ says: `${file} is readable for other users`, todo: `chmod 600 ${file}`, isGrave: false });
  return troubles;
}

export function sumOf(counts: readonly SecretCount[]): number {
  return counts.reduce((sum, { secrets }) => sum + secrets, 0);
}
