// Thousands of spoilt packets for one part: nothing throws, nothing takes long, nothing is kept.
//
// SANTRAL_FUZZ=1000000 takes so many instead, SANTRAL_FUZZ_SEED=7 makes other trouble.

import { expect } from "vitest";
import { heapUsed } from "../ground/heap.ts";
import { below, pick, type Random, seeded } from "../sip/sip-mutator.ts";
import { openSpoiler, type Spoil } from "./octet-spoiler.ts";

export const SPOILT = Number(process.env.SANTRAL_FUZZ ?? 10_000);
export const SEED = Number(process.env.SANTRAL_FUZZ_SEED ?? 1);
export const PATIENCE_MS = 240_000 + 5 * SPOILT;

const SLOWEST_MS = 5;
const MOST_GROWTH = 16 * 1024 * 1024;
/** What is only done once costs more the first times. */
const WARM_SHARE = 5;

export type Trouble = {
  name: string;
  /** Packets as they should be, from which the others are made. */
  sound: readonly Uint8Array[];
  take(spoilt: Buffer, random: Random): void;
  count?: number;
  /** The longest that can come. */
  most?: number;
};

export function takeSpoilt({ name, sound, take, count = SPOILT, most }: Trouble): void {
  const random = seeded(SEED);
  const spoil: Spoil = openSpoiler(random, sound, most);
  const slow: string[] = [];
  let slowestMs = 0;
  let heapBefore = 0;
  for (let done = 0; done < count; done++) {
    if (done === Math.floor(count / WARM_SHARE)) heapBefore = heapUsed();
    const packet = spoil(pick(random, sound));
    const seed = below(random, 0x7fff_ffff);
    const ms = timed(packet, () => take(Buffer.from(packet), seeded(seed)));
    slowestMs = Math.max(slowestMs, ms);
    if (ms > SLOWEST_MS) slow.push(`${ms.toFixed(1)} ms: ${packet.toString("hex")}`);
  }
  const growth = heapUsed() - heapBefore;
  const told = `slowest ${slowestMs.toFixed(2)} ms, heap ${(growth / 1024).toFixed(0)} KiB more`;
  process.stdout.write(`\n${name}, seed ${SEED}: ${count} spoilt packets, ${told}\n`);
  expect(slow).toEqual([]);
  expect(growth).toBeLessThan(MOST_GROWTH);
}

/** A pause of the machine is no fault of the packet, and passes: what stays slow nine times more is slow. */
function timed(packet: Buffer, act: () => void): number {
  const first = milliseconds(packet, act);
  if (first <= SLOWEST_MS) return first;
  return Math.min(first, ...Array.from({ length: 9 }, () => milliseconds(packet, act)));
}

function milliseconds(packet: Buffer, act: () => void): number {
  const start = performance.now();
  try {
    act();
  } catch (thrown) {
    throw new Error(`thrown on ${packet.toString("hex")}`, { cause: thrown });
  }
  return performance.now() - start;
}
