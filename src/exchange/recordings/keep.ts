// Takes a finished recording into keeping the moment its call ends, so that it can be fetched with the hangup event.

import { rm, stat } from "node:fs/promises";
import { repairWav } from "../../media/wav.ts";
import type { Objects } from "../../objects/objects.ts";
import type { CallFacts } from "../calls/call-facts.ts";
import type { KeptRecording } from "../journal/call-record.ts";

export const RECORDED_TYPE = "audio/wav";

/** Also right after a crash: the file may be half written, or already taken into keeping without a CDR to show for it. */
export async function keepRecording(
  objects: Objects,
  { uuid, recordingPath }: Pick<CallFacts, "uuid" | "recordingPath">,
): Promise<KeptRecording | undefined> {
  if (recordingPath === undefined) return undefined;
  const objectKey = `recordings/${uuid}.wav`;
  const taken = !(await exists(recordingPath)) && (await objects.size(objectKey)) !== undefined;
  const path = taken ? objects.path(objectKey) : recordingPath;
  if (!(await exists(path))) return undefined;
  const sound = await repairWav(path);
  if (sound.is === "unreadable" || sound.durationMs === 0) {
    await rm(path, { force: true });
    return undefined;
  }
  if (!taken) {
    const put = await objects.put(objectKey, { file: recordingPath });
    if ("refused" in put)
      throw new Error(`a recording of ${sound.durationMs} ms is larger than ${put.limitBytes} bytes`);
  }
  return { objectKey, mediaType: RECORDED_TYPE, durationMs: sound.durationMs };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
