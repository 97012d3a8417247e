// One line of a file of arrears: a checksum, and one batch as JSON. What a crash tore or a disk changed is known by it.

import { crc32 } from "node:zlib";

/** Which batch of which life of a stream: a stream that is opened again begins a new life. */
export type BatchId = { life: string; batch: number };

/** What many wanted written at one moment, each by its key. */
export type Line = BatchId & { atMs: number; entries: [key: string, entry: unknown][] };

const CHECKSUM_DIGITS = 8;

export function printLine(line: Line): Buffer {
  const text = JSON.stringify(line); // without a line break in it, whatever it holds
  return Buffer.from(`${checksum(text)} ${text}\n`);
}

/** Of a line without its line break. Undefined: this is not what was written. */
export function parseLine(bytes: Buffer): Line | undefined {
  const said = bytes.toString("latin1", 0, CHECKSUM_DIGITS);
  const text = bytes.toString("utf8", CHECKSUM_DIGITS + 1);
  if (bytes[CHECKSUM_DIGITS] !== SPACE || said !== checksum(text)) return undefined;
  // What was written with a matching checksum was written by printLine.
  return JSON.parse(text) as Line;
}

const SPACE = 0x20;

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_DIGITS, "0");
}
