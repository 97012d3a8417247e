// How far a recording had come when the process that wrote it ended.

import { open } from "node:fs/promises";
import type { PcmRate } from "../../codecs/shape.ts";
import { HEADER_BYTES, repairWav, wavHeader } from "../wav.ts";
import { machineMs } from "./boot-clock.ts";
import type { RecordedBefore } from "./commands.ts";

/**
 * Undefined when there is nothing to go on with: it is begun anew. A file whose beginning nobody remembers goes on where
 * it ended.
 */
export async function recordedBefore(path: string, begunMs: number | undefined): Promise<RecordedBefore | undefined> {
  const found = await repairWav(path).catch(() => undefined);
  if (found?.is !== "repaired") return undefined;
  const rate = await rateOf(path);
  return rate && { rate, begunMs: begunMs ?? machineMs() - found.durationMs };
}

/** Undefined when it is none of ours: a call is recorded in stereo, at one of two rates. */
async function rateOf(path: string): Promise<PcmRate | undefined> {
  const file = await open(path, "r");
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    await file.read(header, 0, HEADER_BYTES, 0);
    const dataBytes = header.readUInt32LE(40);
    return ([8000, 16000] as const).find((rate) => header.equals(wavHeader({ rate, channels: 2, dataBytes })));
  } finally {
    await file.close();
  }
}
