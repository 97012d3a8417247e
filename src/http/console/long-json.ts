// What a page sends: read at once while it is short, in a thread of its own when it is not. A file that it carries as text
// comes decoded.

import type { Readers, Reading, Task } from "../../readers/task.ts";
import { type DecodedUpload, decodeUpload, type PlainUpload, plainUpload, uploadOf } from "../../uploads/upload.ts";
import { LONG } from "../parameters/long-body.ts";

/** `value`: undefined for what is no JSON. In the place of its file stands an empty text. */
export type SentJson = { value: unknown; uploaded: DecodedUpload | undefined };

type Given = { bytes: Uint8Array; carries: string | undefined };

type Piece =
  | { value: unknown }
  | { name: string; values: readonly unknown[] }
  | { upload: PlainUpload; transfer: ArrayBuffer[] };

const MOST_VALUES = 500;

export const readLongJson: Task<Given, Piece> = {
  name: "json",
  async *read({ bytes, carries }) {
    const value = parsed(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (!isObject(value)) return yield { value };
    const file = takeFile(value, carries);
    const lists = Object.entries(value).filter(([, it]) => Array.isArray(it) && it.length > MOST_VALUES);
    for (const [name] of lists) value[name] = [];
    yield { value };
    for (const [name, list] of lists as [string, unknown[]][])
      for (let at = 0; at < list.length; at += MOST_VALUES) yield { name, values: list.slice(at, at + MOST_VALUES) };
    if (file === undefined) return;
    const upload = plainUpload(file);
    yield { upload, transfer: upload.bytes ? [upload.bytes.buffer] : [] };
  },
};

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
