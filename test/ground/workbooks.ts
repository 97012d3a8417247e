// Workbooks of Excel for tests: one made of its bare files, and the rows of one that was written.

import { deflateRawSync } from "node:zlib";
import { workbookRows } from "../../src/imports/workbook.ts";

export async function rowsOf(bytes: Buffer): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const portion of workbookRows(bytes)) rows.push(...portion.map(({ cells }) => cells));
  return rows;
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
