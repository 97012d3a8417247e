// Writes faxes as TIFF (class F): one G4 strip a page, with the fineness that its points have.

import { ACROSS } from "./bitmap.ts";

/** `data` is the page in G4; `down` its points an inch from top to bottom. */
export type CodedPage = { width: number; height: number; down: number; data: Uint8Array };

const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
/** How many bytes each of our fields takes, and the file's own head. */
const ENTRY_BYTES = 12;
const HEAD_BYTES = 8;
const RATIONALS_BYTES = 16;

type Entry = readonly [tag: number, type: number, count: number, value: number];

export function writeTiff(pages: readonly CodedPage[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write("II*\0", "latin1");
  const parts: Buffer[] = [head];
  let at = HEAD_BYTES;
  let link: { in: Buffer; at: number } = { in: head, at: 4 };
  pages.forEach((page, index) => {
    const data = padded(page.data);
    const resolutionsAt = at + data.length;
    const directoryAt = resolutionsAt + RATIONALS_BYTES;
    const entries = entriesOf(page, { dataAt: at, resolutionsAt, index, total: pages.length });
    const directory = printDirectory(entries);
    link.in.writeUInt32LE(directoryAt, link.at);
    link = { in: directory, at: directory.length - 4 };
    parts.push(data, rationals(ACROSS, page.down), directory);
    at = directoryAt + directory.length;
  });
  return Buffer.concat(parts);
}

function entriesOf(
  { width, height, data }: CodedPage,
  { dataAt, resolutionsAt, index, total }: { dataAt: number; resolutionsAt: number; index: number; total: number },
): Entry[] {
  return [
    [254, LONG, 1, 2], // one page of several
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, 1, 1],
    [259, SHORT, 1, 4], // G4
    [262, SHORT, 1, 0], // 0 is white
    [266, SHORT, 1, 1], // the highest bit comes first
    [273, LONG, 1, dataAt],
    [274, SHORT, 1, 1],
    [277, SHORT, 1, 1],
    [278, LONG, 1, height],
    [279, LONG, 1, data.length],
    [282, RATIONAL, 1, resolutionsAt],
    [283, RATIONAL, 1, resolutionsAt + 8],
    [293, LONG, 1, 0],
    [296, SHORT, 1, 2], // an inch
    [297, SHORT, 2, index + total * 65_536],
  ];
}

function printDirectory(entries: Entry[]): Buffer {
  const directory = Buffer.alloc(2 + entries.length * ENTRY_BYTES + 4);
  directory.writeUInt16LE(entries.length, 0);
  entries.forEach(([tag, type, count, value], index) => {
    const at = 2 + index * ENTRY_BYTES;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    directory.writeUInt32LE(value, at + 8);
  });
  return directory;
}

function rationals(across: number, down: number): Buffer {
  const both = Buffer.alloc(RATIONALS_BYTES);
  [across, 1, down, 1].forEach((number, index) => {
    both.writeUInt32LE(number, index * 4);
  });
  return both;
}

/** Everything in a TIFF begins at an even place. */
function padded(data: Uint8Array): Buffer {
  return Buffer.concat([data, new Uint8Array(data.length & 1)]);
}
