// Every codec: what goes in comes out again.

import { expect, test } from "vitest";
import { codecs } from "./codec.ts";
import { aLaw, expandALaw, expandMuLaw, type Law, muLaw, tableBetween } from "./g711.ts";
import { type Codec, LONGEST_FRAME } from "./shape.ts";

function roundTrip(codec: Codec, signal: Int16Array): Int16Array {
  const encode = codec.openEncoder();
  const decode = codec.openDecoder();
  const frame = codec.pcmRate / 50;
  const packet = new Uint8Array(1500);
  const samples = new Int16Array(LONGEST_FRAME);
  const out: number[] = [];
  for (let at = 0; at + frame <= signal.length; at += frame) {
    const bytes = encode(signal.subarray(at, at + frame), packet, 12);
    out.push(...samples.subarray(0, decode(packet, 12, 12 + bytes, samples)));
  }
  encode.close?.();
  decode.close?.();
  return Int16Array.from(out);
}

/** Signal to noise in dB at the delay that fits best, after the codec has settled. */
function signalToNoise(signal: Int16Array, heard: Int16Array, longestDelay: number): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let delay = 0; delay <= longestDelay; delay++) {
    let power = 0;
    let noise = 0;
    for (let i = 2000; i < signal.length - longestDelay; i++) {
      power += signal[i]! ** 2;
      noise += (signal[i]! - (heard[i + delay] ?? 0)) ** 2;
    }
    best = Math.max(best, 10 * Math.log10(power / noise));
  }
  return best;
}

const sine = (hz: number, rate: number, peak: number) =>
  Int16Array.from({ length: rate }, (_, i) => peak * Math.sin((2 * Math.PI * hz * i) / rate));

test.each<[string, Law, (byte: number) => number]>([
  ["A-law", aLaw, expandALaw],
  ["mu-law", muLaw, expandMuLaw],
])("%s takes the nearest level for each of the 65,536 samples, and keeps its own levels", (_name, law, expand) => {
  const levels = [...new Set(Array.from({ length: 256 }, (_, byte) => expand(byte)))].sort((a, b) => a - b);
  let place = 0;
  for (let sample = -32_768; sample < 32_768; sample++) {
    while (place + 1 < levels.length && Math.abs(levels[place + 1]! - sample) <= Math.abs(levels[place]! - sample))
      place++;
    const got = law.toLinear[law.toByte[sample + 32_768]!]!;
    if (Math.abs(got - sample) !== Math.abs(levels[place]! - sample)) expect.fail(`${sample} became ${got}`);
  }
  for (let byte = 0; byte < 256; byte++) {
    const level = expand(byte) + 0; // mu-law has a negative zero
    expect(law.toLinear[byte]).toBe(level);
    expect(law.toLinear[law.toByte[level + 32_768]!]).toBe(level);
  }
});

test("the known corners of G.711", () => {
  expect([0xd5, 0x55, 0xaa, 0x2a].map(expandALaw)).toEqual([8, -8, 32_256, -32_256]);
  expect([0xff, 0x7f, 0x80, 0x00].map((byte) => expandMuLaw(byte) + 0)).toEqual([0, 0, 32_124, -32_124]);
  expect(aLaw.toByte[32_768 + 1000]).toBe(0xfa);
  expect(muLaw.toByte[32_768 + 1000]).toBe(0xce);
});

test("one law re-coded as the other and back stays within one step", () => {
  for (let byte = 0; byte < 256; byte++) {
    const there = muLaw.toLinear[tableBetween(aLaw, muLaw)![byte]!]!;
    const back = aLaw.toLinear[tableBetween(muLaw, aLaw)![tableBetween(aLaw, muLaw)![byte]!]!]!;
    expect(Math.abs(there - expandALaw(byte))).toBeLessThanOrEqual(Math.max(8, Math.abs(there) / 16));
    expect(Math.abs(back - expandALaw(byte))).toBeLessThanOrEqual(Math.max(16, Math.abs(back) / 8));
  }
});

test.each([
  ["PCMA", 36, 0],
  ["PCMU", 36, 0],
  ["G722", 20, 40],
] as const)("%s keeps a tone %d dB above its noise", (name, decibels, longestDelay) => {
  const codec = codecs[name];
  const signal = sine(1000, codec.pcmRate, 8000);
  expect(signalToNoise(signal, roundTrip(codec, signal), longestDelay)).toBeGreaterThan(decibels);
});

test("G.722 carries what a narrow telephone cannot", () => {
  const signal = sine(6000, 16_000, 6000);
  expect(signalToNoise(signal, roundTrip(codecs.G722, signal), 40)).toBeGreaterThan(10);
});

test("G.722 says what the recommendation's own arithmetic says for a known signal", () => {
  const encode = codecs.G722.openEncoder();
  const packet = new Uint8Array(16);
  encode(
    Int16Array.from({ length: 32 }, (_, i) => (i % 4 < 2 ? 10_000 : -10_000)),
    packet,
    0,
  );
  expect(Buffer.from(packet).toString("hex")).toBe("942084208420943bbc1fbc3fbd3dbf3d");
});

test("Opus comes back at the right pitch and length, and broken frames are refused", () => {
  const signal = sine(600, 16_000, 8000);
  const heard = roundTrip(codecs.opus, signal);
  expect(heard.length).toBe(signal.length);
  let crossings = 0;
  for (let i = 4000; i < heard.length; i++) if (heard[i - 1]! < 0 && heard[i]! >= 0) crossings += 1;
  expect(crossings).toBeGreaterThan(440);
  expect(crossings).toBeLessThan(460);
  const decode = codecs.opus.openDecoder();
  expect(decode(Uint8Array.of(0xff, 0xff, 0xff), 0, 3, new Int16Array(LONGEST_FRAME))).toBe(0);
  expect(decode(new Uint8Array(0), 0, 0, new Int16Array(LONGEST_FRAME))).toBe(0);
});
