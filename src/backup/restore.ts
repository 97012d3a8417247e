// Puts a backup back into an empty database: everything or nothing, and only after every checksum was right.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createGunzip } from "node:zlib";
import { readRing, writeRing } from "../secrets/key-file.ts";
import { joinRings, keyOf, parseRing, type Ring } from "../secrets/ring.ts";
import type { Db } from "../store/db.ts";
import { fromOwnFile, quoted, sql } from "../store/sql.ts";
import { KEYS, MANIFEST, type Manifest, readManifest } from "./manifest.ts";
import { fixSpelling, loadRows, tablesOf, withTriggersAside } from "./rows.ts";
import { type Entry, readEntries } from "./tar.ts";

export type RestoreNeeds = {
  db: Db;
  objectsFolder: string;
  file: string;
  migrationsFolder: string;
  /** Where the keys of sealed secrets lie here. What comes with the archive is added to them. */
  keyFile: string;
  /** Instead of the keys in the archive. */
  broughtKeys?: Ring | undefined;
  /** Also when the keys that the secrets need are nowhere. */
  withoutKeys?: boolean;
};

export type RestoreRefusal =
  | { refused: "not-a-backup"; why: string }
  | { refused: "damaged"; entry: string }
  | { refused: "newer"; migrations: string[] }
  | { refused: "not-empty"; table: string }
  | { refused: "keys-missing"; ids: string[] }
  | { refused: "keys-unusable"; why: string };

export type Restored = { rows: number; files: number; madeAt: string };

/** What lies under objects/: words of letters, digits, dot, dash and underscore, none of them beginning with a dot. */
const OBJECT = /^objects((\/[a-z0-9_-][a-z0-9._-]*){1,9})$/i;
const ROWS = /^tables\/([a-z0-9_]+)\/\d+\.rows$/;

/** Tables that a server fills by itself before anybody has an exchange on it. */
const FILLED_BY_ITSELF = ["migrations", "audit_lines", "nodes", "server_lease", "jobs"];

export async function restore(needs: RestoreNeeds): Promise<Restored | RestoreRefusal> {
  const verified = await verify(needs.file);
  if ("refused" in verified) return verified;
  const { manifest } = verified;
  const known = (await readdir(needs.migrationsFolder)).filter((name) => name.endsWith(".sql"));
  const newer = manifest.migrations.filter((name) => !known.includes(name));
  if (newer.length > 0) return { refused: "newer", migrations: newer };
  const keys = keysFor(needs, verified);
  if ("refused" in keys) return keys;
  return needs.db.transaction(async (db) => {
    const full = await tableInTheWay(db, needs.migrationsFolder);
    if (full) return { refused: "not-empty", table: full };
    if (keys.ring) await writeRing(needs.keyFile, keys.ring); // before the rows that need it
    await makeSchema(db, manifest, needs.migrationsFolder);
    await fixSpelling(db);
    const restored = await withTriggersAside(db, () => putBack(db, needs, manifest));
    for (const [sequence, last] of Object.entries(manifest.sequences))
      await db.query(sql`select setval($1::regclass, $2)`, [quoted(sequence), last]);
    return { ...restored, madeAt: manifest.madeAt };
  });
}

type Verified = { manifest: Manifest; ring: Ring | undefined };

/** Ours and those that come along: no key that was here is lost. */
function keysFor(needs: RestoreNeeds, { manifest, ring }: Verified): { ring: Ring | undefined } | RestoreRefusal {
  const ours = readRing(needs.keyFile);
  const coming = needs.broughtKeys ?? ring;
  if ("missing" in ours && ours.missing !== "no-file") return { refused: "keys-unusable", why: ours.why };
  const here = "missing" in ours ? undefined : ours;
  const all = coming ? joinRings(coming, here) : here;
  if (coming && !all) return { refused: "keys-unusable", why: "two different keys have the same name" };
  const missing = (manifest.sealedUnder ?? []).filter((id) => !all || !keyOf(all, id));
  if (missing.length > 0 && !needs.withoutKeys) return { refused: "keys-missing", ids: missing };
  return { ring: coming && all };
}

/** Reads the whole file once, changing nothing. */
async function verify(file: string): Promise<Verified | RestoreRefusal> {
  const sums = new Map<string, string>();
  let manifest: Manifest | undefined;
  let ring: Ring | undefined;
  try {
    for await (const { name, content } of readEntries(opened(file))) {
      if (name === MANIFEST) manifest = readManifest((await wholeOf(content)).toString());
      else if (name === KEYS) {
        const text = await wholeOf(content);
        sums.set(name, createHash("sha256").update(text).digest("hex"));
        ring = parseRing(text.toString());
      } else if (OBJECT.test(name) || ROWS.test(name)) sums.set(name, await sha256Of(content));
      else return { refused: "not-a-backup", why: `there is no place for ${JSON.stringify(name.slice(0, 100))}` };
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return { refused: "not-a-backup", why: error.message };
  }
  if (!manifest) return { refused: "not-a-backup", why: "it has no readable manifest at its end" };
  const damaged = manifest.entries.find(({ name, sha256 }) => sums.get(name) !== sha256);
  if (damaged) return { refused: "damaged", entry: damaged.name };
  const listed = new Set(manifest.entries.map(({ name }) => name));
  const extra = [...sums.keys()].find((name) => !listed.has(name));
  return extra === undefined ? { manifest, ring } : { refused: "damaged", entry: extra };
}

// Tables of another program are in the way even when they are empty: we are about to make the schema anew.
async function tableInTheWay(db: Db, migrationsFolder: string): Promise<string | undefined> {
  const ours = new Set(["migrations", ...(await tablesMadeBy(migrationsFolder))]);
  for (const table of await tablesOf(db)) {
    if (!ours.has(table)) return table;
    if (FILLED_BY_ITSELF.includes(table)) continue;
    if ((await db.query(sql`select 1 from ${quoted(table)} limit 1`)).length > 0) return table;
  }
  return undefined;
}

async function tablesMadeBy(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql"));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap((text) =>
    [...text.matchAll(/create (?:unlogged )?table (?:if not exists )?"?(\w+)/gi)].map((it) => it[1]!),
  );
}

// The schema of the day the backup was made; what has changed since is applied at the next start.
async function makeSchema(db: Db, { migrations }: Manifest, folder: string): Promise<void> {
  await db.query(sql`drop schema public cascade`);
  await db.query(sql`create schema public`);
  await db.query(sql`create table migrations (name text primary key, applied_at timestamptz not null default now())`);
  for (const name of migrations) {
    await db.query(fromOwnFile(await readFile(join(folder, name), "utf8")));
    await db.query(sql`insert into migrations (name) values ($1)`, [name]);
  }
}

// The archive has its tables in the order of their references, and the files after them.
async function putBack(db: Db, { file, objectsFolder }: RestoreNeeds, manifest: Manifest) {
  const loaded: Record<string, number> = {};
  let files = 0;
  for await (const entry of readEntries(opened(file))) {
    const table = ROWS.exec(entry.name)?.[1];
    const path = OBJECT.exec(entry.name)?.[1];
    if (path !== undefined) {
      await writeObject(join(objectsFolder, path), entry);
      files++;
    } else if (table !== undefined && table !== "migrations")
      loaded[table] = (loaded[table] ?? 0) + (await loadRows(db, table, (await wholeOf(entry.content)).toString()));
  }
  for (const [table, rows] of Object.entries(loaded))
    if (rows !== manifest.rows[table]) throw new Error(`${table} came back with ${rows} rows`);
  return { rows: Object.values(loaded).reduce((sum, count) => sum + count, 0), files };
}

async function writeObject(path: string, { content }: Entry): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "w", 0o600);
  try {
    for await (const piece of content) await file.write(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

function opened(file: string): AsyncIterable<Buffer> {
  const gunzip = createGunzip();
  createReadStream(file)
    .on("error", (error) => gunzip.destroy(error))
    .pipe(gunzip);
  return gunzip;
}

async function wholeOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function sha256Of(content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of content) hash.update(piece);
  return hash.digest("hex");
}
