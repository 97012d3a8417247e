// A lock that lives exactly as long as its holder's connection: whoever dies lets go of it at once.

import { type Cancel, type Clock, pause } from "../clock.ts";
import type { Database } from "./db.ts";
import { sql } from "./sql.ts";

export type Lock = {
  /** Called when the connection, and the lock with it, was lost. */
  onLost(act: () => void): void;
  release(): Promise<void>;
};

const CHECK_MS = 5_000;
const TRY_AGAIN_MS = 250;

/** Waits until nobody else holds it; undefined when told to give up before. */
export async function holdLock(
  db: Database,
  clock: Clock,
  { key, isWanted }: { key: number; isWanted: () => boolean },
): Promise<Lock | undefined> {
  while (isWanted()) {
    const lock = await tryLock(db, clock, key).catch(() => undefined);
    if (lock) return lock;
    await pause(clock, TRY_AGAIN_MS);
  }
  return undefined;
}

function tryLock(db: Database, clock: Clock, key: number): Promise<Lock | undefined> {
  return new Promise((held, failed) => {
    let lost: () => void = () => undefined;
    let release: () => void = () => undefined;
    let cancelCheck: Cancel = () => undefined;
    let isOver = false;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // An open transaction that does nothing keeps no old row versions alive; it only keeps its connection, and the lock.
    const ended = db.transaction(async (db) => {
      await db.query(sql`set local idle_in_transaction_session_timeout = 0`);
      const [row] = await db.query<{ held: boolean }>(sql`select pg_try_advisory_xact_lock($1) as held`, [key]);
      if (!row!.held) return held(undefined); // a select without a condition has its row
      const broken = new Promise<never>((_, reject) => {
        const check = () => {
          if (isOver) return; // let go while it was being looked at
          cancelCheck = clock.after(CHECK_MS, () => void db.query(sql`select 1`).then(check, reject));
        };
        check();
      });
      held({
        onLost(act) {
          lost = act;
        },
        async release() {
          release();
          await ended.catch(() => undefined); // lost at this very moment, it is let go all the same
        },
      });
      await Promise.race([released, broken]);
    });
    ended.then(
      () => {
        isOver = true;
        cancelCheck();
      },
      (error) => {
        isOver = true;
        cancelCheck();
        lost();
        failed(error);
      },
    );
    ended.catch(() => undefined);
  });
}
