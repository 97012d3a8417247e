// One file with everything: all rows as they were at one moment, and the files they speak of.

import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { type FileHandle, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Clock } from "../clock.ts";
import { type Keeping, keepDeleted } from "../objects/keeping.ts";
import { shardedPath } from "../objects/objects.ts";
import { readRing } from "../secrets/key-file.ts";
import { printRing } from "../secrets/ring.ts";
import type { Db } from "../store/db.ts";
import { countSecrets, whileKeysStay } from "../store/sealing.ts";
import { sql } from "../store/sql.ts";
import { FORMAT, KEYS, MANIFEST, type Manifest } from "./manifest.ts";
import { namedFiles } from "./named-files.ts";
import { dumpTable, fixSpelling, inOrderOfReference } from "./rows.ts";
import { endOfArchive, header, padding } from "./tar.ts";

export type BackupNeeds = {
  db: Db;
  objectsFolder: string;
  file: string;
  version: string;
  clock: Clock;
  /** What is not here lies in a bucket: it is no sign of anything, and not waited for. */
  hasBucket?: boolean;
  /** The file of keys that goes into the archive; undefined leaves it out. */
  keyFile: string | undefined;
};

const PIECE_BYTES = 256 * 1024;

/** `missing`: files that rows speak of and that are not there. */
export type BackedUp = {
  rows: number;
  files: number;
  bytes: number;
  missing: number;
  keys: "inside" | "left-out" | "missing";
};

/** Files that are deleted meanwhile stay until it is over: whatever the rows speak of is there. */
export async function backUp(needs: BackupNeeds): Promise<BackedUp | { refused: "under-way"; pid: number }> {
  const keeping = await keepDeleted(needs.objectsFolder);
  if ("refused" in keeping) return keeping;
  try {
    for (let attempt = 1; ; attempt++) {
      const done = await writeDown(needs, keeping, needs.hasBucket === true || attempt === ATTEMPTS);
      if (done !== "torn") return done;
    }
  } finally {
    await keeping.end();
  }
}

/**
 * Whoever deletes a file before its row, and had looked before we began whether anybody keeps it, makes rows and files
 * disagree. He is done by the next time; a file that is lacking in the end is lost, and the rest is worth a backup.
 */
const ATTEMPTS = 3;

/** Written beside its place and moved there when whole and on the disk. */
async function writeDown(needs: BackupNeeds, { aside }: Keeping, isLast: boolean): Promise<BackedUp | "torn"> {
  const draft = `${needs.file}.draft`;
  const manifest: Manifest = {
    format: FORMAT,
    santral: needs.version,
    madeAt: new Date(needs.clock.wall()).toISOString(),
    migrations: [],
    rows: {},
    sequences: {},
    entries: [],
  };
  const folders = [needs.objectsFolder, aside];
  let keys: BackedUp["keys"] = "left-out";
  let missing = 0;
  try {
    await writeArchive(draft, async (write) => {
      // Rows and keys belong together: nobody changes the keys until both are read.
      keys = await whileKeysStay(needs.db, async () => {
        missing = await writeTables(needs.db, { manifest, write, folders });
        return needs.keyFile === undefined ? "left-out" : writeKeys(needs.keyFile, manifest, write);
      });
      if (missing > 0 && !isLast) return;
      for (const folder of folders) await writeObjects(folder, manifest, write);
      const text = Buffer.from(JSON.stringify(manifest));
      await write(Buffer.concat([header(MANIFEST, text.length), text, padding(text.length), endOfArchive]));
    });
    if (missing > 0 && !isLast) return "torn";
    await sync(draft);
    await rename(draft, needs.file);
    await sync(dirname(needs.file));
  } finally {
    await rm(draft, { force: true });
  }
  const files = manifest.entries.filter(({ name }) => name.startsWith("objects/"));
  return {
    rows: Object.values(manifest.rows).reduce((sum, count) => sum + count, 0),
    files: files.length,
    missing,
    keys,
    bytes: manifest.entries.reduce((sum, { size }) => sum + size, 0),
  };
}

type Write = (bytes: Buffer) => Promise<void>;

async function writeArchive(path: string, fill: (write: Write) => Promise<void>): Promise<void> {
  const gzip = createGzip();
  // Made by us and nobody else: a file that lay there before might be open to others, and keys go into it.
  await rm(path, { force: true });
  const written = pipeline(gzip, createWriteStream(path, { mode: 0o600, flags: "wx" }));
  written.catch(() => undefined); // heard below, wherever we are by then
  const write: Write = async (bytes) => {
    if (!gzip.write(bytes)) await Promise.race([once(gzip, "drain"), written]);
  };
  try {
    await fill(write);
    gzip.end();
  } catch (error) {
    const broken = gzip.destroyed; // then the disk's reason is the true one
    gzip.destroy();
    await written.catch((reason: unknown) => {
      if (broken) throw reason;
    });
    throw error;
  }
  await written;
}

// One snapshot for all tables: nobody is kept from writing meanwhile, and none of it is seen.
// How many files it speaks of that lie in none of the folders.
async function writeTables(db: Db, { manifest, write, folders }: TablesWriting): Promise<number> {
  return db.transaction(async (db) => {
    await db.query(sql`set transaction isolation level repeatable read, read only`);
    await fixSpelling(db);
    for (const table of await inOrderOfReference(db)) await writeTable({ db, table, manifest, write });
    await readFacts(db, manifest);
    let missing = 0;
    for await (const key of namedFiles(db)) if (!(await liesIn(folders, shardedPath(key)))) missing++;
    return missing;
  });
}

async function liesIn(folders: readonly string[], path: string): Promise<boolean> {
  for (const folder of folders) if (await stat(join(folder, path)).catch(() => undefined)) return true;
  return false;
}

type TablesWriting = { manifest: Manifest; write: Write; folders: readonly string[] };
type TableWriting = { db: Db; table: string; manifest: Manifest; write: Write };

async function writeTable({ db, table, manifest, write }: TableWriting): Promise<void> {
  manifest.rows[table] = 0;
  let part = 0;
  for await (const { text, rows } of dumpTable(db, table)) {
    manifest.rows[table] += rows;
    const name = `tables/${table}/${String(part++).padStart(6, "0")}.rows`;
    await writePart(name, Buffer.from(text), { manifest, write });
  }
}

async function writeKeys(file: string, manifest: Manifest, write: Write): Promise<"inside" | "missing"> {
  const ring = readRing(file);
  if ("missing" in ring) return "missing";
  await writePart(KEYS, Buffer.from(printRing(ring)), { manifest, write });
  return "inside";
}

async function writePart(name: string, bytes: Buffer, { manifest, write }: Pick<TableWriting, "manifest" | "write">) {
  manifest.entries.push({ name, size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
  await write(Buffer.concat([header(name, bytes.length), bytes, padding(bytes.length)]));
}

async function readFacts(db: Db, manifest: Manifest): Promise<void> {
  const migrations = await db.query<{ name: string }>(sql`select name from migrations order by name`);
  manifest.migrations = migrations.map(({ name }) => name);
  const sequences = await db.query<{ name: string; last: number }>(
    sql`select sequencename as name, last_value as last from pg_sequences
     where schemaname = current_schema() and last_value is not null`,
  );
  manifest.sequences = Object.fromEntries(sequences.map(({ name, last }) => [name, last]));
  const secrets = await countSecrets(db);
  manifest.sealedUnder = [...new Set(secrets.flatMap(({ keyId }) => keyId ?? []))];
}

// Files are written before the rows that name them and never changed, so whatever the rows speak of is here, or aside.
async function writeObjects(folder: string, manifest: Manifest, write: Write): Promise<void> {
  const written = new Set(manifest.entries.map(({ name }) => name));
  for await (const path of filesIn(folder)) {
    const name = `objects/${relative(folder, path)}`;
    const file = written.has(name) ? undefined : await open(path, "r").catch(() => undefined); // put aside since
    if (!file) continue;
    try {
      const { size } = await file.stat();
      const hash = createHash("sha256");
      await write(header(name, size));
      for await (const chunk of piecesOf(file, size)) {
        hash.update(chunk);
        await write(chunk);
      }
      await write(padding(size));
      manifest.entries.push({ name, size, sha256: hash.digest("hex") });
    } finally {
      await file.close();
    }
  }
}

/** A file that still grows is taken as far as it had come. */
async function* piecesOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) throw new Error("a file became shorter while it was read");
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

async function* filesIn(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue; // files in the making
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
