// Call-progress tones and keys as samples.

import { expect, test } from "vitest";
import { keyTone, parseCadence, ToneReader, turkishTones } from "./tone.ts";

function isSounding(samples: Int16Array): boolean {
  return samples.some((sample) => Math.abs(sample) > 1000);
}

test("every Turkish tone is a cadence", () => {
  for (const [name, spec] of Object.entries(turkishTones)) expect(parseCadence(spec), name).toBeDefined();
});

test("busy is half a second on and half a second off", () => {
  const reader = new ToneReader(parseCadence(turkishTones.busy)!, 8000);
  const frames = Array.from({ length: 51 }, () => {
    const frame = new Int16Array(160);
    return { count: reader.read(frame), sounding: isSounding(frame) };
  });
  expect(frames.filter((frame) => frame.sounding)).toHaveLength(25);
  expect(frames.slice(0, 25).every((frame) => frame.sounding)).toBe(true);
  expect(frames[50]).toEqual({ count: 0, sounding: false });
});

test.each([
  "",
  "450",
  "450/",
  "450/0",
  "x/100",
  "450/9999999",
  "1+2+3+4+5/10",
  "-1/100",
  "450/100,,0/1",
  "1/1,".repeat(70),
])("%j is no cadence", (spec) => {
  expect(parseCadence(spec)).toBeUndefined();
});

test("two tones sound together, and nothing clips", () => {
  const frame = new Int16Array(160);
  new ToneReader(parseCadence("350+440/1000")!, 8000).read(frame);
  expect(Math.max(...frame)).toBeLessThan(11_000);
});

test("keys are tones of their length, and other characters are none", () => {
  expect(keyTone("5", 100, 8000)).toHaveLength(800);
  expect(keyTone("d", 50, 16_000)).toHaveLength(800);
  expect(keyTone("x", 100, 8000)).toBeUndefined();
});
