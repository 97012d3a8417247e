// The first sheet of an Excel workbook (ECMA-376), unpacked and read piece by piece. Formulas are not run: what the
// program that wrote the file had worked out is what counts.

import { Readable } from "node:stream";
import { createInflateRaw } from "node:zlib";
import { NotXml, withoutEntities, xmlReader } from "./xml-reader.ts";

export type NumberedRow = { row: number; cells: string[] };

/** No workbook, one that was cut short, or one that is far larger than it looks. */
export class BadWorkbook extends Error {
  readonly why: "unreadable" | "too-large";

  constructor(why: BadWorkbook["why"]) {
    super(why);
    this.why = why;
  }
}

const MEBIBYTE = 1024 * 1024;
/** A sheet of a hundred thousand rows has some 50 MiB; one that unpacks to more is a bomb or a mistake. */
const MOST_UNPACKED = 300 * MEBIBYTE;
/** Rows that are all alike are packed to a hundredth; what is packed to less than this is no table. */
const MOST_RATIO = 300;
const WORTH_COMPARING = 32 * MEBIBYTE;
const MOST_STRINGS = 2_000_000;
const MOST_STRING_LETTERS = 64 * MEBIBYTE;
const LONGEST_CELL = 10_000;
const MOST_COLUMNS = 200;
const LAST_ROW = 1_048_576;

export const isWorkbook = (bytes: Buffer): boolean => bytes.length >= 4 && bytes.readUInt32LE(0) === 0x04034b50;

/** Rows as they come, in portions; empty ones are left out. */
export async function* workbookRows(bytes: Buffer): AsyncGenerator<NumberedRow[]> {
  try {
    const files = openZip(bytes);
    const sheet = await firstSheet(bytes, files);
    if (!sheet) throw new BadWorkbook("unreadable");
    const strings = await sharedStrings(bytes, files.get("xl/sharedStrings.xml"));
    yield* sheetRows(unpacked(bytes, sheet, MOST_UNPACKED), strings);
  } catch (error) {
    if (error instanceof BadWorkbook) throw error;
    const isTheirs = error instanceof NotXml || error instanceof RangeError || hasCode(error, /^(Z_|ERR_OUT_OF_RANGE)/);
    throw isTheirs ? new BadWorkbook("unreadable") : error;
  }
}

const hasCode = (error: unknown, codes: RegExp) =>
  error instanceof Error && "code" in error && codes.test(String(error.code));

type Packed = { method: number; packed: number; local: number };

/** The central directory at the end of the archive. */
function openZip(bytes: Buffer): Map<string, Packed> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0) throw new BadWorkbook("unreadable");
  const files = new Map<string, Packed>();
  const count = Math.min(bytes.readUInt16LE(end + 10), 1_000);
  for (let at = bytes.readUInt32LE(end + 16), index = 0; index < count; index++) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength).replace(/^\//, "");
    const [method, packed] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    files.set(name, { method, packed, local: bytes.readUInt32LE(at + 42) });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

async function* unpacked(bytes: Buffer, { method, packed, local }: Packed, most: number): AsyncGenerator<string> {
  const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const content = bytes.subarray(from, from + packed);
  if (method !== 8 && method !== 0) throw new BadWorkbook("unreadable");
  const pieces = method === 8 ? Readable.from([content]).pipe(createInflateRaw({ chunkSize: 64 * 1024 })) : [content];
  const decoder = new TextDecoder("utf-8");
  let size = 0;
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    size += piece.length;
    const isBomb = size > WORTH_COMPARING && size > MOST_RATIO * packed;
    if (size > most || isBomb) throw new BadWorkbook("too-large");
    yield decoder.decode(piece, { stream: true });
  }
}

async function wholeText(bytes: Buffer, file: Packed | undefined): Promise<string> {
  let all = "";
  if (file) for await (const piece of unpacked(bytes, file, MEBIBYTE)) all += piece;
  return all;
}

/** By the order in which the workbook shows them; sheets of odd programs by their names. */
async function firstSheet(bytes: Buffer, files: Map<string, Packed>): Promise<Packed | undefined> {
  let wanted = "";
  const targets = new Map<string, string>();
  xmlReader({
    open: (name, attributes) => {
      if (name === "sheet" && wanted === "") wanted = attribute(attributes, "[\\w]+:id") ?? "";
    },
    close: () => undefined,
    text: () => undefined,
  })(await wholeText(bytes, files.get("xl/workbook.xml")));
  xmlReader({
    open: (name, attributes) => {
      if (name === "Relationship")
        targets.set(attribute(attributes, "Id") ?? "", attribute(attributes, "Target") ?? "");
    },
    close: () => undefined,
    text: () => undefined,
  })(await wholeText(bytes, files.get("xl/_rels/workbook.xml.rels")));
  const target = targets.get(wanted)?.replace(/^\/?(xl\/)?/, "xl/");
  const names = [...files.keys()].filter((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name)).sort();
  return (target === undefined ? undefined : files.get(target)) ?? files.get(names[0] ?? "");
}

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]{0,300})"`).exec(attributes)?.[1];

async function sharedStrings(bytes: Buffer, file: Packed | undefined): Promise<string[]> {
  const strings: string[] = [];
  let [letters, current, isText, phonetic] = [0, "", false, false];
  const read = xmlReader({
    open(name) {
      if (name === "si") current = "";
      if (name === "rPh") phonetic = true;
      if (name === "t") isText = !phonetic;
    },
    close(name) {
      if (name === "t") isText = false;
      if (name === "rPh") phonetic = false;
      if (name !== "si") return;
      strings.push(withoutEntities(current).slice(0, LONGEST_CELL));
      letters += current.length;
      if (strings.length > MOST_STRINGS || letters > MOST_STRING_LETTERS) throw new BadWorkbook("too-large");
    },
    text(text) {
      if (isText && current.length < LONGEST_CELL) current += text.slice(0, LONGEST_CELL);
    },
  });
  if (file) for await (const piece of unpacked(bytes, file, MOST_UNPACKED)) read(piece);
  return strings;
}

async function* sheetRows(pieces: AsyncIterable<string>, strings: readonly string[]): AsyncGenerator<NumberedRow[]> {
  let found: NumberedRow[] = [];
  let number = 0;
  let cells: string[] = [];
  let cell = { column: 0, type: "", text: "", isText: false };
  const read = xmlReader({
    open(name, attributes) {
      if (name === "row") {
        const said = Number(attribute(attributes, "r"));
        number = Number.isInteger(said) && said > number && said <= LAST_ROW ? said : number + 1;
        cells = [];
      } else if (name === "c") {
        const letters = /^[A-Z]{1,3}(?=\d)/.exec(attribute(attributes, "r") ?? "")?.[0];
        cell = {
          column: columnOf(letters) ?? cells.length,
          type: attribute(attributes, "t") ?? "",
          text: "",
          isText: false,
        };
      } else if (name === "v" || name === "t") cell.isText = true;
    },
    close(name) {
      if (name === "v" || name === "t") cell.isText = false;
      else if (name === "c" && cell.column < MOST_COLUMNS) {
        while (cells.length < cell.column) cells.push("");
        cells[cell.column] = cellText(cell.type, withoutEntities(cell.text), strings).trim();
      } else if (name === "row" && cells.some((it) => it !== "")) found.push({ row: number, cells });
    },
    text(text) {
      if (cell.isText && cell.text.length < LONGEST_CELL) cell.text += text.slice(0, LONGEST_CELL);
    },
  });
  for await (const piece of pieces) {
    read(piece);
    if (found.length === 0) continue;
    yield found;
    found = [];
  }
}

function cellText(type: string, value: string, strings: readonly string[]): string {
  if (type === "s") return strings[Number(value)] ?? "";
  // A telephone number that Excel took for a number comes back as 5.32E9.
  return /^\d(\.\d+)?E\+?\d{1,2}$/i.test(value) ? BigInt(Math.round(Number(value))).toString() : value;
}

/** `AB` is column 27, counted from 0. */
function columnOf(letters: string | undefined): number | undefined {
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
