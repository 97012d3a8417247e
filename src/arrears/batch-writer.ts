// What writes one batch after the other; and the one that has no disk to go to, and tries until the database takes it.

import { type Clock, pause } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Db } from "../store/db.ts";
import { isPoison } from "./poison.ts";

export type WriterParts<Entry> = {
  db: Db;
  clock: Clock;
  log: Log;
  /** What the later of two entries of one key leaves of the earlier. */
  merge(older: Entry, newer: Entry): Entry;
  /** Called in a transaction; entries of one batch stand or fall together. */
  write(db: Db, entries: Entry[]): Promise<void>;
  /** In the database, or on disk. */
  onWritten(entry: Entry): void;
  /** An entry that the database will never take: it is given up so that the others can go on. */
  onPoisoned(entry: Entry, error: unknown): void;
};

export type Batch<Entry> = [key: string, entry: Entry][];

export type BatchWriter<Entry> = {
  /** Kept when every entry is written, or given up. One at a time. */
  write(batch: Batch<Entry>): Promise<void>;
  /** Kept when nothing lies on our own disk. */
  caughtUp(): Promise<void>;
  /** Whether it goes to our own disk now. */
  isAside(): boolean;
  close(): Promise<void>;
};

export const BETWEEN_TRIES_MS = 250;

export function writesFromMemory<Entry>(parts: WriterParts<Entry>): BatchWriter<Entry> {
  return {
    write: (batch) =>
      writeAgain(
        parts,
        batch.map(([, entry]) => entry),
      ),
    caughtUp: async () => undefined,
    isAside: () => false,
    close: async () => undefined,
  };
}

async function writeAgain<Entry>(parts: WriterParts<Entry>, entries: Entry[]): Promise<void> {
  const { db, clock, log, write, onWritten, onPoisoned } = parts;
  for (;;) {
    try {
      await db.transaction((db) => write(db, entries));
    } catch (error) {
      if (!isPoison(error)) {
        log.error(
          { entries: entries.length, error: String(error) },
          "what is owed to the database could not be written; trying again",
        );
        await pause(clock, BETWEEN_TRIES_MS);
        continue;
      }
      if (entries.length === 1) return onPoisoned(entries[0]!, error);
      for (const entry of entries) await writeAgain(parts, [entry]); // one by one shows which it was
      return;
    }
    for (const entry of entries) onWritten(entry);
    return;
  }
}
