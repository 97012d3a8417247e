// The three kinds of work on recordings outside: put one away, let the copy here go, remove it there. Each may be done twice.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type Archive, type Contents, isTrouble, type Sums, type Trouble, trouble } from "../../archive/archive.ts";
import type { Clock } from "../../clock.ts";
import type { Handlers, JobHandler, Outcome, RunningJob } from "../../jobs/handler.ts";
import type { Log } from "../../log.ts";
import type { Objects } from "../../objects/objects.ts";
import {
  type ArchivedRecording,
  beginArchiving,
  findArchivedRecording,
  markArchived,
  markLocalGone,
  markRemoved,
  markUnarchived,
  noteRecordingTrouble,
} from "../../store/archived-recordings.ts";
import { archiveInUse } from "../../store/archives.ts";
import type { Db } from "../../store/db.ts";
import type { Archives } from "./archives.ts";
import { noteOutcome } from "./notes.ts";

export const ARCHIVE_RECORDING = "recording.archive";
export const LEAVE_RECORDING = "recording.leave";
export const REMOVE_RECORDING = "recording.remove";

export type ArchiveJob = { exchangeId: number; callUuid: string };

export type ArchivingParts = { db: Db; clock: Clock; log: Log; objects: Objects; archives: Archives };

const MINUTE = 60_000;
const LONGEST_PAUSE_MS = 60 * MINUTE;

/** A store may be away for days; its work waits, ever longer, and is taken up at once when it is set anew. */
const backOffMs = (failures: number) => Math.min(LONGEST_PAUSE_MS, 2 ** Math.min(failures, 16) * 15_000);

type Work = (parts: ArchivingParts, recording: ArchivedRecording, signal: AbortSignal) => Promise<Trouble | undefined>;

export function archivingHandlers(parts: ArchivingParts): Handlers {
  return {
    [ARCHIVE_RECORDING]: handler(parts, putAway),
    [LEAVE_RECORDING]: handler(parts, leave),
    [REMOVE_RECORDING]: handler(parts, remove),
  };
}

function handler(parts: ArchivingParts, work: Work): JobHandler {
  return {
    backOffMs,
    async run({ exchangeId, callUuid }: ArchiveJob, { signal }: RunningJob): Promise<Outcome> {
      const recording = await findArchivedRecording(parts.db, { exchangeId, callUuid });
      if (!recording) return undefined; // its exchange is gone
      const failed = await work(parts, recording, signal);
      if (failed === undefined || failed.trouble === "no-local-file") return undefined;
      return { retry: `${failed.trouble} ${failed.detail}`.trim() };
    },
  };
}

async function putAway(parts: ArchivingParts, recording: ArchivedRecording, signal: AbortSignal) {
  const { db } = parts;
  const { exchangeId } = recording;
  // Deleted while it was being put, and killed before it could be taken away again.
  if (recording.deletedAt) return recording.archiveId === null ? undefined : remove(parts, recording, signal);
  if (recording.archivedAt) return undefined;
  const inUse = await archiveInUse(db, exchangeId);
  if (!inUse) return undefined; // switched off since
  const archive = await parts.archives.open(db, exchangeId, inUse.id);
  const failed = isTrouble(archive) ? archive : await copy(parts, { recording, archiveId: inUse.id, archive, signal });
  return told(parts, recording, { archiveId: inUse.id, failed });
}

type Copying = { recording: ArchivedRecording; archiveId: number; archive: Archive; signal: AbortSignal };

async function copy(parts: ArchivingParts, copying: Copying): Promise<Trouble | undefined> {
  const { db, clock, objects } = parts;
  const { recording, archiveId, archive, signal } = copying;
  const { exchangeId, callUuid, objectKey, mediaType } = recording;
  const path = await objects.fetched(objectKey);
  if (path === undefined) return trouble("no-local-file");
  const sums = await sumsOf(path);
  const name = await nameOf(parts, copying);
  if (isTrouble(name)) return name;
  const begun = await beginArchiving(db, { ...sums, callUuid, archiveId, name, exchangeId });
  if (!begun) return undefined; // deleted a moment ago; nothing lies there
  const contents: Contents = { ...sums, mediaType, open: () => createReadStream(path) };
  const failed = (await archive.put(name, contents, signal)) ?? (await archive.check(name, sums, signal));
  if (failed) return failed;
  if (await markArchived(db, { exchangeId, callUuid, name, nowMs: clock.wall() })) return undefined;
  const now = await findArchivedRecording(db, { exchangeId, callUuid });
  return now?.deletedAt && now.archiveId !== null ? remove(parts, now, signal) : undefined;
}

/** The name an earlier try has begun with, if that was at the same place. */
async function nameOf({ db, archives }: ArchivingParts, { recording, archiveId, archive, signal }: Copying) {
  const { exchangeId, archiveId: former, archiveName, createdAt, callUuid, objectKey } = recording;
  if (archiveName !== null && former === archiveId) return archiveName;
  if (archiveName !== null && former !== null) {
    // Begun elsewhere and never known to be whole. What may lie there is nobody's any more.
    const elsewhere = await archives.open(db, exchangeId, former);
    if (!isTrouble(elsewhere)) await elsewhere.remove(archiveName, signal);
  }
  const ending = objectKey.slice(objectKey.lastIndexOf("."));
  const day = createdAt.toISOString().slice(0, 10).replaceAll("-", "/");
  return archive.nameFor(`${day}/${callUuid}${ending}`, signal);
}

/** The store is asked once more whether it has the recording: from here on nobody else does. */
async function leave(parts: ArchivingParts, recording: ArchivedRecording, signal: AbortSignal) {
  const { db, clock, objects, archives } = parts;
  const { exchangeId, callUuid, archiveId, archiveName, archivedAt, deletedAt, size, sha256, md5, objectKey } =
    recording;
  if (!archivedAt || deletedAt || archiveId === null || archiveName === null) return undefined;
  if (size === null || sha256 === null || md5 === null) return undefined; // written with the name
  const archive = await archives.open(db, exchangeId, archiveId);
  const failed = isTrouble(archive) ? archive : await archive.check(archiveName, { size, sha256, md5 }, signal);
  if (failed?.trouble === "not-there" || failed?.trouble === "differs") {
    await markUnarchived(db, { exchangeId, callUuid }); // it is still here, and is put there again
    await told(parts, recording, { archiveId, failed });
    return undefined;
  }
  if (!failed && (await markLocalGone(db, { exchangeId, callUuid, nowMs: clock.wall() })))
    await objects.delete(objectKey);
  return told(parts, recording, { archiveId, failed });
}

async function remove(parts: ArchivingParts, recording: ArchivedRecording, signal: AbortSignal) {
  const { db, archives } = parts;
  const { exchangeId, callUuid, archiveId, archiveName, deletedAt } = recording;
  if (!deletedAt || archiveId === null || archiveName === null) return undefined;
  const archive = await archives.open(db, exchangeId, archiveId);
  const failed = isTrouble(archive) ? archive : await archive.remove(archiveName, signal);
  if (!failed) await markRemoved(db, { exchangeId, callUuid });
  return told(parts, recording, { archiveId, failed });
}

type Told = { archiveId: number; failed: Trouble | undefined };

/** What the console shows of it, and what people are told of. */
async function told(parts: ArchivingParts, { exchangeId, callUuid }: ArchivedRecording, { archiveId, failed }: Told) {
  if (failed?.trouble === "stopped") return failed;
  if (failed) await noteRecordingTrouble(parts.db, { exchangeId, callUuid, trouble: failed });
  if (failed?.trouble !== "no-local-file") await noteOutcome(parts, { exchangeId, archiveId, failed });
  return failed;
}

/** Both sums of a file in one reading. */
async function sumsOf(path: string): Promise<Sums> {
  const [sha256, md5] = [createHash("sha256"), createHash("md5")];
  let size = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    size += piece.length;
    sha256.update(piece);
    md5.update(piece);
  }
  return { size, sha256: sha256.digest("hex"), md5: md5.digest("hex") };
}
