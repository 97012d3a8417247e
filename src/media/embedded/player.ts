// Plays a list of sounds to one stream, a frame at a time.

import type { PcmRate } from "../../codecs/shape.ts";
import type { PlayEnd } from "../engine.ts";
import { Resampler } from "../resample.ts";
import { type Cadence, ToneReader } from "../tone.ts";

/** Sounds as the thread gets them: files already read, tones already understood. */
export type Playable =
  | { is: "pcm"; rate: number; samples: Int16Array }
  | { is: "tone"; cadence: Cadence }
  | { is: "silence"; ms: number };

type Reader = { read(into: Int16Array): number };

export class Player {
  readonly isInterruptible: boolean;
  readonly #sounds: Playable[];
  #rate: PcmRate;
  readonly #tellEnd: ((end: PlayEnd) => void)[];
  #timesLeft: number;
  #place = 0;
  #reader: Reader | undefined;
  /** A whole round that gave not one sample would go round for ever. */
  #roundHadSound = true;

  constructor(made: {
    sounds: Playable[];
    times: number;
    isInterruptible: boolean;
    rate: PcmRate;
    tellEnd(end: PlayEnd): void;
  }) {
    this.#sounds = [...made.sounds];
    this.#timesLeft = made.times;
    this.isInterruptible = made.isInterruptible;
    this.#rate = made.rate;
    this.#tellEnd = [made.tellEnd];
  }

  /** False when there was nothing left to play. */
  read(into: Int16Array): boolean {
    let written = 0;
    while (written < into.length) {
      this.#reader ??= this.#nextReader();
      if (!this.#reader) break;
      const count = this.#reader.read(written === 0 ? into : into.subarray(written));
      if (count > 0) this.#roundHadSound = true;
      written += count;
      if (written < into.length) this.#reader = undefined;
    }
    into.fill(0, written);
    return written > 0;
  }

  /** A re-INVITE may change the codec: the sound at hand begins again at the new rate. */
  useRate(rate: PcmRate): void {
    if (rate === this.#rate) return;
    this.#rate = rate;
    if (this.#reader) this.#place -= 1;
    this.#reader = undefined;
  }

  end(end: PlayEnd): void {
    for (const tell of this.#tellEnd) tell(end);
  }

  /** Plays on behind what it has, in its last round. */
  append(sounds: Playable[], tellEnd: (end: PlayEnd) => void): void {
    this.#sounds.push(...sounds);
    this.#tellEnd.push(tellEnd);
  }

  #nextReader(): Reader | undefined {
    if (this.#place === this.#sounds.length) {
      this.#timesLeft -= 1;
      if (!this.#roundHadSound) return undefined;
      this.#place = 0;
      this.#roundHadSound = false;
    }
    const sound = this.#timesLeft > 0 ? this.#sounds[this.#place++] : undefined;
    return sound && openReader(sound, this.#rate);
  }
}

function openReader(sound: Playable, rate: PcmRate): Reader {
  if (sound.is === "tone") return new ToneReader(sound.cadence, rate);
  if (sound.is === "silence") return readSilence(Math.round((sound.ms * rate) / 1000));
  return sound.rate === rate ? readSamples(sound.samples) : readResampled(sound.samples, sound.rate, rate);
}

function readSilence(samples: number): Reader {
  let left = samples;
  return {
    read(into) {
      const count = Math.min(left, into.length);
      into.fill(0, 0, count);
      left -= count;
      return count;
    },
  };
}

function readSamples(samples: Int16Array): Reader {
  let place = 0;
  return {
    read(into) {
      const part = samples.subarray(place, place + into.length);
      into.set(part);
      place += part.length;
      return part.length;
    },
  };
}

/** Reads the file in frames of its own and keeps what did not fit. */
function readResampled(samples: Int16Array, fromRate: number, toRate: number): Reader {
  const resampler = new Resampler(fromRate, toRate);
  const step = Math.ceil(fromRate / 50);
  const made = new Int16Array(Math.ceil((step * toRate) / fromRate) + 2);
  let place = 0;
  let from = 0;
  let to = 0;
  return {
    read(into) {
      let written = 0;
      while (written < into.length) {
        if (from === to) {
          if (place >= samples.length) break;
          to = resampler.process(samples.subarray(place, place + step), made);
          from = 0;
          place += step;
        }
        const count = Math.min(to - from, into.length - written);
        into.set(made.subarray(from, from + count), written);
        from += count;
        written += count;
      }
      return written;
    },
  };
}
