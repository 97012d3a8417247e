// A file of contacts, read piece by piece: CSV with a heading, a JSON list of records, or vCards, whichever it is.

import { isUtf8 } from "node:buffer";
import type { ForeignContact, ForeignFault } from "../store/contact-pages.ts";
import { contactOnCard, uidOn } from "./card-contact.ts";
import { SourceFailed } from "./failure.ts";
import { foreignContact, type Told } from "./foreign-contact.ts";
import { type ColumnField, fieldOfHeading } from "./headings.ts";
import { csvReader, jsonReader, separatorOf, type TableReader } from "./table.ts";
import { tidyText } from "./tidy-text.ts";
import { readCards } from "./vcard.ts";

/** `id` is what the file calls it; empty where it does not. */
export type FileRow = { id: string; told: ForeignContact | ForeignFault };

/** Which column was taken for which field. */
export type TakenColumn = { column: string; field: ColumnField | null };

export type RowReader = TableReader<FileRow> & { columns(): readonly TakenColumn[] };

type Said = ReadonlyMap<string, ColumnField>;

/** As much as is read before others have their turn. */
const PIECE_BYTES = 8 * 1024;
const MOST_COLUMNS_TOLD = 50;

/** The file as text in pieces. Old programs of the country write its own code page; what is no UTF-8 is read as that. */
export function* textIn(bytes: Buffer, contentType: string): Generator<string> {
  const decoder = new TextDecoder(charsetOf(bytes, contentType));
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true });
  yield decoder.decode();
}

function charsetOf(bytes: Buffer, contentType: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const unmarked = wideWithoutMark(bytes);
  if (unmarked) return unmarked;
  const said = /charset="?([\w-]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? "utf-8";
  if (isUtf8(bytes)) return "utf-8";
  try {
    return said.startsWith("utf") ? "windows-1254" : new TextDecoder(said).encoding;
  } catch {
    return "windows-1254";
  }
}

/** Letters of the alphabet take two bytes there, and one of the two is always zero. */
function wideWithoutMark(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 200);
  const zerosAt = (rest: number) => head.filter((byte, index) => byte === 0 && index % 2 === rest).length;
  const [even, odd] = [zerosAt(0), zerosAt(1)];
  if (head.length < 4 || Math.max(even, odd) < head.length / 4) return undefined;
  return odd > even ? (even === 0 ? "utf-16le" : undefined) : odd === 0 ? "utf-16be" : undefined;
}

/** By the first letter that is none of the blanks. */
export function rowReaderFor(beginning: string, said: Said): RowReader {
  const text = beginning.replace(/^\uFEFF/, "").trimStart();
  if (text.startsWith("[") || text.startsWith("{")) return recordRows(said);
  if (/^BEGIN:VCARD/i.test(text)) return cardRows();
  if (text.startsWith("<") || text.includes("\u0000")) throw new SourceFailed("no-table", text.slice(0, 40));
  return csvRows(text, said);
}

function csvRows(beginning: string, said: Said): RowReader {
  const csv = csvReader(separatorOf(beginning.split(/\r?\n|\r/, 1)[0] ?? ""));
  let columns: TakenColumn[] | undefined;
  let shortest = Number.POSITIVE_INFINITY;
  let endsLine = true;
  const read = (piece: string) => {
    if (piece !== "") endsLine = /[\r\n]$/.test(piece);
    const rows = csv.read(columns ? piece : piece.replace(/^\uFEFF/, ""));
    if (!columns && rows.length > 0) columns = takenColumns(rows.shift() ?? [], said);
    return rows.map((cells) => {
      shortest = cells.length;
      return rowOf((columns ?? []).map(({ field }, index) => [field, cells[index] ?? ""]));
    });
  };
  return {
    read(piece) {
      // Nothing comes after the last line; that it ends is said here.
      if (piece !== "") return read(piece);
      const wasWhole = endsLine;
      const last = read("\n");
      if (!wasWhole && last.length > 0 && shortest < (columns?.length ?? 0)) throw new SourceFailed("cut-off");
      return last;
    },
    isWhole: () => csv.isWhole() && columns !== undefined,
    columns: () => columns ?? [],
  };
}

function takenColumns(heading: readonly string[], said: Said): TakenColumn[] {
  const taken = new Set<ColumnField>();
  const columns = heading.map((column) => {
    const field = fieldOfHeading(column, said);
    const isFirst = field !== undefined && (field === "group" || !taken.has(field));
    if (field) taken.add(field);
    return { column: tidyText(column).slice(0, 100), field: isFirst ? field : null };
  });
  if (!taken.has("phone"))
    throw new SourceFailed(
      "no-phone-column",
      columns
        .map(({ column }) => column)
        .slice(0, MOST_COLUMNS_TOLD)
        .join(", "),
    );
  return columns;
}

function recordRows(said: Said): RowReader {
  const json = jsonReader();
  const columns = new Map<string, TakenColumn>();
  const fieldOf = (name: string): ColumnField | null => {
    const known = columns.get(name);
    if (known) return known.field;
    const field = fieldOfHeading(name, said) ?? null;
    if (columns.size < MOST_COLUMNS_TOLD) columns.set(name, { column: tidyText(name).slice(0, 100), field });
    return field;
  };
  return {
    read: (piece) =>
      json.read(piece).map((record) => {
        if (!record) return { id: "", told: { why: "unreadable", value: "" } };
        const cells = Object.entries(record).flatMap(([name, value]) =>
          [value].flat().map((one): [ColumnField | null, string] => [fieldOf(name), plain(one)]),
        );
        return rowOf(cells);
      }),
    isWhole: json.isWhole,
    columns: () => [...columns.values()],
  };
}

const plain = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

function rowOf(cells: readonly (readonly [field: ColumnField | null, text: string])[]): FileRow {
  const fields: Record<string, string> = {};
  const phones: Record<string, string[]> = { phone: [], phone1: [], phone2: [] };
  const groups: string[] = [];
  let id = "";
  for (const [field, text] of cells) {
    if (field === null || text === "") continue;
    if (field === "id") id = tidyText(text).slice(0, 500);
    else if (field === "group") groups.push(...text.split(/:::|[,;|]/));
    else if (phones[field]) phones[field].push(...text.split(":::"));
    else fields[field] ??= text;
  }
  const told = foreignContact({ fields: fields as Told["fields"], phones: Object.values(phones).flat(), groups });
  return { id, told };
}

const CARD_ENDS = /^END:VCARD[ \t]*$/gim;
/** Of what waits for its end: a mark may be cut in two. */
const LOOKED_BACK = "END:VCARD".length + 2;

function cardRows(): RowReader {
  let waiting: string[] = [];
  let ending = "";
  const wait = (text: string, seen: string) => {
    waiting.push(text);
    ending = seen.slice(-LOOKED_BACK);
  };
  return {
    read(piece) {
      const seen = ending + piece;
      const last = [...seen.matchAll(CARD_ENDS)].at(-1);
      if (!last) {
        wait(piece, seen);
        return [];
      }
      const cut = Math.max(0, last.index + last[0].length - ending.length);
      const whole = waiting.join("") + piece.slice(0, cut);
      waiting = [];
      wait(piece.slice(cut), piece.slice(cut));
      return Array.from(readCards(whole), (card) => ({ id: uidOn(card), told: contactOnCard(card) }));
    },
    isWhole: () => !/BEGIN:VCARD/i.test(waiting.join("")),
    columns: () => [],
  };
}
