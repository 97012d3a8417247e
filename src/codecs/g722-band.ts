// One sub-band of G.722: the adaptive predictor and the quantiser scale that coder and decoder keep in step.
// Names follow ITU-T G.722 section 6.2, so that each line can be held against the recommendation.

export class Band {
  /** SL/SH: what the predictor expects next. */
  s = 0;
  sz = 0;
  /** Quantiser scale factor, and its logarithm. */
  det: number;
  nb = 0;
  readonly #r = new Int32Array(3);
  readonly #a = new Int32Array(3);
  readonly #p = new Int32Array(3);
  readonly #d = new Int32Array(7);
  readonly #b = new Int32Array(7);

  constructor(det: number) {
    this.det = det;
  }

  /** LOGSCL/LOGSCH and SCALEL/SCALEH: the scale grows after large codes and leaks away after small ones. */
  scale(weight: number, mostNb: number, shift: number): void {
    const nb = ((this.nb * 127) >> 7) + weight;
    this.nb = nb < 0 ? 0 : Math.min(nb, mostNb);
    const mantissa = inverseLog[(this.nb >> 6) & 31]!;
    const down = shift - (this.nb >> 11);
    this.det = (down < 0 ? mantissa << -down : mantissa >> down) << 2;
  }

  /** Block 4: adapt to the quantised difference and predict the next sample. */
  adapt(difference: number): void {
    const r = this.#r;
    const p = this.#p;
    const d = this.#d;
    d[0] = difference;
    r[0] = saturate(this.s + difference);
    p[0] = saturate(this.sz + difference);
    this.#adaptPoles();
    this.#adaptZeros();
    for (let i = 6; i > 0; i--) d[i] = d[i - 1]!;
    r[2] = r[1]!;
    r[1] = r[0]!;
    p[2] = p[1]!;
    p[1] = p[0]!;
    this.#predict();
  }

  /** UPPOL2 and UPPOL1. */
  #adaptPoles(): void {
    const a = this.#a;
    const p = this.#p;
    const sign0 = p[0]! >> 15;
    const doubled = saturate(a[1]! << 2);
    const towards = Math.min(sign0 === p[1]! >> 15 ? -doubled : doubled, 32_767);
    const second = (sign0 === p[2]! >> 15 ? 128 : -128) + (towards >> 7) + ((a[2]! * 32_512) >> 15);
    const a2 = clamp(second, 12_288);
    const first = saturate((sign0 === p[1]! >> 15 ? 192 : -192) + ((a[1]! * 32_640) >> 15));
    a[1] = clamp(first, saturate(15_360 - a2));
    a[2] = a2;
  }

  /** UPZERO. */
  #adaptZeros(): void {
    const d = this.#d;
    const b = this.#b;
    const step = d[0] === 0 ? 0 : 128;
    const sign0 = d[0]! >> 15;
    for (let i = 1; i < 7; i++) b[i] = saturate((d[i]! >> 15 === sign0 ? step : -step) + ((b[i]! * 32_640) >> 15));
  }

  /** FILTEP, FILTEZ and PREDIC. */
  #predict(): void {
    const r = this.#r;
    const a = this.#a;
    const poles = saturate(((a[1]! * saturate(r[1]! * 2)) >> 15) + ((a[2]! * saturate(r[2]! * 2)) >> 15));
    let zeros = 0;
    for (let i = 6; i > 0; i--) zeros += (this.#b[i]! * saturate(this.#d[i]! * 2)) >> 15;
    this.sz = saturate(zeros);
    this.s = saturate(poles + this.sz);
  }
}

export function saturate(value: number): number {
  return value > 32_767 ? 32_767 : Math.max(value, -32_768);
}

function clamp(value: number, most: number): number {
  return value > most ? most : Math.max(value, -most);
}

/** ILB: 2048 times two to the power of i/32. */
const inverseLog = Int32Array.of(
  2048,
  2093,
  2139,
  2186,
  2233,
  2282,
  2332,
  2383,
  2435,
  2489,
  2543,
  2599,
  2656,
  2714,
  2774,
  2834,
  2896,
  2960,
  3025,
  3091,
  3158,
  3228,
  3298,
  3371,
  3444,
  3520,
  3597,
  3676,
  3756,
  3838,
  3922,
  4008,
);
