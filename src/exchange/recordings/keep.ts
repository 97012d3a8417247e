// Takes a finished recording into keeping the moment its call ends, so that it can be fetched with the hangup event.

import { rm, stat } from "node:fs/promises";
import { joinWavs } from "../../media/join-wavs.ts";
import { repairWav } from "../../media/wav.ts";
import type { Objects } from "../../objects/objects.ts";
import type { CallFacts } from "../calls/call-facts.ts";
import type { KeptRecording } from "../journal/call-record.ts";

const RECORDED_TYPE = "audio/wav";

/** Also right after a crash: a file may be half written, or already taken into keeping without a CDR to show for it. */
export async function keepRecording(
  objects: Objects,
  { uuid, recordingPath, words = [] }: Pick<CallFacts, "uuid" | "recordingPath" | "words">,
): Promise<KeptRecording | undefined> {
  const paths = [...words, ...(recordingPath === undefined ? [] : [recordingPath])];
  if (paths.length === 0) return undefined;
  const objectKey = `recordings/${uuid}.wav`;
  // Objects are whole or not there: what still lies about is in it, and must not take its place.
  const kept = await alreadyKept(objects, objectKey);
  if (kept) {
    for (const path of paths) await rm(path, { force: true });
    return kept;
  }
  const heard = await withSound(paths);
  if (heard.length === 0) return undefined;
  const put = await objects.put(objectKey, { file: await asOne(objects, heard) });
  if ("refused" in put) throw new Error(`the recording of ${uuid} is larger than ${put.limitBytes} bytes`);
  for (const { path } of heard) await rm(path, { force: true });
  const durationMs = heard.reduce((sum, it) => sum + it.durationMs, 0);
  return { objectKey, mediaType: RECORDED_TYPE, durationMs };
}

type Heard = { path: string; durationMs: number };

/** Those in which there is something to hear; the others are thrown away. */
async function withSound(paths: string[]): Promise<Heard[]> {
  const heard: Heard[] = [];
  for (const path of paths) {
    if (!(await exists(path))) continue;
    const sound = await repairWav(path);
    if (sound.is !== "unreadable" && sound.durationMs > 0) heard.push({ path, durationMs: sound.durationMs });
    else await rm(path, { force: true });
  }
  return heard;
}

async function asOne(objects: Objects, heard: Heard[]): Promise<string> {
  const [only] = heard;
  if (heard.length === 1 && only) return only.path;
  const whole = objects.scratch(".wav");
  await joinWavs(
    heard.map(({ path }) => path),
    whole,
  );
  return whole;
}

async function alreadyKept(objects: Objects, objectKey: string): Promise<KeptRecording | undefined> {
  const path = await objects.here(objectKey);
  if (path === undefined) return undefined;
  const sound = await repairWav(path);
  if (sound.is === "unreadable") return undefined;
  return { objectKey, mediaType: RECORDED_TYPE, durationMs: sound.durationMs };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
