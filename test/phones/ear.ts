// What a real phone hears while its call goes on: it writes it down frame by frame, and this reads along.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { eventually } from "../ground/eventually.ts";
import { CLEAR } from "../town/real-town.ts";
import { toneLevel } from "./tone-level.ts";

/** A phone that writes down what it hears: baresip, linphonec. */
export type Taping = { recordings(side: "dec"): Promise<string[]> };

/** Everything it waits for must come after what it waited for before, and after it was put to the phone. */
export type Ear = {
  hears(hz: number, how?: { level?: number; forMs?: number }): Promise<void>;
  /** A stretch of sound as it is meant, whatever it says. */
  hearsWhat(what: string, fits: (sound: Stretch) => boolean, forMs?: number): Promise<void>;
};

export type Stretch = {
  /** How strong a tone is in it most of the time, and where it is strongest. */
  level(hz: number): number;
  most(hz: number): number;
  /** Where it is quietest, whatever it says: 0 for silence, about 0.17 for one of our tones. */
  loudness: number;
};

const USUAL_MS = 600;
const STEP_MS = 100;

export async function earOf(phone: Taping): Promise<Ear> {
  /** Of each file so many samples are behind us. */
  const passed = new Map<string, number>();
  for (const file of await phone.recordings("dec")) passed.set(file, soundSoFar(file).samples.length);
  const hearsWhat: Ear["hearsWhat"] = async (what, fits, forMs = USUAL_MS) => {
    const wanted = async () => {
      const files = await phone.recordings("dec");
      for (const [at, file] of files.entries()) {
        const { samples, rate } = soundSoFar(file);
        const length = (forMs * rate) / 1_000;
        for (let from = passed.get(file) ?? 0; from + length <= samples.length; from += (STEP_MS * rate) / 1_000) {
          if (!fits(stretchOf(samples.subarray(from, from + length), rate))) continue;
          for (const before of files.slice(0, at)) passed.set(before, Number.POSITIVE_INFINITY);
          passed.set(file, from + length);
          return true;
        }
      }
      return false;
    };
    await eventually(`hears ${what}`, wanted).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${soundsIn(await phone.recordings("dec"), passed)}`);
    });
  };
  return {
    hearsWhat,
    hears: (hz, { level = CLEAR, forMs } = {}) => hearsWhat(`${hz} Hz`, (sound) => sound.level(hz) > level, forMs),
  };
}

/** Both of a conversation hear each other, from now on; who does not is told of only once the other has had his time. */
export async function talked(...pairs: readonly (readonly [Taping, number])[]): Promise<void> {
  const heard = await Promise.allSettled(pairs.map(async ([phone, hz]) => (await earOf(phone)).hears(hz)));
  const silent = heard.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
  if (silent.length > 0) throw new Error(`${silent.length} of ${heard.length} did not hear\n${silent.join("\n")}`);
}

/** For whoever has to find out why something was not heard: what came, how loud at its end, and the tones in it. */
function soundsIn(files: string[], passed: Map<string, number>): string {
  const lines = files.map((file) => {
    const { samples, rate } = soundSoFar(file);
    const from = passed.get(file) ?? 0;
    const end = samples.subarray(Math.max(0, samples.length - 2 * rate));
    const tones = TEST_TONES.filter((hz) => toneLevel(end, hz, rate) > CLEAR / 2);
    const { loudness } = stretchOf(end, rate);
    const seconds = (count: number) => (count / rate).toFixed(1);
    return `${basename(file)}: ${seconds(samples.length)} s, new ${seconds(samples.length - from)} s, quietest ${loudness}, tones ${tones.join(" ")}`;
  });
  return lines.join("\n");
}

function stretchOf(samples: Int16Array, rate: number): Stretch {
  const length = (STEP_MS * rate) / 1_000;
  const parts = Array.from({ length: Math.floor(samples.length / length) }, (_, at) =>
    samples.subarray(at * length, (at + 1) * length),
  );
  const loudnessOf = (part: Int16Array) =>
    Math.sqrt(part.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / part.length);
  return {
    level: (hz) => toneLevel(samples, hz, rate),
    most: (hz) => Math.max(...parts.map((part) => toneLevel(part, hz, rate))),
    loudness: Math.min(...parts.map(loudnessOf)),
  };
}

/** One channel of 16 bits. baresip writes the lengths in its header at the end, linphonec the whole header. */
function soundSoFar(file: string): { samples: Int16Array; rate: number } {
  const bytes = readFileSync(file);
  const data = bytes.subarray(0, LONGEST_HEADER).indexOf("data");
  const from = data < 0 ? PLAIN_HEADER : data + 8;
  const samples = new Int16Array(Math.max(0, Math.floor((bytes.length - from) / 2)));
  for (let at = 0; at < samples.length; at++) samples[at] = bytes.readInt16LE(from + at * 2);
  // A header of which only a part is written yet has no rate: that of the phones, or nobody would ever get through it.
  return { samples, rate: (data < 0 ? 0 : bytes.readUInt32LE(24)) || 8_000 };
}

/** Of phones in tests, and what the exchange plays: ringing, music. */
const TEST_TONES = [400, 420, 440, 460, 500, 520, 660, 720, 880, 1_000, 1_200, 1_400, 1_600];
const PLAIN_HEADER = 44;
const LONGEST_HEADER = 200;
