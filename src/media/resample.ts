// Changes the sampling rate of a running signal: a polyphase FIR low-pass that keeps the voice and cuts what would alias.

const TAPS_PER_PHASE = 24;
/** Kaiser window shape: about 80 dB of stop band. */
const KAISER_BETA = 8;
/** Edge of the pass band, as a part of the lower rate's half. */
const PASS_EDGE = 0.88;

/** 20 ms at the two rates of telephones. */
const NARROW_FRAME = 160;
const WIDE_FRAME = 320;

/** Between the two rates of telephones, by far the most frequent; `kept`: what is left of earlier frames, and will be of this. */
type Filter = (kept: Float64Array, input: Int16Array, into: Int16Array) => void;

export class Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #taps: number;
  /** One row of taps a phase, newest sample last. */
  readonly #rows: Float64Array;
  readonly #filter: Filter | undefined;
  #line: Float64Array;
  /** Where the next output lies, in 1/up of an input sample counted from the start of this input. */
  #place = 0;

  constructor(fromRate: number, toRate: number) {
    const divisor = greatestDivisor(fromRate, toRate);
    this.#up = toRate / divisor;
    this.#down = fromRate / divisor;
    this.#taps = Math.ceil(TAPS_PER_PHASE * Math.max(1, this.#down / this.#up));
    this.#rows = rowsFor(this.#up, this.#down, this.#taps);
    this.#filter = filters()[`${this.#down}:${this.#up}`];
    this.#line = new Float64Array(this.#taps - 1);
  }

  /** Returns how many samples were written; `into` must hold the input's length times the ratio, plus one. */
  process(input: Int16Array, into: Int16Array): number {
    const isFrame = this.#place === 0 && input.length === (this.#up === 2 ? NARROW_FRAME : WIDE_FRAME);
    if (!this.#filter || !isFrame) return this.#processAny(input, into);
    this.#filter(this.#line, input, into);
    return this.#up === 2 ? WIDE_FRAME : NARROW_FRAME;
  }

  #processAny(input: Int16Array, into: Int16Array): number {
    const kept = this.#taps - 1;
    if (this.#line.length < kept + input.length) this.#line = grown(this.#line, kept + input.length);
    append(this.#line, kept, input);
    const end = input.length * this.#up;
    let written = 0;
    let place = this.#place;
    for (; place < end; place += this.#down) {
      const at = Math.floor(place / this.#up);
      into[written++] = filterAt(this.#line, at, this.#rows, (place - at * this.#up) * this.#taps, this.#taps);
    }
    this.#place = place - end;
    this.#line.copyWithin(0, input.length, input.length + kept);
    return written;
  }
}

function append(line: Float64Array, at: number, input: Int16Array): void {
  for (let i = 0; i < input.length; i++) line[at + i] = input[i]!;
}

// biome-ignore lint/complexity/useMaxParams: the hot loop works on plain arguments
function filterAt(line: Float64Array, at: number, rows: Float64Array, row: number, taps: number): number {
  let sum = 0;
  for (let tap = 0; tap < taps; tap++) sum += line[at + tap]! * rows[row + tap]!;
  return nearest(sum + 0.5);
}

let made: Record<string, Filter> | undefined;

function filters(): Record<string, Filter> {
  made ??= { "2:1": makeHalve(), "1:2": makeDouble() };
  return made;
}

// Each is made once a thread and has its own memory, and its loops end at plain numbers: with constants of the file, which
// may be variables once they are bundled, they take longer.

/** Every second sample of the filtered signal. The taps are the same from both ends, so that one product does for two. */
function makeHalve(): Filter {
  const line = new Float64Array(367);
  const taps = Float64Array.from(rowsFor(1, 2, 48));
  const out = new Int16Array(160);
  return (kept, input, into) => {
    for (let i = 0; i < 47; i++) line[i] = kept[i]!;
    for (let i = 0; i < 320; i++) line[i + 47] = input[i]!;
    for (let i = 0; i < 47; i++) kept[i] = line[i + 320]!;
    for (let at = 0; at < 320; at += 4) {
      const end = at + 47;
      let one = 0.5;
      let two = 0.5;
      for (let tap = 0; tap < 24; tap++) {
        const weight = taps[tap]!;
        one += (line[at + tap]! + line[end - tap]!) * weight;
        two += (line[at + 2 + tap]! + line[end + 2 - tap]!) * weight;
      }
      out[at >> 1] = Math.floor(Math.min(Math.max(one, -32_768), 32_767));
      out[(at >> 1) + 1] = Math.floor(Math.min(Math.max(two, -32_768), 32_767));
    }
    into.set(out);
  };
}

/**
 * Two samples for each. The second phase has the taps of the first in reverse, so that sums and differences of samples
 * equally far from either end do for both: half of the products.
 */
function makeDouble(): Filter {
  const line = new Float64Array(183);
  const pairs = pairsOf(rowsFor(2, 1, 24), 24);
  const out = new Int16Array(320);
  return (kept, input, into) => {
    for (let i = 0; i < 23; i++) line[i] = kept[i]!;
    for (let i = 0; i < 160; i++) line[i + 23] = input[i]!;
    for (let i = 0; i < 23; i++) kept[i] = line[i + 160]!;
    for (let at = 0; at < 160; at += 2) {
      const end = at + 23;
      let even = 0.5;
      let odd = 0;
      let evenNext = 0.5;
      let oddNext = 0;
      for (let tap = 0; tap < 12; tap++) {
        const atSum = pairs[2 * tap]!;
        const atDifference = pairs[2 * tap + 1]!;
        const first = line[at + tap]!;
        const firstNext = line[at + 1 + tap]!;
        const other = line[end - tap]!;
        const otherNext = line[end + 1 - tap]!;
        even += (first + other) * atSum;
        odd += (first - other) * atDifference;
        evenNext += (firstNext + otherNext) * atSum;
        oddNext += (firstNext - otherNext) * atDifference;
      }
      out[2 * at] = Math.floor(Math.min(Math.max(even + odd, -32_768), 32_767));
      out[2 * at + 1] = Math.floor(Math.min(Math.max(even - odd, -32_768), 32_767));
      out[2 * at + 2] = Math.floor(Math.min(Math.max(evenNext + oddNext, -32_768), 32_767));
      out[2 * at + 3] = Math.floor(Math.min(Math.max(evenNext - oddNext, -32_768), 32_767));
    }
    into.set(out);
  };
}

/** Of a sum to which a half was added. */
function nearest(sum: number): number {
  return sum >= 32_767 ? 32_767 : sum < -32_768 ? -32_768 : Math.floor(sum);
}

/** Of two rows that mirror each other: half the sum and half the difference of taps equally far from either end. */
function pairsOf(rows: Float64Array, taps: number): Float64Array {
  return Float64Array.from({ length: taps }, (_, at) => {
    const [first, other] = [rows[at >> 1]!, rows[taps - 1 - (at >> 1)]!];
    return (at % 2 === 0 ? first + other : first - other) / 2;
  });
}

/** A filter is designed once a thread and shared by all that need the same one. */
const designed = new Map<string, Float64Array>();

function rowsFor(up: number, down: number, taps: number): Float64Array {
  const known = designed.get(`${up}:${down}`) ?? designRows(up, down, taps);
  // Rates of sound files are whatever somebody made; those of telephones are few.
  if (up <= 6 && down <= 6) designed.set(`${up}:${down}`, known);
  return known;
}

function designRows(up: number, down: number, taps: number): Float64Array {
  const length = taps * up;
  const cutoff = (PASS_EDGE * Math.min(1, up / down)) / up;
  const middle = (length - 1) / 2;
  const rows = new Float64Array(length);
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

function grown(line: Float64Array, length: number): Float64Array {
  const longer = new Float64Array(length);
  longer.set(line);
  return longer;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
