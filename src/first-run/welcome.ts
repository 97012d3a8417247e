// The demo menu's welcome: spoken where espeak-ng is installed, a chime where it is not.

import { spawnSync } from "node:child_process";
import { bareEnvironment } from "../programs/environment.ts";
import { chime, SAMPLE_RATE } from "./melody.ts";
import { resampled } from "./sounds.ts";

const SENTENCE = "Hoş geldiniz. Satış için bire, destek için ikiye, operatör için sıfıra basın.";

const WAV_HEADER_BYTES = 44;
const SPOKEN_RATE = 22_050;

export function welcomeSound(): Int16Array {
  const spoken = spawnSync("espeak-ng", ["-v", "tr", "-s", "150", "--stdout", SENTENCE], {
    env: bareEnvironment(),
    timeout: 10_000,
    maxBuffer: 8 * 1024 * 1024,
  });
  if (spoken.status !== 0 || spoken.stdout.length <= WAV_HEADER_BYTES) return chime();
  const bytes = spoken.stdout.subarray(WAV_HEADER_BYTES, spoken.stdout.length - (spoken.stdout.length % 2));
  const samples = Int16Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(index * 2));
  return resampled(samples, SPOKEN_RATE, SAMPLE_RATE);
}
