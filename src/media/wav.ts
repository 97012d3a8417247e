// WAV files: read for playing, written while recording, and repaired after a crash.

import { open } from "node:fs/promises";
import { aLaw, muLaw } from "../codecs/g711.ts";

export type Wav = { is: "wav"; rate: number; channels: number; samples: Int16Array };
export type Unreadable = { is: "unreadable"; why: string };

export const HEADER_BYTES = 44;
const MOST_CHANNELS = 8;

export function wavHeader({
  rate,
  channels,
  dataBytes,
}: {
  rate: number;
  channels: number;
  dataBytes: number;
}): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  const word = (at: number, text: string) => header.set(Buffer.from(text, "latin1"), at);
  word(0, "RIFF");
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  word(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  word(36, "data");
  view.setUint32(40, dataBytes, true);
  return header;
}

export function readWav(bytes: Uint8Array): Wav | Unreadable {
  const chunks = findChunks(bytes);
  if (!chunks.format || !chunks.sound) return { is: "unreadable", why: "not a WAV file" };
  const format = readFormat(chunks.format);
  const decode = decoders[`${format.coding}/${format.bits}`];
  if (!decode) return { is: "unreadable", why: `coding ${format.coding} with ${format.bits} bits` };
  if (!(format.rate >= 4000 && format.rate <= 192_000) || format.channels < 1 || format.channels > MOST_CHANNELS)
    return { is: "unreadable", why: "odd rate or channels" };
  return { is: "wav", rate: format.rate, channels: format.channels, samples: decode(chunks.sound) };
}

export function toMono({ channels, samples }: Wav): Int16Array {
  if (channels === 1) return samples;
  return Int16Array.from({ length: Math.floor(samples.length / channels) }, (_, frame) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += samples[frame * channels + channel]!;
    return sum / channels;
  });
}

/** The process died while this was written: the header is made to tell the length that is there. */
export async function repairWav(path: string): Promise<{ is: "repaired"; durationMs: number } | Unreadable> {
  const file = await open(path, "r+");
  try {
    const header = new Uint8Array(HEADER_BYTES);
    const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0);
    if (bytesRead < HEADER_BYTES) return { is: "unreadable", why: "shorter than its header" };
    const format = readFormat(new DataView(header.buffer, 20));
    const frameBytes = format.channels * 2;
    if (Buffer.from(header.buffer, 36, 4).toString("latin1") !== "data" || frameBytes === 0 || format.rate === 0)
      return { is: "unreadable", why: "not a recording of ours" };
    const { size } = await file.stat();
    const frames = Math.floor((size - HEADER_BYTES) / frameBytes);
    const dataBytes = frames * frameBytes;
    const right = wavHeader({ rate: format.rate, channels: format.channels, dataBytes });
    // Most were ended in peace. Nothing is written to them, so that nothing has to reach the disk either.
    if (size !== HEADER_BYTES + dataBytes || !right.every((octet, at) => octet === header[at])) {
      await file.truncate(HEADER_BYTES + dataBytes);
      await file.write(right, 0, HEADER_BYTES, 0);
      await file.sync();
    }
    return { is: "repaired", durationMs: Math.round((frames * 1000) / format.rate) };
  } finally {
    await file.close();
  }
}

const PCM = 1;
const A_LAW = 6;
const MU_LAW = 7;
const EXTENSIBLE = 0xfffe;

const decoders: Record<string, (bytes: Uint8Array) => Int16Array> = {
  [`${PCM}/16`]: readLittleEndian,
  [`${PCM}/8`]: (bytes) => Int16Array.from(bytes, (byte) => (byte - 128) << 8),
  [`${A_LAW}/8`]: (bytes) => Int16Array.from(bytes, (byte) => aLaw.toLinear[byte]!),
  [`${MU_LAW}/8`]: (bytes) => Int16Array.from(bytes, (byte) => muLaw.toLinear[byte]!),
};

function readLittleEndian(bytes: Uint8Array): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int16Array.from({ length: bytes.length >> 1 }, (_, i) => view.getInt16(2 * i, true));
}

function readFormat(view: DataView) {
  const coding = view.getUint16(0, true);
  return {
    // An extensible header names the real coding at the start of its GUID.
    coding: coding === EXTENSIBLE && view.byteLength >= 26 ? view.getUint16(24, true) : coding,
    channels: view.getUint16(2, true),
    rate: view.getUint32(4, true),
    bits: view.getUint16(14, true),
  };
}

/** Sizes in a header are believed only as far as the file goes: recorders that died leave zero or too much. */
function findChunks(bytes: Uint8Array): { format?: DataView; sound?: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (bytes.length < 12 || word(0) !== "RIFF" || word(8) !== "WAVE") return {};
  const found: { format?: DataView; sound?: Uint8Array } = {};
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true);
    const end = Math.min(at + 8 + size, bytes.length);
    if (word(at) === "fmt " && end - at >= 24)
      found.format = new DataView(bytes.buffer, bytes.byteOffset + at + 8, end - at - 8);
    if (word(at) === "data") return { ...found, sound: bytes.subarray(at + 8, size === 0 ? bytes.length : end) };
    at += 8 + size + (size & 1);
  }
  return found;
}
