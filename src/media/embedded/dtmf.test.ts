// Keys heard as sound, within and beyond the limits of ITU-T Q.24, and not heard where nobody pressed one.

import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { aLaw } from "../../codecs/g711.ts";
import { Resampler } from "../resample.ts";
import { columns, keypad, peakOf, rows } from "../tone.ts";
import { readWav, toMono } from "../wav.ts";
import { KeyListener } from "./dtmf.ts";
import { FaxListener } from "./fax-tone.ts";

type Pressing = { onMs?: number; offMs?: number; lowDbm0?: number; highDbm0?: number; offset?: number; noise?: number };

function seeded(start: number): () => number {
  let seed = start;
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 0x1_0000_0000;
  };
}

/** All sixteen keys, through A-law and back as they come over the wire. */
function pressed({
  onMs = 60,
  offMs = 60,
  lowDbm0 = -10,
  highDbm0 = -10,
  offset = 0,
  noise = 0,
}: Pressing): Int16Array {
  const random = seeded(3);
  const samples: number[] = [];
  for (const [place] of [...keypad].entries()) {
    const low = (2 * Math.PI * rows[place >> 2]! * (1 + offset)) / 8000;
    const high = (2 * Math.PI * columns[place & 3]! * (1 + offset)) / 8000;
    const phase = random() * 6;
    for (let i = 0; i < onMs * 8; i++)
      samples.push(peakOf(lowDbm0) * Math.sin(low * i + phase) + peakOf(highDbm0) * Math.sin(high * i));
    // Blocks never begin where keys do.
    for (let i = 0; i < offMs * 8 + Math.floor(random() * 102); i++) samples.push(0);
  }
  return Int16Array.from(samples, (sample) => {
    const noisy = Math.max(-32_768, Math.min(32_767, Math.round(sample + noise * (random() + random() - 1))));
    return aLaw.toLinear[aLaw.toByte[noisy + 32_768]!]!;
  });
}

function keysIn(samples: Int16Array): string {
  const listener = new KeyListener();
  let keys = "";
  for (let at = 0; at < samples.length; at += 160) keys += listener.push(samples.subarray(at, at + 160))?.key ?? "";
  return keys + (listener.push(new Int16Array(400))?.key ?? "");
}

test.each<[string, Pressing]>([
  ["loud", { lowDbm0: -3, highDbm0: -3 }],
  ["usual", {}],
  ["quiet", { lowDbm0: -28, highDbm0: -26 }],
  ["as short as a telephone may press them", { onMs: 45, offMs: 40 }],
  ["with a high tone 4 dB stronger", { lowDbm0: -14, highDbm0: -10 }],
  ["with a low tone 8 dB stronger", { lowDbm0: -8, highDbm0: -16 }],
  ["1.4 % too high", { offset: 0.014 }],
  ["1.4 % too low", { offset: -0.014 }],
  ["in noise 15 dB below", { noise: 1800 }],
])("sixteen keys pressed %s are heard", (_how, pressing) => {
  expect(keysIn(pressed(pressing))).toBe(keypad);
});

test.each<[string, Pressing]>([
  ["hardly touched", { onMs: 20 }],
  ["3.6 % off", { offset: 0.036 }],
  ["3.6 % off the other way", { offset: -0.036 }],
  ["whispered", { lowDbm0: -55, highDbm0: -55 }],
  ["with a high tone 10 dB stronger", { lowDbm0: -20, highDbm0: -10 }],
])("keys %s are not keys", (_how, pressing) => {
  expect(keysIn(pressed(pressing))).toBe("");
});

test("a key held for a second is one key of a second", () => {
  const listener = new KeyListener();
  const tone = pressed({ onMs: 1000, offMs: 100 }).subarray(0, 8800);
  expect(listener.push(tone)).toEqual({ key: "1", durationMs: expect.closeTo(1000, -2) });
});

const hasVoice = spawnSync("espeak-ng", ["--version"]).status === 0;

/** Speech as it comes over the wire. */
function speech(voice: string, text: string): Int16Array {
  const bytes = execFileSync("espeak-ng", ["-v", voice, "-s", "150", "--stdout", text], { maxBuffer: 1e9 });
  const wav = readWav(bytes);
  if (wav.is === "unreadable") throw new Error(wav.why);
  const mono = toMono(wav);
  const narrow = new Int16Array(Math.ceil((mono.length * 8000) / wav.rate) + 2);
  const count = new Resampler(wav.rate, 8000).process(mono, narrow);
  return narrow.subarray(0, count).map((sample) => aLaw.toLinear[aLaw.toByte[sample + 32_768]!]!);
}

describe.skipIf(!hasVoice)("talk", () => {
  test.each([
    ["tr", "Pijamalı hasta yağız şoföre çabucak güvendi. Sıfır bir iki üç dört beş altı yedi sekiz dokuz. ".repeat(12)],
    ["en-us", "She sells sea shells by the sea shore, and the shells she sells are sea shells for sure. ".repeat(12)],
    ["ar", "مرحبا بكم في المقسم الهاتفي. صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة. ".repeat(8)],
  ])("in %s presses no key and is no fax machine", (voice, text) => {
    const samples = speech(voice, text);
    expect(samples.length).toBeGreaterThan(8000 * 30);
    expect(keysIn(samples)).toBe("");
    const fax = new FaxListener();
    for (let at = 0; at + 160 <= samples.length; at += 160)
      expect(fax.push(samples.subarray(at, at + 160))).toBeUndefined();
  });
});

test("noise and call-progress tones press no key", () => {
  const random = seeded(11);
  expect(keysIn(Int16Array.from({ length: 8000 * 20 }, () => (random() - 0.5) * 30_000))).toBe("");
  for (const hz of [450, 700, 950, 1100, 1400, 1800, 2100])
    expect(keysIn(Int16Array.from({ length: 8000 }, (_, i) => 8000 * Math.sin((2 * Math.PI * hz * i) / 8000)))).toBe(
      "",
    );
});

test("a fax tone is told once, and a tone beside it never", () => {
  const told = (hz: number) => {
    const fax = new FaxListener();
    const heard: (string | undefined)[] = [];
    for (let frame = 0; frame < 60; frame++)
      heard.push(
        fax.push(
          Int16Array.from({ length: 160 }, (_, i) => 5000 * Math.sin((2 * Math.PI * hz * (frame * 160 + i)) / 8000)),
        ),
      );
    return heard.filter((tone) => tone !== undefined);
  };
  expect(told(1100)).toEqual(["cng"]);
  expect(told(2100)).toEqual(["ced"]);
  expect(told(1050)).toEqual([]);
  expect(told(450)).toEqual([]);
});
