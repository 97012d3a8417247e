// Reads a recording of ours piece by piece, as it lies on disk: linear or by a law of G.711.

import { fstatSync, readSync } from "node:fs";
import { aLaw, muLaw } from "../../codecs/g711.ts";

export type WavShape = { rate: 8_000 | 16_000; channels: 1 | 2; coding: Coding; from: number; to: number };
export type NotOurs = { is: "not-ours"; why: string };

type Coding = "linear" | "a-law" | "mu-law";

const CODINGS: Partial<Record<string, Coding>> = { "1/16": "linear", "6/8": "a-law", "7/8": "mu-law" };
/** Ours have two, strangers' some more. */
const MOST_CHUNKS = 32;
const FORMAT_BYTES = 16;

export const frameBytes = ({ coding, channels }: WavShape): number => channels * (coding === "linear" ? 2 : 1);

/** Sizes in a header are believed only as far as the file goes: recorders that died leave zero or too much. */
export function shapeOf(fd: number): WavShape | NotOurs {
  const { size } = fstatSync(fd);
  const head = Buffer.alloc(12);
  if (readSync(fd, head, 0, 12, 0) < 12 || head.toString("latin1", 0, 4) !== "RIFF") return notOurs("no RIFF file");
  if (head.toString("latin1", 8, 12) !== "WAVE") return notOurs("no WAV file");
  let format: Pick<WavShape, "rate" | "channels" | "coding"> | NotOurs = notOurs("sound before its format");
  for (let at = 12, chunk = 0; at + 8 <= size && chunk < MOST_CHUNKS; chunk++) {
    readSync(fd, head, 0, 8, at);
    const [name, length] = [head.toString("latin1", 0, 4), head.readUInt32LE(4)];
    if (name === "fmt " && length >= FORMAT_BYTES) format = formatAt(fd, at + 8);
    if (name === "data") return "is" in format ? format : withSound({ ...format, from: at + 8, length, size });
    at += 8 + length + (length & 1);
  }
  return notOurs("no sound in it");
}

function withSound({
  length,
  size,
  ...format
}: Pick<WavShape, "rate" | "channels" | "coding" | "from"> & { length: number; size: number }): WavShape | NotOurs {
  const to = length === 0 ? size : Math.min(format.from + length, size);
  const shape = { ...format, to };
  return to - format.from < frameBytes(shape) ? notOurs("no sound in it") : shape;
}

function formatAt(fd: number, at: number): Pick<WavShape, "rate" | "channels" | "coding"> | NotOurs {
  const fields = Buffer.alloc(FORMAT_BYTES);
  if (readSync(fd, fields, 0, FORMAT_BYTES, at) < FORMAT_BYTES) return notOurs("cut off in its format");
  const [kind, channels, rate, bits] = [
    fields.readUInt16LE(0),
    fields.readUInt16LE(2),
    fields.readUInt32LE(4),
    fields.readUInt16LE(14),
  ];
  const coding = CODINGS[`${kind}/${bits}`];
  if (!coding) return notOurs(`coding ${kind} with ${bits} bits`);
  if ((rate !== 8_000 && rate !== 16_000) || (channels !== 1 && channels !== 2))
    return notOurs(`${channels} channels at ${rate} Hz`);
  return { rate, channels, coding };
}

const notOurs = (why: string): NotOurs => ({ is: "not-ours", why });

/** Where samples lie on their way: `bytes` as on disk, `pcm` after that; each frame takes `stride` places of one. */
export type Piece = { bytes: Buffer; pcm: Int16Array; stride: number };

/** The next samples of a file; returns how many frames there were. What lies between frames is left as it is. */
export function readFrames(fd: number, shape: WavShape, at: number, { bytes, pcm, stride }: Piece): number {
  const whole = frameBytes(shape);
  const most = Math.min(bytes.length - (bytes.length % whole), shape.to - at);
  let got = 0;
  while (got < most) {
    const read = readSync(fd, bytes, got, most - got, at + got);
    if (read === 0) break;
    got += read;
  }
  const frames = Math.floor(got / whole);
  spread[shape.coding](bytes, frames, pcm, { channels: shape.channels, stride });
  return frames;
}

type Spread = (bytes: Buffer, frames: number, pcm: Int16Array, shape: { channels: number; stride: number }) => void;

const spread: Record<Coding, Spread> = {
  linear(bytes, frames, pcm, { channels, stride }) {
    const samples = new Int16Array(bytes.buffer, bytes.byteOffset, frames * channels); // as the disk thread wrote them
    if (stride === 1) return pcm.set(samples);
    for (let frame = 0; frame < frames; frame++)
      for (let channel = 0; channel < channels; channel++)
        pcm[frame * stride * channels + channel] = samples[frame * channels + channel]!;
  },
  "a-law": byTable(aLaw.toLinear),
  "mu-law": byTable(muLaw.toLinear),
};

function byTable(table: Int16Array): Spread {
  return (bytes, frames, pcm, { channels, stride }) => {
    for (let frame = 0; frame < frames; frame++)
      for (let channel = 0; channel < channels; channel++)
        pcm[frame * stride * channels + channel] = table[bytes[frame * channels + channel]!]!;
  };
}
