// A page of the ledger: one stream. Two of them are as large as a page of memory, so that a process that is killed while it
// writes has written all of one or nothing; whatever else may happen to a file is found out by a checksum.

import { crc32 } from "node:zlib";
import { COUNTERS, type KeptFacts, type KeptStream, readCounters } from "./kept-stream.ts";

export const PAGE_BYTES = 2048;

const MAGIC = 0x5352_5450;
const HEADER_BYTES = 16;
const FACTS_AT = HEADER_BYTES + COUNTERS * Float64Array.BYTES_PER_ELEMENT;
const MOST_FACTS = PAGE_BYTES - FACTS_AT;

/** Facts as they stand in a page, with their own checksum: they are written many times and change seldom. */
export type PrintedFacts = { bytes: Buffer; sum: number };

/** Undefined when they are too long for a page. */
export function printFacts(text: string): PrintedFacts | undefined {
  const bytes = Buffer.from(text);
  return bytes.length > MOST_FACTS ? undefined : { bytes, sum: crc32(bytes) };
}

export function writePage(page: Buffer, { bytes, sum }: PrintedFacts, counters: Float64Array): void {
  const row = Buffer.from(counters.buffer, counters.byteOffset, counters.byteLength);
  page.writeUInt32LE(MAGIC, 0);
  page.writeUInt32LE(bytes.length, 4);
  page.writeUInt32LE(crc32(row, sum), 8);
  page.writeUInt32LE(0, 12);
  row.copy(page, HEADER_BYTES);
  bytes.copy(page, FACTS_AT);
  page.fill(0, FACTS_AT + bytes.length, PAGE_BYTES);
}

/** Nobody's page; or one that cannot be believed. */
export function readPage(page: Buffer): KeptStream | "empty" | "torn" {
  const length = page.readUInt32LE(4);
  if (page.readUInt32LE(0) === 0 && length === 0) return "empty";
  if (page.readUInt32LE(0) !== MAGIC || length > MOST_FACTS) return "torn";
  const row = page.subarray(HEADER_BYTES, FACTS_AT);
  const facts = page.subarray(FACTS_AT, FACTS_AT + length);
  if (crc32(row, crc32(facts)) !== page.readUInt32LE(8)) return "torn";
  // A copy, because numbers of eight octets must lie where eight divides.
  const counters = new Float64Array(new Uint8Array(row).buffer);
  return { facts: JSON.parse(facts.toString()) as KeptFacts, counters: readCounters(counters) }; // the sum vouches for it
}

/** The first page says who wrote the others. */
export type LedgerHead = { version: number; machine: string };

/** Another one when what is kept means something else than before. */
export const LEDGER_VERSION = 1;

export function printHead(head: LedgerHead): Buffer {
  const page = Buffer.alloc(PAGE_BYTES);
  page.write(JSON.stringify(head));
  return page;
}

export function readHead(page: Buffer): LedgerHead | undefined {
  try {
    return JSON.parse(page.subarray(0, page.indexOf(0)).toString()) as LedgerHead; // what is missing in it is unlike ours
  } catch {
    return undefined;
  }
}
