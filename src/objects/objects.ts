// Durable files below one folder, by key: what `put` has returned survives a power cut, what it has not never shows.

import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { namesIn } from "../folders.ts";
import { isRunning } from "../process-mark.ts";
import { clearKept, putAside } from "./keeping.ts";

export type ObjectSource =
  | { bytes: Uint8Array }
  | { stream: Readable }
  /** A finished file of ours, moved when it lies on the same disk. */
  | { file: string };

export type Put = { size: number } | { refused: "too-large"; limitBytes: number };

export type ByteRange = { from: number; to: number };

export type ObjectReading = { stream: Readable; size: number; range: ByteRange };

/** Where objects lie in a bucket, reading one that has no copy here throws `FilesAway` while the bucket does not answer. */
export type Objects = {
  put(key: string, source: ObjectSource): Promise<Put>;
  /** `range.to` is the last byte wanted; what lies beyond the end is cut off. Undefined: no such object or range. */
  read(key: string, range?: Partial<ByteRange>): Promise<ObjectReading | undefined>;
  size(key: string): Promise<number | undefined>;
  /** True when there was one, or may have been one in the bucket. */
  delete(key: string): Promise<boolean>;
  /** Where the object lies if it lies here, whether it does or not. */
  path(key: string): string;
  /** Where all lie whose keys begin with that word. */
  folder(word: string): string;
  /** For players and converters that need a file: where it lies now and stays for an hour. Undefined: no such object. */
  fetched(key: string): Promise<string | undefined>;
  /** For a call, which waits some seconds and goes on: where it lies, or would lie. */
  toPlay(key: string): Promise<string>;
  /** Of one that was put a moment ago: where it lies. The bucket is not asked. */
  here(key: string): Promise<string | undefined>;
  /** A name for a file in the making, on the same disk as the objects. */
  scratch(suffix: string): string;
};

/** The bucket cannot be asked now. The object may well be there: whoever can tries again. */
export class FilesAway extends Error {}

const GIBIBYTE = 1024 ** 3;
/** Nothing larger is taken, or brought from elsewhere. */
export const LARGEST_OBJECT = 2 * GIBIBYTE;
const SCRATCH = ".scratch";

// Words of letters, digits, dot, dash and underscore; no word begins with a dot, so neither ".." nor our scratch fits.
const KEY = /^(?=.{1,200}$)[a-z0-9_-][a-z0-9._-]*(\/[a-z0-9_-][a-z0-9._-]*){0,5}$/i;

export async function openObjects(folder: string, { limitBytes = LARGEST_OBJECT } = {}): Promise<Objects> {
  const root = resolve(folder);
  const ours = join(root, SCRATCH, `${process.pid}-${randomUUID()}`);
  await clearScratch(join(root, SCRATCH));
  await clearKept(root);
  await mkdir(ours, { recursive: true, mode: 0o700 });
  const path = (key: string) => join(root, shardedPath(key));
  const scratch = (suffix: string) => join(ours, `${randomUUID()}${suffix}`);
  const here = async (key: string) => ((await sizeOf(path(key))) === undefined ? undefined : path(key));
  return {
    path,
    folder: (word) => join(root, word),
    scratch,
    here,
    fetched: here,
    toPlay: async (key) => path(key),
    put: (key, source) => put({ source, limitBytes, root, path: path(key), draft: scratch(".put") }),
    read: (key, range) => readObject(path(key), range),
    size: (key) => sizeOf(path(key)),
    delete: (key) => deleteObject(root, path(key)),
  };
}

/** `recordings/2f6c….mp3` lies in `recordings/2f/6c/`: a folder of a million names is slow on every file system. */
export function shardedPath(key: string): string {
  if (!isKey(key)) throw new Error(`not an object key: ${JSON.stringify(key.slice(0, 250))}`);
  const words = key.split("/");
  const name = words.pop()!; // a key has at least one word
  const shard = name
    .replace(/[^a-z0-9]/gi, "")
    .toLowerCase()
    .padEnd(4, "0");
  return join(...words, shard.slice(0, 2), shard.slice(2, 4), name);
}

export const isKey = (text: string): boolean => KEY.test(text);

/** The key of what lies there, below the folder; undefined where no object of ours would lie. */
export function keyAt(path: string): string | undefined {
  const words = path.split("/");
  const key = [...words.slice(0, -3), ...words.slice(-1)].join("/");
  return isKey(key) && shardedPath(key) === path ? key : undefined;
}

type Putting = { source: ObjectSource; limitBytes: number; root: string; path: string; draft: string };

async function put({ source, ...putting }: Putting): Promise<Put> {
  const { limitBytes } = putting;
  if ("file" in source) return moveIn(source.file, putting);
  if ("stream" in source) return putStream(source.stream, putting);
  if (source.bytes.byteLength > limitBytes) return { refused: "too-large", limitBytes };
  return putStream(Readable.from([source.bytes]), putting);
}

/**
 * It may be the only copy there is, so it never lies in the scratch folder, which is cleared: it stays where it is until
 * one rename, of bytes that have reached the disk, makes it the object.
 */
async function moveIn(file: string, putting: Omit<Putting, "source">): Promise<Put> {
  const { limitBytes, root, path } = putting;
  const { size } = await stat(file);
  if (size > limitBytes) return { refused: "too-large", limitBytes };
  await syncFile(file);
  await makeFolder(root, dirname(path));
  try {
    await rename(file, path);
  } catch (error) {
    if (!isErrno(error, "EXDEV")) throw error;
    const copied = await putStream(createReadStream(file), putting);
    if (!("refused" in copied)) await rm(file); // the copy is durable by its final name
    return copied;
  }
  await syncFile(dirname(path));
  return { size };
}

async function putStream(stream: Readable, { limitBytes, root, path, draft }: Omit<Putting, "source">): Promise<Put> {
  try {
    const size = await copyIn(stream, draft, limitBytes);
    if (size > limitBytes) return { refused: "too-large", limitBytes };
    await syncFile(draft);
    await makeFolder(root, dirname(path));
    await rename(draft, path);
    await syncFile(dirname(path));
    return { size };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Stops reading one chunk after the limit, so that an endless upload costs neither disk nor time. */
async function copyIn(stream: Readable, draft: string, limitBytes: number): Promise<number> {
  let size = 0;
  const full = new Error("over the limit");
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limitBytes) done(full);
      else done(null, chunk);
    },
  });
  try {
    await pipeline(stream, counter, createWriteStream(draft, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    if (error !== full) throw error;
  }
  return size;
}

/** A new folder is an entry in its parent, and that entry must reach the disk too. */
async function makeFolder(root: string, folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made !== root && made.length >= first.length; made = dirname(made))
    await syncFile(dirname(made));
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readObject(path: string, range: Partial<ByteRange> = {}): Promise<ObjectReading | undefined> {
  const size = await sizeOf(path);
  const part = size === undefined ? undefined : partWanted(size, range);
  if (size === undefined || !part) return undefined;
  // An empty file has no last byte; reading from its start ends at once.
  const stream = createReadStream(path, part.to < 0 ? {} : { start: part.from, end: part.to });
  return { stream, size, range: part };
}

/** What is asked for of so many bytes; undefined when that is nothing. */
export function partWanted(size: number, range: Partial<ByteRange> = {}): ByteRange | undefined {
  const from = range.from ?? 0;
  const to = Math.min(range.to ?? size - 1, size - 1);
  const wholeAndEmpty = size === 0 && from === 0 && range.to === undefined;
  if (!wholeAndEmpty && (from < 0 || from > to)) return undefined;
  return { from, to };
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

async function deleteObject(root: string, path: string): Promise<boolean> {
  if ((await sizeOf(path)) === undefined) return false;
  if (!(await putAside(root, path))) await rm(path, { force: true });
  await syncFile(dirname(path));
  return true;
}

/** Drafts of processes that are gone. Those of others that live, a server beside a command for one, are theirs. */
async function clearScratch(folder: string): Promise<void> {
  const found = await namesIn(folder);
  for (const name of found)
    if (!isRunning({ pid: Number.parseInt(name, 10) })) await rm(join(folder, name), { recursive: true, force: true });
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
