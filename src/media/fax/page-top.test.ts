// A header gets on top of pages that are not decoded for it; a common reader of TIFF files finds every point of both.

import sharp from "sharp";
import { expect, test } from "vitest";
import { type Bitmap, bytesARow } from "../documents/bitmap.ts";
import { encodeG4 } from "../documents/g4.ts";
import { writeTiff } from "../documents/tiff.ts";
import { putOnTop } from "./page-top.ts";

const WIDTH = 1728;
const TOP = draw(32, (x, y) => y < 31 && scattered(x, y));

// Each beginning of a page ends up at another bit of an octet.
test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])("a page grows by the rows put above it (%i)", async (black) => {
  const top = draw(32, (x, y) => y < 31 && (scattered(x, y) || (y === 30 && x < black)));
  const page = draw(50, (x, y) => y % 3 === 0 && x % 5 === 0);
  const { g4, grownBy } = putOnTop(top, encodeG4(page));
  expect(grownBy).toBe(32);
  expect(await decode(g4, 82)).toEqual(Buffer.concat([top.bits, page.bits]));
});

test.each([32, 33, 39, 40, 79])(
  "white rows at the top make room, and the page keeps its length (%i)",
  async (white) => {
    const page = draw(80, (x, y) => y >= white && x % 7 === 0);
    const { g4, grownBy } = putOnTop(TOP, encodeG4(page));
    expect(grownBy).toBe(0);
    const below = page.bits.subarray(32 * bytesARow(WIDTH));
    expect(await decode(g4, 80)).toEqual(Buffer.concat([TOP.bits, below]));
  },
);

test("a page that is white all over has room as well", async () => {
  const { g4, grownBy } = putOnTop(TOP, encodeG4(draw(64, () => false)));
  expect(grownBy).toBe(0);
  expect(await decode(g4, 64)).toEqual(Buffer.concat([TOP.bits, new Uint8Array(32 * bytesARow(WIDTH))]));
});

function scattered(x: number, y: number): boolean {
  return (Math.imul(x * 73_856_093 + y * 19_349_663 + 12_345, 2_654_435_761) >>> 13) % 5 === 0;
}

function draw(height: number, paint: (x: number, y: number) => boolean): Bitmap {
  const bits = new Uint8Array(bytesARow(WIDTH) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < WIDTH; x++) if (paint(x, y)) bits[y * bytesARow(WIDTH) + (x >> 3)]! |= 0x80 >> (x & 7); // inside
  return { width: WIDTH, height, bits };
}

async function decode(g4: Uint8Array, height: number): Promise<Buffer> {
  const file = writeTiff([{ width: WIDTH, height, down: 196, data: g4 }]);
  const { data, info } = await sharp(file).extractChannel(0).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: WIDTH, height });
  return Buffer.from(draw(height, (x, y) => data[y * WIDTH + x]! < 128).bits); // inside: it was measured
}
