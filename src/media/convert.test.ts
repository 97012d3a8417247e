import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { runAsServer } from "../../test/ground/walls.ts";
import { realClock } from "../clock.ts";
import type { RunProgram } from "../programs/program.ts";
import { readUpload, type SoundExtension, sniffExtension, soundExtensions } from "../uploads/upload.ts";
import { openConverter } from "./convert.ts";

const here = spawnSync("ffmpeg", ["-version"]).status === 0;
let folder: string;
const converter = openConverter({ runProgram: runAsServer, clock: realClock });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "convert-"));
});
afterAll(() => rm(folder, { recursive: true }));

const encoders: Partial<Record<SoundExtension, string[]>> = {
  wav: [],
  mp3: ["-c:a", "libmp3lame"],
  wma: ["-c:a", "wmav2", "-f", "asf"],
  m4a: ["-c:a", "aac"],
  aac: ["-c:a", "aac", "-f", "adts"],
  ac3: ["-c:a", "ac3"],
  flac: ["-c:a", "flac"],
  gsm: ["-c:a", "libgsm", "-ar", "8000", "-ac", "1"],
  mpeg: ["-c:a", "mp2", "-f", "mpeg"],
  mp2: ["-c:a", "mp2"],
  ra: ["-c:a", "real_144", "-ar", "8000", "-ac", "1", "-f", "rm"],
  spx: ["-c:a", "libspeex", "-ar", "8000", "-ac", "1"],
  ogg: ["-c:a", "libvorbis"],
  "3gp": ["-c:a", "aac", "-f", "3gp"],
};

/** No free encoder writes these two; a second of silent frames is easily written by hand. */
const byHand: Partial<Record<SoundExtension, () => Buffer>> = {
  amr: () => Buffer.concat([Buffer.from("#!AMR\n"), Buffer.alloc(50 * 32, Buffer.from([0x3c, ...Array(31).fill(0)]))]),
  mp1: () => Buffer.alloc(84 * 48, Buffer.from([0xff, 0xff, 0x18, 0xc0, ...Array(44).fill(0)])),
};

async function sample(extension: SoundExtension): Promise<string> {
  const file = join(folder, `sample.${extension}`);
  if (existsSync(file)) return file;
  const made = byHand[extension]?.();
  if (made) await writeFile(file, made);
  else {
    const tone = ["-f", "lavfi", "-i", "sine=frequency=440:duration=1:sample_rate=44100"];
    execFileSync("ffmpeg", ["-loglevel", "error", "-y", ...tone, ...encoders[extension]!, file]);
  }
  return file;
}

const outputs = () => ({ master: join(folder, "master.wav"), telephone: join(folder, "telephone.wav") });

describe.skipIf(!here)("a sound of every allowed format becomes playable", () => {
  test.each(soundExtensions)("%s", async (extension) => {
    const input = await sample(extension);
    const { master, telephone } = outputs();
    const converted = await converter.toTelephone({ input, master, telephone }, { whose: 1 });
    expect(converted).toEqual({ durationMs: expect.any(Number) });
    const durationMs = "durationMs" in converted ? converted.durationMs : 0;
    expect(durationMs).toBeGreaterThan(900);
    expect(durationMs).toBeLessThan(1_250);
    for (const [file, rate] of [
      [master, 16_000],
      [telephone, 8_000],
    ] as const) {
      const wav = await readFile(file);
      expect([wav.toString("latin1", 0, 4), wav.toString("latin1", 36, 40)]).toEqual(["RIFF", "data"]);
      expect([wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt32LE(24)]).toEqual([1, 1, rate]);
      expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    }
    if (byHand[extension]) return;
    const crossingsPerSecond = crossings(await readFile(telephone)) / (durationMs / 1_000);
    expect(crossingsPerSecond).toBeGreaterThan(780); // 880, less or more by what coders add at the edges
    expect(crossingsPerSecond).toBeLessThan(1_000);
  });

  test.each(soundExtensions)("%s is recognised by its first bytes", async (extension) => {
    expect(sniffExtension(await readFile(await sample(extension)))).toBe(extension);
  });
});

function crossings(wav: Buffer): number {
  let count = 0;
  for (let at = 46; at + 1 < wav.length; at += 2)
    if (wav.readInt16LE(at) >= 0 !== wav.readInt16LE(at - 2) >= 0) count++;
  return count;
}

describe.skipIf(!here)("what is no honest sound is refused", () => {
  const refused = async (name: string, bytes: Buffer | string) => {
    const input = join(folder, name);
    await writeFile(input, bytes);
    const { master, telephone } = outputs();
    const answer = await converter.toTelephone({ input, master, telephone }, { whose: 1 });
    expect([existsSync(master), existsSync(telephone)]).toEqual([false, false]);
    return answer;
  };

  test("a playlist that reads other files", async () => {
    const secret = await sample("wav");
    const ffconcat = await refused("list.wav", `ffconcat version 1.0\nfile ${secret}\n`);
    expect(ffconcat).toMatchObject({ refused: "undecodable" });
    const m3u8 = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`;
    expect(await refused("list.mp3", m3u8)).toMatchObject({ refused: "undecodable" });
  });

  test("text, noise, nothing, an archive and a picture", async () => {
    expect(await refused("text.wav", "this is no sound at all\n".repeat(100))).toMatchObject({
      refused: "undecodable",
    });
    expect(await refused("noise.m4a", Buffer.alloc(5_000, 0x5a))).toMatchObject({ refused: "undecodable" });
    expect(await refused("none.wav", "")).toMatchObject({ refused: "undecodable" });
    expect(await refused("archive.ogg", Buffer.from("504b0304140000000800", "hex"))).toMatchObject({
      refused: "undecodable",
    });
    const png = "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de";
    expect(await refused("picture.mp3", Buffer.from(png, "hex"))).toMatchObject({ refused: "undecodable" });
  });

  test("a header without its sound", async () => {
    expect(await refused("cut.m4a", (await readFile(await sample("m4a"))).subarray(0, 40))).toMatchObject({
      refused: "undecodable",
    });
    expect(await refused("cut.wav", (await readFile(await sample("wav"))).subarray(0, 44))).toMatchObject({
      refused: "undecodable",
    });
  });

  test("a small file that unpacks into hours", async () => {
    const input = join(folder, "hours.flac");
    const silence = ["-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "7200"];
    execFileSync("ffmpeg", ["-loglevel", "error", "-y", ...silence, "-c:a", "flac", input]);
    const { master, telephone } = outputs();
    expect(await converter.toTelephone({ input, master, telephone }, { whose: 1 })).toEqual({
      refused: "too-long",
      limitSeconds: 600,
    });
    expect(existsSync(master)).toBe(false);
  });
});

test.skipIf(!here)("names with spaces, quotes and dashes are only names", async () => {
  const input = join(folder, `-i "quoted" $(touch owned) ; sample.wav`);
  await writeFile(input, await readFile(await sample("wav")));
  const { master, telephone } = outputs();
  expect(await converter.toTelephone({ input, master, telephone }, { whose: 1 })).toEqual({ durationMs: 1_000 });
});

test("a machine without ffmpeg says what to install", async () => {
  const bare = openConverter({ runProgram: runAsServer, clock: realClock, program: "no-such-ffmpeg" });
  const { master, telephone } = outputs();
  const answer = await bare.toTelephone({ input: join(folder, "x.wav"), master, telephone }, { whose: 1 });
  expect(answer).toEqual({ refused: "no-ffmpeg", advice: expect.stringContaining("install ffmpeg") });
});

test("a program that could not be started says nothing of the sound: it fails, and is tried again", async () => {
  const none = async () => ({ code: undefined, said: "", complained: "ENOMEM" });
  const { toMp3 } = openConverter({ runProgram: none, clock: testClock() });
  await expect(toMp3({ input: "x.wav", output: join(folder, "x.mp3") }, { whose: 1 })).rejects.toThrow("ENOMEM");
});

test("uploads that hang are one exchange's alone: another's sound is heard, and too many are refused", async () => {
  const clock = testClock();
  const run: RunProgram = (program, signal) =>
    program.words.some((word) => word.includes("hostile"))
      ? new Promise((end) =>
          signal?.addEventListener("abort", () => end({ code: null, said: "", complained: "" }), { once: true }),
        )
      : runAsServer(program, signal);
  const { toTelephone } = openConverter({ runProgram: run, clock });
  const piece = { whose: 1, bytes: 20 * 1024 ** 2 };
  const hostile = Array.from({ length: 28 }, () => toTelephone({ ...outputs(), input: "hostile" }, piece));
  const refused = hostile.slice(3); // one at work, two that wait for it
  for (const one of refused) expect(await one).toEqual({ refused: "no-turn" });
  const honest = await toTelephone({ ...outputs(), input: await sample("wav") }, { whose: 2, bytes: 16_000 });
  expect(honest).toEqual({ durationMs: 1_000 });
  for (const one of hostile.slice(0, 3)) {
    clock.pass(60_000);
    expect(await one).toEqual({ refused: "took-too-long" });
  }
});

test("a decoder that hangs is stopped", async () => {
  const clock = testClock();
  const program = join(folder, "hangs.sh");
  await writeFile(program, "#!/bin/sh\nexec sleep 1000\n", { mode: 0o755 });
  const { master, telephone } = outputs();
  const answer = openConverter({ runProgram: runAsServer, clock, program }).toTelephone(
    { input: "x", master, telephone },
    { whose: 1 },
  );
  clock.pass(60_000);
  expect(await answer).toEqual({ refused: "took-too-long" });
  expect(clock.waiting()).toBe(0);
});

test.skipIf(!here)("a stereo recording is stored as MP3 with each side on its own channel", async () => {
  const input = join(folder, "call.wav");
  const left = ["-f", "lavfi", "-i", "sine=frequency=500:duration=3:sample_rate=8000"];
  const right = ["-f", "lavfi", "-i", "sine=frequency=1300:duration=3:sample_rate=8000"];
  const joined = ["-filter_complex", "[0][1]join=inputs=2:channel_layout=stereo", "-c:a", "pcm_alaw"];
  execFileSync("ffmpeg", ["-loglevel", "error", "-y", ...left, ...right, ...joined, input]);
  const output = join(folder, "call.mp3");
  const converted = await converter.toMp3({ input, output }, { whose: 1 });
  expect("durationMs" in converted && Math.abs(converted.durationMs - 3_000)).toBeLessThan(200);
  const tones = ["0", "1"].map((channel) => {
    const args = [
      "-loglevel",
      "error",
      "-i",
      output,
      "-af",
      `pan=mono|c0=c${channel}`,
      "-ar",
      "8000",
      "-f",
      "wav",
      "-",
    ];
    return crossings(execFileSync("ffmpeg", args)) / 3;
  });
  expect(tones[0]).toBeGreaterThan(950);
  expect(tones[0]).toBeLessThan(1_050);
  expect(tones[1]).toBeGreaterThan(2_500);
  expect(tones[1]).toBeLessThan(2_700);
});

test.skipIf(!here)("several uploads at once take turns and all come out", async () => {
  const input = await sample("mp3");
  const all = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      converter.toTelephone(
        { input, master: join(folder, `m${n}.wav`), telephone: join(folder, `t${n}.wav`) },
        { whose: 1 },
      ),
    ),
  );
  expect(all.every((it) => "durationMs" in it)).toBe(true);
});

test.skipIf(!here)("an upload as the interface documents it is read to the end", async () => {
  const bytes = await readFile(await sample("mp3"));
  const uri = `data:audio/mp3;name:ho%C5%9F%20geldiniz.mp3;base64,${bytes.toString("base64url")}`;
  expect(readUpload(uri)).toEqual({ bytes, extension: "mp3", fileName: "hoş geldiniz.mp3" });
});
