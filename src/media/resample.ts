// Changes the sampling rate of a running signal: a polyphase FIR low-pass that keeps the voice and cuts what would alias.

const TAPS_PER_PHASE = 24;
/** Kaiser window shape: about 80 dB of stop band. */
const KAISER_BETA = 8;
/** Edge of the pass band, as a part of the lower rate's half. */
const PASS_EDGE = 0.88;

export class Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #taps: number;
  /** One row of taps a phase, newest sample last. */
  readonly #rows: Float32Array;
  #line: Float32Array;
  /** Where the next output lies, in 1/up of an input sample counted from the start of this input. */
  #place = 0;

  constructor(fromRate: number, toRate: number) {
    const divisor = greatestDivisor(fromRate, toRate);
    this.#up = toRate / divisor;
    this.#down = fromRate / divisor;
    this.#taps = Math.ceil(TAPS_PER_PHASE * Math.max(1, this.#down / this.#up));
    this.#rows = designRows(this.#up, this.#down, this.#taps);
    this.#line = new Float32Array(this.#taps - 1);
  }

  /** Returns how many samples were written; `into` must hold the input's length times the ratio, plus one. */
  process(input: Int16Array, into: Int16Array): number {
    const kept = this.#taps - 1;
    if (this.#line.length < kept + input.length) this.#line = grown(this.#line, kept + input.length);
    const line = this.#line;
    for (let i = 0; i < input.length; i++) line[kept + i] = input[i]!;
    const end = input.length * this.#up;
    let written = 0;
    let place = this.#place;
    for (; place < end; place += this.#down) {
      const at = Math.floor(place / this.#up);
      into[written++] = filterAt(line, at, this.#rows, (place - at * this.#up) * this.#taps, this.#taps);
    }
    this.#place = place - end;
    line.copyWithin(0, input.length, input.length + kept);
    return written;
  }
}

// biome-ignore lint/complexity/useMaxParams: the hot loop works on plain arguments
function filterAt(line: Float32Array, at: number, rows: Float32Array, row: number, taps: number): number {
  let sum = 0;
  for (let tap = 0; tap < taps; tap++) sum += line[at + tap]! * rows[row + tap]!;
  return sum > 32_767 ? 32_767 : sum < -32_768 ? -32_768 : Math.round(sum);
}

function designRows(up: number, down: number, taps: number): Float32Array {
  const length = taps * up;
  const cutoff = (PASS_EDGE * Math.min(1, up / down)) / up;
  const middle = (length - 1) / 2;
  const rows = new Float32Array(length);
  for (let phase = 0; phase < up; phase++) {
    let gain = 0;
    for (let tap = 0; tap < taps; tap++) {
      // The newest input sample meets the earliest tap, hence counted from the end.
      const place = phase + (taps - 1 - tap) * up;
      const value = sinc((place - middle) * cutoff) * kaiser((place - middle) / (middle + 1));
      rows[phase * taps + tap] = value;
      gain += value;
    }
    for (let tap = 0; tap < taps; tap++) rows[phase * taps + tap]! /= gain;
  }
  return rows;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return bessel(KAISER_BETA * Math.sqrt(Math.max(0, 1 - x * x))) / bessel(KAISER_BETA);
}

/** Modified Bessel function of order zero, by its series. */
function bessel(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; k < 40; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function grown(line: Float32Array, length: number): Float32Array {
  const longer = new Float32Array(length);
  longer.set(line);
  return longer;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
