// Gathers what many calls want written while one transaction is under way, and writes it all with the next one.

import {
  type Cancel,
  type Clock,
  earliest,
  LONG_AGO,
  later,
  latest,
  NEVER,
  pause,
  type Ticks,
  until,
  within,
} from "../../clock.ts";
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
  /** Who comes alone is written at once; in a rush this is how long others are waited for, to share a transaction. */
  gatherMs?: number | undefined;
};

const MOST_AT_ONCE = 200;
const BETWEEN_TRIES_MS = 250;
const GATHER_MS = 20;

export function openGroupCommit<Entry>(parts: GroupCommitParts<Entry>): GroupCommit<Entry> {
  const { clock, gatherMs = GATHER_MS } = parts;
  const waiting = new Map<string, Entry>();
  let turn: Promise<void> | undefined;
  let begun = LONG_AGO;
  /** When the most urgent of those that wait wants to be written. */
  let wanted = NEVER;
  let next: { due: Ticks; cancel: Cancel } | undefined;

  return { put, settled };

  function put(key: string, change: (entry: Entry | undefined) => Entry, withinMs = 0): void {
    waiting.set(key, change(waiting.get(key)));
    wanted = earliest(wanted, within(clock, withinMs));
    if (!turn) plan();
  }

  function plan(): void {
    const due = latest(wanted, later(begun, gatherMs));
    if (next && next.due <= due) return;
    next?.cancel();
    next = undefined;
    const inMs = until(clock, due);
    if (inMs <= 0) writeNow();
    else next = { due, cancel: clock.after(inMs, writeNow) };
  }

  function writeNow(): void {
    next?.cancel();
    next = undefined;
    turn ??= writeWaiting().finally(() => {
      turn = undefined;
      if (waiting.size > 0) plan();
    });
  }

  async function writeWaiting(): Promise<void> {
    begun = clock.ticks();
    await Promise.resolve(); // whatever is put in this very turn goes along
    const batch = [...waiting].slice(0, MOST_AT_ONCE);
    for (const [key] of batch) waiting.delete(key);
    wanted = waiting.size > 0 ? begun : NEVER;
    await writeBatch(
      parts,
      batch.map(([, entry]) => entry),
    );
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
