// Fax pages in a TIFF file: written as one strip a page, and found again in what we or the fax machine wrote.

import { mirrorOctets } from "./bits.ts";

export type FaxPage = {
  width: number;
  rows: number;
  /** Points an inch, across and down. */
  across: number;
  down: number;
  /** Group 4, highest bit first. */
  g4: Uint8Array;
};

const G4 = 4;
const LOWEST_BIT_FIRST = 2;
const CENTIMETRES = 3;
const MOST_PAGES = 2_000;

// Tags, types and what else the format is made of (TIFF 6.0).
const tags = {
  subfileType: 254,
  width: 256,
  rows: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  across: 282,
  down: 283,
  group4Options: 293,
  resolutionUnit: 296,
  pageNumber: 297,
} as const;
const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
const ENTRY = 12;

export function writeTiff(pages: readonly FaxPage[]): Buffer {
  const parts: Buffer[] = [Buffer.from("II*\0\0\0\0\0", "latin1")];
  let at = 8;
  let link = { part: parts[0]!, at: 4 }; // the header is there
  for (const [place, page] of pages.entries()) {
    const strip = Buffer.alloc(page.g4.length + (page.g4.length & 1));
    strip.set(page.g4);
    const resolutions = Buffer.alloc(16);
    for (const [index, value] of [page.across, 1, page.down, 1].entries()) resolutions.writeUInt32LE(value, index * 4);
    const resolutionsAt = at + strip.length;
    const directoryAt = resolutionsAt + resolutions.length;
    const directory = writeDirectory(page, { place, of: pages.length, stripAt: at, resolutionsAt });
    link.part.writeUInt32LE(directoryAt, link.at);
    link = { part: directory, at: directory.length - 4 };
    parts.push(strip, resolutions, directory);
    at = directoryAt + directory.length;
  }
  return Buffer.concat(parts);
}

type Places = { place: number; of: number; stripAt: number; resolutionsAt: number };

function writeDirectory({ width, rows, g4 }: FaxPage, { place, of, stripAt, resolutionsAt }: Places): Buffer {
  // In the order of their numbers, as the format wants them.
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [tags.subfileType, LONG, 1, 2],
    [tags.width, LONG, 1, width],
    [tags.rows, LONG, 1, rows],
    [tags.bitsPerSample, SHORT, 1, 1],
    [tags.compression, SHORT, 1, G4],
    [tags.photometric, SHORT, 1, 0],
    [tags.fillOrder, SHORT, 1, 1],
    [tags.stripOffsets, LONG, 1, stripAt],
    [tags.orientation, SHORT, 1, 1],
    [tags.samplesPerPixel, SHORT, 1, 1],
    [tags.rowsPerStrip, LONG, 1, rows],
    [tags.stripByteCounts, LONG, 1, g4.length],
    [tags.across, RATIONAL, 1, resolutionsAt],
    [tags.down, RATIONAL, 1, resolutionsAt + 8],
    [tags.group4Options, LONG, 1, 0],
    [tags.resolutionUnit, SHORT, 1, 2],
    [tags.pageNumber, SHORT, 2, place + of * 0x1_0000],
  ];
  const directory = Buffer.alloc(2 + entries.length * ENTRY + 4);
  directory.writeUInt16LE(entries.length, 0);
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const entry = 2 + index * ENTRY;
    directory.writeUInt16LE(tag, entry);
    directory.writeUInt16LE(type, entry + 2);
    directory.writeUInt32LE(count, entry + 4);
    directory.writeUInt32LE(value, entry + 8);
  }
  return directory;
}

export type ReadTiff = { is: "pages"; pages: FaxPage[] } | { is: "unreadable"; why: string };

/** For pages in one strip of group 4 each; everything else is unreadable here. */
export function readTiff(file: Buffer): ReadTiff {
  const order = file.toString("latin1", 0, 2);
  if ((order !== "II" && order !== "MM") || file.length < 8) return unreadable("not a TIFF file");
  const reader = readerOf(file, order === "II");
  const pages: FaxPage[] = [];
  const seen = new Set<number>();
  try {
    for (let at = reader.long(4); at !== 0; ) {
      if (seen.has(at) || pages.length >= MOST_PAGES) return unreadable("pages without end");
      seen.add(at);
      const { fields, next } = readDirectory(reader, at);
      const page = readPage(file, fields);
      if ("why" in page) return unreadable(page.why);
      pages.push(page);
      at = next;
    }
  } catch (error) {
    if (error instanceof RangeError) return unreadable("cut off");
    throw error;
  }
  return pages.length === 0 ? unreadable("without a page") : { is: "pages", pages };
}

type Reader = { short(at: number): number; long(at: number): number };
type Fields = Map<number, { value: number; count: number }>;

/** Reading past the end throws a RangeError. */
function readerOf(file: Buffer, isLittle: boolean): Reader {
  return isLittle
    ? { short: (at) => file.readUInt16LE(at), long: (at) => file.readUInt32LE(at) }
    : { short: (at) => file.readUInt16BE(at), long: (at) => file.readUInt32BE(at) };
}

function readDirectory(reader: Reader, at: number): { fields: Fields; next: number } {
  const count = reader.short(at);
  const fields: Fields = new Map();
  for (let entry = at + 2; entry < at + 2 + count * ENTRY; entry += ENTRY) {
    const type = reader.short(entry + 2);
    fields.set(reader.short(entry), { value: readValue(reader, type, entry + 8), count: reader.long(entry + 4) });
  }
  return { fields, next: reader.long(at + 2 + count * ENTRY) };
}

function readValue(reader: Reader, type: number, at: number): number {
  if (type === SHORT) return reader.short(at);
  const value = reader.long(at);
  if (type !== RATIONAL) return value;
  return reader.long(value) / Math.max(1, reader.long(value + 4));
}

function readPage(file: Buffer, fields: Fields): FaxPage | { why: string } {
  const of = (tag: number, otherwise: number) => fields.get(tag)?.value ?? otherwise;
  if (of(tags.compression, 1) !== G4) return { why: "not group 4" };
  if (fields.get(tags.stripOffsets)?.count !== 1) return { why: "a page in more than one strip" };
  const from = of(tags.stripOffsets, 0);
  const to = from + of(tags.stripByteCounts, 0);
  const [width, rows] = [of(tags.width, 0), of(tags.rows, 0)];
  if (to > file.length || from === 0 || width < 1 || rows < 1) return { why: "cut off" };
  const strip = file.subarray(from, to);
  const inches = of(tags.resolutionUnit, 2) === CENTIMETRES ? 2.54 : 1;
  return {
    width,
    rows,
    across: Math.round(of(tags.across, 204) * inches),
    down: Math.round(of(tags.down, 196) * inches),
    g4: of(tags.fillOrder, 1) === LOWEST_BIT_FIRST ? mirrorOctets(strip) : strip,
  };
}

function unreadable(why: string): ReadTiff {
  return { is: "unreadable", why };
}
