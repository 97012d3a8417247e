// G.722 by spandsp through koffi: nothing is allocated for a frame, and its state lies in memory of ours.

import { MirrorFilter } from "./g722-mirror.ts";
import { openOwnDecoder } from "./g722-own.ts";
import { bind, copyBytes } from "./native.ts";
import type { Decode, Encode, Needed } from "./shape.ts";

/** The next version has other structures under the same names, so it is never taken. */
export const LIBSPANDSP: Needed = { library: "libspandsp.so.2", package: "libspandsp2" };

const BITS_A_SECOND = 64_000;
const STATE_OCTETS = 2048; // four times what it needs
const LONGEST_PACKET = 960;
/** In the decoder's state: the bands come out apart. */
const TEST_MODE_WORD = 0;

type Spandsp = {
  g722_encode_init(state: Uint8Array, bitsASecond: number, options: 0): unknown;
  g722_encode(state: Uint8Array, into: Uint8Array, pcm: Int16Array, samples: number): number;
  g722_decode_init(state: Uint8Array, bitsASecond: number, options: 0): unknown;
  g722_decode(state: Uint8Array, into: Int16Array, packet: Uint8Array, octets: number): number;
};

const signatures: Record<keyof Spandsp, string> = {
  g722_encode_init: "void *g722_encode_init(void *, int, int)",
  g722_encode: "int g722_encode(void *, void *, void *, int)",
  g722_decode_init: "void *g722_decode_init(void *, int, int)",
  g722_decode: "int g722_decode(void *, void *, void *, int)",
};

let bound: Spandsp | undefined;
let isCertain: boolean | undefined;
/** One frame at a time passes between packets and the library. */
const octets = new Uint8Array(LONGEST_PACKET);

/**
 * The library's decoder lets samples past full level come round to the other end, which is heard as a click. So it is
 * asked for the two bands, as the recommendation's own tests ask it, and they are put together here. Undefined where it
 * does not do as it is asked.
 */
export function openLibraryDecoder(): Decode | undefined {
  isCertain ??= givesBands();
  return isCertain ? openBandsDecoder() : undefined;
}

function openBandsDecoder(): Decode {
  const lib = spandsp();
  const state = stateForBands(lib);
  const bands = new Int16Array(2 * LONGEST_PACKET);
  const mirror = new MirrorFilter();
  return (packet, from, to, into) => {
    const length = Math.min(to - from, into.length >> 1, LONGEST_PACKET);
    if (length <= 0) return 0;
    copyBytes(packet, from, from + length, octets, 0);
    lib.g722_decode(state, bands, octets, length);
    mirror.join(bands, length, into);
    return 2 * length;
  };
}

function stateForBands(lib: Spandsp): Uint8Array {
  const state = new Uint8Array(STATE_OCTETS);
  lib.g722_decode_init(state, BITS_A_SECOND, 0);
  new Int32Array(state.buffer)[TEST_MODE_WORD] = 1;
  return state;
}

/** Whether what comes out is what our own arithmetic makes of the same octets. */
function givesBands(): boolean {
  const sample = Uint8Array.from({ length: 160 }, (_, i) => (i * 73 + (i >> 2)) & 255);
  const [ours, theirs] = [new Int16Array(320), new Int16Array(320)];
  openOwnDecoder()(sample, 0, 160, ours);
  openBandsDecoder()(sample, 0, 160, theirs);
  return ours.every((value, at) => value === theirs[at]);
}

export function openLibraryEncoder(): Encode {
  const lib = spandsp();
  const state = new Uint8Array(STATE_OCTETS);
  lib.g722_encode_init(state, BITS_A_SECOND, 0);
  return (pcm, into, at) => {
    const samples = Math.min(pcm.length & ~1, 2 * LONGEST_PACKET);
    const length = lib.g722_encode(state, octets, pcm, samples);
    copyBytes(octets, 0, length, into, at);
    return length;
  };
}

function spandsp(): Spandsp {
  bound ??= bind<Spandsp>(LIBSPANDSP.library, signatures);
  return bound;
}
