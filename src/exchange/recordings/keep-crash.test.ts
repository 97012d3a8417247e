// The process dies at every single step of taking a recording into keeping; the next start has all of it.

import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { whenOver } from "../../../test/ground/when-over.ts";
import { wavHeader } from "../../media/wav.ts";
import { openObjects } from "../../objects/objects.ts";
import { keepRecording } from "./keep.ts";

// After so many steps nothing reaches the disk any more, as after a kill; and no file can be moved out of `elsewhere`.
const death = vi.hoisted(() => ({ stepsLeft: Number.POSITIVE_INFINITY, isAcrossDisks: false }));

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const mortal =
    (act: (...given: never[]) => Promise<unknown>) =>
    async (...given: never[]) => {
      if (death.stepsLeft-- <= 0) throw new Error("killed");
      return act(...given);
    };
  const rename = mortal(real.rename as never);
  return {
    ...real,
    open: mortal(real.open as never),
    mkdir: mortal(real.mkdir as never),
    rm: mortal(real.rm as never),
    rename(from: string, to: string) {
      const isAcross = death.isAcrossDisks && from.includes("elsewhere") && !to.includes("elsewhere");
      if (isAcross) return Promise.reject(Object.assign(new Error("EXDEV"), { code: "EXDEV" }));
      return rename(from as never, to as never);
    },
  };
});

const { mkdtemp, mkdir, readdir, rename, rm, writeFile } =
  await vi.importActual<typeof import("node:fs/promises")>("node:fs/promises");
const { join } = await import("node:path");
const { tmpdir } = await import("node:os");

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keep-crash-"));
  whenOver(() => rm(folder, { recursive: true }));
});
beforeEach(() => {
  death.stepsLeft = Number.POSITIVE_INFINITY;
  death.isAcrossDisks = false;
});

async function recordingOf(place: string, seconds: number, channels: number): Promise<string> {
  const path = join(place, `${randomUUID()}.wav`);
  const dataBytes = 8_000 * seconds * channels * 2;
  await writeFile(path, Buffer.concat([wavHeader({ rate: 8_000, channels, dataBytes }), Buffer.alloc(dataBytes, 1)]));
  return path;
}

/** Drafts in the scratch folder belong to a process that is gone. */
async function bury(objectsFolder: string): Promise<void> {
  const scratch = join(objectsFolder, ".scratch");
  for (const name of await readdir(scratch)) await rename(join(scratch, name), join(scratch, `2147483647-${name}`));
}

const NO_SOUND_LOST = { durationMs: 6_000 };

test.each([
  { what: "one file", talk: 6, words: [], isAcrossDisks: false },
  { what: "one file from another disk", talk: 6, words: [], isAcrossDisks: true },
  { what: "a caller's words and the talk", talk: 3, words: [1, 2], isAcrossDisks: false },
  { what: "words and talk from another disk", talk: 3, words: [1, 2], isAcrossDisks: true },
])("$what: no step at which a kill loses any of it", async ({ talk, words, isAcrossDisks }) => {
  let survived = 0;
  for (let steps = 0; ; steps++) {
    const root = join(folder, randomUUID());
    const place = join(root, "elsewhere");
    await mkdir(place, { recursive: true });
    const objectsFolder = join(root, "objects");
    const objects = await openObjects(objectsFolder);
    const facts = {
      uuid: randomUUID(),
      recordingPath: await recordingOf(place, talk, 2),
      words: await Promise.all(words.map((seconds) => recordingOf(place, seconds, 1))),
    };
    Object.assign(death, { stepsLeft: steps, isAcrossDisks });
    const died = await keepRecording(objects, facts).then(
      () => false,
      () => true,
    );
    death.stepsLeft = Number.POSITIVE_INFINITY;
    await bury(objectsFolder);
    const next = await openObjects(objectsFolder);
    expect(await keepRecording(next, facts), `killed after ${steps} steps`).toMatchObject(NO_SOUND_LOST);
    expect(await readdir(place), "nothing lies about").toEqual([]);
    expect(await keepRecording(next, facts)).toMatchObject(NO_SOUND_LOST);
    if (!died) break;
    survived++;
  }
  expect(survived).toBeGreaterThan(5);
});
