// WAV files: read, written, and put right after a crash.

import { mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readWav, repairWav, toMono, wavHeader } from "./wav.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "santral-wav-"));
});
afterAll(() => rm(folder, { recursive: true }));

const samples = Int16Array.of(0, 1000, -1000, 32_767, -32_768, 7);
const sound = Buffer.from(samples.buffer);

test("what is written is read", () => {
  const bytes = Buffer.concat([wavHeader({ rate: 8000, channels: 2, dataBytes: sound.length }), sound]);
  expect(readWav(bytes)).toEqual({ is: "wav", rate: 8000, channels: 2, samples });
});

test("both laws, eight bits, an odd chunk before the sound and an extensible header are read", () => {
  const chunk = (name: string, body: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(name, "latin1");
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length & 1)]);
  };
  const format = (coding: number, bits: number, more = Buffer.alloc(0)) => {
    const body = Buffer.alloc(16);
    body.writeUInt16LE(coding, 0);
    body.writeUInt16LE(1, 2);
    body.writeUInt32LE(8000, 4);
    body.writeUInt16LE(bits, 14);
    return chunk("fmt ", Buffer.concat([body, more]));
  };
  const file = (...chunks: Buffer[]) => Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE", "latin1"), ...chunks]);
  const data = chunk("data", Buffer.from([0xd5, 0x55]));
  expect(readWav(file(format(6, 8), chunk("LIST", Buffer.from("odd")), data))).toMatchObject({
    samples: Int16Array.of(8, -8),
  });
  expect(readWav(file(format(7, 8), chunk("data", Buffer.from([0xff, 0x80]))))).toMatchObject({
    samples: Int16Array.of(0, 32_124),
  });
  expect(readWav(file(format(1, 8), chunk("data", Buffer.from([128, 0]))))).toMatchObject({
    samples: Int16Array.of(0, -32_768),
  });
  const guid = Buffer.alloc(24);
  guid.writeUInt16LE(1, 8);
  expect(readWav(file(format(0xfffe, 16, guid), chunk("data", sound)))).toMatchObject({ samples });
});

test("what is no sound file is said to be none", () => {
  expect(readWav(Buffer.from("hello"))).toMatchObject({ is: "unreadable" });
  expect(readWav(wavHeader({ rate: 1, channels: 1, dataBytes: 0 }))).toMatchObject({ is: "unreadable" });
  const mp3 = Buffer.from(wavHeader({ rate: 8000, channels: 1, dataBytes: 0 }));
  mp3.writeUInt16LE(85, 20);
  expect(readWav(mp3)).toMatchObject({ is: "unreadable", why: "coding 85 with 16 bits" });
});

test("stereo becomes mono by the mean", () => {
  expect(toMono({ is: "wav", rate: 8000, channels: 2, samples: Int16Array.of(100, 300, -5, 5) })).toEqual(
    Int16Array.of(200, 0),
  );
});

test("a recording whose writer died is made whole: half a frame is cut, the header tells the truth", async () => {
  const path = join(folder, "died.wav");
  const header = wavHeader({ rate: 8000, channels: 2, dataBytes: 0 });
  const second = Buffer.alloc(8000 * 4, 1);
  await writeFile(path, Buffer.concat([header, second, Buffer.from([1, 2, 3])]));
  expect(await repairWav(path)).toEqual({ is: "repaired", durationMs: 1000 });
  expect(await readFile(path)).toEqual(
    Buffer.concat([wavHeader({ rate: 8000, channels: 2, dataBytes: second.length }), second]),
  );
  expect(await repairWav(path)).toEqual({ is: "repaired", durationMs: 1000 });
});

test("a recording that ended in peace is left as it is", async () => {
  const path = join(folder, "whole.wav");
  await writeFile(
    path,
    Buffer.concat([wavHeader({ rate: 8000, channels: 1, dataBytes: 16_000 }), Buffer.alloc(16_000)]),
  );
  const yesterday = new Date("2026-01-01T00:00:00Z");
  await utimes(path, yesterday, yesterday);
  expect(await repairWav(path)).toEqual({ is: "repaired", durationMs: 1000 });
  expect((await stat(path)).mtime).toEqual(yesterday);
});

test("a file that died before its header is not repaired", async () => {
  const path = join(folder, "short.wav");
  await writeFile(path, "RIFF");
  expect(await repairWav(path)).toMatchObject({ is: "unreadable" });
});
