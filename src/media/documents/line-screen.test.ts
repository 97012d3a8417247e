// Pages of grey become small enough for the wire, and letters stay what they are.

import { expect, test } from "vitest";
import { encodeG4 } from "../fax/g4.ts";
import { toBitmap } from "./dither.ts";
import { codeInTime } from "./line-screen.ts";

const [width, height] = [1728, 2292];

function page(greyAt: (x: number, y: number) => number) {
  const points = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) points[y * width + x] = greyAt(x, y);
  return toBitmap({ width, height, points });
}

test("a whole page of grey goes in a minute and a half, and took ten", () => {
  const grey = page((x, y) => 128 + 100 * Math.sin(x / 90) * Math.cos(y / 130));
  expect((encodeG4(grey).length * 8) / 14_400).toBeGreaterThan(500);
  expect((codeInTime(grey).length * 8) / 14_400).toBeLessThan(75);
});

test("a page without much grey is coded point by point", () => {
  const letters = page((x, y) => (y % 40 < 20 && (x * 7 + (y >> 3)) % 90 < 30 ? 0 : 255));
  expect(codeInTime(letters)).toEqual(encodeG4(letters));
});
