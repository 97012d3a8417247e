// Pages for fax tests: drawn by rule, and found again point by point in what was received.

import { readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { type Bitmap, encodeG4 } from "../../src/media/fax/g4.ts";
import { writeTiff } from "../../src/media/fax/tiff.ts";

export const PAGE_WIDTH = 1728;

export type DrawnPage = Bitmap & { down: 98 | 196 };

/** Mostly white, so that it goes fast; no two pages are alike, and no two lines of one. */
export function drawPages(count: number, { rows = 300, down = 196 as 98 | 196 } = {}): DrawnPage[] {
  return Array.from({ length: count }, (_, place) => drawPage(place + 1, rows, down));
}

/** The same with rows that cannot be made small: five of them take a second and more. */
export function crowded(page: DrawnPage, rows = 45): DrawnPage {
  const bits = Uint8Array.from(page.bits);
  const stride = PAGE_WIDTH / 8;
  for (let at = 100 * stride; at < (100 + rows) * stride; at++) bits[at] = (at * 2_654_435_761) >>> 21;
  return { ...page, bits };
}

export async function writePages(path: string, pages: DrawnPage[]): Promise<string> {
  const coded = pages.map((page) => ({ ...page, across: 204, g4: encodeG4(page) }));
  await writeFile(path, writeTiff(coded));
  return path;
}

/** How many points differ, comparing the last rows: what is above them is the header's. */
export async function differences(path: string, sent: DrawnPage[], { headerRows = 0 } = {}): Promise<number[]> {
  const file = await readFile(path);
  const pages = (await sharp(file).metadata()).pages ?? 1;
  if (pages !== sent.length) throw new Error(`${pages} pages came instead of ${sent.length}`);
  return Promise.all(sent.map((page, place) => difference(file, place, page, headerRows)));
}

async function difference(file: Buffer, place: number, page: DrawnPage, headerRows: number): Promise<number> {
  const picture = sharp(file, { page: place }).extractChannel(0).raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  if (info.width !== page.width) throw new Error(`${info.width} points wide`);
  const above = info.height - page.rows;
  let wrong = 0;
  for (let y = above > 0 ? 0 : headerRows; y < page.rows; y++)
    for (let x = 0; x < page.width; x++) {
      const came = data[(y + above) * page.width + x]! < 128; // inside: both were measured
      if (came !== blackAt(page, x, y)) wrong += 1;
    }
  return wrong;
}

function drawPage(number: number, rows: number, down: 98 | 196): DrawnPage {
  const stride = PAGE_WIDTH / 8;
  const bits = new Uint8Array(stride * rows);
  for (let y = 60; y < rows; y++) {
    const at = y * stride;
    bits[at + ((y * 7 + number * 31) % stride)] = 0xf0;
    if (y % 25 === 0) bits.fill(0xff, at + 20, at + 40 + number);
  }
  return { width: PAGE_WIDTH, rows, bits, down };
}

function blackAt({ bits, width }: Bitmap, x: number, y: number): boolean {
  return (bits[y * (width / 8) + (x >> 3)]! & (0x80 >> (x & 7))) !== 0; // x and y are inside
}
