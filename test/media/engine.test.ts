// The embedded engine over real loopback UDP: talking, playing, recording, keys.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openEmbeddedEngine } from "../../src/media/embedded/embedded.ts";
import { readWav, wavHeader } from "../../src/media/wav.ts";
import { passing } from "../phones/rtp-phone.ts";
import { loudestTone, toneLevel } from "../phones/tone-level.ts";
import { CLEAR, NOT_AT_ALL, phonesOn } from "./phones.ts";

const town = phonesOn();

async function channelsOf(path: string) {
  const wav = readWav(await readFile(path));
  if (wav.is === "unreadable") throw new Error(wav.why);
  const channel = (which: number) => wav.samples.filter((_, i) => i % wav.channels === which);
  return { ...wav, left: channel(0), right: channel(1) };
}

test("two phones hear each other", async () => {
  const { a, b } = await town.callBetween({ says: 440 }, { says: 660 });
  await Promise.all([a.phone.listen(300), b.phone.listen(300)]);
  expect(await a.phone.soonHears(660)).toBeGreaterThan(CLEAR);
  expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
  expect(a.phone.hears(440)).toBeLessThan(NOT_AT_ALL);
  await Promise.all([town.engine.part(a.stream), town.engine.part(b.stream)]);
  await passing(40);
  a.phone.listenAnew();
  await passing(100);
  expect(a.phone.received).toEqual([]);
});

test("a stream ends as soon as it is told to, without waiting for anything else to be said", async () => {
  const { a } = await town.callBetween({ says: 440 }, { says: 660 });
  expect(await a.phone.soonHears(660)).toBeGreaterThan(CLEAR);
  vi.useFakeTimers({ toFake: ["setTimeout"] }); // they stand still: an end that waits for company would never come
  await town.engine.close(a.stream).finally(() => vi.useRealTimers());
  await passing(40);
  a.phone.listenAnew();
  await passing(100);
  expect(a.phone.received).toEqual([]);
});

test.each([
  ["PCMA", "PCMU"],
  ["PCMA", "G722"],
  ["PCMU", "opus"],
  ["G722", "opus"],
] as const)("a %s phone and a %s phone hear each other", async (one, other) => {
  const { a, b } = await town.callBetween({ says: 440, codec: one }, { says: 660, codec: other });
  await Promise.all([a.phone.listen(500), b.phone.listen(500)]);
  expect(await a.phone.soonHears(660)).toBeGreaterThan(CLEAR);
  expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
});

test("a tone is played to the end, then the other party is heard again without a break in the numbers", async () => {
  const { a } = await town.callBetween({ says: 440 }, { says: 660 });
  await a.phone.listen(100);
  const ended = town.engine.play(a.stream, { sounds: [{ is: "tone", spec: "1000/300" }] });
  await a.phone.listen(200);
  expect(await a.phone.soonHears(1000)).toBeGreaterThan(0.05);
  expect(await ended).toEqual({ ended: "finished" });
  await passing(60);
  const packets = a.phone.received.slice();
  expect(new Set(packets.map((packet) => packet.ssrc)).size).toBe(1);
  for (const [i, packet] of packets.slice(1).entries()) {
    expect((packet.sequence - packets[i]!.sequence) & 0xffff, `packet ${i}`).toBe(1);
    expect((packet.timestamp - packets[i]!.timestamp) | 0, `packet ${i}`).toBeGreaterThan(0);
  }
  await a.phone.listen(200);
  expect(await a.phone.soonHears(660)).toBeGreaterThan(CLEAR);
});

test("a sound file is heard, whatever its rate", async () => {
  const a = await town.connect({ says: 440 });
  for (const rate of [8000, 16000, 44100]) {
    const path = join(town.folder, `${rate}.wav`);
    const samples = Int16Array.from({ length: rate * 0.3 }, (_, i) => 8000 * Math.sin((2 * Math.PI * 700 * i) / rate));
    const header = wavHeader({ rate, channels: 1, dataBytes: samples.byteLength });
    await writeFile(path, Buffer.concat([header, Buffer.from(samples.buffer)]));
    const ended = town.engine.play(a.stream, { sounds: [{ is: "file", path }] });
    await a.phone.listen(200);
    expect(await a.phone.soonHears(700), `${rate}`).toBeGreaterThan(CLEAR);
    expect(await ended).toEqual({ ended: "finished" });
  }
});

test("music goes on until it is stopped, and a file that is not there is said to be unreadable", async () => {
  const a = await town.connect({ says: 440 });
  const music = town.engine.play(a.stream, { sounds: [{ is: "tone", spec: "500/40,600/40" }], repeat: "forever" });
  await a.phone.listen(300);
  await town.engine.stopPlaying(a.stream);
  expect(await music).toEqual({ ended: "stopped" });
  const missing = await town.engine.play(a.stream, { sounds: [{ is: "file", path: join(town.folder, "none.wav") }] });
  expect(missing).toEqual({ ended: "unreadable" });
});

test("a key ends a prompt that may be interrupted, and no other", async () => {
  const a = await town.connect({ says: 440, events: 101 });
  const patient = town.engine.play(a.stream, { sounds: [{ is: "silence", ms: 300 }] });
  await a.phone.press("7");
  await town.told("digit", a.stream);
  expect(await patient).toEqual({ ended: "finished" });
  let isOver = false;
  const prompt = town.engine.play(a.stream, { sounds: [{ is: "silence", ms: 60_000 }], interruptible: true });
  void prompt.then(() => {
    isOver = true;
  });
  while (!isOver) await a.phone.press("3"); // the first may come before the prompt has begun
  expect(await prompt).toEqual({ ended: "digit", digit: "3" });
});

test("both sides of a call are recorded, each on its own channel and in step", async () => {
  const { a, b } = await town.callBetween({ says: 440 }, { says: 660 });
  const path = join(town.folder, "call.wav");
  const recording = await town.engine.recordCall({ left: a.stream, right: b.stream, path });
  await passing(1_200);
  const { durationMs } = await recording.stop();
  expect(durationMs).toBeGreaterThan(700);
  expect(await recording.ended).toEqual({ durationMs });
  const { left, right, rate, channels } = await channelsOf(path);
  expect({ rate, channels }).toEqual({ rate: 8000, channels: 2 });
  expect(toneLevel(left.subarray(1600), 440, 8000)).toBeGreaterThan(CLEAR);
  expect(toneLevel(left, 660, 8000)).toBeLessThan(NOT_AT_ALL);
  expect(toneLevel(right.subarray(1600), 660, 8000)).toBeGreaterThan(CLEAR);
  expect(toneLevel(right, 440, 8000)).toBeLessThan(NOT_AT_ALL);
});

test("a recording goes on through a transfer, and holds what was played to a party alone", async () => {
  const a = await town.connect({ says: 440 });
  const path = join(town.folder, "transfer.wav");
  const recording = await town.engine.recordCall({ left: a.stream, path });
  await town.engine.play(a.stream, { sounds: [{ is: "tone", spec: "1000/400" }] });
  const b = await town.connect({ says: 660 });
  await town.engine.join(a.stream, b.stream);
  await recording.change({ right: b.stream });
  a.phone.listenAnew();
  expect(await a.phone.soonHears(660)).toBeGreaterThan(CLEAR);
  await passing(200);
  await town.engine.close(b.stream);
  await town.engine.close(a.stream);
  const { durationMs } = await recording.ended;
  expect(durationMs).toBeGreaterThan(700);
  const { right } = await channelsOf(path);
  expect(loudestTone(right, 1000, 8000)).toBeGreaterThan(0.05);
  expect(loudestTone(right, 660, 8000)).toBeGreaterThan(CLEAR);
});

test("one party is recorded until a key, until silence, or until time is up", async () => {
  const a = await town.connect({ says: 440, events: 101 });
  await passing(60);
  const path = join(town.folder, "party.wav");
  const byKey = town.engine.record(a.stream, { path, maxMs: 5000, stopKeys: "#" });
  await passing(600);
  await a.phone.press("5#");
  expect(await byKey).toMatchObject({ ended: "key", key: "#" });
  const { left, channels } = await channelsOf(path);
  expect(channels).toBe(1);
  expect(loudestTone(left, 440, 8000)).toBeGreaterThan(CLEAR);
  expect(await town.engine.record(a.stream, { path, maxMs: 200 })).toEqual({ ended: "max", durationMs: 200 });
  a.phone.says = 0;
  await passing(100);
  expect(await town.engine.record(a.stream, { path, maxMs: 5000, silenceMs: 200 })).toMatchObject({ ended: "silence" });
  const nowhere = join(town.folder, "no", "such", "folder.wav");
  expect(await town.engine.record(a.stream, { path: nowhere, maxMs: 200 })).toMatchObject({ ended: "unwritable" });
});

test("keys pressed on one phone are told once each and reach the other", async () => {
  const { a, b } = await town.callBetween({ says: 440, events: 101 }, { says: 660, events: 96 });
  await passing(60);
  await a.phone.press("15#");
  await expect
    .poll(() => town.events)
    .toMatchObject([
      // Where the phone is kept from sending for a while, a key ends with the last that came of it.
      { is: "digit", stream: a.stream, digit: "1", durationMs: expect.toBeOneOf([20, 40, 60, 80, 100]) },
      { is: "digit", stream: a.stream, digit: "5" },
      { is: "digit", stream: a.stream, digit: "#" },
    ]);
  await expect.poll(() => b.phone.keys).toBe("15#");
});

test("keys reach a phone with another codec, and one that knows keys only as tones", async () => {
  const { a, b } = await town.callBetween({ says: 440, events: 101 }, { codec: "G722", events: 101 });
  await passing(60);
  await a.phone.press("2");
  await expect.poll(() => b.phone.keys).toBe("2");
  const deaf = await town.connect({}, { near: a.stream });
  await town.engine.join(a.stream, deaf.stream);
  deaf.phone.listenAnew();
  await a.phone.press("2");
  const loudest = () => {
    const heard = deaf.phone.heardSamples();
    const levels = Array.from({ length: heard.length / 200 }, (_, i) =>
      toneLevel(heard.subarray(i * 200, i * 200 + 400), 697, 8000),
    );
    return Math.max(...levels);
  };
  await expect.poll(loudest).toBeGreaterThan(0.05);
});

test("keys are sent to a phone as events, or as tones when it knows no events", async () => {
  const a = await town.connect({ says: 440, events: 101 });
  await town.engine.sendDigits(a.stream, "42*");
  await expect.poll(() => a.phone.keys).toBe("42*");
  const listener = await town.connect({});
  const talker = await town.connect({}, { near: listener.stream });
  await town.engine.join(listener.stream, talker.stream);
  // The second phone plays what it hears back in band: the exchange itself must recognise its own tones.
  await passing(60);
  talker.phone.echo(true);
  const isTold = () => town.events.some((event) => event.is === "digit" && event.stream === talker.stream);
  // An echo that a busy machine tears is no key: then it is sent again.
  for (let times = 0; times < 20 && !isTold(); times++) {
    await town.engine.sendDigits(talker.stream, "7");
    await passing(200);
  }
  expect(await town.told("digit", talker.stream)).toMatchObject({ digit: "7" });
});

test("a codec changed by new signalling while music plays leaves the music at its pitch", async () => {
  const a = await town.connect({ codec: "G722" });
  await town.engine.settle(a.stream, a.phone.settings({ codec: "PCMA", payloadType: 8 }));
  const music = town.engine.play(a.stream, { sounds: [{ is: "tone", spec: "700/1000" }], repeat: "forever" });
  await passing(100);
  await town.engine.settle(a.stream, a.phone.settings());
  await passing(60);
  a.phone.listenAnew();
  expect(await a.phone.soonHears(700)).toBeGreaterThan(CLEAR);
  await town.engine.stopPlaying(a.stream);
  expect(await music).toEqual({ ended: "stopped" });
});

test("when no thread can be started the engine says so and leaves nothing running", async () => {
  const options = {
    portRange: [0, 0] as [number, number],
    address: "127.0.0.1",
    mediaTimeoutMs: 0,
    log: { warn() {} },
  };
  await expect(openEmbeddedEngine({ ...options, workers: 1, workerPath: "dist/none.js" })).rejects.toThrow(
    "no media thread",
  );
});
