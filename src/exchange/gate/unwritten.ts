// Looks over the journal's shoulder: is it behind with the records of calls that are over, and can it keep any more?

import type { Arrears } from "../../arrears/arrears.ts";
import { type Clock, since, type Ticks } from "../../clock.ts";
import type { Journal } from "../calls/call-journal.ts";

/** A slow disk takes so long now and then; a journal that cannot keep up takes longer and longer. */
const LATE_MS = 1_000;

export type WatchedJournal = {
  journal: Journal;
  /** Kept at once, or as soon as a record that has waited too long is written. */
  keepsUp(): Promise<void>;
  /** What could not be written into the database fills the place it has on disk. */
  isFull(): boolean;
  /** How long the oldest record has waited for the database, on disk or before. */
  lagMs(): number;
};

export function watchJournal(journal: Journal, clock: Clock, arrears?: Pick<Arrears, "state">): WatchedJournal {
  const unwritten = new Map<Promise<void>, Ticks>();
  const lagMs = () => {
    const [oldest] = unwritten.values();
    return Math.max(oldest === undefined ? 0 : since(clock, oldest), arrears?.state().ageMs ?? 0);
  };
  return {
    journal: {
      ...journal,
      closed(facts, end) {
        const writing = journal.closed(facts, end);
        unwritten.set(writing, clock.ticks());
        return writing.finally(() => unwritten.delete(writing));
      },
    },
    lagMs,
    isFull: () => arrears?.state().isFull === true,
    async keepsUp() {
      const [oldest] = unwritten;
      if (oldest && since(clock, oldest[1]) > LATE_MS) await oldest[0];
    },
  };
}
