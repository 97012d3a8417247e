// Files that a crash, or a disk that failed, left in the folder of recordings: a start takes them into keeping with the
// record of their call. Those of a call that nobody knows are put aside, and the doctor tells of them.

import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { namesIn } from "../../folders.ts";
import type { Log } from "../../log.ts";
import type { Objects } from "../../objects/objects.ts";
import type { Database } from "../../store/db.ts";
import { readStory } from "../../store/live-calls.ts";
import { adoptRecording, recordedCall } from "../../store/recordings.ts";
import type { CallFacts } from "../calls/call-facts.ts";
import { oweCompression } from "./compress.ts";
import { keepRecording } from "./keep.ts";

export type LeftoverParts = { db: Database; log: Log; objects: Objects; folder: string };

type CallFiles = Pick<CallFacts, "recordingPath" | "words">;

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const TALK = new RegExp(`^(${UUID})\\.wav$`);
const WORDS = new RegExp(`^(${UUID})-${UUID}\\.wav$`);
/** Spoken for a mailbox. Those that have an owner were given to him when their call got its record. */
const MESSAGE = new RegExp(`^message-(${UUID})\\.wav$`);
/** Spoken to be understood or tried out, and kept by nobody's wish. */
const PASSING = /^(?:listen|greeting)-.*\.wav$/;

const UNCLAIMED = "unclaimed";

export const unclaimedIn = (folder: string): string => join(folder, UNCLAIMED);

/** Where a call is recorded while it lasts. */
export const recordingIn = (folder: string, uuid: string): string => join(folder, `${uuid}.wav`);

/** A new file for what was said before the talk. */
export const wordsIn = (folder: string, uuid: string): string => join(folder, `${uuid}-${randomUUID()}.wav`);

/** By call: the recording of the talk, and what the caller said alone, in the order in which he said it. */
async function filesLeftIn(folder: string): Promise<Map<string, CallFiles>> {
  const left = new Map<string, CallFiles>();
  for (const name of await namesByAge(folder)) {
    const path = join(folder, name);
    const [, talk] = TALK.exec(name) ?? [];
    const [, spoken] = WORDS.exec(name) ?? [];
    if (talk !== undefined) left.set(talk, { ...left.get(talk), recordingPath: path });
    if (spoken !== undefined)
      left.set(spoken, { ...left.get(spoken), words: [...(left.get(spoken)?.words ?? []), path] });
  }
  return left;
}

/** What a call wrote in its last second is not in the journal yet, but on disk it is; or in keeping already. */
export async function withFilesLeftIn(folder: string): Promise<(facts: CallFacts) => CallFacts> {
  const left = await filesLeftIn(folder);
  return (facts) => {
    const { recordingPath = recordingIn(folder, facts.uuid), words: known = [] } = facts;
    const found = left.get(facts.uuid)?.words ?? [];
    return { ...facts, recordingPath, words: [...known, ...found.filter((path) => !known.includes(path))] };
  };
}

/** Before the first call of a start, after the calls that were up have their records. How many recordings were adopted. */
export async function adoptLeftovers(parts: LeftoverParts): Promise<number> {
  const { folder, log } = parts;
  let adopted = 0;
  let putAside = await tidyUp(parts);
  for (const [uuid, files] of await filesLeftIn(folder)) {
    const became = await adopt(parts, uuid, files).catch((error: unknown) => {
      log.error({ call: uuid, error: String(error) }, "a recording that was left behind could not be kept");
      return "left" as const;
    });
    if (became === "adopted") adopted++;
    if (became === "aside") putAside++;
  }
  if (adopted > 0) log.warn({ recordings: adopted }, "recordings that were left behind are with their calls now");
  if (putAside > 0)
    log.warn(
      { recordings: putAside, folder: unclaimedIn(folder) },
      "recordings of calls that nobody knows are put aside",
    );
  return adopted;
}

/** How many messages without an owner were put aside. */
async function tidyUp({ db, folder }: LeftoverParts): Promise<number> {
  let aside = 0;
  for (const name of await namesByAge(folder)) {
    if (PASSING.test(name)) await rm(join(folder, name), { force: true });
    const [, call] = MESSAGE.exec(name) ?? [];
    if (call === undefined || (await recordedCall(db, call))?.isUp) continue;
    await moveAside(folder, [join(folder, name)]);
    aside++;
  }
  return aside;
}

async function adopt(
  { db, objects, folder }: LeftoverParts,
  uuid: string,
  files: CallFiles,
): Promise<"adopted" | "aside" | "left" | "gone"> {
  const paths = [...(files.words ?? []), ...(files.recordingPath === undefined ? [] : [files.recordingPath])];
  const call = await recordedCall(db, uuid);
  if (call?.isUp) return "left";
  if (!call) {
    await moveAside(folder, paths);
    return "aside";
  }
  const isHere = call.objectKey !== null && (await objects.size(call.objectKey)) !== undefined;
  if (isHere && (await isBeginning(db, uuid, call.exchangeId))) {
    await moveAside(folder, paths);
    return "aside";
  }
  if (isHere || call.isArchived || call.recording === "deleted") {
    for (const path of paths) await rm(path, { force: true });
    return "gone";
  }
  const kept = await keepRecording(objects, { uuid, ...files });
  if (!kept) return "gone"; // there was nothing to hear
  await db.transaction(async (db) => {
    await adoptRecording(db, { ...kept, callUuid: uuid, exchangeId: call.exchangeId });
    await oweCompression(db, [{ callUuid: uuid, objectKey: kept.objectKey, exchangeId: call.exchangeId }]);
  });
  return "adopted";
}

/** Another node has kept the rest of it, and could not reach this. */
async function isBeginning(db: Database, uuid: string, exchangeId: number): Promise<boolean> {
  const story = await readStory(db, exchangeId, uuid);
  return Array.isArray(story) && story.some(({ is }: { is?: string }) => is === "recording-part-left");
}

async function moveAside(folder: string, paths: string[]): Promise<void> {
  const aside = unclaimedIn(folder);
  await mkdir(aside, { recursive: true, mode: 0o700 });
  for (const path of paths) await rename(path, join(aside, basename(path)));
}

export async function countUnclaimed(folder: string): Promise<number> {
  return (await namesIn(unclaimedIn(folder))).length;
}

async function namesByAge(folder: string): Promise<string[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(".wav"));
  const aged = await Promise.all(
    names.map(async (name) => ({
      name,
      bornMs: (await stat(join(folder, name)).catch(() => undefined))?.birthtimeMs ?? 0,
    })),
  );
  return aged.sort((one, other) => one.bornMs - other.bornMs).map(({ name }) => name);
}
