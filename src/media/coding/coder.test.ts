// The coder against ffmpeg, which is not ours: what it makes is decoded, and what it cannot read ends as it did before.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import threads from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../../test/ground/eventually.ts";
import { testClock } from "../../../test/ground/test-clock.ts";
import { whenOver } from "../../../test/ground/when-over.ts";
import { realClock } from "../../clock.ts";
import { aLaw, muLaw } from "../../codecs/g711.ts";
import { runnerIn } from "../../programs/program.ts";
import { openConverter } from "../convert.ts";
import { wavHeader } from "../wav.ts";
import { openCoder } from "./coder.ts";
import { hasLame } from "./lame.ts";

const canTry = spawnSync("ffmpeg", ["-version"]).status === 0 && hasLame();
const workerPath = resolve("dist/recording-coder.js");
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "coder-"));
});
afterAll(() => rm(folder, { recursive: true }));

function coder({ path = workerPath, threads = 1, clock = realClock } = {}) {
  const said: string[] = [];
  const opened = openCoder({ clock, workerPath: path, threads, log: { warn: (_, text) => void said.push(text) } });
  whenOver(() => opened.close());
  return { ...opened, said };
}

type Sound = { rate: number; seconds: number; tones: number[] };

const samplesOf = ({ rate, seconds, tones }: Sound): Int16Array =>
  Int16Array.from({ length: Math.round(rate * seconds) * tones.length }, (_, at) => {
    const hertz = tones[at % tones.length]!; // an index below its length
    return 12_000 * Math.sin((2 * Math.PI * hertz * Math.floor(at / tones.length)) / rate);
  });

async function linear(name: string, sound: Sound): Promise<string> {
  const samples = samplesOf(sound);
  const header = wavHeader({ rate: sound.rate, channels: sound.tones.length, dataBytes: samples.byteLength });
  const path = join(folder, name);
  await writeFile(path, Buffer.concat([header, new Uint8Array(samples.buffer)]));
  return path;
}

async function byLaw(name: string, sound: Sound, law: typeof aLaw, coding: number): Promise<string> {
  const bytes = Uint8Array.from(samplesOf(sound), (sample) => law.toByte[sample + 32_768]!); // it holds every sample
  const header = Buffer.from(wavHeader({ rate: sound.rate, channels: sound.tones.length, dataBytes: bytes.length }));
  header.writeUInt16LE(coding, 20);
  header.writeUInt16LE(8, 34);
  const path = join(folder, name);
  await writeFile(path, Buffer.concat([header, bytes]));
  return path;
}

/** What a stranger's decoder makes of it: how long it is, and the strength of a tone in a channel, 1 being as it went in. */
function decoded(path: string, channels: number) {
  const pcm = execFileSync("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-c:a", "pcm_s16le", "-"], {
    maxBuffer: 2 ** 26,
  });
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length >> 1);
  const frames = samples.length / channels;
  return {
    durationMs: (frames * 1_000) / 16_000,
    strength(channel: number, hertz: number): number {
      let [re, im] = [0, 0];
      for (let frame = 0; frame < frames; frame++) {
        const angle = (2 * Math.PI * hertz * frame) / 16_000;
        re += samples[frame * channels + channel]! * Math.cos(angle);
        im += samples[frame * channels + channel]! * Math.sin(angle);
      }
      return (2 * Math.hypot(re, im)) / frames / 12_000;
    },
  };
}

describe.skipIf(!canTry)("a recording becomes MP3", () => {
  const cases = {
    "as calls are recorded": () => linear("a.wav", { rate: 8_000, seconds: 3.21, tones: [500, 1_300] }),
    "of wide-band voice": () => linear("b.wav", { rate: 16_000, seconds: 2.5, tones: [500, 1_300] }),
    "in A-law": () => byLaw("c.wav", { rate: 8_000, seconds: 2, tones: [500, 1_300] }, aLaw, 6),
    "in mu-law": () => byLaw("d.wav", { rate: 8_000, seconds: 2, tones: [500, 1_300] }, muLaw, 7),
  };

  test.each(Object.entries(cases))("%s: each side is heard on its own channel only, for as long", async (_, make) => {
    const input = await make();
    const output = `${input}.mp3`;
    const coded = await coder().code({ input, output });
    const heard = decoded(output, 2);
    expect(coded).toEqual({ durationMs: expect.closeTo(heard.durationMs, -1) });
    for (const [channel, own, other] of [
      [0, 500, 1_300],
      [1, 1_300, 500],
    ] as const) {
      expect(heard.strength(channel, own)).toBeGreaterThan(0.9);
      expect(heard.strength(channel, own)).toBeLessThan(1.1);
      expect(heard.strength(channel, other)).toBeLessThan(0.01);
      expect(heard.strength(channel, 8_000 - own)).toBeLessThan(0.01); // no mirror image of an 8 kHz recording
    }
  });

  test("of one party alone, in mono", async () => {
    const input = await linear("mono.wav", { rate: 8_000, seconds: 1, tones: [700] });
    expect(await coder().code({ input, output: `${input}.mp3` })).toEqual({ durationMs: 1_000 });
    const heard = decoded(`${input}.mp3`, 1);
    expect(heard.durationMs).toBe(1_000);
    expect(heard.strength(0, 700)).toBeCloseTo(1, 1);
  });

  test("and has the bit rate, the rate and the size that ffmpeg gave it", async () => {
    const input = await linear("same.wav", { rate: 8_000, seconds: 2.7, tones: [500, 1_300] });
    const [ours, theirs] = [`${input}.ours.mp3`, `${input}.theirs.mp3`];
    await coder().code({ input, output: ours });
    await openConverter({ runProgram: runnerIn("limited"), clock: realClock }).toMp3(
      { input, output: theirs },
      { whose: 1 },
    );
    const facts = (path: string) => {
      const wanted = ["-show_entries", "stream=codec_name,sample_rate,channels,bit_rate,duration:format=start_time"];
      return execFileSync("ffprobe", ["-v", "error", ...wanted, "-of", "csv", path], { encoding: "utf8" });
    };
    expect(facts(ours)).toBe(facts(theirs));
    expect((await stat(ours)).size).toBe((await stat(theirs)).size);
  });

  test("many at once, in one thread or in several, and all come out", async () => {
    const input = await linear("many.wav", { rate: 8_000, seconds: 0.05, tones: [500, 1_300] });
    const { code } = coder({ threads: 2 });
    const outputs = Array.from({ length: 200 }, (_, at) => join(folder, `many-${at}.mp3`));
    const all = await Promise.all(outputs.map((output) => code({ input, output })));
    expect(all.every((it) => "durationMs" in it && it.durationMs === 50)).toBe(true);
    expect(new Set(await Promise.all(outputs.map(async (path) => (await readFile(path)).toString("hex")))).size).toBe(
      1,
    );
  });
});

describe.skipIf(!canTry)("what is no recording of ours ends as it did when ffmpeg coded everything", () => {
  const header = (dataBytes: number) => Buffer.from(wavHeader({ rate: 8_000, channels: 2, dataBytes }));
  const withRate = (rate: number) =>
    Buffer.concat([wavHeader({ rate, channels: 2, dataBytes: 4_000 }), Buffer.alloc(4_000)]);
  const cases: Record<string, Buffer> = {
    "a header cut off": header(8_000).subarray(0, 30),
    "a header without sound": header(0),
    "a header that promises gigabytes, without sound": header(0xffff_fff0),
    "a header that promises gigabytes": Buffer.concat([header(0xffff_fff0), Buffer.alloc(32_000)]),
    "a sound cut off in a frame": Buffer.concat([header(32_000), Buffer.alloc(16_001)]),
    "a chunk as long as four gigabytes": Buffer.from("524946460000000057415645666d7420ffffffff0100020040", "hex"),
    "no rate at all": withRate(0),
    "an odd rate": withRate(11_025),
  };

  test("each of them", async () => {
    const [ffmpeg, ours] = [
      openConverter({ runProgram: runnerIn("limited"), clock: realClock }),
      openConverter({ runProgram: runnerIn("limited"), clock: realClock, coder: coder() }),
    ];
    const ended = async (converter: typeof ours, input: string, output: string) => {
      const converted = await converter.toMp3({ input, output }, { whose: 1 });
      return ["refused" in converted ? converted.refused : "coded", existsSync(output)];
    };
    for (const [name, bytes] of Object.entries(cases)) {
      const input = join(folder, `${name}.wav`);
      await writeFile(input, bytes);
      const theirs = await ended(ffmpeg, input, `${input}.theirs.mp3`);
      expect([name, ...(await ended(ours, input, `${input}.ours.mp3`))]).toEqual([name, ...theirs]);
    }
  });
});

test.skipIf(!canTry)(
  "killed in the middle, a recording is as it was, and the next try makes the whole MP3",
  async () => {
    const input = await linear("killed.wav", { rate: 8_000, seconds: 240, tones: [500, 1_300] });
    const [before, output] = [await readFile(input), `${input}.mp3`];
    const start = `new (require("node:worker_threads").Worker)(${JSON.stringify(workerPath)})`;
    const order = `.postMessage(${JSON.stringify({ files: [{ input, output }] })})`;
    const process = spawn("node", ["-e", start + order]);
    const died = new Promise((resolve) => process.once("exit", (_, signal) => resolve(signal)));
    await eventually("it is in the middle", async () => (await stat(output).catch(() => ({ size: 0 }))).size > 5_000);
    process.kill("SIGKILL");
    expect(await died).toBe("SIGKILL");
    expect((await stat(output)).size).toBeLessThan(6_000 * 240);
    expect((await readFile(input)).equals(before)).toBe(true);
    expect(await coder().code({ input, output })).toEqual({ durationMs: 240_000 });
    expect(decoded(output, 2).durationMs).toBe(240_000);
  },
);

test("a file that is not there, or cannot be written, fails and may be tried again", async () => {
  const input = await linear("there.wav", { rate: 8_000, seconds: 0.1, tones: [500] });
  const { code } = coder();
  if (!hasLame()) return;
  await expect(code({ input: join(folder, "not-there.wav"), output: join(folder, "x.mp3") })).rejects.toThrow("ENOENT");
  await expect(code({ input, output: join(folder, "no-folder", "x.mp3") })).rejects.toThrow("ENOENT");
  expect(await code({ input, output: join(folder, "x.mp3") })).toEqual({ durationMs: 100 });
});

test("without the library everything is left to others, at once and from then on", async () => {
  const path = join(folder, "bare.mjs");
  const says = `parentPort.postMessage({ is: "ready", canCode: false })`;
  await writeFile(path, `import { parentPort } from "node:worker_threads"; ${says};`);
  const { code, said } = coder({ path });
  const files = { input: "/nowhere.wav", output: "/nowhere.mp3" };
  const left = { leftToOthers: "libmp3lame is not installed" };
  expect(await Promise.all([code(files), code(files)])).toEqual([left, left]);
  expect(await code(files)).toEqual(left);
  expect(said).toEqual([]);
});

test("a thread that dies fails what it had in hand, and the next order starts another", async () => {
  const path = join(folder, "dies.mjs");
  const dies = `parentPort.on("message", () => { throw new Error("out of memory") })`;
  await writeFile(
    path,
    `import { parentPort } from "node:worker_threads"; ${dies}; parentPort.postMessage({ is: "ready", canCode: true });`,
  );
  const { code, said } = coder({ path });
  for (const _ of [1, 2]) await expect(code({ input: "a", output: "b" })).rejects.toThrow("out of memory");
  expect(said).toHaveLength(2);
});

test("a thread that cannot even be started fails what waits for it, and nothing else", async () => {
  const { Worker } = threads;
  const restore = () => {
    threads.Worker = Worker;
    syncBuiltinESMExports();
  };
  whenOver(restore);
  const { code, said } = coder();
  threads.Worker = class {
    constructor() {
      throw new Error("EAGAIN");
    }
  } as unknown as typeof Worker; // it is never one
  syncBuiltinESMExports();
  const files = { input: "a", output: "b" };
  const failed = await Promise.allSettled([code(files), code(files)]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(said).toEqual(["a thread that codes recordings cannot be started"]);
  restore();
  expect(await code({ input: join(folder, "none.wav"), output: "b" }).catch(String)).not.toContain("EAGAIN");
});

test.skipIf(!hasLame())(
  "a coder that had nothing to do for a while gives its memory back, and codes again when asked",
  async () => {
    const clock = testClock();
    const input = await linear("idle.wav", { rate: 8_000, seconds: 0.1, tones: [500] });
    const { code, said } = coder({ clock });
    expect(await code({ input, output: join(folder, "idle-1.mp3") })).toEqual({ durationMs: 100 });
    expect(clock.waiting()).toBe(1);
    clock.pass(120_000);
    expect(await code({ input, output: join(folder, "idle-2.mp3") })).toEqual({ durationMs: 100 });
    expect(said).toEqual([]);
  },
);
