// The recording of a call that another node had begun: what lies where we can reach it becomes the beginning of ours, and
// where it cannot be reached the call's story says who has it.

import { copyFile, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../../durable-file.ts";
import type { CallFacts } from "../calls/call-facts.ts";
import { tellStory } from "../calls/call-facts.ts";
import { recordingIn, unclaimedIn, wordsIn } from "./leftovers.ts";

type Taken = { facts: CallFacts; node: string };

/** `folder` is ours. What is brought lies there as what was said before, so that a later process finds it, too. */
export async function bringParts(folder: string, { facts, node }: Taken, nowMs: number): Promise<CallFacts> {
  const { recordingPath, words = [], ...rest } = facts;
  const own = await ownBefore(folder, facts.uuid);
  const theirs = [...words, ...(recordingPath === undefined ? [] : [recordingPath])];
  const brought: string[] = [];
  let isMissing = false;
  for (const path of [...own, ...theirs.filter((it) => !own.includes(it))]) {
    if (dirname(path) === folder && path !== recordingIn(folder, facts.uuid)) brought.push(path);
    else if (await isThere(path)) brought.push(await bring(folder, facts.uuid, path));
    else isMissing = true;
  }
  const here: CallFacts = { ...rest, ...(brought.length > 0 && { words: brought }) };
  if (isMissing) tellStory(here, nowMs, { is: "recording-part-left", node });
  return here;
}

/** From when the call was here before: older than what others have. */
async function ownBefore(folder: string, uuid: string): Promise<string[]> {
  const places = [recordingIn(unclaimedIn(folder), uuid), recordingIn(folder, uuid)];
  const found = await Promise.all(places.map(isThere));
  return places.filter((_, at) => found[at]);
}

/** Whole and on the disk before the other is gone: its name is looked for only then. */
async function bring(folder: string, uuid: string, path: string): Promise<string> {
  const here = wordsIn(folder, uuid);
  await copyFile(path, here);
  const copy = await open(here, "r");
  await copy.sync().finally(() => copy.close());
  await syncFolder(folder);
  await rm(path, { force: true }).catch(() => undefined); // another's folder may be there to be read alone
  return here;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
