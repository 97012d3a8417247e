// Workbooks of Excel for tests: one made of its bare files, and the rows of one that was written.

import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { workbookRows } from "../../src/imports/workbook.ts";

export async function rowsOf(bytes: Buffer): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const portion of workbookRows(bytes)) rows.push(...portion.map(({ cells }) => cells));
  return rows;
}

/** One of the files that it is made of, as text. */
export function partOf(bytes: Buffer, name: string): string {
  const head = bytes.indexOf(name); // its own header comes before the directory
  if (head < 0) throw new Error(`no ${name}`);
  return inflateRawSync(bytes.subarray(head + name.length), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
}

/** As small as an archive can be. */
export function zip(files: Record<string, string>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(Buffer.from(text));
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(Buffer.byteLength(text), 18);
    facts.writeUInt16LE(name.length, 22);
    bodies.push(Buffer.from("PK\u0003\u0004"), facts, Buffer.from(name), packed);
    const entry = Buffer.alloc(42);
    facts.copy(entry, 2, 0, 24);
    entry.writeUInt32LE(at, 38);
    directory.push(Buffer.from("PK\u0001\u0002"), entry, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...bodies, ...directory, Buffer.from("PK\u0005\u0006"), end]);
}
