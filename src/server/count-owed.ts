// Counts the days of calls that were there before their sums were kept, one at a time, newest first, beside everything else;
// and then those that people who lead queues, and accountants, will ask for.

import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { countOwedDay } from "../store/call-sums.ts";
import { keepDaysForLeaders } from "../store/days-for-leaders.ts";
import type { Database } from "../store/db.ts";
import { keepSomePaidDays } from "../store/paid-sums.ts";

/** Between two days, so that whoever writes a call is not held up by one after the other. */
const REST_MS = 50;
/** Exchanges may come to live here later, and a database comes back. */
const LOOK_AGAIN_MS = 600_000;

const countSome = async (db: Database) =>
  (await countOwedDay(db)) || (await keepDaysForLeaders(db)) || keepSomePaidDays(db);

/** Call what is returned to stop. */
export function countOwedDays({ db, clock, log }: { db: Database; clock: Clock; log: Log }): () => Promise<void> {
  let stopped = false;
  let cancel = () => {};
  let counting = Promise.resolve();
  const count = async () => {
    const isMore = await countSome(db).catch((error: unknown) => {
      if (!stopped) log.warn({ error: String(error) }, "calls of earlier days could not be added up yet");
      return false;
    });
    if (!stopped) cancel = clock.after(isMore ? REST_MS : LOOK_AGAIN_MS, again);
  };
  const again = () => {
    counting = count();
  };
  again();
  return async () => {
    stopped = true;
    cancel();
    await counting;
  };
}
