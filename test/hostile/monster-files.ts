// Files made by hand to take for ever, to fill the memory, or to lead in a circle, each kind in the ways that are known of it.

import { deflateSync } from "node:zlib";
import { wavHeader } from "../../src/media/wav.ts";
import { makePdf, makeVastPng } from "../fax/made-documents.ts";
import { zip } from "../ground/workbooks.ts";
import { type FileKind, workbookParts } from "./good-files.ts";

/** `isDear`: a core has seconds to do with it, and it is left to the long form. */
export type Monster = { what: string; kind: FileKind; bytes: () => Buffer; isDear: boolean };

const MEBIBYTE = 1024 * 1024;
const monster = (kind: FileKind, what: string, bytes: () => Buffer): Monster => ({ kind, what, bytes, isDear: false });
const dear = (kind: FileKind, what: string, bytes: () => Buffer): Monster => ({ kind, what, bytes, isDear: true });
const book = (parts: Record<string, string>) => zip({ ...workbookParts(), ...parts });
const SHEET = "xl/worksheets/sheet1.xml";
const STRINGS = "xl/sharedStrings.xml";

const workbooks = [
  monster("workbook", "a document type with entities in entities", () =>
    book({
      [STRINGS]: `<!DOCTYPE a [<!ENTITY a "${"x".repeat(100)}"><!ENTITY b "&a;&a;">]><sst><si><t>&b;</t></si></sst>`,
    }),
  ),
  monster("workbook", "tags within tags", () => book({ [SHEET]: "<row>".repeat(2_000_000) })),
  monster("workbook", "brackets that open nothing", () => book({ [SHEET]: "<".repeat(10 * MEBIBYTE) })),
  monster("workbook", "a comment without an end", () => book({ [SHEET]: `<worksheet><!--${"-".repeat(MEBIBYTE)}` })),
  monster("workbook", "a sheet that is its own list of sheets", () =>
    book({ "xl/_rels/workbook.xml.rels": '<Relationship Id="rId1" Target="workbook.xml"/>' }),
  ),
  monster("workbook", "a hundred thousand relations", () =>
    book({ "xl/_rels/workbook.xml.rels": '<Relationship Id="x" Target="y"/>'.repeat(100_000) }),
  ),
  monster("workbook", "rows and columns beyond the last", () =>
    book({ [SHEET]: '<row r="99999999999"><c r="ZZZ99999999" t="s"><v>99999999</v></c></row>'.repeat(20_000) }),
  ),
  monster("workbook", "numbers of three hundred digits", () =>
    book({ [SHEET]: `<row><c><v>1E99</v></c><c><v>${"9".repeat(300)}</v></c></row>`.repeat(5_000) }),
  ),
  dear("workbook", "strings that unpack to hundreds of megabytes", () =>
    book({ [STRINGS]: `<sst>${"<si><t>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</t></si>".repeat(1_300_000)}</sst>` }),
  ),
  monster("workbook", "a directory that says it has 65,535 files, and begins behind the end", () => {
    const file = zip(workbookParts());
    const end = file.lastIndexOf("PK\u0005\u0006");
    file.writeUInt16LE(0xffff, end + 10);
    file.writeUInt32LE(0xfffffff0, end + 16);
    return file;
  }),
  monster("workbook", "one archive within another", () => Buffer.concat([zip(workbookParts()), zip(workbookParts())])),
];

const tables = [
  monster("csv", "two hundred thousand columns", () =>
    Buffer.from(`phone${";x".repeat(200_000)}\n${"1;".repeat(200_000)}`),
  ),
  dear("csv", "nothing but line ends", () => Buffer.from("\r\n".repeat(8 * MEBIBYTE))),
  monster("csv", "half a letter, a million times", () => Buffer.alloc(2 * MEBIBYTE, 0xc3)),
  monster("csv", "zeros", () => Buffer.alloc(16 * MEBIBYTE)),
  monster("csv", "a table in letters of two bytes, cut in the middle of one", () =>
    Buffer.from(`\ufeffphone;name\n${"05320001122;a\n".repeat(50_000)}`, "utf16le").subarray(0, -1),
  ),
  monster("json", "brackets", () => Buffer.from("[".repeat(8 * MEBIBYTE))),
  monster("json", "objects in objects", () => Buffer.from(`[${'{"a":'.repeat(MEBIBYTE)}`)),
  monster("json", "a hundred thousand names in a person", () =>
    Buffer.from(`[{${Array.from({ length: 100_000 }, (_, at) => `"${at}":"1"`).join()}}]`),
  ),
  monster("json", "backslashes", () => Buffer.from(`["${"\\".repeat(8 * MEBIBYTE)}`)),
  monster("json", "names that belong to the language", () =>
    Buffer.from('[{"__proto__":{"phone":"05320001122"},"constructor":"1","toString":"2","phone":"05320001122"}]'),
  ),
  dear("cards", "beginnings", () => Buffer.from("BEGIN:VCARD\n".repeat(MEBIBYTE))),
  dear("cards", "a line that is folded for ever", () =>
    Buffer.from(`BEGIN:VCARD\nNOTE:x\n${" x\n".repeat(3 * MEBIBYTE)}END:VCARD\n`),
  ),
  dear("cards", "parameters", () => Buffer.from(`BEGIN:VCARD\nTEL${";TYPE=a".repeat(MEBIBYTE)}:1\nEND:VCARD\n`)),
  monster("cards", "semicolons and escapes", () =>
    Buffer.from(`BEGIN:VCARD\n${`N:${";\\,".repeat(3_000)}\n`.repeat(400)}TEL:05320001122\nEND:VCARD\n`),
  ),
];

/** Objects of a PDF, with a list of places and a catalog as the first. */
function pdf(objects: readonly string[], trailer = ""): Buffer {
  let text = "%PDF-1.7\n";
  const places = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const head = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  return Buffer.from(
    `${text}${head}trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${text.length}\n%%EOF\n`,
    "latin1",
  );
}

const page = (more: string) => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${more}>>`;
const CATALOG = "<</Type/Catalog/Pages 2 0 R>>";
const ONE = "<</Type/Pages/Count 1/Kids[3 0 R]>>";
const stream = (content: string, more = "") => `<</Length ${content.length}${more}>>\nstream\n${content}\nendstream`;

const documents = [
  monster("pdf", "pages that are their own chapter", () => pdf([CATALOG, "<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]>>"])),
  monster("pdf", "a page that says it is two thousand million", () =>
    pdf([CATALOG, "<</Type/Pages/Count 2000000000/Kids[3 0 R]>>", page("")]),
  ),
  dear("pdf", "a drawing that draws itself twice", () =>
    pdf([
      ...[CATALOG, ONE, page("/Contents 4 0 R/Resources<</XObject<</A 5 0 R>>>>"), stream("/A Do")],
      stream("/A Do", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A 5 0 R>>>>"),
    ]),
  ),
  dear("pdf", "contents that unpack to ten megabytes", () => {
    const packed = deflateSync(Buffer.from("0 0 1 1 re f ".repeat(800_000)), { level: 9 }).toString("latin1");
    return pdf([CATALOG, ONE, page("/Contents 4 0 R"), stream(packed, "/Filter/FlateDecode")]);
  }),
  dear("pdf", "contents packed a hundred times over", () =>
    pdf([CATALOG, ONE, page("/Contents 4 0 R"), stream("x", `/Filter[${"/FlateDecode".repeat(10_000)}]`)]),
  ),
  dear("pdf", "a list of objects that leads back to itself", () => pdf([CATALOG, ONE, page("")], "/Prev 9/XRefStm 9")),
  monster("pdf", "a page as large as a field", () => makePdf([{ wide: 1e9, high: 1e9 }])),
  dear("pdf", "a page of no size, and one of less", () =>
    makePdf([
      { wide: 0, high: 0 },
      { wide: -5, high: -5 },
    ]),
  ),
  dear("pdf", "a million states kept", () => makePdf([{ content: "q ".repeat(MEBIBYTE) }])),
  dear("pdf", "brackets in brackets", () => makePdf([{ content: "[".repeat(MEBIBYTE) }])),
  dear("pdf", "a thousand pages", () => makePdf(Array.from({ length: 1_000 }, () => ({})))),
  monster("png", "a picture of 60,000 by 60,000 points", () => makeVastPng(60_000, 60_000)),
  dear("png", "a picture of 4,000 million points a line", () => makeVastPng(0xfffffff0, 1)),
  monster("jpeg", "a picture that is all beginning", () => {
    const frame = Buffer.from("ffc2001108ffffffff03011100021101031101", "hex");
    const scan = Buffer.from("ffda000c03010002110311003f00", "hex");
    return Buffer.concat([Buffer.from([0xff, 0xd8]), frame, ...Array<Buffer>(20_000).fill(scan)]);
  }),
  monster("tiff", "pages that follow one another in a circle", () => tiff({ next: 8 })),
  monster("tiff", "a page of 4,000 million points", () => tiff({ width: 0xfffffff0, rows: 0xfffffff0 })),
  dear("tiff", "strips that lie behind the end", () => tiff({ at: 0xfffffff0, bytes: 0xfffffff0 })),
  dear("text", "nothing but page breaks", () => Buffer.alloc(MEBIBYTE, "\f")),
  monster("text", "one line without an end", () => Buffer.alloc(2 * MEBIBYTE, "ş")),
  dear("text", "marks above marks", () => Buffer.from(`a${"\u0301".repeat(100_000)}`)),
];

/** One page as a directory says, with nothing in it. */
function tiff({ next = 0, width = 100, rows = 100, at = 8, bytes = 1 }): Buffer {
  const entries = [
    ...([
      [256, width],
      [257, rows],
      [258, 1],
      [259, 4],
      [262, 0],
    ] as const),
    ...([
      [273, at],
      [277, 1],
      [278, rows],
      [279, bytes],
    ] as const),
  ];
  const file = Buffer.alloc(8 + 2 + entries.length * 12 + 4);
  file.write("II*\0", "latin1");
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(entries.length, 8);
  for (const [index, [tag, value]] of entries.entries()) {
    file.writeUInt16LE(tag, 10 + index * 12);
    file.writeUInt16LE(4, 12 + index * 12);
    file.writeUInt32LE(1, 14 + index * 12);
    file.writeUInt32LE(value, 18 + index * 12);
  }
  file.writeUInt32LE(next, file.length - 4);
  return file;
}

function wav(change: (header: Buffer) => void, sound = Buffer.alloc(16_000)): Buffer {
  const header = Buffer.from(wavHeader({ rate: 8_000, channels: 1, dataBytes: sound.length }));
  change(header);
  return Buffer.concat([header, sound]);
}

const sounds = [
  monster("wav", "4 GiB of sound in a second's file", () => wav((it) => it.writeUInt32LE(0xffffffff, 40))),
  monster("wav", "no samples a second", () => wav((it) => it.writeUInt32LE(0, 24))),
  monster("wav", "4,000 million samples a second", () => wav((it) => it.writeUInt32LE(0xffffffff, 24))),
  dear("wav", "one sample a second, for hours", () => wav((it) => it.writeUInt32LE(1, 24))),
  monster("wav", "65,535 channels", () => wav((it) => it.writeUInt16LE(0xffff, 22))),
  dear("wav", "an hour of silence", () => wav(() => undefined, Buffer.alloc(19 * MEBIBYTE))),
  monster("mp3", "a title of 256 MB", () => Buffer.from("ID3\u0004\u0000\u0000\u007f\u007f\u007f\u007f", "latin1")),
  dear("mp3", "beginnings of frames", () => Buffer.alloc(MEBIBYTE, Buffer.from("fffb9064", "hex"))),
  monster("ogg", "pages that go on for ever", () => {
    const page = Buffer.concat([Buffer.from("OggS\0\u0001", "latin1"), Buffer.alloc(20), Buffer.alloc(256, 255)]);
    return Buffer.concat(Array<Buffer>(8_000).fill(page));
  }),
];

export const monsters: readonly Monster[] = [...workbooks, ...tables, ...documents, ...sounds];
