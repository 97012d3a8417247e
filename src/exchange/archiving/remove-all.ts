// Takes everything that an exchange has outside away, before the exchange itself goes with the keys to it.

import { isTrouble, type Trouble } from "../../archive/archive.ts";
import { markRemoved, someArchived } from "../../store/archived-recordings.ts";
import { switchArchiveOff } from "../../store/archives.ts";
import type { Db } from "../../store/db.ts";
import { forgetRecordings } from "../../store/recordings.ts";
import type { Archives } from "./archives.ts";

const AT_ONCE = 100;

/** What is the matter when one cannot be removed. Cut off in the middle, those that are left are removed by and by. */
export async function removeAllOutside(
  { db, archives, nowMs }: { db: Db; archives: Archives; nowMs: number },
  exchangeId: number,
): Promise<Trouble | undefined> {
  await switchArchiveOff(db, exchangeId);
  for (;;) {
    const some = await someArchived(db, exchangeId, AT_ONCE);
    if (some.length === 0) return undefined;
    const callUuids = some.map(({ callUuid }) => callUuid);
    await forgetRecordings(db, callUuids, nowMs);
    for (const { callUuid, archiveId, name } of some) {
      const archive = await archives.open(db, exchangeId, archiveId);
      const failed = isTrouble(archive) ? archive : await archive.remove(name);
      if (failed) return failed;
      await markRemoved(db, { exchangeId, callUuid });
    }
  }
}
