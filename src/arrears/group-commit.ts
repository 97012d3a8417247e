// Gathers what many calls want written while one transaction is under way, and writes it all with the next one. While the
// database cannot be written it goes to disk instead, and from there into the database when that is back.

import { type Cancel, earliest, LONG_AGO, later, latest, NEVER, type Ticks, until, within } from "../clock.ts";
import { type BatchWriter, type WriterParts, writesFromMemory } from "./batch-writer.ts";
import { type Aside, DiskWriter } from "./disk-writer.ts";

export type GroupCommit<Entry> = Pick<BatchWriter<Entry>, "caughtUp" | "isAside"> & {
  /** Written at the latest after `withinMs`; by default as soon as the transaction under way is over. */
  put(key: string, news: Entry, withinMs?: number): void;
  /** Kept when everything put so far is on disk, be it the database's or ours. */
  settled(): Promise<void>;
  /** The same; what lies on our own disk is left there for the next start. */
  close(): Promise<void>;
};

export type GroupCommitParts<Entry> = WriterParts<Entry> & {
  /** Who comes alone is written at once; in a rush this is how long others are waited for, to share a transaction. */
  gatherMs?: number | undefined;
  mostAtOnce?: number;
  /** Where it goes while the database is away. Without it, it is kept in memory. */
  aside?: Aside<Entry> | undefined;
};

const MOST_AT_ONCE = 200;
const GATHER_MS = 20;

export function openGroupCommit<Entry>(parts: GroupCommitParts<Entry>): GroupCommit<Entry> {
  const { clock, merge, aside, gatherMs = GATHER_MS, mostAtOnce = MOST_AT_ONCE } = parts;
  const writer: BatchWriter<Entry> = aside ? new DiskWriter(parts, aside) : writesFromMemory(parts);
  const waiting = new Map<string, Entry>();
  let turn: Promise<void> | undefined;
  let begun = LONG_AGO;
  /** When the most urgent of those that wait wants to be written. */
  let wanted = NEVER;
  let next: { due: Ticks; cancel: Cancel } | undefined;

  return {
    put,
    settled,
    caughtUp: () => writer.caughtUp(),
    isAside: () => writer.isAside(),
    async close() {
      await settled();
      await writer.close();
    },
  };

  function put(key: string, news: Entry, withinMs = 0): void {
    const older = waiting.get(key);
    waiting.set(key, older === undefined ? news : merge(older, news));
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
    const batch = [...waiting].slice(0, mostAtOnce);
    for (const [key] of batch) waiting.delete(key);
    wanted = waiting.size > 0 ? begun : NEVER;
    await writer.write(batch);
  }

  async function settled(): Promise<void> {
    while (waiting.size > 0 || turn) {
      writeNow();
      await turn;
    }
  }
}
