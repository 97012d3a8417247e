// Codecs that a library or something of ours can do: both ways are the same codec, and neither is worse to listen to.

import { expect, test } from "vitest";
import { toneLevel } from "../../test/phones/tone-level.ts";
import { seededChance } from "../../test/sip/memory-network.ts";
import { Resampler } from "../media/resample.ts";
import { openRateChange, type RateChange } from "../media/resample-library.ts";
import * as spandsp from "./g722-library.ts";
import * as own from "./g722-own.ts";
import * as libopus from "./opus-library.ts";
import * as wasm from "./opus-wasm.ts";
import { type Decode, type Encode, LONGEST_FRAME, type PcmRate } from "./shape.ts";

const sine = (hz: number, rate: number, seconds = 1) =>
  Int16Array.from({ length: rate * seconds }, (_, i) => 8000 * Math.sin((2 * Math.PI * hz * i) / rate));

function framesOf(signal: Int16Array, rate: number): Int16Array[] {
  return Array.from({ length: signal.length / (rate / 50) }, (_, i) =>
    signal.slice((i * rate) / 50, ((i + 1) * rate) / 50),
  );
}

function packetsBy(encode: Encode, frames: Int16Array[]): Uint8Array[] {
  const packet = new Uint8Array(1500);
  const packets = frames.map((frame) => packet.slice(12, 12 + encode(frame, packet, 12)));
  encode.close?.();
  return packets;
}

function heardBy(decode: Decode, packets: Uint8Array[]): Int16Array {
  const into = new Int16Array(LONGEST_FRAME);
  const heard = packets.flatMap((packet) => [...into.subarray(0, decode(packet, 0, packet.length, into))]);
  decode.close?.();
  return Int16Array.from(heard);
}

function openSpandspDecoder(): Decode {
  const decode = spandsp.openLibraryDecoder();
  if (!decode) throw new Error("spandsp does not give the two bands apart");
  return decode;
}

test("spandsp and our own arithmetic of G.722 say the same, bit by bit, to a voice and to noise at full level", () => {
  const random = seededChance(722);
  const noise = Int16Array.from({ length: 16_000 }, () => Math.floor(random() * 65_536) - 32_768);
  const voice = Int16Array.from(sine(700, 16_000), (sample, i) => sample * Math.sin(i / 900) + noise[i]! / 50);
  const quiet = Int16Array.from(voice, (sample) => sample / 400);
  const frames = framesOf(Int16Array.of(...voice, ...noise, ...quiet), 16_000);
  const packets = packetsBy(own.openOwnEncoder(), frames);
  expect(packetsBy(spandsp.openLibraryEncoder(), frames)).toEqual(packets);
  const garbage = Array.from({ length: 50 }, () => Uint8Array.from({ length: 160 }, () => random() * 256));
  const all = [...packets, ...garbage];
  expect(heardBy(openSpandspDecoder(), all)).toEqual(heardBy(own.openOwnDecoder(), all));
});

const opusWays = [
  ["libopus", libopus.openLibraryEncoder, libopus.openLibraryDecoder],
  ["WebAssembly", wasm.openWasmEncoder, wasm.openWasmDecoder],
] as const;

test.each(opusWays)("Opus by %s is understood by either build, at either rate", (_name, openEncoder) => {
  for (const from of [8000, 16_000] as const) {
    const packets = packetsBy(openEncoder(from), framesOf(sine(600, from), from));
    for (const [, , openDecoder] of opusWays)
      for (const to of [8000, 16_000] as const) {
        const heard = heardBy(openDecoder(to), packets);
        expect(heard.length).toBe(to);
        expect(toneLevel(heard.subarray(to / 4), 600, to)).toBeGreaterThan(0.15);
        expect(toneLevel(heard.subarray(to / 4), 1150, to)).toBeLessThan(0.03);
      }
  }
});

test("libopus goes on through lost packets, and a stranger's packets do it no harm", () => {
  const packets = packetsBy(libopus.openLibraryEncoder(8000), framesOf(sine(500, 8000), 8000));
  const decode = libopus.openLibraryDecoder(8000);
  const frame = new Int16Array(160);
  const heard = packets.flatMap((packet, at) => {
    if (at % 10 === 9) decode.conceal?.(frame);
    else decode(packet, 0, packet.length, frame);
    return [...frame];
  });
  expect(toneLevel(Int16Array.from(heard).subarray(2000), 500, 8000)).toBeGreaterThan(0.12);
  const random = seededChance(1);
  const into = new Int16Array(LONGEST_FRAME);
  for (let round = 0; round < 2000; round++) {
    const packet = Uint8Array.from({ length: Math.floor(random() * 1500) }, () => random() * 256);
    const count = decode(packet, 0, packet.length, into);
    expect(count).toBeGreaterThanOrEqual(0);
    expect(count).toBeLessThanOrEqual(960);
  }
  expect(decode(packets[3]!, 0, 0, into)).toBe(0);
  expect(decode(packets[3]!, 0, packets[3]!.length, new Int16Array(10))).toBe(0);
  decode.close?.();
});

/** Signal over everything else in dB, where the delay is unknown: the rest is what a sine of that pitch leaves over. */
function clearness(heard: Int16Array, hz: number, rate: number): number {
  let [real, imaginary, power] = [0, 0, 0];
  for (const [i, sample] of heard.entries()) {
    real += sample * Math.cos((2 * Math.PI * hz * i) / rate);
    imaginary += sample * Math.sin((2 * Math.PI * hz * i) / rate);
    power += sample * sample;
  }
  const tone = (2 * (real * real + imaginary * imaginary)) / heard.length;
  return 10 * Math.log10(tone / (power - tone));
}

function changed(signal: Int16Array, change: RateChange, from: PcmRate, to: PcmRate): Int16Array {
  const into = new Int16Array(to / 50);
  const heard = framesOf(signal, from).flatMap((frame) => [...into.subarray(0, change.process(frame, into))]);
  change.close?.();
  return Int16Array.from(heard);
}

test.each([300, 1000, 2000, 3000])("a tone of %d Hz from G.722 is as clear at a narrow telephone either way", (hz) => {
  const packets = packetsBy(own.openOwnEncoder(), framesOf(sine(hz, 16_000), 16_000));
  const through = (decode: Decode, change: RateChange) =>
    clearness(changed(heardBy(decode, packets), change, 16_000, 8000).subarray(1600), hz, 8000);
  const before = through(own.openOwnDecoder(), new Resampler(16_000, 8000));
  expect(through(openSpandspDecoder(), openRateChange(16_000, 8000))).toBeGreaterThan(before - 1.5);
});

test.each([300, 1000, 2000, 3000])("a tone of %d Hz of a narrow telephone is as clear in G.722 either way", (hz) => {
  const through = (encode: Encode, change: RateChange) => {
    const frames = framesOf(changed(sine(hz, 8000), change, 8000, 16_000), 16_000);
    return clearness(heardBy(own.openOwnDecoder(), packetsBy(encode, frames)).subarray(3200), hz, 16_000);
  };
  const before = through(own.openOwnEncoder(), new Resampler(8000, 16_000));
  expect(through(spandsp.openLibraryEncoder(), openRateChange(8000, 16_000))).toBeGreaterThan(before - 1.5);
});
