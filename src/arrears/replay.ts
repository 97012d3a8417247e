// Writes into the database what lies on disk, the oldest first, each batch once: the mark in the database says how far
// it has come, whoever wrote and wherever he was stopped.

import type { Log } from "../log.ts";
import type { Db } from "../store/db.ts";
import { lastBatch, noteBatch, type WrittenBatch } from "../store/written-batches.ts";
import type { Stream } from "./arrears.ts";
import type { Read } from "./file.ts";
import { isAnothers, isPoison } from "./poison.ts";

export type ReplayParts<Entry> = {
  db: Db;
  log: Log;
  stream: Stream;
  unpack(packed: unknown): Entry;
  /** What the later of two entries of one key leaves of the earlier. */
  merge(older: Entry, newer: Entry): Entry;
  write(db: Db, entries: Entry[]): Promise<void>;
};

const CHUNK_BYTES = 256 * 1024;

/** Kept when nothing lies there any more, or it was stopped; broken as soon as something cannot be written now. */
export async function replay<Entry>(parts: ReplayParts<Entry>, isStopped: () => boolean): Promise<void> {
  const { db, stream } = parts;
  let last = await lastBatch(db, stream.name);
  if (last) await stream.passThrough(last);
  while (!isStopped()) {
    const read = await stream.read(CHUNK_BYTES);
    const { lines } = read;
    const newest = lines.at(-1);
    if (newest) {
      const { life, batch } = newest;
      await writeLines(parts, read, { after: last, now: { life, batch } });
      last = { life, batch };
    }
    stream.pass(read);
    if (await stream.finish()) return;
  }
}

type Step = { after: WrittenBatch | undefined; now: WrittenBatch };

/** Of a batch that was to be written after another than the last. */
export class Moved extends Error {
  constructor() {
    super("somebody else has written meanwhile");
  }
}

async function writeLines<Entry>(parts: ReplayParts<Entry>, { lines }: Read, step: Step): Promise<void> {
  const { db, stream, unpack, merge, write } = parts;
  const merged = new Map<string, Entry>();
  for (const { entries } of lines)
    for (const [key, packed] of entries) {
      const [older, newer] = [merged.get(key), unpack(packed)];
      merged.set(key, older === undefined ? newer : merge(older, newer));
    }
  const inOneGo = (db: Db) => write(db, [...merged.values()]);
  const go = (work: (db: Db) => Promise<void>) =>
    db.transaction(async (db) => {
      if (!(await noteBatch(db, stream.name, step))) throw new Moved();
      await work(db);
    });
  try {
    await go(inOneGo);
  } catch (error) {
    if (!isPoison(error)) throw error;
    await go((db) => oneByOne(parts, db, merged)); // which shows which it was
  }
}

/** What the database will never take is kept beside it, before the rest is committed without it. */
async function oneByOne<Entry>(
  { log, stream, write }: ReplayParts<Entry>,
  db: Db,
  merged: Map<string, Entry>,
): Promise<void> {
  for (const [key, entry] of merged) {
    try {
      await db.transaction((db) => write(db, [entry]));
    } catch (error) {
      if (!isPoison(error)) throw error;
      if (!isAnothers(error)) await stream.refuse([[key, entry]], String(error));
      log.error({ stream: stream.name, key, error: String(error) }, "what lay on disk cannot be written");
    }
  }
}
