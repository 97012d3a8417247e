import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { whenOver } from "../../../test/ground/when-over.ts";
import { toneLevel } from "../../../test/phones/tone-level.ts";
import { channelOf, stereo } from "../../../test/town/real-town.ts";
import { wavHeader } from "../../media/wav.ts";
import { type Objects, openObjects } from "../../objects/objects.ts";
import { keepRecording } from "./keep.ts";

let folder: string;
let objects: Objects;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keep-"));
  objects = await openObjects(join(folder, "objects"));
  whenOver(() => rm(folder, { recursive: true }));
});

/** A tone on the left; a crash has left the header without a length. */
async function recording({
  hz,
  rate,
  channels,
  seconds,
}: {
  hz: number;
  rate: number;
  channels: number;
  seconds: number;
}) {
  const path = join(folder, `${randomUUID()}.wav`);
  const samples = new Int16Array(rate * seconds * channels);
  for (let at = 0; at < rate * seconds; at++) samples[at * channels] = 8_000 * Math.sin((2 * Math.PI * hz * at) / rate);
  await writeFile(path, Buffer.concat([wavHeader({ rate, channels, dataBytes: 0 }), new Uint8Array(samples.buffer)]));
  return path;
}

test("what a caller said alone comes before the talk, on his own side, also after a crash in between", async () => {
  const uuid = randomUUID();
  const words = [
    await recording({ hz: 440, rate: 16_000, channels: 1, seconds: 2 }),
    join(folder, "never-written.wav"),
  ];
  const recordingPath = await recording({ hz: 660, rate: 8_000, channels: 2, seconds: 3 });
  const kept = await keepRecording(objects, { uuid, recordingPath, words });
  expect(kept).toMatchObject({ objectKey: `recordings/${uuid}.wav`, durationMs: 5_000 });
  expect(await keepRecording(objects, { uuid, recordingPath, words })).toEqual(kept); // nothing is left but the object
  for (const path of [...words, recordingPath]) expect(existsSync(path)).toBe(false);
  const bytes = readFileSync(objects.path(kept!.objectKey));
  expect(stereo(bytes)).toMatchObject({ rate: 8_000, channels: 2 });
  const [left, right] = [channelOf(bytes, "left"), channelOf(bytes, "right")];
  expect(toneLevel(left.subarray(0, 16_000), 440, 8_000)).toBeGreaterThan(0.1);
  expect(toneLevel(left.subarray(16_000), 660, 8_000)).toBeGreaterThan(0.1);
  expect(toneLevel(left.subarray(16_000), 440, 8_000)).toBeLessThan(0.02);
  expect(right.every((sample) => sample === 0)).toBe(true);
});

test("words alone are the recording of the call, and silence alone is none", async () => {
  const words = [await recording({ hz: 440, rate: 8_000, channels: 1, seconds: 1 })];
  expect(await keepRecording(objects, { uuid: randomUUID(), words })).toMatchObject({ durationMs: 1_000 });
  const nothing = [await recording({ hz: 440, rate: 8_000, channels: 1, seconds: 0 })];
  expect(await keepRecording(objects, { uuid: randomUUID(), words: nothing })).toBeUndefined();
  expect(await keepRecording(objects, { uuid: randomUUID() })).toBeUndefined();
});
