// Hears keys pressed as sound: eight Goertzel filters over blocks of 102 samples at 8 kHz (ITU-T Q.24 sets the limits).

import { columns, keypad, rows } from "../tone.ts";

const BLOCK = 102;
const BLOCK_MS = (BLOCK * 1000) / 8000;
const coefficients = Float64Array.from([...rows, ...columns], (hz) => 2 * Math.cos((2 * Math.PI * hz) / 8000));
/** Power of one tone at about -42 dBm0 over a block. */
const LEAST_POWER = 8e7;
/** The high tone may be this much stronger, the low one that much (power ratios of 5 and 10 dB, a little over the norm). */
const MOST_HIGH_OVER_LOW = 3.2;
const MOST_LOW_OVER_HIGH = 10;
/** Every other tone of the group must be 8 dB weaker. */
const OTHERS_BELOW = 6.3;
/** Part of the block's energy that the two tones must make up: speech never does. */
const TONE_SHARE = 0.8;
/** Blocks that agree before a key is believed, and blocks without it before it is over. */
const SURE_BLOCKS = 2;
const GONE_BLOCKS = 2;

export type HeardKey = { key: string; durationMs: number };

export class KeyListener {
  readonly #one = new Float64Array(8);
  readonly #two = new Float64Array(8);
  readonly #power = new Float64Array(8);
  #samples = 0;
  #energy = 0;
  #candidate = "";
  #agreeing = 0;
  #key = "";
  #keyBlocks = 0;
  #missing = 0;

  /** 8 kHz samples in; the key that has just been released, if one has. */
  push(frame: Int16Array): HeardKey | undefined {
    let heard: HeardKey | undefined;
    for (let from = 0; from < frame.length; ) {
      const to = Math.min(frame.length, from + BLOCK - this.#samples);
      const energy = energyOf(frame, from, to);
      // Filters that have seen nothing but silence stand still, and on most lines most of the time there is nothing else.
      if (energy > 0 || this.#energy > 0) filter(frame, from, to, this.#one, this.#two);
      this.#energy += energy;
      this.#samples += to - from;
      from = to;
      if (this.#samples === BLOCK) heard = this.#judge(this.#keyOfBlock()) ?? heard;
    }
    return heard;
  }

  #judge(key: string): HeardKey | undefined {
    this.#agreeing = key !== "" && key === this.#candidate ? this.#agreeing + 1 : 1;
    this.#candidate = key;
    if (this.#key === "") {
      if (key !== "" && this.#agreeing >= SURE_BLOCKS) this.#begin(key);
      return undefined;
    }
    this.#missing = key === this.#key ? 0 : this.#missing + 1;
    this.#keyBlocks += 1;
    if (this.#missing < GONE_BLOCKS) return undefined;
    const heard = { key: this.#key, durationMs: Math.round((this.#keyBlocks - this.#missing) * BLOCK_MS) };
    this.#key = "";
    return heard;
  }

  #begin(key: string): void {
    this.#key = key;
    this.#keyBlocks = SURE_BLOCKS;
    this.#missing = 0;
  }

  /** Empty when this block holds no key. */
  #keyOfBlock(): string {
    this.#samples = 0;
    if (this.#energy === 0) return "";
    const power = this.#power;
    for (let i = 0; i < 8; i++) {
      const one = this.#one[i]!;
      const two = this.#two[i]!;
      power[i] = one * one + two * two - coefficients[i]! * one * two;
    }
    const energy = this.#energy;
    this.#one.fill(0);
    this.#two.fill(0);
    this.#energy = 0;
    const row = strongest(power, 0);
    const column = strongest(power, 4);
    return isKeyPress(power, row, column, energy) ? keypad[row * 4 + column - 4]! : "";
  }
}

function isKeyPress(power: Float64Array, row: number, column: number, energy: number): boolean {
  const low = power[row]!;
  const high = power[column]!;
  if (low < LEAST_POWER || high < LEAST_POWER) return false;
  if (high > low * MOST_HIGH_OVER_LOW || low > high * MOST_LOW_OVER_HIGH) return false;
  if (low + high < (energy * BLOCK * TONE_SHARE) / 2) return false;
  for (let i = 0; i < 8; i++) {
    if (i !== row && i !== column && power[i]! * OTHERS_BELOW > (i < 4 ? low : high)) return false;
  }
  return true;
}

function strongest(power: Float64Array, from: number): number {
  let best = from;
  for (let i = from + 1; i < from + 4; i++) if (power[i]! > power[best]!) best = i;
  return best;
}

/** Hot. */
function energyOf(frame: Int16Array, from: number, to: number): number {
  let energy = 0;
  for (let i = from; i < to; i++) energy += frame[i]! * frame[i]!;
  return energy;
}

/** Hot: every sample through eight filters. */
// biome-ignore lint/complexity/useMaxParams: the hot loop works on plain arguments
function filter(frame: Int16Array, from: number, to: number, one: Float64Array, two: Float64Array): void {
  for (let tone = 0; tone < 8; tone++) {
    const coefficient = coefficients[tone]!;
    let last = one[tone]!;
    let before = two[tone]!;
    for (let i = from; i < to; i++) {
      const next = coefficient * last - before + frame[i]!;
      before = last;
      last = next;
    }
    one[tone] = last;
    two[tone] = before;
  }
}
