// Hears whether a fax machine is on the line: the caller's 1100 Hz (CNG) or the answerer's 2100 Hz (CED), ITU-T T.30.

const BLOCK = 160;
const BLOCK_MS = 20;
/** Part of the block's energy the tone must hold. */
const TONE_SHARE = 0.75;
const LEAST_MEAN_SQUARE = 2000;

const tones = [
  { tone: "cng", hz: 1100, leastMs: 400 },
  { tone: "ced", hz: 2100, leastMs: 500 },
] as const;

export class FaxListener {
  readonly #runMs = [0, 0];
  #told = false;

  /** 20 ms at 8 kHz in; the tone, once. */
  push(frame: Int16Array): "cng" | "ced" | undefined {
    if (this.#told) return undefined;
    let energy = 0;
    for (let i = 0; i < BLOCK; i++) energy += frame[i]! * frame[i]!;
    for (const [place, { tone, hz, leastMs }] of tones.entries()) {
      const holds = energy > LEAST_MEAN_SQUARE * BLOCK && tonePower(frame, hz) > (energy * BLOCK * TONE_SHARE) / 2;
      this.#runMs[place] = holds ? this.#runMs[place]! + BLOCK_MS : 0;
      if (this.#runMs[place]! < leastMs) continue;
      this.#told = true;
      return tone;
    }
    return undefined;
  }
}

/** Goertzel at 8 kHz: for a pure tone half the block length times the energy. */
function tonePower(frame: Int16Array, hz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / 8000);
  let one = 0;
  let two = 0;
  for (let i = 0; i < frame.length; i++) {
    const next = coefficient * one - two + frame[i]!;
    two = one;
    one = next;
  }
  return one * one + two * two - coefficient * one * two;
}
