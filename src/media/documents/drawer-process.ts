// The process that opens strangers' documents: one job, then it ends. Its parent limits its time and memory.

import { readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { type FaxPage, readTiff, writeTiff } from "../fax/tiff.ts";
import { type DocumentKind, kindOf } from "./document-kind.ts";
import { drawPdf } from "./draw-pdf.ts";
import { drawPicture, drawTiff } from "./draw-picture.ts";
import { drawText } from "./draw-text.ts";
import type { DrawerJob, Drawn } from "./drawer.ts";
import { broken, type Drawing, type DrawingRefusal, type DrawnPages } from "./drawing.ts";
import { codeInTime } from "./line-screen.ts";
import { ACROSS, down } from "./paper.ts";

/** Pages of noise cannot be made small. */
const MOST_CODED_BYTES = 60_000_000;
const PREVIEW_WIDTH = 864;

const draw: Record<DocumentKind, (drawing: Drawing) => DrawnPages> = {
  pdf: drawPdf,
  png: drawPicture,
  jpeg: drawPicture,
  tiff: drawTiff,
  text: drawText,
};

async function drawDocument(job: DrawerJob & { do: "draw" }): Promise<Drawn> {
  const bytes = await readFile(job.input);
  if (bytes.length === 0) return { refused: "empty" };
  const kind = kindOf(bytes);
  if (!kind) return { refused: "unknown-type" };
  const coded = await codePages(draw[kind]({ bytes, fineness: job.fineness, mostPages: job.mostPages }), job);
  if ("refused" in coded) return coded;
  if (coded.length === 0) return { refused: "empty" };
  await writeFile(job.output, writeTiff(coded), { mode: 0o600 });
  return { pages: coded.length };
}

async function codePages(
  pages: DrawnPages,
  { fineness }: DrawerJob & { do: "draw" },
): Promise<FaxPage[] | DrawingRefusal> {
  const coded: FaxPage[] = [];
  let size = 0;
  for (let next = await pages.next(); ; next = await pages.next()) {
    if (next.done) return next.value ?? coded;
    const { width, rows } = next.value;
    const g4 = codeInTime(next.value);
    size += g4.length;
    if (size > MOST_CODED_BYTES) return { refused: "too-much" };
    coded.push({ width, rows, across: ACROSS, down: down[fineness], g4 });
  }
}

async function drawPreview({ input, output, page }: DrawerJob & { do: "preview" }): Promise<Drawn> {
  const bytes = await readFile(input);
  const read = readTiff(bytes);
  if (read.is === "unreadable") return broken(read.why);
  const shown = read.pages[page - 1];
  if (!shown) return { refused: "empty" };
  const inches = { wide: shown.width / shown.across, high: shown.rows / shown.down };
  const height = Math.max(1, Math.round((inches.high / inches.wide) * PREVIEW_WIDTH));
  try {
    await sharp(bytes, { page: page - 1, failOn: "none", limitInputPixels: 100_000_000 })
      .greyscale()
      .resize(PREVIEW_WIDTH, height, { fit: "fill" })
      .png({ compressionLevel: 9 })
      .toFile(output);
  } catch (error) {
    return broken(error);
  }
  return { pages: read.pages.length };
}

// What the parent wrote is ours, hence the cast.
const job = JSON.parse(process.argv[2] ?? "{}") as DrawerJob;
const drawn = job.do === "preview" ? await drawPreview(job) : await drawDocument(job);
process.stdout.write(JSON.stringify(drawn), () => process.exit(0));
