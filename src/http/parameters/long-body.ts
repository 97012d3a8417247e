// Long bodies are made sense of in a thread of their own, and come back in pieces: no call waits for a long text.

import type { Readers, Reading, Task } from "../../readers/task.ts";
import { type PlainUpload, plainUpload, uploadOf } from "../../uploads/upload.ts";
import { readBody } from "./body.ts";
import { listed } from "./listed.ts";
import { isUnreadable, type Sent, SentFile, type SentValue, type Unreadable } from "./sent.ts";

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

const MOST_VALUES = 500;
/** More than any operation takes, and longer than anything in a list that is no object. */
const MOST_LISTED = 200_000;
const LONGEST_LISTED = 1_000;

export const readLongBody: Task<Given, Piece> = {
  name: "body",
  async *read({ bytes, contentType, contents, lists }) {
    const sent = readBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), contentType);
    if (isUnreadable(sent)) return yield sent;
    for (const [name, given] of sent) {
      const values = lists.includes(name) ? listed(given, MOST_LISTED).map(shortened) : given;
      if (values.length === 0) yield { name, values };
      let plain: SentValue[] = [];
      for (const value of values) {
        const apart = apartFrom(name, value, contents);
        if (!apart) plain.push(value);
        if (plain.length >= MOST_VALUES || (apart && plain.length > 0)) {
          yield { name, values: plain };
          plain = [];
        }
        if (apart) yield apart;
      }
      if (plain.length > 0) yield { name, values: plain };
    }
  },
};

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
    if ("values" in piece) known.push(...piece.values);
    else known.push("file" in piece ? fileOf(piece.file) : uploadOf(piece.upload));
    sent.set(piece.name, known);
  }
  return sent;
}

const fileOf = ({ name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> }) =>
  new SentFile(name, Buffer.from(bytes.buffer));
