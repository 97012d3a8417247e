// Gathers what many calls want written while one transaction is under way, and writes it all with the next one.

import { type Cancel, type Clock, pause } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Db } from "../../store/db.ts";

export type GroupCommit<Entry> = {
  /** Written at the latest after `withinMs`; by default as soon as the transaction under way is over. */
  put(key: string, change: (entry: Entry | undefined) => Entry, withinMs?: number): void;
  /** Kept when everything put so far is on disk. */
  settled(): Promise<void>;
};

export type GroupCommitParts<Entry> = {
  db: Db;
  clock: Clock;
  log: Log;
  /** Called in a transaction; calls of one batch stand or fall together. */
  write(db: Db, entries: Entry[]): Promise<void>;
  onWritten(entry: Entry): void;
  /** An entry that the database will never take: it is given up so that the others can go on. */
  onPoisoned(entry: Entry, error: unknown): void;
};

const MOST_AT_ONCE = 200;
const BETWEEN_TRIES_MS = 250;

export function openGroupCommit<Entry>(parts: GroupCommitParts<Entry>): GroupCommit<Entry> {
  const { clock } = parts;
  const waiting = new Map<string, Entry>();
  let turn: Promise<void> | undefined;
  let later: { dueMs: number; cancel: Cancel } | undefined;

  return { put, settled };

  function put(key: string, change: (entry: Entry | undefined) => Entry, withinMs = 0): void {
    waiting.set(key, change(waiting.get(key)));
    if (withinMs === 0) writeNow();
    else writeWithin(withinMs);
  }

  function writeWithin(ms: number): void {
    const dueMs = clock.now() + ms;
    if (later && later.dueMs <= dueMs) return;
    later?.cancel();
    later = { dueMs, cancel: clock.after(ms, writeNow) };
  }

  function writeNow(): void {
    later?.cancel();
    later = undefined;
    turn ??= writeAll().finally(() => {
      turn = undefined;
    });
  }

  async function writeAll(): Promise<void> {
    await Promise.resolve(); // whatever is put in this very turn goes along
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, MOST_AT_ONCE);
      for (const [key] of batch) waiting.delete(key);
      await writeBatch(
        parts,
        batch.map(([, entry]) => entry),
      );
    }
  }

  async function settled(): Promise<void> {
    while (waiting.size > 0 || turn) {
      writeNow();
      await turn;
    }
  }
}

async function writeBatch<Entry>(parts: GroupCommitParts<Entry>, entries: Entry[]): Promise<void> {
  const { db, clock, log, write, onWritten, onPoisoned } = parts;
  for (;;) {
    try {
      await db.transaction((db) => write(db, entries));
    } catch (error) {
      if (!isPoison(error)) {
        log.error({ calls: entries.length, error: String(error) }, "calls could not be written; trying again");
        await pause(clock, BETWEEN_TRIES_MS);
        continue;
      }
      if (entries.length === 1) return onPoisoned(entries[0]!, error);
      for (const entry of entries) await writeBatch(parts, [entry]); // one by one shows which it was
      return;
    }
    for (const entry of entries) onWritten(entry);
    return;
  }
}

/** SQLSTATE classes 22 (data) and 23 (integrity): the same statement will fail for ever. Anything else may pass. */
function isPoison(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^2[23]/.test(code);
}
