// Puts recordings one after the other into one file: what a caller said alone, and then the call.

import { createReadStream } from "node:fs";
import { type FileHandle, open, readFile, stat } from "node:fs/promises";
import { Resampler } from "./resample.ts";
import { HEADER_BYTES, readWav, toMono, wavHeader } from "./wav.ts";

type Shape = { rate: number; channels: number };

/**
 * All of them are recordings of ours, complete. The last one gives the rate and the channels and may be hours long, so
 * it is never held in memory; one party's words before it go to the left, which is the caller's side.
 */
export async function joinWavs(paths: readonly string[], target: string): Promise<void> {
  const shape = await shapeOf(paths.at(-1)!); // the caller has several
  const file = await open(target, "wx", 0o600);
  try {
    await file.write(wavHeader({ ...shape, dataBytes: 0 }));
    let dataBytes = 0;
    for (const path of paths) dataBytes += await append(file, path, shape);
    await file.write(wavHeader({ ...shape, dataBytes }), 0, HEADER_BYTES, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function append(file: FileHandle, path: string, shape: Shape): Promise<number> {
  const own = await shapeOf(path);
  if (own.rate !== shape.rate || own.channels !== shape.channels) return appendChanged(file, path, shape);
  for await (const piece of createReadStream(path, { start: HEADER_BYTES })) await file.write(piece as Buffer);
  return (await stat(path)).size - HEADER_BYTES;
}

async function appendChanged(file: FileHandle, path: string, { rate, channels }: Shape): Promise<number> {
  const wav = readWav(await readFile(path));
  if (wav.is !== "wav") throw new Error(`${path}: ${wav.why}`);
  const mono = toMono(wav);
  const samples = new Int16Array(Math.ceil((mono.length * rate) / wav.rate) + 1);
  const count = new Resampler(wav.rate, rate).process(mono, samples);
  const spread = new Int16Array(count * channels);
  for (let at = 0; at < count; at++) spread[at * channels] = samples[at]!;
  await file.write(new Uint8Array(spread.buffer));
  return spread.byteLength;
}

async function shapeOf(path: string): Promise<Shape> {
  const file = await open(path, "r");
  try {
    const header = new Uint8Array(HEADER_BYTES);
    await file.read(header, 0, HEADER_BYTES, 0);
    const wav = readWav(header);
    if (wav.is !== "wav") throw new Error(`${path}: ${wav.why}`);
    return { rate: wav.rate, channels: wav.channels };
  } finally {
    await file.close();
  }
}
