// The line to a disk thread that does not behave: one that never answers, and one that does not live.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { eventually } from "../../../test/ground/eventually.ts";
import { whenOver } from "../../../test/ground/when-over.ts";
import type { RecordingFault } from "../engine.ts";
import { Recordings } from "./recordings.ts";

const MUTE = `import { parentPort } from "node:worker_threads"; parentPort.on("message", () => {});`;
const STILLBORN = `throw new Error("stillborn");`;

afterEach(() => void vi.useRealTimers());

async function recordingsOver(program: string) {
  const folder = await mkdtemp(join(tmpdir(), "disk-thread-"));
  whenOver(() => rm(folder, { recursive: true }));
  const workerPath = join(folder, "disk.mjs");
  await writeFile(workerPath, program);
  const faults: RecordingFault[] = [];
  const said: string[] = [];
  const recordings = new Recordings({
    workerPath,
    log: { warn: (_, text) => void said.push(text) },
    onFault: (fault) => void faults.push(fault),
    onAnother: () => undefined,
  });
  return { recordings, faults, said };
}

const begun = { path: "/nowhere/talk.wav", place: 0 };

test("a recording that is told to end and never does is given up, and a stop does not wait for it either", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { recordings, faults } = await recordingsOver(MUTE);
  const { recording, ended } = recordings.begin(["a"], begun);
  recordings.awaitEnd(recording);
  vi.advanceTimersByTime(30_000);
  const fault = { path: begun.path, step: "thread", code: "late" };
  expect(await ended).toEqual({ durationMs: 0, ended: "unwritable", fault });
  expect(recordings.sidesOf(recording)).toEqual([]);
  recordings.begin(["b"], begun);
  const stopped = recordings.stop();
  vi.advanceTimersByTime(30_000);
  await stopped;
  expect(faults).toEqual([fault, fault]);
});

test("without a disk thread that lives every recording fails at once, and it is tried again and again", async () => {
  const { recordings, faults, said } = await recordingsOver(STILLBORN);
  const first = recordings.begin(["a"], begun);
  expect(await first.ended).toMatchObject({ ended: "unwritable", fault: { code: "stillborn" } });
  expect(await recordings.begin(["b"], begun).ended).toMatchObject({ fault: { code: "no disk thread" } });
  await eventually("it is started a second time", async () => said.length > 1);
  await recordings.stop();
  expect(faults).toHaveLength(2);
});
