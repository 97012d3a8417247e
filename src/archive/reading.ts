// What every store has in common when a file is read: the part that was asked for, sums of the whole, another try.

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { type Clock, pause } from "../clock.ts";
import { type Archive, isTrouble, type Part, type Sums, type Trouble, trouble } from "./archive.ts";
import type { StoreAnswer } from "./http-client.ts";

const PAUSES_MS = [250, 1_000];

/** A store that stumbles is asked again at once; what it says for good, and what has taken long already, is final. */
export async function again<Result>(clock: Clock, act: () => Promise<Result | Trouble>): Promise<Result | Trouble> {
  for (const waitMs of PAUSES_MS) {
    const result = await act();
    if (!isTrouble(result) || (result.trouble !== "unreachable" && result.trouble !== "busy")) return result;
    await pause(clock, waitMs);
  }
  return act();
}

export function rangeHeader({ from, to, size }: Part): Record<string, string> {
  return from === 0 && to === size - 1 ? {} : { Range: `bytes=${from}-${to}` };
}

/** The part out of an answer of 200 or 206. A file that is not as long as it was when it was put is another one. */
export function partOf({ status, headers, body }: StoreAnswer, part: Part): Readable | Trouble {
  const { from, to, size } = part;
  const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers["content-range"] ?? "") ?? [];
  const whole = status === 206 ? total : headers["content-length"];
  const isShifted = status === 206 && Number(first) !== from;
  if (isShifted || (whole !== undefined && Number(whole) !== size)) {
    body.destroy();
    return trouble("differs", `${whole} bytes instead of ${size}`);
  }
  const skipped = status === 206 ? 0 : from;
  return Readable.from(cut(body, { skipped, length: to - from + 1 }), { objectMode: false });
}

/** Exactly so many bytes, or an error: a file that ends early must not look whole. */
async function* cut(body: Readable, { skipped, length }: { skipped: number; length: number }): AsyncGenerator<Buffer> {
  let [before, left] = [skipped, length];
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      const wanted = piece.subarray(Math.min(before, piece.length)).subarray(0, left);
      before -= Math.min(before, piece.length);
      left -= wanted.length;
      if (wanted.length > 0) yield wanted;
      if (left === 0) return;
    }
    if (left > 0) throw new Error(`the file ended ${left} bytes early`);
  } finally {
    body.destroy();
  }
}

/** Reads the whole file once more. Dear, and certain. */
export async function readAgain(archive: Archive, name: string, sums: Sums, signal?: AbortSignal) {
  if (sums.size === 0) return undefined;
  const stream = await archive.open(name, { from: 0, to: sums.size - 1, size: sums.size }, signal);
  if (isTrouble(stream)) return stream;
  const hash = createHash("sha256");
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) hash.update(piece);
  } catch {
    return signal?.aborted ? trouble("stopped") : trouble("unreachable", "the answer ended early");
  }
  return hash.digest("hex") === sums.sha256 ? undefined : trouble("differs", "SHA-256");
}
