// One line of a file of arrears: a checksum, and one batch as JSON. What a crash tore or a disk changed is known by it.

import { crc32 } from "node:zlib";

/** Which batch of which life of a stream: a stream that is opened again begins a new life. */
export type BatchId = { life: string; batch: number };

/** What many wanted written at one moment, each by its key. */
export type Line = BatchId & { atMs: number; entries: [key: string, entry: unknown][] };

const CHECKSUM_DIGITS = 8;

export function printLine(line: Line): Buffer {
  return stamped(JSON.stringify(line));
}

/** Of a line without its line break. Undefined: this is not what was written. */
export function parseLine(bytes: Buffer): Line | undefined {
  const text = textIn(bytes);
  // What was written with a matching checksum was written by printLine.
  return text === undefined ? undefined : (JSON.parse(text) as Line);
}

/** A line of JSON, which has no line break in it, whatever it holds. */
export function stamped(text: string): Buffer {
  const line = Buffer.from(`${UNSTAMPED} ${text}\n`);
  line.write(checksum(line.subarray(CHECKSUM_DIGITS + 1, -1)), "latin1");
  return line;
}

/** Undefined: it was never stamped, or is no longer what it was. */
export function textIn(bytes: Buffer): string | undefined {
  const said = bytes.toString("latin1", 0, CHECKSUM_DIGITS);
  const text = bytes.toString("utf8", CHECKSUM_DIGITS + 1);
  return bytes[CHECKSUM_DIGITS] === SPACE && said === checksum(text) ? text : undefined;
}

const SPACE = 0x20;
const UNSTAMPED = "0".repeat(CHECKSUM_DIGITS);

function checksum(text: string | Buffer): string {
  return crc32(text).toString(16).padStart(CHECKSUM_DIGITS, "0");
}
