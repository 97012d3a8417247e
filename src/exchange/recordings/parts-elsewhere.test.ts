import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { whenOver } from "../../../test/ground/when-over.ts";
import { wavHeader } from "../../media/wav.ts";
import { openObjects } from "../../objects/objects.ts";
import type { CallFacts } from "../calls/call-facts.ts";
import { keepRecording } from "./keep.ts";
import { recordingIn, unclaimedIn } from "./leftovers.ts";
import { bringParts } from "./parts-elsewhere.ts";

let root: string;
const folderOf = (node: string) => join(root, node);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "parts-"));
  whenOver(() => rm(root, { recursive: true, force: true }));
  for (const node of ["one", "two"]) await mkdir(unclaimedIn(folderOf(node)), { recursive: true });
});

async function soundAt(path: string, seconds: number): Promise<string> {
  const header = wavHeader({ rate: 8_000, channels: 2, dataBytes: 0 }); // as a crash leaves it
  await writeFile(path, Buffer.concat([header, Buffer.alloc(8_000 * seconds * 4, 1)]));
  return path;
}

// Only what the parts go by is filled in.
const taken = (more: Partial<CallFacts>) => ({
  facts: { uuid: randomUUID(), story: [], ...more } as unknown as CallFacts,
  node: "one",
});

/** What there is in the end, once our own part has been recorded as well. */
async function keptOf(facts: CallFacts, seconds: number) {
  const recordingPath = await soundAt(recordingIn(folderOf("two"), facts.uuid), seconds);
  return keepRecording(await openObjects(join(root, "objects")), { ...facts, recordingPath });
}

test("what the node before has recorded is the beginning of the recording, where its folder can be reached", async () => {
  const call = taken({});
  const before = await soundAt(recordingIn(folderOf("one"), call.facts.uuid), 3);
  const facts = await bringParts(folderOf("two"), { ...call, facts: { ...call.facts, recordingPath: before } }, 0);
  expect(facts).toMatchObject({ story: [], words: [expect.stringContaining(facts.uuid)] });
  expect(facts.recordingPath).toBeUndefined();
  expect(dirname(facts.words![0]!)).toBe(folderOf("two"));
  expect(existsSync(before)).toBe(false);
  expect(await keptOf(facts, 2)).toMatchObject({ durationMs: 5_000 });
});

test("where it cannot be reached the recording begins anew, and the story says who has the beginning", async () => {
  const call = taken({ recordingPath: join(root, "gone", "it.wav") });
  const facts = await bringParts(folderOf("two"), call, 7);
  expect(facts.story).toEqual([{ atMs: 7, is: "recording-part-left", node: "one" }]);
  expect(facts.words).toBeUndefined();
  expect(await keptOf(facts, 2)).toMatchObject({ durationMs: 2_000 });
});

test("a call that comes back to a node goes on after what that node has of it, and nothing is brought twice", async () => {
  const call = taken({});
  const { uuid } = call.facts;
  const [here, there] = [folderOf("two"), folderOf("one")];
  await soundAt(recordingIn(unclaimedIn(here), uuid), 1);
  const recordingPath = await soundAt(recordingIn(there, uuid), 2);
  const once = await bringParts(here, { ...call, facts: { ...call.facts, recordingPath } }, 0);
  expect(once.words).toHaveLength(2);
  const again = await bringParts(here, { node: "two", facts: once }, 0);
  expect(again.words).toEqual(once.words);
  expect(await keptOf(again, 4)).toMatchObject({ durationMs: 7_000 });
});

test("a call of which nothing was recorded has no part anywhere", async () => {
  const call = taken({});
  expect(await bringParts(folderOf("two"), call, 0)).toEqual(call.facts);
});
