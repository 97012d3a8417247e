// Sets plain text on pages, in a type with all letters of one width that knows Turkish and Arabic.

import { createRequire } from "node:module";
import sharp from "sharp";
import type { Bitmap } from "../fax/g4.ts";
import { toBitmap } from "./dither.ts";
import { decodeText } from "./document-kind.ts";
import { broken, type Drawing, type DrawnPages, tooMany } from "./drawing.ts";
import { ACROSS, down, type Fineness, type GreyPage, rows, WIDTH } from "./paper.ts";
import { putOnPage } from "./place.ts";

const COLUMNS = 90;
const LINES = 62;
const MARGIN = 96;
/** Of a line in this type and size, drawn at as many points down as across. */
const LINE_HEIGHT = 33;
const TAB = 8;
/** A full block: it fills its place to the edges, so that what is drawn begins where the text begins, blanks or not. */
const MARK = "\u2588";

export async function* drawText(drawing: Drawing): DrawnPages {
  const text = decodeText(drawing.bytes)?.replace(/^\ufeff/, "");
  if (text === undefined || text.trim() === "") return { refused: "empty" };
  const pages = paginate(text);
  if (pages.length > drawing.mostPages) return tooMany(drawing);
  try {
    for (const lines of pages) yield await drawPage(lines, drawing.fineness);
  } catch (error) {
    return broken(error);
  }
  return undefined;
}

/** Pages of lines that fit; a form feed begins a new page. */
export function paginate(text: string): string[][] {
  return text.split("\f").flatMap((part) => {
    const lines = part
      .trimEnd()
      .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
      .flatMap(wrap);
    const pages: string[][] = [];
    for (let at = 0; at < lines.length; at += LINES) pages.push(lines.slice(at, at + LINES));
    return pages;
  });
}

/** At blanks where there are some, in the middle of a word that is longer than a line. */
function wrap(line: string): string[] {
  const signs = signsOf(expandTabs(line));
  const wrapped: string[] = [];
  let from = 0;
  while (columnsOf(signs.slice(from, from + COLUMNS + 1)) > COLUMNS) {
    const room = fitting(signs, from);
    const blank = signs.slice(from, from + room + 1).lastIndexOf(" ");
    const to = from + (blank > 0 ? blank : room);
    wrapped.push(signs.slice(from, to).join(""));
    from = blank > 0 ? to + 1 : to;
  }
  return [...wrapped, signs.slice(from).join("")];
}

const graphemes = new Intl.Segmenter("tr", { granularity: "grapheme" });
/** It takes four times as long for twice the letters. */
const LETTERS_AT_ONCE = 500;

/** What a reader takes for one sign: a letter with all that stands above and below it. */
function signsOf(line: string): string[] {
  const signs: string[] = [];
  for (let at = 0; at < line.length; ) {
    const found = Array.from(graphemes.segment(line.slice(at, at + LETTERS_AT_ONCE)), ({ segment }) => segment);
    // The last one may go on behind the cut.
    if (at + LETTERS_AT_ONCE < line.length && found.length > 1) found.pop();
    for (const sign of found) at += sign.length;
    signs.push(...found);
  }
  return signs;
}

function fitting(signs: string[], from: number): number {
  let columns = 0;
  let count = 0;
  while (from + count < signs.length) {
    columns += widthOf(signs[from + count]!); // within the array, as asked
    if (columns > COLUMNS) break;
    count++;
  }
  return Math.max(1, count);
}

function columnsOf(signs: string[]): number {
  return signs.reduce((columns, sign) => columns + widthOf(sign), 0);
}

/** Signs of East Asia and little pictures take two places. */
function widthOf(sign: string): number {
  return /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u.test(
    sign,
  )
    ? 2
    : 1;
}

function expandTabs(line: string): string {
  let expanded = "";
  for (const sign of line) expanded += sign === "\t" ? " ".repeat(TAB - (expanded.length % TAB)) : sign;
  return expanded;
}

async function drawPage(lines: string[], fineness: Fineness): Promise<Bitmap> {
  const ink = await setInType(lines);
  const squareRows = Math.round((rows[fineness] * ACROSS) / down[fineness]);
  const paper = new Uint8Array(WIDTH * squareRows).fill(255);
  // The mark's line and an empty one below it stay off the paper.
  const above = 2 * LINE_HEIGHT;
  for (let y = above; y < ink.height; y++) {
    const to = (MARGIN + y - above) * WIDTH + MARGIN;
    const width = Math.min(ink.width, WIDTH - MARGIN);
    if (to + width > paper.length) break;
    for (let x = 0; x < width; x++) paper[to + x] = 255 - ink.points[y * ink.width + x]!; // within its own size
  }
  const raw = { width: WIDTH, height: squareRows, channels: 1 } as const;
  const squeezed = await sharp(paper, { raw })
    .resize(WIDTH, rows[fineness], { fit: "fill" })
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  return toBitmap(putOnPage({ width: WIDTH, height: rows[fineness], points: squeezed }, fineness));
}

async function setInType(lines: string[]): Promise<GreyPage> {
  const fontfile = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf");
  const text = [MARK, "", ...lines.map(escaped)].join("\n");
  const type = {
    font: "DejaVu Sans Mono 10",
    fontfile,
    width: WIDTH - 2 * MARGIN,
    dpi: ACROSS,
    wrap: "word-char",
  } as const;
  const { data, info } = await sharp({ text: { text, ...type } })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const points = data.filter((_, at) => at % info.channels === 0);
  return { width: info.width, height: info.height, points };
}

/** The type-setter reads a kind of markup, in which letters of the text must not be taken for orders. */
function escaped(line: string): string {
  const shown = line.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
  return shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
