// Recordings on a disk that fails. What cannot be synced is a device, which says so as a broken disk does.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { RecordingFault } from "../../src/media/engine.ts";
import { readWav, repairWav } from "../../src/media/wav.ts";
import { passing } from "../phones/rtp-phone.ts";
import { phonesOn } from "./phones.ts";

const faults: RecordingFault[] = [];
const town = phonesOn({ onFault: (fault) => void faults.push(fault) });
beforeEach(() => {
  faults.length = 0;
});

const UNSYNCABLE = "/dev/null";
const FULL = "/dev/full";

test("a sync that fails costs that recording alone: the others are written, and later ones too", async () => {
  const { a, b } = await town.callBetween({ says: 440 }, { says: 660 });
  const c = await town.connect({ says: 880 });
  const path = join(town.folder, "beside.wav");
  const broken = await town.engine.recordCall({ left: a.stream, right: b.stream, path: UNSYNCABLE });
  const whole = await town.engine.recordCall({ left: c.stream, path });
  await passing(600);
  const fault = { path: UNSYNCABLE, step: "sync", code: "EINVAL" };
  expect(await broken.stop()).toMatchObject({ fault });
  expect(faults).toEqual([fault]);
  await passing(600);
  const { durationMs, ...more } = await whole.stop();
  expect(more).toEqual({});
  expect(durationMs).toBeGreaterThan(1_000);
  const later = join(town.folder, "later.wav");
  expect(await town.engine.record(a.stream, { path: later, maxMs: 200 })).toEqual({ ended: "max", durationMs: 200 });
  expect(readWav(await readFile(later)).is).toBe("wav");
});

test("a full disk ends the recording, not the call, and is told once", async () => {
  const a = await town.connect({ says: 440 });
  const fault = { path: FULL, step: "write", code: "ENOSPC" };
  const recording = await town.engine.recordCall({ left: a.stream, path: FULL });
  expect(await recording.ended).toEqual({ durationMs: 0, fault });
  expect(await recording.stop()).toEqual({ durationMs: 0, fault });
  expect(await town.engine.record(a.stream, { path: FULL, maxMs: 200 })).toEqual({
    ...{ durationMs: 0, ended: "unwritable", fault },
  });
  expect(faults).toEqual([fault, fault]);
});

test("a disk thread that dies is started again: what it wrote ends as failed, what comes later is written", async () => {
  const { a, b } = await town.callBetween({ says: 440 }, { says: 660 });
  const path = join(town.folder, "cut.wav");
  const recording = await town.engine.recordCall({ left: a.stream, right: b.stream, path });
  await passing(1_200);
  await town.engine.killDiskThread();
  expect(await recording.ended).toMatchObject({ fault: { path, step: "thread" } });
  expect(await recording.stop()).toMatchObject({ fault: { path, step: "thread" } });
  expect(faults).toHaveLength(1);
  const kept = await repairWav(path);
  expect(kept.is === "repaired" && kept.durationMs, "what was written is there").toBeGreaterThanOrEqual(500);
  for (const stream of [a.stream, b.stream]) {
    const later = join(town.folder, `${stream}.wav`);
    expect(await town.engine.record(stream, { path: later, maxMs: 200 })).toEqual({ ended: "max", durationMs: 200 });
    expect(await repairWav(later)).toEqual({ is: "repaired", durationMs: 200 });
  }
});

test("a recording that is asked of a thread in the moment of its death ends", async () => {
  const a = await town.connect({ says: 440 });
  const dying = town.engine.killThreadOf(a.stream);
  const recording = await town.engine.recordCall({ left: a.stream, path: join(town.folder, "too-late.wav") });
  const spoken = town.engine.record(a.stream, { path: join(town.folder, "unsaid.wav"), maxMs: 60_000 });
  await dying;
  expect(await recording.stop()).toMatchObject({ durationMs: expect.any(Number) });
  expect(await spoken).toMatchObject({ ended: "stream-closed" });
});
