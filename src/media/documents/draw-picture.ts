// Draws pictures on pages: PNG, JPEG, and TIFF with all its pages; what already is a fax stays as it is, point for point.

import sharp, { type Sharp } from "sharp";
import type { Bitmap } from "../fax/g4.ts";
import { toBitmap } from "./dither.ts";
import { broken, type Drawing, type DrawnPages, tooMany } from "./drawing.ts";
import { ACROSS, down, type Fineness, type GreyPage, octetsARow, rows, WIDTH } from "./paper.ts";
import { fitOnPage, putOnPage } from "./place.ts";
import { type TiffSize, tiffSizes } from "./tiff-sizes.ts";

/** A3 at 600 points an inch; more is no document any more. */
const MOST_POINTS = 75_000_000;
/** A fax that is this much longer than A4 is still taken as it is. */
const LONGEST_OWN = 1.5;
const WHITE = "#ffffff";

export async function* drawPicture(drawing: Drawing): DrawnPages {
  limitLibrary();
  try {
    yield await drawOne(drawing, 0, undefined);
  } catch (error) {
    return refusalOf(error);
  }
  return undefined;
}

export async function* drawTiff(drawing: Drawing): DrawnPages {
  limitLibrary();
  const pages = tiffSizes(drawing.bytes);
  if (!pages || pages.length === 0) return broken("no page can be found in the TIFF");
  if (pages.length > drawing.mostPages) return tooMany(drawing);
  try {
    // A directory that is cut off loses its page without a word; the library's own count tells.
    const { pages: counted = 1 } = await sharp(drawing.bytes, reading(0)).metadata();
    if (counted !== pages.length) return broken(`${pages.length} of ${counted} pages can be read`);
    for (const [index, page] of pages.entries()) yield await drawOne(drawing, index, page);
  } catch (error) {
    return refusalOf(error);
  }
  return undefined;
}

async function drawOne({ bytes, fineness }: Drawing, index: number, page: TiffSize | undefined): Promise<Bitmap> {
  if (page && isFax(page, fineness)) return asItIs(bytes, index);
  const { autoOrient } = await sharp(bytes, reading(index)).metadata();
  const { isTurned, width, height } = fitOnPage(paperSize(autoOrient, page), fineness);
  const upright = sharp(bytes, reading(index)).autoOrient();
  const placed = (isTurned ? sharp(await upright.rotate(90).toBuffer()) : upright)
    .flatten({ background: WHITE })
    .greyscale()
    .resize(width, height, { fit: "fill", kernel: "lanczos3" });
  return toBitmap(putOnPage(await inGrey(placed), fineness));
}

/** Points of a fax that came as TIFF are wider than high; only the file's own tags know. */
function paperSize({ width, height }: { width: number; height: number }, page: TiffSize | undefined) {
  if (!page || page.across <= 0 || page.down <= 0) return { wide: width, high: height };
  return { wide: width / page.across, high: height / page.down };
}

function isFax({ width, height, bitsAPoint, across, down: tall }: TiffSize, fineness: Fineness): boolean {
  const isOurs = Math.abs(across - ACROSS) < 2 && Math.abs(tall - down[fineness]) < 3;
  return width === WIDTH && bitsAPoint === 1 && isOurs && height <= rows[fineness] * LONGEST_OWN;
}

async function asItIs(bytes: Buffer, index: number): Promise<Bitmap> {
  const { width, height, points } = await inGrey(sharp(bytes, reading(index)).greyscale());
  const stride = octetsARow(width);
  const bits = new Uint8Array(stride * height);
  points.forEach((point, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    if (point < 128) bits[y * stride + (x >> 3)]! |= 128 >> (x & 7); // as many points as bits
  });
  return { width, rows: height, bits };
}

async function inGrey(picture: Sharp): Promise<GreyPage> {
  const { data, info } = await picture.toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
  const points = info.channels === 1 ? data : data.filter((_, at) => at % info.channels === 0);
  return { width: info.width, height: info.height, points };
}

function reading(page: number) {
  return { page, limitInputPixels: MOST_POINTS, failOn: "error", sequentialRead: true } as const;
}

/** Only the readers of what we take: others follow links or run small programs of their own. */
function limitLibrary(): void {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadTiff"] });
}

function refusalOf(error: unknown) {
  const refusal = broken(error);
  return /pixel limit/i.test(String(error)) ? ({ refused: "too-much" } as const) : refusal;
}
