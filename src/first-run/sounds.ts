// Keeps a sound the way uploads are kept: one copy for the telephone, and a wider one beside it.

import { randomUUID } from "node:crypto";
import { masterOf } from "../exchange/sounds.ts";
import { Resampler } from "../media/resample.ts";
import { wavHeader } from "../media/wav.ts";
import type { Objects } from "../objects/objects.ts";
import { SAMPLE_RATE } from "./melody.ts";

const TELEPHONE_RATE = 8_000;

export async function putSound(objects: Objects, samples: Int16Array): Promise<{ key: string; durationMs: number }> {
  const key = `sounds/${randomUUID()}.wav`;
  await objects.put(masterOf(key), { bytes: wavOf(samples, SAMPLE_RATE) });
  await objects.put(key, { bytes: wavOf(resampled(samples, SAMPLE_RATE, TELEPHONE_RATE), TELEPHONE_RATE) });
  return { key, durationMs: Math.round((samples.length / SAMPLE_RATE) * 1_000) };
}

export function resampled(samples: Int16Array, fromRate: number, toRate: number): Int16Array {
  const into = new Int16Array(Math.ceil((samples.length * toRate) / fromRate) + 1);
  return into.subarray(0, new Resampler(fromRate, toRate).process(samples, into));
}

function wavOf(samples: Int16Array, rate: number): Uint8Array {
  const header = wavHeader({ rate, channels: 1, dataBytes: samples.byteLength });
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)]);
}
