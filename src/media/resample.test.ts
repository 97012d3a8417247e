// Changing the sampling rate keeps the voice and brings nothing that was not there.

import { expect, test } from "vitest";
import { Resampler } from "./resample.ts";

function levelAfter(from: number, to: number, hz: number, heardAs = hz): number {
  const resampler = new Resampler(from, to);
  const out: number[] = [];
  const made = new Int16Array(to / 50 + 2);
  for (let frame = 0; frame < 25; frame++) {
    const input = Int16Array.from({ length: from / 50 }, (_, i) => {
      return 10_000 * Math.sin((2 * Math.PI * hz * (frame * (from / 50) + i)) / from);
    });
    out.push(...made.subarray(0, resampler.process(input, made)));
  }
  expect(out.length).toBe(to / 2);
  let real = 0;
  let imaginary = 0;
  const settled = out.slice(to / 10);
  for (const [i, sample] of settled.entries()) {
    real += sample * Math.cos((2 * Math.PI * heardAs * i) / to);
    imaginary += sample * Math.sin((2 * Math.PI * heardAs * i) / to);
  }
  return 20 * Math.log10((2 * Math.hypot(real, imaginary)) / settled.length / 10_000 + 1e-9);
}

test.each([
  [16_000, 8000],
  [48_000, 8000],
  [48_000, 16_000],
  [8000, 16_000],
  [8000, 48_000],
  [16_000, 48_000],
  [44_100, 16_000],
])("from %d to %d Hz the voice keeps its level", (from, to) => {
  for (const hz of [300, 1000, 2000, 3000]) expect(levelAfter(from, to, hz), `${hz} Hz`).toBeGreaterThan(-1);
});

test.each([
  [16_000, 8000, 5000, 3000],
  [48_000, 8000, 5000, 3000],
  [48_000, 8000, 10_000, 2000],
  [48_000, 16_000, 10_000, 6000],
])("from %d to %d Hz, %d Hz does not come back as %d Hz", (from, to, hz, alias) => {
  expect(levelAfter(from, to, hz, alias)).toBeLessThan(-60);
});

test("going up leaves no mirror image", () => {
  expect(levelAfter(8000, 16_000, 2000, 6000)).toBeLessThan(-60);
  expect(levelAfter(8000, 48_000, 2000, 6000)).toBeLessThan(-60);
});
