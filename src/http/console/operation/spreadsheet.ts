// Tables that people bring: CSV with a comma, semicolon or tab, or the first sheet of an Excel workbook (ECMA-376).

import { inflateRawSync } from "node:zlib";

const MOST_ROWS = 50_000;
const MOST_COLUMNS = 100;
const MOST_UNPACKED = 100 * 1024 * 1024;
const ZIP_MARK = 0x04034b50;

/** Rows of cells as text; undefined for what is neither. */
export function readTable(bytes: Buffer): string[][] | undefined {
  if (bytes.length >= 4 && bytes.readUInt32LE(0) === ZIP_MARK) return readWorkbook(bytes);
  const text = decode(bytes);
  return text.includes("\u0000") ? undefined : readCsv(text);
}

/** Old programs of the country write its own code page; what is no UTF-8 is read as that. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/^\uFEFF/, "");
  } catch {
    return new TextDecoder("windows-1254").decode(bytes);
  }
}

export function readCsv(text: string): string[][] {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n|\\r|\\n|$)`, "y");
  while (cell.lastIndex < text.length && rows.length < MOST_ROWS) {
    const found = cell.exec(text);
    if (!found) break; // a quotation mark in the middle of a cell: what follows cannot be read
    if (row.length < MOST_COLUMNS) row.push((found[1]?.replaceAll('""', '"') ?? found[2] ?? "").trim());
    if (found[3] === separator) continue;
    if (row.some((it) => it !== "")) rows.push(row);
    row = [];
  }
  if (row.some((it) => it !== "")) rows.push(row);
  return rows;
}

function separatorOf(text: string): string {
  const line = text.slice(0, 10_000).split(/\r?\n/, 1)[0] ?? "";
  const counts = [",", ";", "\t"].map((mark) => ({ mark, count: line.split(mark).length }));
  return counts.reduce((best, it) => (it.count > best.count ? it : best)).mark;
}

function readWorkbook(bytes: Buffer): string[][] | undefined {
  try {
    const files = openZip(bytes);
    const sheet = [...files.keys()].filter((name) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name)).sort()[0];
    if (!sheet) return undefined;
    const strings = sharedStrings(files.get("xl/sharedStrings.xml")?.() ?? "");
    return readSheet(files.get(sheet)?.() ?? "", strings);
  } catch {
    return undefined; // cut short or made by nobody we know
  }
}

/** The central directory at the end of the archive; each file is unpacked when it is asked for. */
function openZip(bytes: Buffer): Map<string, () => string> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  const count = bytes.readUInt16LE(end + 10);
  const files = new Map<string, () => string>();
  for (let at = bytes.readUInt32LE(end + 16), index = 0; index < Math.min(count, 1_000); index++) {
    const [packed, nameLength] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)];
    const method = bytes.readUInt16LE(at + 10);
    const local = bytes.readUInt32LE(at + 42);
    files.set(bytes.toString("utf8", at + 46, at + 46 + nameLength), () => {
      const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const content = bytes.subarray(from, from + packed);
      return (method === 8 ? inflateRawSync(content, { maxOutputLength: MOST_UNPACKED }) : content).toString("utf8");
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

function sharedStrings(xml: string): string[] {
  return [...xml.matchAll(/<si(?:\s[^>]*)?>([\s\S]*?)<\/si>/g)].map(([, inner = ""]) => textsIn(inner));
}

function textsIn(xml: string): string {
  return [...xml.matchAll(/<t(?:\s[^>]*)?>([\s\S]*?)<\/t>/g)].map(([, text = ""]) => withoutEntities(text)).join("");
}

function readSheet(xml: string, strings: readonly string[]): string[][] {
  const rows: string[][] = [];
  for (const [, inner = ""] of xml.matchAll(/<row\b[^>]*?(?:\/>|>([\s\S]*?)<\/row>)/g)) {
    const row: string[] = [];
    for (const [, attributes = "", content = ""] of inner.matchAll(/<c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g)) {
      const column = columnOf(/\br="([A-Z]{1,3})\d+"/.exec(attributes)?.[1] ?? "") ?? row.length;
      if (column >= MOST_COLUMNS) continue;
      while (row.length < column) row.push("");
      row[column] = cellText(/\bt="(\w+)"/.exec(attributes)?.[1] ?? "", content, strings).trim();
    }
    if (row.some((it) => it !== "")) rows.push(row);
    if (rows.length >= MOST_ROWS) break;
  }
  return rows;
}

function cellText(type: string, content: string, strings: readonly string[]): string {
  if (type === "inlineStr") return textsIn(content);
  const value = withoutEntities(/<v(?:\s[^>]*)?>([\s\S]*?)<\/v>/.exec(content)?.[1] ?? "");
  if (type === "s") return strings[Number(value)] ?? "";
  // A telephone number that Excel took for a number comes back as 5.32E9.
  return /^\d(\.\d+)?E\+?\d+$/i.test(value) ? BigInt(Math.round(Number(value))).toString() : value;
}

/** `AB` is column 27, counted from 0. */
function columnOf(letters: string): number | undefined {
  if (letters === "") return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal) return String.fromCodePoint(Number(decimal));
    return hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : (entities[name] ?? whole);
  });
}
