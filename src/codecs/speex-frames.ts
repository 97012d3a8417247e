// Speex by libspeex, whatever its rate: a packet holds one frame of 20 ms or several, each ending where its bits do.

import { numbersIn, parametersIn } from "./form.ts";
import { bind, type Handle } from "./native.ts";
import type { Decode, Encode, Needed } from "./shape.ts";
import { framesIn } from "./speex-packet.ts";

const LIBRARY = "libspeex.so.1";
const needs: readonly Needed[] = [{ library: LIBRARY, package: "libspeex1" }];

/** What differs between the rates. */
export type SpeexBand = {
  /** The library's own number of it. */
  id: 0 | 1;
  samples: number;
  quality: number;
  /** The quality that gives each mode: the library counts otherwise than descriptions do. */
  qualityOfMode: Readonly<Record<number, number>>;
};

// Requests of speex.h.
const SET_ENHANCEMENT = 0;
const SET_QUALITY = 4;
const SET_COMPLEXITY = 16;
/** The library's own choice; more costs twice as much and is hardly heard. */
const COMPLEXITY = 3;

const BITS_STRUCTURE_BYTES = 128; // more than any version needs
const LONGEST_PACKET = 480;

type Libspeex = {
  speex_lib_get_mode(mode: number): Handle;
  speex_bits_init(bits: Uint8Array): void;
  speex_bits_destroy(bits: Uint8Array): void;
  speex_bits_reset(bits: Uint8Array): void;
  speex_bits_read_from(bits: Uint8Array, packet: Uint8Array, length: number): void;
  speex_bits_write(bits: Uint8Array, into: Uint8Array, most: number): number;
  speex_encoder_init(mode: Handle): Handle;
  speex_encoder_destroy(state: Handle): void;
  speex_encoder_ctl(state: Handle, request: number, value: Int32Array): number;
  speex_encode_int(state: Handle, pcm: Int16Array, bits: Uint8Array): number;
  speex_decoder_init(mode: Handle): Handle;
  speex_decoder_destroy(state: Handle): void;
  speex_decoder_ctl(state: Handle, request: number, value: Int32Array): number;
  /** Without bits it guesses a lost frame; negative at the end of the packet and for a broken one. */
  speex_decode_int(state: Handle, bits: Uint8Array | null, into: Int16Array): number;
};

const signatures: Record<keyof Libspeex, string> = {
  speex_lib_get_mode: "void *speex_lib_get_mode(int)",
  speex_bits_init: "void speex_bits_init(void *)",
  speex_bits_destroy: "void speex_bits_destroy(void *)",
  speex_bits_reset: "void speex_bits_reset(void *)",
  speex_bits_read_from: "void speex_bits_read_from(void *, const uint8_t *, int)",
  speex_bits_write: "int speex_bits_write(void *, _Out_ uint8_t *, int)",
  speex_encoder_init: "void *speex_encoder_init(void *)",
  speex_encoder_destroy: "void speex_encoder_destroy(void *)",
  speex_encoder_ctl: "int speex_encoder_ctl(void *, int, int32_t *)",
  speex_encode_int: "int speex_encode_int(void *, int16_t *, void *)",
  speex_decoder_init: "void *speex_decoder_init(void *)",
  speex_decoder_destroy: "void speex_decoder_destroy(void *)",
  speex_decoder_ctl: "int speex_decoder_ctl(void *, int, int32_t *)",
  speex_decode_int: "int speex_decode_int(void *, void *, _Out_ int16_t *)",
};

let bound: Libspeex | undefined;

/** The part of the codec's record that is the same for every rate. */
export const speexOf = (band: SpeexBand) => ({
  needs,
  agree: (theirs: string) => agreeOnMode(band, theirs),
  openDecoder: () => openSpeexDecoder(band),
  openEncoder: (form = "") => openSpeexEncoder(band, qualityIn(band, form)),
});

/** "" for whatever mode we like; undefined when they can read none that we know. */
function agreeOnMode({ qualityOfMode }: SpeexBand, theirs: string): string | undefined {
  const said = parametersIn(theirs).get("mode");
  if (said === undefined || /\bany\b/i.test(said)) return "";
  const modes = (numbersIn(said) ?? []).filter((mode) => qualityOfMode[mode] !== undefined);
  const best = modes.sort((a, b) => qualityOfMode[b]! - qualityOfMode[a]!)[0]; // only those it has are left
  return best === undefined ? undefined : `mode="${best}"`;
}

function qualityIn({ quality, qualityOfMode }: SpeexBand, form: string): number {
  return qualityOfMode[Number(parametersIn(form).get("mode"))] ?? quality;
}

function openSpeexDecoder({ id, samples }: SpeexBand): Decode {
  const lib = libspeex();
  const state = lib.speex_decoder_init(lib.speex_lib_get_mode(id));
  lib.speex_decoder_ctl(state, SET_ENHANCEMENT, Int32Array.of(1));
  const bits = openBits(lib);
  const frame = new Uint8Array(LONGEST_PACKET);
  const pcm = new Int16Array(samples);
  const decode: Decode = (packet, from, to, into) => {
    const length = to - from;
    const frames = framesIn(packet, [from, to], id === 1);
    if (length > LONGEST_PACKET || frames * samples > into.length) return 0;
    frame.set(packet.subarray(from, to));
    lib.speex_bits_read_from(bits, frame, length);
    for (let i = 0; i < frames; i++) {
      if (lib.speex_decode_int(state, bits, pcm) < 0) return i * samples;
      into.set(pcm, i * samples);
    }
    return frames * samples;
  };
  decode.conceal = (into) => {
    lib.speex_decode_int(state, null, pcm);
    into.set(pcm);
  };
  decode.close = () => {
    lib.speex_decoder_destroy(state);
    lib.speex_bits_destroy(bits);
  };
  return decode;
}

function openSpeexEncoder({ id, samples }: SpeexBand, quality: number): Encode {
  const lib = libspeex();
  const state = lib.speex_encoder_init(lib.speex_lib_get_mode(id));
  lib.speex_encoder_ctl(state, SET_QUALITY, Int32Array.of(quality));
  lib.speex_encoder_ctl(state, SET_COMPLEXITY, Int32Array.of(COMPLEXITY));
  const bits = openBits(lib);
  const frame = new Uint8Array(LONGEST_PACKET);
  const own = new Int16Array(samples);
  const encode: Encode = (pcm, into, at) => {
    if (pcm.length !== samples) return 0;
    own.set(pcm); // the library works on what it is given
    lib.speex_bits_reset(bits);
    lib.speex_encode_int(state, own, bits);
    const bytes = lib.speex_bits_write(bits, frame, LONGEST_PACKET);
    into.set(frame.subarray(0, bytes), at);
    return bytes;
  };
  encode.close = () => {
    lib.speex_encoder_destroy(state);
    lib.speex_bits_destroy(bits);
  };
  return encode;
}

function openBits(lib: Libspeex): Uint8Array {
  const bits = new Uint8Array(BITS_STRUCTURE_BYTES);
  lib.speex_bits_init(bits);
  return bits;
}

function libspeex(): Libspeex {
  bound ??= bind<Libspeex>(LIBRARY, signatures);
  return bound;
}
