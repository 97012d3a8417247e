// Deletes recordings and faxes that are older than their exchange keeps them, and the sound of messages that their owners
// deleted, once a day, and plans the next day.

import type { Clock } from "../../clock.ts";
import type { JobHandler, Outcome } from "../../jobs/handler.ts";
import { enqueue } from "../../jobs/jobs.ts";
import type { Log } from "../../log.ts";
import type { Objects } from "../../objects/objects.ts";
import type { Db } from "../../store/db.ts";
import { expiredFaxes, forgetFaxes, type KeptFax } from "../../store/fax-retention.ts";
import { expiredRecordings, forgetRecordings, type KeptRecording } from "../../store/recordings.ts";
import { type DeletedMessage, forgetMessages, messagesDeletedLongAgo } from "../../store/voicemail.ts";

export const RETAIN_RECORDINGS = "recordings.retain";

export type RetainParts = { db: Db; clock: Clock; log: Log; objects: Objects };

const DAY = 24 * 3_600_000;
/** Before the working day in the time zones the exchange is made for; on which hour it is does not matter. */
const HOUR_OF_DAY_MS = 1 * 3_600_000;
const AT_ONCE = 200;

/** At every start; the key makes a second plan for the same day harmless. */
export async function planRetention(db: Db, nowMs: number, exchangeId?: number): Promise<void> {
  await planFor(db, { day: Math.floor(nowMs / DAY), exchangeId }, nowMs);
}

export function retainRecordings(parts: RetainParts): JobHandler {
  return { run: (plan: Plan) => retain(parts, plan) };
}

/** Things with files that are kept for so long and no longer. */
type Shelf<Kept> = {
  oldest(db: Db, nowMs: number, limit: number): Promise<Kept[]>;
  filesOf(kept: Kept): string[];
  forget(db: Db, gone: Kept[], nowMs: number): Promise<void>;
};

const recordings: Shelf<KeptRecording> = {
  oldest: expiredRecordings,
  filesOf: ({ objectKey }) => [objectKey],
  forget: (db, gone, nowMs) =>
    forgetRecordings(
      db,
      gone.map(({ callUuid }) => callUuid),
      nowMs,
    ),
};

const faxes: Shelf<KeptFax> = { oldest: expiredFaxes, filesOf: ({ objectKeys }) => objectKeys, forget: forgetFaxes };

const messages: Shelf<DeletedMessage> = {
  oldest: messagesDeletedLongAgo,
  filesOf: ({ objectKey }) => [objectKey],
  forget: forgetMessages,
};

/** Where several nodes share the exchanges each is looked after where it lives; else all of them at once. */
type Plan = { exchangeId?: number };

async function retain(parts: RetainParts, { exchangeId }: Plan): Promise<Outcome> {
  const { db, clock, log } = parts;
  const gone = {
    recordings: await clear(parts, recordings),
    faxes: await clear(parts, faxes),
    messages: await clear(parts, messages),
  };
  if (gone.recordings + gone.faxes + gone.messages > 0)
    log.info(gone, "recordings, faxes and messages were deleted because their time is over");
  await planFor(db, { day: Math.floor(clock.wall() / DAY) + 1, exchangeId }, 0);
  return undefined;
}

async function clear<Kept>({ db, clock, objects }: RetainParts, shelf: Shelf<Kept>): Promise<number> {
  let cleared = 0;
  for (;;) {
    const expired = await shelf.oldest(db, clock.wall(), AT_ONCE);
    if (expired.length === 0) return cleared;
    // First the files, then the word that they are gone: a crash in between only makes the next run say it.
    for (const file of expired.flatMap((kept) => shelf.filesOf(kept))) await objects.delete(file);
    await shelf.forget(db, expired, clock.wall());
    cleared += expired.length;
  }
}

type Day = { day: number; exchangeId: number | undefined };

async function planFor(db: Db, { day, exchangeId }: Day, earliestMs: number): Promise<void> {
  const runAt = Math.max(day * DAY + HOUR_OF_DAY_MS, earliestMs);
  const [payload, whose] = exchangeId === undefined ? [{}, ""] : [{ exchangeId }, ` of ${exchangeId}`];
  await enqueue(db, { kind: RETAIN_RECORDINGS, payload, uniqueKey: `day ${day}${whose}`, runAt, share: "upkeep" });
}
