// The receiving half of G.722's quadrature mirror filter: two bands become one signal of twice the rate.

import { mirrorFilter } from "./g722-own.ts";

const forwards = Float64Array.from(mirrorFilter);
const backwards = Float64Array.from(mirrorFilter).reverse();

const TAPS = 12;
const LONGEST = 960;

// One frame at a time is worked on.
const sums = new Float64Array(LONGEST + TAPS);
const differences = new Float64Array(LONGEST + TAPS);

export class MirrorFilter {
  readonly #sums = new Float64Array(TAPS - 1);
  readonly #differences = new Float64Array(TAPS - 1);

  /** `bands`: the lower and the higher in turns, at twice their level, `count` of each. */
  join(bands: Int16Array, count: number, into: Int16Array): void {
    for (let i = 0; i < 11; i++) {
      sums[i] = this.#sums[i]!;
      differences[i] = this.#differences[i]!;
    }
    for (let i = 0; i < count; i++) {
      const below = bands[2 * i]! >> 1;
      const above = bands[2 * i + 1]! >> 1;
      sums[i + 11] = below + above;
      differences[i + 11] = below - above;
    }
    filter(differences, backwards, into, 0, count);
    filter(sums, forwards, into, 1, count);
    for (let i = 0; i < 11; i++) {
      this.#sums[i] = sums[count + i]!;
      this.#differences[i] = differences[count + i]!;
    }
  }
}

/** Hot: every second sample. Full level is where it ends, and not where it comes round. Two at a time share their taps. */
// biome-ignore lint/complexity/useMaxParams: the hot loop works on plain arguments
function filter(line: Float64Array, taps: Float64Array, into: Int16Array, place: number, count: number): void {
  for (let at = 0; at < count; at += 2) {
    let one = 0;
    let two = 0;
    for (let tap = 0; tap < 12; tap++) {
      const weight = taps[tap]!;
      one += line[at + tap]! * weight;
      two += line[at + 1 + tap]! * weight;
    }
    const first = one >> 11;
    const second = two >> 11;
    into[2 * at + place] = first > 32_767 ? 32_767 : Math.max(first, -32_768);
    if (at + 1 < count) into[2 * at + 2 + place] = second > 32_767 ? 32_767 : Math.max(second, -32_768);
  }
}
