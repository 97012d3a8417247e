// The sampling rate of a running voice changed by speexdsp through koffi, a third of what it takes in our own words.

import { bind, type Handle, isInstalled } from "../codecs/native.ts";
import type { Needed, PcmRate } from "../codecs/shape.ts";
import { Resampler } from "./resample.ts";

const LIBSPEEXDSP: Needed = { library: "libspeexdsp.so.1", package: "libspeexdsp1" };
const MONO = 1;
/** Of 0 to 10: all that a telephone carries at its level and everything else 75 dB below, 2 ms late; more is only later. */
const QUALITY = 2;
const FIRST_CHANNEL = 0;

type Speexdsp = {
  speex_resampler_init(channels: 1, from: number, to: number, quality: number, error: Int32Array): Handle | null;
  speex_resampler_destroy(state: Handle): void;
  speex_resampler_process_int(
    state: Handle,
    channel: 0,
    input: Int16Array,
    inputLength: Uint32Array,
    into: Int16Array,
    written: Uint32Array,
  ): number;
};

const signatures: Record<keyof Speexdsp, string> = {
  speex_resampler_init: "void *speex_resampler_init(uint32_t, uint32_t, uint32_t, int, void *)",
  speex_resampler_destroy: "void speex_resampler_destroy(void *)",
  speex_resampler_process_int: "int speex_resampler_process_int(void *, uint32_t, void *, void *, void *, void *)",
};

/** Writes the changed samples to `into`, which must hold them, and says how many; closed when it is no longer needed. */
export type RateChange = { process(input: Int16Array, into: Int16Array): number; close?(): void };

let bound: Speexdsp | undefined;
// One frame at a time passes between us and the library.
const inputLength = new Uint32Array(1);
const written = new Uint32Array(1);

export function openRateChange(from: PcmRate, to: PcmRate): RateChange {
  return isInstalled(LIBSPEEXDSP) ? openLibraryChange(from, to) : new Resampler(from, to);
}

function openLibraryChange(from: PcmRate, to: PcmRate): RateChange {
  bound ??= bind<Speexdsp>(LIBSPEEXDSP.library, signatures);
  const lib = bound;
  const state = lib.speex_resampler_init(MONO, from, to, QUALITY, new Int32Array(1));
  if (!state) return new Resampler(from, to);
  return {
    process(input, into) {
      inputLength[0] = input.length;
      written[0] = into.length;
      lib.speex_resampler_process_int(state, FIRST_CHANNEL, input, inputLength, into, written);
      return written[0]!; // it has one
    },
    close: () => lib.speex_resampler_destroy(state),
  };
}
