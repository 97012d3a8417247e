// Tries a store out: writes a small file, looks at it, reads it back, deletes it, and says at which step what went wrong.

import { createHash, randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { type Archive, type Contents, isTrouble, type Trouble, trouble } from "./archive.ts";

export type ProbeStep = "write" | "read" | "delete";
export type Probed = { ok: true } | ({ ok: false; step: ProbeStep } & Trouble);

const BYTES = 1_024;

export async function probe(archive: Archive, signal?: AbortSignal): Promise<Probed> {
  const bytes = randomBytes(BYTES);
  const contents: Contents = {
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    md5: createHash("md5").update(bytes).digest("hex"),
    mediaType: "application/octet-stream",
    open: () => Readable.from([bytes]),
  };
  const name = await archive.nameFor(`santral-test-${randomUUID()}.bin`, signal);
  if (isTrouble(name)) return { ok: false, step: "write", ...name };
  const put = await archive.put(name, contents, signal);
  if (put) return { ok: false, step: "write", ...put };
  const unread = (await archive.check(name, contents, signal)) ?? (await middleOf(archive, name, bytes));
  // What could be written is taken away again, also where it could not be read.
  const left = await archive.remove(name, signal);
  if (unread) return { ok: false, step: "read", ...unread };
  return left ? { ok: false, step: "delete", ...left } : { ok: true };
}

/** As somebody hears a recording from its middle on. */
async function middleOf(archive: Archive, name: string, bytes: Buffer): Promise<Trouble | undefined> {
  const part = { from: 100, to: 199, size: bytes.length };
  const stream = await archive.open(name, part);
  if (isTrouble(stream)) return stream;
  const pieces: Buffer[] = [];
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
  } catch {
    return trouble("unreachable", "the answer ended early");
  }
  return Buffer.concat(pieces).equals(bytes.subarray(100, 200)) ? undefined : trouble("differs");
}
