// Looks for work that has become due: at once, from time to time, and whenever a notice says that somebody waits.

import { runAgain } from "../again.ts";
import type { Cancel, Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Database } from "../store/db.ts";

export type Planning = {
  channel: string;
  everyMs: number;
  /** One look at a time; `notices` are what came on the channel since the last one. What fails is tried with the next. */
  look(notices: ReadonlySet<string>): Promise<void>;
  /** What cannot be looked at, for the log. */
  what: string;
};

type Means = { db: Database; clock: Clock; log: Log };

/** Nobody waits for the first look. Returns how to stop. */
export async function keepPlanning({ db, clock, log }: Means, planning: Planning): Promise<() => Promise<void>> {
  let cancel: Cancel = () => undefined;
  const looking = runAgain<string>(async (notices) => {
    try {
      await planning.look(notices);
    } catch (error) {
      log.warn({ error: String(error) }, `${planning.what} could not be looked at; trying again soon`);
    }
  });
  const again = () => {
    cancel = clock.after(planning.everyMs, () => {
      again();
      void looking.ask("");
    });
  };
  const unlisten = await db.listen(planning.channel, (notice) => looking.ask(notice));
  again();
  void looking.ask("");
  return async () => {
    cancel();
    await unlisten();
    await looking.settled();
  };
}
