// Whether a store works: noted at its row for the console, and told once when it stops and when it works again.

import { isTrouble, type Trouble } from "../../archive/archive.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { type ArchiveSettings, findArchive, noteArchiveTrouble, noteArchiveWorks } from "../../store/archives.ts";
import { writeAuditLine } from "../../store/audit.ts";
import type { Db } from "../../store/db.ts";

type Noting = { db: Db; clock: Clock; log: Log };
type Outcome = { exchangeId: number; archiveId: number; failed: Trouble | undefined };

export async function noteOutcome({ db, clock, log }: Noting, { exchangeId, archiveId, failed }: Outcome) {
  const which = { exchangeId, id: archiveId };
  const isNews = isTrouble(failed)
    ? await noteArchiveTrouble(db, { nowMs: clock.wall(), trouble: failed, exchangeId, id: archiveId })
    : await noteArchiveWorks(db, which);
  if (!isNews) return;
  const row = await findArchive(db, exchangeId, archiveId);
  const place = row ? placeOf(row) : "";
  const doer = { doer: "exchange", who: "" } as const;
  if (failed) {
    log.warn({ ...failed, place, archive: archiveId, exchange: exchangeId }, "recordings cannot be put outside");
    await writeAuditLine(db, { ...doer, did: "archive-failing", details: { place, why: failed.trouble }, exchangeId });
  } else {
    log.info({ exchange: exchangeId, archive: archiveId, place }, "the store of recordings works again");
    await writeAuditLine(db, { ...doer, did: "archive-works", details: { place }, exchangeId });
  }
}

/** How people know the place; never a secret. */
export function placeOf({ kind, url, bucket, folder, region }: Omit<ArchiveSettings, "user">): string {
  if (kind === "google-drive") return `Google Drive ${folder}`;
  if (kind === "webdav") return url ?? "";
  return `${bucket} (${url ?? `Amazon S3, ${region}`})`;
}
