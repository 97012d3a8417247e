// What a page sends: read at once while it is short, in a thread of its own when it is not. A file that it carries as text
// comes decoded.

import type { Readers, Reading, Task } from "../../readers/task.ts";
import { type DecodedUpload, decodeUpload, type PlainUpload, plainUpload, uploadOf } from "../../uploads/upload.ts";
import { LONG } from "../parameters/long-body.ts";
import { inPortions, MOST_LISTED, openScales, weightOf } from "../parameters/portions.ts";

/** `value`: undefined for what is no JSON. In the place of its file stands an empty text. */
export type SentJson = { value: unknown; uploaded: DecodedUpload | undefined };

type Given = { bytes: Uint8Array; carries: string | undefined };

type Piece =
  | { value: unknown }
  | { name: string; values: readonly unknown[] }
  | { upload: PlainUpload; transfer: ArrayBuffer[] };

/** A list is handed over by itself from here on. */
const LONG_LIST = 500;
/** In a form with everything in it that one can hold, but for its long lists. */
const MOST_VALUES = 20_000;

export const readLongJson: Task<Given, Piece> = {
  name: "json",
  async *read({ bytes, carries }) {
    const value = parsed(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (!isObject(value)) return yield TOO_MUCH; // nothing that is asked with is a list or a bare value
    const file = takeFile(value, carries);
    const lists = Object.entries(value).filter(([, it]) => Array.isArray(it) && it.length > LONG_LIST);
    for (const [name] of lists) value[name] = [];
    if (!weightOf(value, MOST_VALUES)) return yield TOO_MUCH;
    yield { value };
    const weigh = openScales();
    for (const [name, list] of lists as [string, unknown[]][])
      for (const values of inPortions(list.slice(0, MOST_LISTED), weigh)) {
        if (!values) return yield TOO_MUCH;
        yield { name, values };
      }
    if (file === undefined) return;
    const upload = plainUpload(file);
    yield { upload, transfer: upload.bytes ? [upload.bytes.buffer] : [] };
  },
};

/** As what is no JSON: no operation has so much to be told. */
const TOO_MUCH: Piece = { value: undefined };

export async function readJson(
  readers: Readers,
  body: Buffer,
  { carries, ...how }: Omit<Reading, "transfer"> & { carries: string | undefined },
): Promise<SentJson> {
  const { buffer, byteOffset, length } = body;
  if (length <= LONG || !(buffer instanceof ArrayBuffer)) {
    const value = parsed(body);
    const file = isObject(value) ? takeFile(value, carries) : undefined;
    return { value, uploaded: file === undefined ? undefined : decodeUpload(file) };
  }
  const bytes = new Uint8Array(buffer, byteOffset, length);
  const sent: SentJson = { value: undefined, uploaded: undefined };
  for await (const piece of readers.read(readLongJson, { bytes, carries }, { ...how, transfer: [buffer] })) {
    if ("value" in piece) sent.value = piece.value;
    else if ("upload" in piece) sent.uploaded = uploadOf(piece.upload);
    else (sent.value as Record<string, unknown[]>)[piece.name]?.push(...piece.values); // the first piece was an object
  }
  return sent;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8") || "{}");
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function takeFile(value: Record<string, unknown>, carries: string | undefined): string | undefined {
  const file = carries === undefined ? undefined : value[carries];
  if (carries === undefined || typeof file !== "string") return undefined;
  value[carries] = "";
  return file;
}
