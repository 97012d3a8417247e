// Long bodies are made sense of in a thread of their own, and come back in pieces: no call waits for a long text.

import type { Readers, Reading, Task } from "../../readers/task.ts";
import { type PlainUpload, plainUpload, uploadOf } from "../../uploads/upload.ts";
import { readBody } from "./body.ts";
import { listed } from "./listed.ts";
import { inPortions, MOST_LISTED, openScales, type Weigh } from "./portions.ts";
import { isUnreadable, type Sent, SentFile, type SentValue, TOO_MANY, type Unreadable } from "./sent.ts";

/** What is no longer than this is read at once. */
export const LONG = 512 * 1024;

/** Parameters that take long to be made sense of: files as text, and lists of things. */
export type LongNames = { contents: readonly string[]; lists: readonly string[] };

export const NO_NAMES: LongNames = { contents: [], lists: [] };

type Given = LongNames & { bytes: Uint8Array; contentType: string };

type Piece =
  | Unreadable
  | { name: string; values: SentValue[] }
  | { name: string; file: { name: string; bytes: Uint8Array<ArrayBuffer> }; transfer: ArrayBuffer[] }
  | { name: string; upload: PlainUpload; transfer: ArrayBuffer[] };

/** Longer than anything in a list that is no object. */
const LONGEST_LISTED = 1_000;

export const readLongBody: Task<Given, Piece> = {
  name: "body",
  async *read({ bytes, contentType, contents, lists }) {
    const sent = readBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), contentType);
    if (isUnreadable(sent)) return yield sent;
    const weigh = openScales();
    for (const [name, given] of sent) {
      const values = lists.includes(name) ? listed(given, MOST_LISTED).map(shortened) : given.slice(0, MOST_LISTED);
      if (values.length === 0) yield { name, values };
      let plain: SentValue[] = [];
      for (const value of values) {
        const apart = apartFrom(name, value, contents);
        if (!apart) plain.push(value);
        else {
          yield* piecesOf(name, plain, weigh);
          plain = [];
          yield apart;
        }
      }
      yield* piecesOf(name, plain, weigh);
    }
  },
};

function* piecesOf(name: string, plain: readonly SentValue[], weigh: Weigh): Generator<Piece> {
  for (const values of inPortions(plain, weigh)) yield values ? { name, values } : TOO_MANY;
}

const shortened = (entry: SentValue): SentValue => (typeof entry === "string" ? entry.slice(0, LONGEST_LISTED) : entry);

function apartFrom(name: string, value: SentValue, contents: readonly string[]): Piece | undefined {
  if (value instanceof SentFile) {
    const bytes = new Uint8Array(value.bytes);
    return { name, file: { name: value.name, bytes }, transfer: [bytes.buffer] };
  }
  if (typeof value !== "string" || value.length < LONG || !contents.includes(name)) return undefined;
  const upload = plainUpload(value);
  return { name, upload, transfer: upload.bytes ? [upload.bytes.buffer] : [] };
}

/** As `readBody`, elsewhere. What is given of the bytes is the thread's from then on. */
export async function readBodyApart(
  readers: Readers,
  given: Given & { bytes: Uint8Array<ArrayBuffer> },
  how: Omit<Reading, "transfer">,
): Promise<Sent | Unreadable> {
  const sent: Sent = new Map();
  for await (const piece of readers.read(readLongBody, given, { ...how, transfer: [given.bytes.buffer] })) {
    if ("unreadable" in piece) return piece;
    const known = sent.get(piece.name) ?? [];
    if ("values" in piece)
      known.push(...piece.values); // a portion, never very many
    else known.push("file" in piece ? fileOf(piece.file) : uploadOf(piece.upload));
    sent.set(piece.name, known);
  }
  return sent;
}

const fileOf = ({ name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> }) =>
  new SentFile(name, Buffer.from(bytes.buffer));
