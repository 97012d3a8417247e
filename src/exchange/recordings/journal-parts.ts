// What the journal needs to keep recordings, out of the parts the exchange has anyway.

import type { Objects } from "../../objects/objects.ts";
import type { JournalParts } from "../journal/journal.ts";
import { oweCompression } from "./compress.ts";
import { keepRecording } from "./keep.ts";

export function journalParts({
  objects,
  ...parts
}: Pick<JournalParts, "db" | "clock" | "log" | "node"> & { objects: Objects }): JournalParts {
  return {
    ...parts,
    keepRecording: (facts) => keepRecording(objects, facts),
    oweRecordingWork: (db, calls) =>
      oweCompression(
        db,
        calls.flatMap(({ cdr, recording }) =>
          recording ? [{ callUuid: cdr.callUuid, objectKey: recording.objectKey }] : [],
        ),
      ),
  };
}
