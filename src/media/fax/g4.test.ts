// Pages are coded so that the library of all TIFF readers finds every point again.

import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { type Bitmap, encodeG4, putOnTop } from "./g4.ts";
import { type FaxPage, readTiff, writeTiff } from "./tiff.ts";

describe("group 4", () => {
  test.each([
    ["a white page", 1728, 40, () => 0],
    ["a black page", 1728, 5, () => 1],
    ["noise", 1728, 60, (x: number, y: number) => hash(x, y) & 1],
    ["sparse dots", 1728, 200, (x: number, y: number) => (hash(x, y) % 97 === 0 ? 1 : 0)],
    ["long runs that shift", 1728, 100, (x: number, y: number) => (Math.floor((x + y * 3) / 700) & 1 ? 1 : 0)],
    ["an odd width", 1021, 33, (x: number, y: number) => ((x >> 3) + y) & 1],
    ["a very wide line", 6000, 9, (x: number, y: number) => (x > 2700 - y && x < 5990 ? 1 : 0)],
    ["black at the very left", 64, 8, (x: number, y: number) => (x < y ? 1 : 0)],
  ])("keeps %s", async (_, width, rows, paint) => {
    const page = draw(width, rows, paint);
    expect(await decode(pageOf(page))).toEqual(page.bits);
  });

  test("puts a line above a page, which grows by it", async () => {
    const top = draw(1728, 32, (x, y) => (y < 31 ? hash(x, y) & 1 : 0));
    const page = draw(1728, 50, (x, y) => (y % 3 === 0 && x % 5 === 0 ? 1 : 0));
    const { g4, grownBy } = putOnTop(top, encodeG4(page));
    expect(grownBy).toBe(32);
    const both = await decode({ ...pageOf(page), rows: 82, g4 });
    expect(both).toEqual(Uint8Array.from([...top.bits, ...page.bits]));
  });

  test("puts a line into the white rows at a page's top, which keeps its length", async () => {
    const top = draw(1728, 32, (x, y) => (y < 31 ? hash(x, y) & 1 : 0));
    const page = draw(1728, 80, (x, y) => (y >= 40 && x % 7 === 0 ? 1 : 0));
    const { g4, grownBy } = putOnTop(top, encodeG4(page));
    expect(grownBy).toBe(0);
    const stride = 1728 / 8;
    const expected = Uint8Array.from([...top.bits, ...page.bits.subarray(32 * stride)]);
    expect(await decode({ ...pageOf(page), g4 })).toEqual(expected);
  });
});

describe("a TIFF file", () => {
  test("gives back the pages that were written", () => {
    const pages = [pageOf(draw(1728, 30, hash1)), { ...pageOf(draw(1728, 20, hash1)), down: 98 }];
    const read = readTiff(writeTiff(pages));
    expect(read).toEqual({ is: "pages", pages: pages.map((page) => ({ ...page, g4: Buffer.from(page.g4) })) });
  });

  test("that is cut off, bent or foreign is unreadable, and nothing throws", () => {
    const whole = writeTiff([pageOf(draw(1728, 30, hash1)), pageOf(draw(1728, 30, hash1))]);
    for (let length = 0; length < whole.length; length += 7)
      expect(readTiff(whole.subarray(0, length)).is).toBe("unreadable");
    const circle = Buffer.from(whole);
    const first = circle.readUInt32LE(4);
    circle.writeUInt32LE(first, first + 2 + circle.readUInt16LE(first) * 12);
    expect(readTiff(circle)).toEqual({ is: "unreadable", why: "pages without end" });
    expect(readTiff(Buffer.from("%PDF-1.4"))).toMatchObject({ is: "unreadable" });
  });
});

function hash(x: number, y: number): number {
  return (Math.imul(x * 73_856_093 + y * 19_349_663 + 12_345, 2_654_435_761) >>> 13) & 0xffff;
}

function hash1(x: number, y: number): number {
  return hash(x, y) & 1;
}

function draw(width: number, rows: number, paint: (x: number, y: number) => number): Bitmap {
  const stride = (width + 7) >> 3;
  const bits = new Uint8Array(stride * rows);
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < width; x++) if (paint(x, y)) bits[y * stride + (x >> 3)]! |= 0x80 >> (x & 7); // just measured
  return { width, rows, bits };
}

function pageOf(page: Bitmap): FaxPage {
  return { width: page.width, rows: page.rows, across: 204, down: 196, g4: encodeG4(page) };
}

async function decode(page: FaxPage): Promise<Uint8Array> {
  const picture = sharp(writeTiff([page]))
    .extractChannel(0)
    .raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: page.width, height: page.rows });
  return draw(page.width, page.rows, (x, y) => (data[y * page.width + x]! < 128 ? 1 : 0)).bits;
}
