// The line on top of every page that is sent: which page of how many, when, from whom and to whom.

import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { FaxHeader } from "./fax-engine.ts";
import { type Bitmap, putOnTop } from "./g4.ts";
import { readTiff, writeTiff } from "./tiff.ts";

const WIDTH = 1728;
const ROW_OCTETS = WIDTH / 8;
const ACROSS = 204;
/** A sixth of an inch. */
const HEIGHT_SQUARE = 34;
const MARGIN = 48;
const DARK = 128;

export type Prepared = { is: "ready"; pages: number; tiff: string } | { is: "unreadable"; why: string };

/** Counts the pages, and writes them to a second file with the header on each, when there is one. */
export async function preparePages(tiff: string, header: FaxHeader | undefined, into: string): Promise<Prepared> {
  const read = readTiff(await readFile(tiff));
  if (read.is === "unreadable") return read;
  const { pages } = read;
  if (pages.some((page) => page.width !== WIDTH)) return { is: "unreadable", why: "not as wide as a fax" };
  if (!header) return { is: "ready", pages: pages.length, tiff };
  const headed = [];
  for (const [place, page] of pages.entries()) {
    const top = await drawHeader(header, `${place + 1}/${pages.length}`, page.down);
    const { g4, grownBy } = putOnTop(top, page.g4);
    headed.push({ ...page, rows: page.rows + grownBy, g4 });
  }
  await writeFile(into, writeTiff(headed));
  return { is: "ready", pages: pages.length, tiff: into };
}

/** White below its letters, as `putOnTop` wants it. */
export async function drawHeader({ when, from, to }: FaxHeader, number: string, down: number): Promise<Bitmap> {
  const rows = Math.round((HEIGHT_SQUARE * down) / ACROSS);
  const page: Bitmap = { width: WIDTH, rows, bits: new Uint8Array(ROW_OCTETS * rows) };
  // The number first: whatever is too long is cut off at the end.
  const words = [number, when, from, to === "" ? "" : `\u2192 ${to}`].filter((word) => word !== "");
  await write(page, words.join("   "));
  return page;
}

async function write(page: Bitmap, words: string): Promise<void> {
  // Only a process that draws headers pays for the type-setter.
  const { default: sharp } = await import("sharp");
  const fontfile = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf");
  const set = sharp({ text: { text: escaped(words), font: "DejaVu Sans 8", fontfile, dpi: ACROSS, wrap: "none" } });
  const { width, height } = await set.metadata();
  const squeezed = set.resize(width, Math.max(1, Math.round((height * page.rows) / HEIGHT_SQUARE)), { fit: "fill" });
  const { data, info } = await squeezed.raw().toBuffer({ resolveWithObject: true });
  for (let y = 0; y < Math.min(info.height, page.rows - 2); y++)
    for (let x = 0; x < Math.min(info.width, WIDTH - 2 * MARGIN); x++) {
      const at = MARGIN + x;
      if (data[(y * info.width + x) * info.channels]! >= DARK)
        page.bits[(y + 1) * ROW_OCTETS + (at >> 3)]! |= 0x80 >> (at & 7); // inside
    }
}

/** The type-setter reads a kind of markup, in which a name must not be taken for orders. */
function escaped(words: string): string {
  const shown = words.replace(/\p{Cc}/gu, " ");
  return shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
