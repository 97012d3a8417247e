// What the journal needs to keep recordings, out of the parts the exchange has anyway.

import type { RecordingFault } from "../../media/engine.ts";
import type { Objects } from "../../objects/objects.ts";
import type { JournalParts } from "../journal/journal.ts";
import { oweCompression } from "./compress.ts";
import { keepRecording } from "./keep.ts";
import { withFilesLeftIn } from "./leftovers.ts";

export function journalParts({
  objects,
  recordings,
  onFault,
  ...parts
}: Pick<JournalParts, "db" | "clock" | "log" | "node" | "onRecovered" | "seal" | "arrears" | "notebook"> & {
  objects: Objects;
  /** The folder in which calls are recorded while they last. */
  recordings?: string;
  onFault?(fault: RecordingFault): void;
}): JournalParts {
  return {
    ...parts,
    ...(recordings === undefined ? {} : { leftBehind: () => withFilesLeftIn(recordings) }),
    keepRecording: (facts) =>
      keepRecording(objects, facts).catch((error: NodeJS.ErrnoException) => {
        onFault?.({ path: facts.recordingPath ?? "", step: "keep", code: error.code ?? error.message });
        throw error;
      }),
    oweRecordingWork: (db, calls) =>
      oweCompression(
        db,
        calls.flatMap(({ cdr, recording }) =>
          recording ? [{ callUuid: cdr.callUuid, objectKey: recording.objectKey, exchangeId: cdr.exchangeId }] : [],
        ),
      ),
  };
}
