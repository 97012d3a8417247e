// Deletes recordings that are older than their exchange keeps them, once a day, and plans the next day.

import type { Clock } from "../../clock.ts";
import { enqueue } from "../../jobs/jobs.ts";
import type { JobHandler, Outcome } from "../../jobs/workers.ts";
import type { Log } from "../../log.ts";
import type { Objects } from "../../objects/objects.ts";
import type { Db } from "../../store/db.ts";
import { expiredRecordings, forgetRecordings } from "../../store/recordings.ts";

export const RETAIN_RECORDINGS = "recordings.retain";

export type RetainParts = { db: Db; clock: Clock; log: Log; objects: Objects };

const DAY = 24 * 3_600_000;
/** Before the working day in the time zones the exchange is made for; on which hour it is does not matter. */
const HOUR_OF_DAY_MS = 1 * 3_600_000;
const AT_ONCE = 200;

/** At every start; the key makes a second plan for the same day harmless. */
export async function planRetention(db: Db, nowMs: number): Promise<void> {
  await planFor(db, Math.floor(nowMs / DAY), nowMs);
}

export function retainRecordings(parts: RetainParts): JobHandler {
  return { run: () => retain(parts) };
}

async function retain({ db, clock, log, objects }: RetainParts): Promise<Outcome> {
  let gone = 0;
  for (;;) {
    const expired = await expiredRecordings(db, clock.now(), AT_ONCE);
    if (expired.length === 0) break;
    // First the sound, then the word that it is gone: a crash in between only makes the next run say it.
    for (const { objectKey } of expired) await objects.delete(objectKey);
    await forgetRecordings(
      db,
      expired.map(({ callUuid }) => callUuid),
      clock.now(),
    );
    gone += expired.length;
  }
  if (gone > 0) log.info({ recordings: gone }, "recordings were deleted because their time is over");
  await planFor(db, Math.floor(clock.now() / DAY) + 1, 0);
  return undefined;
}

async function planFor(db: Db, day: number, earliestMs: number): Promise<void> {
  const runAt = Math.max(day * DAY + HOUR_OF_DAY_MS, earliestMs);
  await enqueue(db, { kind: RETAIN_RECORDINGS, payload: {}, uniqueKey: `day ${day}`, runAt, share: "upkeep" });
}
