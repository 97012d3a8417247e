// Fills the gap of a lost packet: the last pitch period goes on, fading to silence within three frames.

const SHORTEST_PERIOD_MS = 2.5;
const LONGEST_PERIOD_MS = 15;
const FADE_MS = 60;

export class Concealer {
  readonly #rate: number;
  /** The last 30 ms that were heard. */
  readonly #past: Int16Array;
  #period = 0;
  #place = 0;
  #gapSamples = 0;

  constructor(rate: number) {
    this.#rate = rate;
    this.#past = new Int16Array((rate * 2 * LONGEST_PERIOD_MS) / 1000);
    // Before the first word there is nothing to go on with.
    this.#gapSamples = (rate * FADE_MS) / 1000;
    this.#period = this.#past.length / 2;
  }

  /** Every good frame passes here; the first after a gap is blended with what was invented. */
  heard(frame: Int16Array): void {
    if (this.#gapSamples > 0) this.#blend(frame);
    this.#gapSamples = 0;
    const past = this.#past;
    if (frame.length >= past.length) {
      past.set(frame.subarray(frame.length - past.length));
      return;
    }
    past.copyWithin(0, frame.length);
    past.set(frame, past.length - frame.length);
  }

  /** False once nothing is left to go on with. */
  conceal(into: Int16Array): boolean {
    if (this.#gapSamples === 0) this.#begin();
    const fade = (this.#rate * FADE_MS) / 1000;
    if (this.#gapSamples >= fade) {
      into.fill(0);
      return false;
    }
    for (let i = 0; i < into.length; i++) into[i] = this.#goOn() * Math.max(0, 1 - (this.#gapSamples + i) / fade);
    this.#gapSamples += into.length;
    return true;
  }

  #begin(): void {
    this.#period = findPeriod(this.#past, this.#rate);
    this.#place = 0;
  }

  #goOn(): number {
    const sample = this.#past[this.#past.length - this.#period + this.#place]!; // the period fits twice into the past
    this.#place = (this.#place + 1) % this.#period;
    return sample;
  }

  #blend(frame: Int16Array): void {
    const fade = (this.#rate * FADE_MS) / 1000;
    const overlap = Math.min(frame.length, this.#rate / 200);
    const level = Math.max(0, 1 - this.#gapSamples / fade);
    for (let i = 0; i < overlap; i++) {
      const fresh = i / overlap;
      frame[i] = frame[i]! * fresh + this.#goOn() * level * (1 - fresh);
    }
  }
}

/** The shift at which the recent past resembles itself most. */
function findPeriod(past: Int16Array, rate: number): number {
  const shortest = Math.round((rate * SHORTEST_PERIOD_MS) / 1000);
  const longest = Math.round((rate * LONGEST_PERIOD_MS) / 1000);
  let best = longest;
  let bestLikeness = Number.NEGATIVE_INFINITY;
  for (let shift = shortest; shift <= longest; shift++) {
    let product = 0;
    let energy = 1;
    for (let i = past.length - longest; i < past.length; i++) {
      const before = past[i - shift]!;
      product += past[i]! * before;
      energy += before * before;
    }
    const likeness = product / Math.sqrt(energy);
    if (likeness > bestLikeness) {
      bestLikeness = likeness;
      best = shift;
    }
  }
  return best;
}
