// Sees to it that every recording gets where its exchange wants it: looks at the rows now and then, and owes jobs, a few at a time.

import type { Clock } from "../../clock.ts";
import { countShare, enqueue, hurryShare } from "../../jobs/jobs.ts";
import { keepPlanning } from "../../jobs/planning.ts";
import type { Log } from "../../log.ts";
import { dueForArchive, dueForRemoval, dueToLeave } from "../../store/archived-recordings.ts";
import { type ArchivePlan, archivePlans } from "../../store/archives.ts";
import type { Database, Db } from "../../store/db.ts";
import { ARCHIVE_RECORDING, LEAVE_RECORDING, REMOVE_RECORDING } from "./jobs.ts";

const DAY = 86_400_000;
const LOOK_EVERY_MS = 60_000;
/** Owed at once for one exchange: a backlog of years is taken along little by little. */
const MOST_OWED = 500;
/** A store is away for as long as it likes: nothing is ever given up. */
const NO_END = 1_000_000_000;

const shareOf = (exchangeId: number) => `archive ${exchangeId}`;

/** Looks at once, every minute, and whenever an archive is set: what waited for that exchange is then tried at once. */
export function openPlanning({
  db,
  clock,
  log,
}: {
  db: Database;
  clock: Clock;
  log: Log;
}): Promise<() => Promise<void>> {
  const look = async (notices: ReadonlySet<string>) => {
    for (const exchangeId of notices) if (exchangeId !== "") await hurryShare(db, shareOf(Number(exchangeId)));
    await planArchiving(db, clock.wall());
  };
  const what = "recordings that are to be put away";
  return keepPlanning({ db, clock, log }, { channel: "archives", everyMs: LOOK_EVERY_MS, look, what });
}

export async function planArchiving(db: Db, nowMs: number): Promise<void> {
  for (const plan of await archivePlans(db)) await planFor(db, plan, nowMs);
}

async function planFor(db: Db, { exchangeId, archiveId, afterDays, localDays }: ArchivePlan, nowMs: number) {
  let room = MOST_OWED - (await countShare(db, shareOf(exchangeId)));
  const owe = async (kind: string, callUuids: string[]) => {
    const share = shareOf(exchangeId);
    room -= callUuids.length;
    await enqueue(
      db,
      ...callUuids.map((callUuid) => ({
        kind,
        payload: { callUuid, exchangeId },
        share,
        uniqueKey: callUuid,
        maxAttempts: NO_END,
      })),
    );
  };
  const before = (days: number) => new Date(nowMs - days * DAY);
  if (room > 0) await owe(REMOVE_RECORDING, await dueForRemoval(db, { exchangeId, limit: room }));
  if (archiveId === null || afterDays === null || localDays === null) return;
  if (room > 0)
    await owe(LEAVE_RECORDING, await dueToLeave(db, { exchangeId, before: before(localDays), limit: room }));
  if (room > 0)
    await owe(ARCHIVE_RECORDING, await dueForArchive(db, { exchangeId, before: before(afterDays), limit: room }));
}
