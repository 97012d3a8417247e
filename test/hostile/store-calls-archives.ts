// Stores outside and what lies there, asked of the store for ours with their ids.

import * as archived from "../../src/store/archived-recordings.ts";
import * as archives from "../../src/store/archives.ts";
import { secrets } from "../ground/secrets.ts";
import { type Both, type Call, call } from "./store-call.ts";

const NOW = new Date();
const FAR = new Date("2032-01-01T00:00:00Z");

export function archiveCalls({ us: { exchangeId }, them: { id, uuid } }: Both): Call[] {
  const settings: archives.ArchiveSettings = {
    kind: "s3",
    url: null,
    region: "ours",
    bucket: "ours",
    prefix: "",
    addressing: "path",
    folder: "",
    user: "ours",
    after_days: 0,
    local_days: 1,
  };
  const which = { exchangeId, callUuid: uuid };
  const trouble = { trouble: "login", detail: "ours" };
  const nowMs = NOW.getTime();
  return [
    call(archives.listArchives, exchangeId),
    call(archives.findArchive, exchangeId, id),
    call(archives.archiveInUse, exchangeId),
    call(archives.createArchive, secrets, { exchangeId, settings, secret: "ours" }),
    call(archives.changeArchive, secrets, { exchangeId, id, changes: { prefix: "ours", secret: "ours" } }),
    call(archives.switchArchiveOff, exchangeId),
    call(archives.deleteArchive, exchangeId, id),
    call(archives.countInArchive, exchangeId, id),
    call(archives.noteArchiveTrouble, { exchangeId, id, trouble, nowMs }),
    call(archives.noteArchiveWorks, { exchangeId, id }),
    call(archives.countArchived, exchangeId),
    call(archived.findArchivedRecording, which),
    call(archived.dueForArchive, { exchangeId, before: FAR, limit: 10 }),
    call(archived.dueToLeave, { exchangeId, before: FAR, limit: 10 }),
    call(archived.dueForRemoval, { exchangeId, limit: 10 }),
    call(archived.beginArchiving, { ...which, archiveId: id, name: "ours", size: 1, sha256: "", md5: "" }),
    call(archived.markArchived, { ...which, name: "ours", nowMs }),
    call(archived.markUnarchived, which),
    call(archived.noteRecordingTrouble, { ...which, trouble }),
    call(archived.markLocalGone, { ...which, nowMs }),
    call(archived.markRemoved, which),
    call(archived.someArchived, exchangeId, 10),
  ];
}
