// The demo menu's welcome: spoken where espeak-ng is installed, a chime where it is not.

import { spawnSync } from "node:child_process";
import { chime, SAMPLE_RATE } from "./melody.ts";

const SENTENCE = "Hoş geldiniz. Satış için bire, destek için ikiye, operatör için sıfıra basın.";

const WAV_HEADER_BYTES = 44;
const SPOKEN_RATE = 22_050;

/** Neighbours on each side that a resampled sample is made of: more is a sharper cut at half the new rate. */
const REACH = 24;

export function welcomeSound(): Int16Array {
  const spoken = spawnSync("espeak-ng", ["-v", "tr", "-s", "150", "--stdout", SENTENCE], {
    timeout: 10_000,
    maxBuffer: 8 * 1024 * 1024,
  });
  if (spoken.status !== 0 || spoken.stdout.length <= WAV_HEADER_BYTES) return chime();
  const bytes = spoken.stdout.subarray(WAV_HEADER_BYTES, spoken.stdout.length - (spoken.stdout.length % 2));
  const samples = Int16Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(index * 2));
  return toTelephoneRate(samples);
}

// A windowed sinc: what lies above half of the new rate would otherwise come back as hiss.
function toTelephoneRate(samples: Int16Array): Int16Array {
  const step = SPOKEN_RATE / SAMPLE_RATE;
  return Int16Array.from({ length: Math.floor(samples.length / step) }, (_, index) => {
    const centre = index * step;
    let sum = 0;
    let weights = 0;
    for (let at = Math.ceil(centre - REACH); at <= centre + REACH; at++) {
      const distance = at - centre;
      const weight = sinc(distance / step) * (0.5 + 0.5 * Math.cos((Math.PI * distance) / REACH));
      sum += weight * (samples[at] ?? 0);
      weights += weight;
    }
    return Math.max(-32_768, Math.min(32_767, Math.round(sum / weights)));
  });
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}
