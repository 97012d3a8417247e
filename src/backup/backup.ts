// One file with everything: all rows as they were at one moment, and the files they speak of.

import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Clock } from "../clock.ts";
import { readRing } from "../secrets/key-file.ts";
import { printRing } from "../secrets/ring.ts";
import type { Db } from "../store/db.ts";
import { countSecrets, whileKeysStay } from "../store/sealing.ts";
import { sql } from "../store/sql.ts";
import { FORMAT, KEYS, MANIFEST, type Manifest } from "./manifest.ts";
import { dumpTable, fixSpelling, inOrderOfReference } from "./rows.ts";
import { endOfArchive, header, padding } from "./tar.ts";

export type BackupNeeds = {
  db: Db;
  objectsFolder: string;
  file: string;
  version: string;
  clock: Clock;
  /** The file of keys that goes into the archive; undefined leaves it out. */
  keyFile: string | undefined;
};

const PIECE_BYTES = 256 * 1024;

export type BackedUp = { rows: number; files: number; bytes: number; keys: "inside" | "left-out" | "missing" };

/** Written beside its place and moved there when whole and on the disk. */
export async function backUp(needs: BackupNeeds): Promise<BackedUp> {
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
  let keys: BackedUp["keys"] = "left-out";
  try {
    await writeArchive(draft, async (write) => {
      // Rows and keys belong together: nobody changes the keys until both are read.
      keys = await whileKeysStay(needs.db, async () => {
        await writeTables(needs.db, manifest, write);
        return needs.keyFile === undefined ? "left-out" : writeKeys(needs.keyFile, manifest, write);
      });
      await writeObjects(needs.objectsFolder, manifest, write);
      const text = Buffer.from(JSON.stringify(manifest));
      await write(Buffer.concat([header(MANIFEST, text.length), text, padding(text.length), endOfArchive]));
    });
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
async function writeTables(db: Db, manifest: Manifest, write: Write): Promise<void> {
  await db.transaction(async (db) => {
    await db.query(sql`set transaction isolation level repeatable read, read only`);
    await fixSpelling(db);
    for (const table of await inOrderOfReference(db)) await writeTable({ db, table, manifest, write });
    await readFacts(db, manifest);
  });
}

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

// Files are written before the rows that name them and never changed, so whatever the rows speak of is there.
async function writeObjects(folder: string, manifest: Manifest, write: Write): Promise<void> {
  for await (const path of filesIn(folder)) {
    const file = await open(path, "r").catch(() => undefined); // deleted since it was listed
    if (!file) continue;
    try {
      const { size } = await file.stat();
      const name = `objects/${relative(folder, path)}`;
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
