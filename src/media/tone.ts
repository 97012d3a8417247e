// Tones as samples: call progress from a cadence like "450/2000,0/4000", and the keys of a telephone.

export type Cadence = { hz: number[]; ms: number }[];

export type CallTone =
  | "dial"
  | "ringback"
  | "busy"
  | "congestion"
  | "callWaiting"
  | "specialInformation"
  | "recordingWarning";

/** Turkey's, as in the national list of ITU-T E.180 supplement 2. */
export const turkishTones: Record<CallTone, string> = {
  dial: "450/1000",
  ringback: "450/2000,0/4000",
  busy: "450/500,0/500",
  congestion: "450/200,0/200,450/200,0/200,450/200,0/200,450/600,0/200",
  callWaiting: "450/200,0/600,450/200,0/8000",
  specialInformation: "950/300,1400/300,1800/300,0/1000",
  recordingWarning: "1400/500,0/15000",
};

/** A sine of 0 dBm0 peaks here: G.711's largest sine is +3.14 dBm0. */
const ZERO_DBM0_PEAK = 22_830;
const PROGRESS_DBM0 = -13;
const LOW_KEY_DBM0 = -9;
const HIGH_KEY_DBM0 = -7;

const MOST_STEPS = 64;
const MOST_TOGETHER = 4;
const LONGEST_STEP_MS = 600_000;

/** Undefined when it is not a cadence. */
export function parseCadence(spec: string): Cadence | undefined {
  const steps = spec.split(",", MOST_STEPS + 1);
  if (steps.length > MOST_STEPS) return undefined;
  const cadence = steps.map((step) => {
    const [, tones = "", ms = ""] = /^(\d{1,4}(?:\+\d{1,4})*)\/(\d{1,6})$/.exec(step.trim()) ?? [];
    return { hz: tones.split("+").map(Number).filter(Boolean), ms: Number(ms) };
  });
  const good = cadence.every(({ hz, ms }) => ms > 0 && ms <= LONGEST_STEP_MS && hz.length <= MOST_TOGETHER);
  return good ? cadence : undefined;
}

/** Reads a cadence once through, frame by frame; a short read is the end. */
export class ToneReader {
  readonly #cadence: Cadence;
  readonly #rate: number;
  #step = 0;
  #sample = 0;

  constructor(cadence: Cadence, rate: number) {
    this.#cadence = cadence;
    this.#rate = rate;
  }

  read(into: Int16Array): number {
    let written = 0;
    while (written < into.length) {
      const step = this.#cadence[this.#step];
      if (!step) break;
      const left = Math.round((step.ms * this.#rate) / 1000) - this.#sample;
      const count = Math.min(left, into.length - written);
      writeSines(into.subarray(written, written + count), step.hz, this.#sample / this.#rate, this.#rate);
      written += count;
      this.#sample += count;
      if (count === left) {
        this.#step += 1;
        this.#sample = 0;
      }
    }
    return written;
  }
}

/** Undefined when there is no such key. */
export function keyTone(key: string, ms: number, rate: number): Int16Array | undefined {
  const place = keypad.indexOf(key.toUpperCase());
  if (place < 0) return undefined;
  const low = (2 * Math.PI * rows[place >> 2]!) / rate; // sixteen keys: four rows of four
  const high = (2 * Math.PI * columns[place & 3]!) / rate;
  const lowPeak = peakOf(LOW_KEY_DBM0);
  const highPeak = peakOf(HIGH_KEY_DBM0);
  return Int16Array.from(
    { length: Math.round((ms * rate) / 1000) },
    (_, i) => lowPeak * Math.sin(low * i) + highPeak * Math.sin(high * i),
  );
}

export const rows = [697, 770, 852, 941];
export const columns = [1209, 1336, 1477, 1633];
export const keypad = "123A456B789C*0#D";

export function peakOf(dbm0: number): number {
  return ZERO_DBM0_PEAK * 10 ** (dbm0 / 20);
}

function writeSines(into: Int16Array, hz: number[], startSeconds: number, rate: number): void {
  const peak = peakOf(PROGRESS_DBM0);
  for (let i = 0; i < into.length; i++) {
    let sum = 0;
    for (const one of hz) sum += Math.sin(2 * Math.PI * one * (startSeconds + i / rate));
    into[i] = peak * sum;
  }
}
