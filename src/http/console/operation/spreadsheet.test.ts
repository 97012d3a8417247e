import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { readCsv, readTable } from "./spreadsheet.ts";

test("a table in CSV is read with any separator, quotation marks and line ends", () => {
  const rows = [
    ["numara", "ad"],
    ["0532 123 45 67", 'Ayşe "Ay" Yılmaz'],
  ];
  for (const mark of [",", ";", "\t"])
    expect(readCsv(`numara${mark}ad\r\n0532 123 45 67${mark}"Ayşe ""Ay"" Yılmaz"\n\n`)).toEqual(rows);
  expect(readCsv('a,b\n"two\nlines",x')).toEqual([
    ["a", "b"],
    ["two\nlines", "x"],
  ]);
});

test("what an old program wrote in the country's own code page is read, too", () => {
  const bytes = Buffer.from([0x61, 0x64, 0x0a, 0xfe, 0xf0, 0xdd]); // ş ğ İ in Windows-1254
  expect(readTable(bytes)).toEqual([["ad"], ["şğİ"]]);
  expect(readTable(Buffer.from([0, 1, 2, 3, 0]))).toBeUndefined();
});

test("the first sheet of a workbook is read: shared and inline texts, gaps, and numbers that lost their shape", () => {
  const sheet = `<worksheet><sheetData>
    <row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Soyad</t></is></c></row>
    <row r="2"><c r="A2"><v>5.321234567E9</v></c><c r="C2" t="s"><v>1</v></c></row>
    <row r="3"/></sheetData></worksheet>`;
  const strings = `<sst><si><t>numara</t></si><si><r><t>Y&#305;l</t></r><r><t xml:space="preserve">maz &amp; Co</t></r></si></sst>`;
  const file = zip({ "xl/worksheets/sheet1.xml": sheet, "xl/sharedStrings.xml": strings });
  expect(readTable(file)).toEqual([
    ["numara", "", "Soyad"],
    ["5321234567", "", "Yılmaz & Co"],
  ]);
  expect(readTable(file.subarray(0, 60))).toBeUndefined();
});

/** As small as an archive can be. */
function zip(files: Record<string, string>): Buffer {
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
