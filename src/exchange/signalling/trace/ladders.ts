// Writes down now and then what is said in the dialogs of calls, and forgets it a day later; nothing a stranger sends is kept.

import { between, type Clock, LONG_AGO } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { Db } from "../../../store/db.ts";
import { forgetTraces, labelTraces, saveTraces } from "../../../store/sip-traces.ts";
import { type Dialogs, gatherDialogs } from "./dialogs.ts";

export type Ladders = Omit<Dialogs, "harvest"> & { flush(): Promise<void>; close(): Promise<void> };

const WRITE_MS = 2_000;
const PRUNE_MS = 600_000;
const KEPT_HOURS = 24;
const MOST_ROWS = 300_000;

export function openLadders({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Ladders {
  const { harvest, ...dialogs } = gatherDialogs(clock);
  let writing: Promise<void> = Promise.resolve();
  let pruned = LONG_AGO;
  let cancel = clock.after(WRITE_MS, tick);

  return {
    ...dialogs,
    flush: write,
    async close() {
      cancel();
      await write();
    },
  };

  function tick(): void {
    cancel = clock.after(WRITE_MS, tick);
    void write();
  }

  function write(): Promise<void> {
    writing = writing.then(writeNow).catch((error: unknown) => {
      log.error({ error: String(error) }, "SIP traces could not be written");
    });
    return writing;
  }

  async function writeNow(): Promise<void> {
    const now = clock.ticks();
    const { rows, labels } = harvest();
    await saveTraces(db, rows);
    await labelTraces(db, labels);
    if (between(pruned, now) < PRUNE_MS) return;
    pruned = now;
    await forgetTraces(db, { olderThanHours: KEPT_HOURS, mostRows: MOST_ROWS });
  }
}
