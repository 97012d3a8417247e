// Turns a kept recording into MP3, a tenth of its size, some time after the call.

import { type Again, runAgain } from "../../again.ts";
import type { JobHandler, Outcome } from "../../jobs/handler.ts";
import { enqueue } from "../../jobs/jobs.ts";
import type { Log } from "../../log.ts";
import type { Converter } from "../../media/convert.ts";
import type { Objects } from "../../objects/objects.ts";
import type { Db } from "../../store/db.ts";
import { type KeptRecording, type Replacement, replaceRecordings } from "../../store/recordings.ts";

export const COMPRESS_RECORDING = "recording.compress";

/** Half of the cores, and at a low priority: they belong to the calls. */
export const compressionsAtOnce = (cores: number): number => Math.max(1, Math.floor(cores / 2));

/**
 * Who waits longer is behind. Nothing is lost by it: a recording stays the WAV it was recorded as and is served so until
 * its turn comes, which takes ten times the disk. It is told, since a disk that fills up is.
 */
export const BEHIND_SECONDS = 3_600;

/** Its exchange is not told by what was owed before exchanges took turns. */
type Uncompressed = KeptRecording & { exchangeId?: number };

export type CompressParts = { db: Db; log: Log; objects: Objects; converter: Converter };

export async function oweCompression(db: Db, recordings: Required<Uncompressed>[]): Promise<void> {
  await enqueue(
    db,
    ...recordings.map((payload) => ({
      kind: COMPRESS_RECORDING,
      payload,
      share: `recordings ${payload.exchangeId}`,
      uniqueKey: payload.callUuid,
      maxAttempts: 5,
      isPatient: true,
    })),
  );
}

export function compressRecordings(parts: CompressParts): JobHandler {
  // Those that are coded together are written together.
  const replacing = runAgain<Replacing>(async (wanted) => {
    const replaced = await replaceRecordings(parts.db, [...wanted]);
    for (const one of wanted) one.isReplaced = replaced.has(one.callUuid);
  });
  return { run: (recording: Uncompressed) => compress(parts, recording, replacing) };
}

type Replacing = Replacement & { isReplaced: boolean };

async function compress(
  { log, objects, converter }: CompressParts,
  recording: Uncompressed,
  replacing: Again<Replacing>,
): Promise<Outcome> {
  const { callUuid, objectKey, exchangeId = 0 } = recording;
  const input = await objects.fetched(objectKey);
  if (input === undefined) return undefined; // deleted, or done by an earlier try
  const output = objects.scratch(".mp3");
  const converted = await converter.toMp3({ input, output }, { whose: exchangeId });
  if ("refused" in converted && converted.refused === "no-turn") return { retry: "too many wait already" };
  if ("refused" in converted) {
    // The recording stays as it was recorded, which plays everywhere too.
    log.warn({ call: callUuid, ...converted }, "a recording was not compressed");
    return converted.refused === "took-too-long" ? { retry: "took too long" } : undefined;
  }
  const newKey = objectKey.replace(/\.wav$/, ".mp3");
  await objects.put(newKey, { file: output });
  const wanted: Replacing = { ...recording, newKey, mediaType: "audio/mpeg", isReplaced: false };
  await replacing.ask(wanted);
  await objects.delete(wanted.isReplaced ? objectKey : newKey);
  return undefined;
}
