// One recording on disk to one MP3 on disk, through buffers of one size however long it is. Waits for the disk and the
// processor, so it runs in the coder's thread only.

import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { Mp3, roomFor, STORED_RATE } from "./lame.ts";
import { frameBytes, type NotOurs, readFrames, shapeOf, type WavShape } from "./wav-reader.ts";

export type CodedFile = { is: "coded"; durationMs: number } | NotOurs;

const PIECE_FRAMES = 4_096;
const LONGEST_SECONDS = 24 * 3_600;

/** What every file passes through; made once a thread. */
export type Bench = { bytes: Buffer; pcm: Int16Array; coded: Buffer };

export const openBench = (): Bench => ({
  bytes: Buffer.from(new ArrayBuffer(PIECE_FRAMES * 4)), // aligned, unlike a part of Node's pool
  pcm: new Int16Array(PIECE_FRAMES * 4),
  coded: Buffer.alloc(roomFor(PIECE_FRAMES * 2)),
});

/** What it cannot read it leaves to others, and writes nothing. */
export function codeRecording({ input, output }: { input: string; output: string }, bench: Bench): CodedFile {
  const from = openSync(input, "r");
  try {
    const shape = shapeOf(from);
    if ("is" in shape) return shape;
    const to = openSync(output, "w", 0o600);
    try {
      const frames = codeSound({ from, to, shape, bench });
      fsyncSync(to);
      return { is: "coded", durationMs: Math.round((frames * 1_000) / shape.rate) };
    } catch (error) {
      rmSync(output, { force: true });
      throw error;
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

type Coding = { from: number; to: number; shape: WavShape; bench: Bench };

/** How many frames were coded. */
function codeSound({ from, to, shape, bench }: Coding): number {
  const { pcm, coded } = bench;
  const mp3 = new Mp3(shape);
  const stride = STORED_RATE / shape.rate;
  const whole = frameBytes(shape);
  const piece = { bytes: bench.bytes.subarray(0, PIECE_FRAMES * whole), pcm, stride };
  const most = LONGEST_SECONDS * shape.rate;
  let frames = 0;
  let written = 0;
  const keep = (octets: number) => {
    writeAll(to, coded, octets, written);
    written += octets;
  };
  pcm.fill(0);
  try {
    while (frames < most) {
      const read = readFrames(from, shape, shape.from + frames * whole, piece);
      if (read === 0) break;
      frames += read;
      keep(mp3.add(pcm, read * stride, coded));
    }
    keep(mp3.end(coded));
    writeAll(to, coded, mp3.tag(coded), 0);
    return frames;
  } finally {
    mp3.close();
  }
}

function writeAll(fd: number, bytes: Buffer, length: number, at: number): void {
  for (let done = 0; done < length; ) done += writeSync(fd, bytes, done, length - done, at + done);
}
