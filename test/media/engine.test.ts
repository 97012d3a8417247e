// The embedded engine over real loopback UDP, with telephones made of sockets.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type EmbeddedEngine, openEmbeddedEngine } from "../../src/media/embedded/embedded.ts";
import type { StreamEvent, StreamId } from "../../src/media/engine.ts";
import { readWav, wavHeader } from "../../src/media/wav.ts";
import { type PhoneOptions, passing, RtpPhone, toneLevel } from "../rtp-phone.ts";

const CLEAR = 0.15;
const NOT_AT_ALL = 0.01;

let engine: EmbeddedEngine;
let folder: string;
let phones: RtpPhone[] = [];
let streams: StreamId[] = [];
const events: StreamEvent[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "santral-media-"));
  engine = await openEmbeddedEngine({
    workers: 2,
    portRange: [0, 0],
    address: "127.0.0.1",
    workerPath: "dist/media-worker.js",
    mediaTimeoutMs: 600,
    log: { warn() {} },
  });
  engine.onEvent((event) => events.push(event));
});
afterAll(async () => {
  await engine.stop();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  events.length = 0;
});
afterEach(async () => {
  for (const phone of phones) phone.hangUp();
  await Promise.all(streams.map((stream) => engine.close(stream)));
  phones = [];
  streams = [];
});

/** A phone on a settled stream, already talking. */
async function connect(options: PhoneOptions = {}, near?: StreamId) {
  const phone = await RtpPhone.open(options);
  phones.push(phone);
  const opened = await engine.open(near === undefined ? {} : { near });
  streams.push(opened.stream);
  await engine.settle(opened.stream, phone.settings());
  phone.talkTo(opened);
  return { phone, ...opened };
}

async function callBetween(caller: PhoneOptions, callee: PhoneOptions) {
  const a = await connect(caller);
  const b = await connect(callee, a.stream);
  await engine.join(a.stream, b.stream);
  return { a, b };
}

test("two phones hear each other", async () => {
  const { a, b } = await callBetween({ says: 440 }, { says: 660 });
  await Promise.all([a.phone.listen(300), b.phone.listen(300)]);
  expect(a.phone.hears(660)).toBeGreaterThan(CLEAR);
  expect(b.phone.hears(440)).toBeGreaterThan(CLEAR);
  expect(a.phone.hears(440)).toBeLessThan(NOT_AT_ALL);
});

test.each([
  ["PCMA", "PCMU"],
  ["PCMA", "G722"],
  ["PCMU", "opus"],
  ["G722", "opus"],
] as const)("a %s phone and a %s phone hear each other", async (one, other) => {
  const { a, b } = await callBetween({ says: 440, codec: one }, { says: 660, codec: other });
  await Promise.all([a.phone.listen(500), b.phone.listen(500)]);
  expect(a.phone.hears(660)).toBeGreaterThan(CLEAR);
  expect(b.phone.hears(440)).toBeGreaterThan(CLEAR);
});

test("a tone is played to the end, then the other party is heard again without a break in the numbers", async () => {
  const { a } = await callBetween({ says: 440 }, { says: 660 });
  await a.phone.listen(100);
  const ended = engine.play(a.stream, { sounds: [{ is: "tone", spec: "1000/300" }] });
  await a.phone.listen(200);
  expect(a.phone.hears(1000)).toBeGreaterThan(0.05);
  expect(await ended).toEqual({ ended: "finished" });
  await passing(40);
  const before = a.phone.received.slice();
  expect(new Set(before.map((packet) => packet.ssrc)).size).toBe(1);
  for (const [i, packet] of before.slice(1).entries())
    expect((packet.sequence - before[i]!.sequence) & 0xffff, `packet ${i}`).toBe(1);
  await a.phone.listen(200);
  expect(a.phone.hears(660)).toBeGreaterThan(CLEAR);
});

test("a sound file is heard, whatever its rate", async () => {
  const a = await connect({ says: 440 });
  for (const rate of [8000, 16000, 44100]) {
    const path = join(folder, `${rate}.wav`);
    const samples = Int16Array.from({ length: rate * 0.3 }, (_, i) => 8000 * Math.sin((2 * Math.PI * 700 * i) / rate));
    const header = wavHeader({ rate, channels: 1, dataBytes: samples.byteLength });
    await writeFile(path, Buffer.concat([header, Buffer.from(samples.buffer)]));
    const ended = engine.play(a.stream, { sounds: [{ is: "file", path }] });
    await a.phone.listen(200);
    expect(a.phone.hears(700), `${rate}`).toBeGreaterThan(CLEAR);
    expect(await ended).toEqual({ ended: "finished" });
  }
});

test("both sides of a call are recorded, each on its own channel", async () => {
  const { a, b } = await callBetween({ says: 440 }, { says: 660 });
  const path = join(folder, "call.wav");
  const recording = await engine.recordCall({ left: a.stream, right: b.stream, path });
  await passing(900);
  const { durationMs } = await recording.stop();
  expect(durationMs).toBeGreaterThan(700);
  const wav = readWav(await readFile(path));
  if (wav.is === "unreadable") throw new Error(wav.why);
  expect(wav).toMatchObject({ rate: 8000, channels: 2 });
  const [left, right] = [0, 1].map((channel) => wav.samples.filter((_, i) => i % 2 === channel).subarray(2400)) as [
    Int16Array,
    Int16Array,
  ];
  expect(toneLevel(left, 440, 8000)).toBeGreaterThan(CLEAR);
  expect(toneLevel(left, 660, 8000)).toBeLessThan(NOT_AT_ALL);
  expect(toneLevel(right, 660, 8000)).toBeGreaterThan(CLEAR);
  expect(toneLevel(right, 440, 8000)).toBeLessThan(NOT_AT_ALL);
});

test("keys pressed on one phone are told once each and reach the other", async () => {
  const { a, b } = await callBetween({ says: 440, events: 101 }, { says: 660, events: 96 });
  await passing(60);
  await a.phone.press("15#");
  await passing(100);
  expect(events.filter((event) => event.is === "digit")).toMatchObject([
    { stream: a.stream, digit: "1" },
    { stream: a.stream, digit: "5" },
    { stream: a.stream, digit: "#" },
  ]);
  expect(b.phone.keys).toBe("15#");
});

test("keys are sent to a phone as events", async () => {
  const a = await connect({ says: 440, events: 101 });
  await engine.sendDigits(a.stream, "42*");
  await passing(40);
  expect(a.phone.keys).toBe("42*");
});
