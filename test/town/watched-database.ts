// The real database for a town on a wound clock: it knows what was asked and not yet answered, so that the clock waits.

import type { Database, Db } from "../../src/store/db.ts";

export type WatchedDatabase = {
  db: Database;
  /** Kept once every answer has come, what was written has been heard of, and nobody asks for more because of it. */
  settled(): Promise<void>;
};

/** Whatever can run now has run; answers from outside may be under way. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export function watchedDatabase(database: Database): WatchedDatabase {
  let asked = 0;
  let hasNews = false;
  const waiting: (() => void)[] = [];
  const watch = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    asked += 1;
    try {
      return await work;
    } finally {
      asked -= 1;
      hasNews = true;
      if (asked === 0) for (const tell of waiting.splice(0)) tell();
    }
  };
  const watched = (of: Db): Db => ({
    query: (text, values) => watch(of.query(text, values)),
    // What is asked inside is part of it.
    transaction: (work) => watch(of.transaction(work)),
  });
  const whole = (of: Database): Database => ({
    ...of,
    ...watched(of),
    forExchange: (exchangeId, limit) => whole(of.forExchange(exchangeId, limit)),
    within: (limit) => whole(of.within(limit)),
  });
  const quiet = () => new Promise<void>((resolve) => waiting.push(resolve));
  return {
    db: whole(database),
    async settled() {
      for (;;) {
        await turn();
        if (asked > 0) await quiet();
        else if (!hasNews) return;
        else {
          hasNews = false;
          await database.heard();
        }
      }
    },
  };
}
