// An Excel workbook of one sheet (ECMA-376), written while its rows arrive: none of it waits in memory.

import { Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";
import type { Both, Language } from "../languages.ts";
import { isDayAlone, type Wall, type WrittenCell } from "./cell.ts";

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const MEDIA = "application/vnd.openxmlformats-officedocument.spreadsheetml";
export const WORKBOOK_MEDIA_TYPE = `${MEDIA}.sheet`;

const relations = (...all: [type: string, target: string][]) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all
    .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`;

const around: [name: string, xml: string][] = [
  [
    "[Content_Types].xml",
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${MEDIA}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${MEDIA}.styles+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${MEDIA}.worksheet+xml"/></Types>`,
  ],
  ["_rels/.rels", relations(["officeDocument", "xl/workbook.xml"])],
  [
    "xl/workbook.xml",
    `${XML}<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><sheets><sheet name="Santral" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  ["xl/_rels/workbook.xml.rels", relations(["worksheet", "worksheets/sheet1.xml"], ["styles", "styles.xml"])],
];

/** As on the pages. */
const dayForms: Both = { tr: "dd.mm.yyyy", en: "dd\\/mm\\/yyyy" };

/** A cell's style by its place in the last list: none, a moment, a day. */
const styles = (language: Language) =>
  `${XML}<styleSheet xmlns="${SHEETS}"><numFmts count="2">` +
  `<numFmt numFmtId="164" formatCode="${dayForms[language]} hh:mm:ss"/><numFmt numFmtId="165" formatCode="${dayForms[language]}"/>` +
  `</numFmts><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>` +
  `<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>` +
  `<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/>` +
  `<xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>`;

/** Rows come in portions, as they are read. Days are days to whoever reckons with them, shown as the language has them. */
export async function* writeWorkbook(
  portions: AsyncIterable<WrittenCell[][]>,
  language: Language = "en",
): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let at = 0;
  const parts = [
    ...around,
    ["xl/styles.xml", styles(language)],
    ["xl/worksheets/sheet1.xml", sheet(portions)],
  ] as const;
  for (const [name, xml] of parts) {
    const size = { crc: 0, packed: 0, whole: 0 };
    const from = at;
    for await (const piece of zipEntry(name, typeof xml === "string" ? [xml] : xml, size)) {
      at += piece.length;
      yield piece;
    }
    directory.push(directoryEntry(name, size, from));
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  yield Buffer.concat([entries, end]);
}

/** Wide enough for a moment: what does not fit is shown as a row of hashes. */
const COLUMNS = '<cols><col min="1" max="200" width="20" customWidth="1"/></cols>';

async function* sheet(portions: AsyncIterable<WrittenCell[][]>): AsyncGenerator<string> {
  yield `${XML}<worksheet xmlns="${SHEETS}">${COLUMNS}<sheetData>`;
  for await (const rows of portions) yield rows.map((row) => `<row>${row.map(cell).join("")}</row>`).join("");
  yield "</sheetData></worksheet>";
}

/** A text is marked as one: whatever it begins with, nothing takes it for a formula or drops its zeros. */
function cell(value: WrittenCell): string {
  if (typeof value === "number") return `<c><v>${value}</v></c>`;
  if (typeof value === "object") return `<c s="${isDayAlone(value) ? 2 : 1}"><v>${daysSince1900(value)}</v></c>`;
  return value === "" ? "<c/>" : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
}

/** As spreadsheets count, who take 1900 for a leap year. */
function daysSince1900({ wall }: Wall): number {
  return (Date.parse(`${wall.replace(" ", "T")}Z`.replace(/^(.{10})Z$/, "$1")) - Date.UTC(1899, 11, 30)) / 86_400_000;
}

function escaped(text: string): string {
  // Signs that XML cannot hold at all are left out.
  const possible = text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "");
  return possible.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

type Size = { crc: number; packed: number; whole: number };

/** Its size is known only at its end, and follows it there. */
async function* zipEntry(name: string, texts: Iterable<string> | AsyncIterable<string>, size: Size) {
  yield Buffer.concat([Buffer.from("PK\u0003\u0004"), facts(name, { crc: 0, packed: 0, whole: 0 }), Buffer.from(name)]);
  const counted = async function* () {
    for await (const text of texts) {
      const bytes = Buffer.from(text);
      size.crc = crc32(bytes, size.crc);
      size.whole += bytes.length;
      yield bytes;
    }
  };
  const unpacked = Readable.from(counted());
  const packing = createDeflateRaw();
  unpacked.on("error", (error) => packing.destroy(error));
  try {
    for await (const piece of unpacked.pipe(packing) as AsyncIterable<Buffer>) {
      size.packed += piece.length;
      yield piece;
    }
  } finally {
    unpacked.destroy(); // who stops ends the packing, and a pipe tells nobody before it
  }
  const after = Buffer.alloc(16);
  after.write("PK\u0007\u0008", "latin1");
  writeSize(after, size, 4);
  yield after;
}

function directoryEntry(name: string, size: Size, from: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(from, 10);
  const made = Buffer.from([VERSION, 0]);
  return Buffer.concat([Buffer.from("PK\u0001\u0002"), made, facts(name, size), rest, Buffer.from(name)]);
}

const VERSION = 20;
const SIZE_FOLLOWS = 1 << 3;
const DEFLATED = 8;
/** The first day that the format knows. */
const DAY = 0x21;

function facts(name: string, size: Size): Buffer {
  const fields = Buffer.alloc(26);
  for (const [index, value] of [VERSION, SIZE_FOLLOWS, DEFLATED, 0, DAY].entries())
    fields.writeUInt16LE(value, index * 2);
  writeSize(fields, size, 10);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function writeSize(fields: Buffer, { crc, packed, whole }: Size, at: number): void {
  fields.writeUInt32LE(crc, at);
  fields.writeUInt32LE(packed, at + 4);
  fields.writeUInt32LE(whole, at + 8);
}
