// Opus by libopus through koffi: nothing is allocated for a frame.

import { bind, copyBytes, type Handle } from "./native.ts";
import { LARGEST_FRAME, opusSettings } from "./opus-settings.ts";
import type { Decode, Encode, Needed, PcmRate } from "./shape.ts";

export const LIBOPUS: Needed = { library: "libopus.so.0", package: "libopus0" };

const VOIP = 2048; // OPUS_APPLICATION_VOIP
const MONO = 1;

type Libopus = {
  opus_decoder_create(rate: number, channels: 1, error: Int32Array): Handle | null;
  opus_decoder_destroy(decoder: Handle): void;
  /** Samples, or a negative number for what is not Opus. */
  opus_decode(
    decoder: Handle,
    frame: Uint8Array | null,
    length: number,
    into: Int16Array,
    most: number,
    fec: 0,
  ): number;
  opus_encoder_create(rate: number, channels: 1, application: number, error: Int32Array): Handle | null;
  opus_encoder_destroy(encoder: Handle): void;
  opus_encoder_ctl(encoder: Handle, request: number, type: "int", value: number): number;
  opus_encode(encoder: Handle, pcm: Int16Array, samples: number, into: Uint8Array, most: number): number;
};

const signatures: Record<keyof Libopus, string> = {
  opus_decoder_create: "void *opus_decoder_create(int, int, void *)",
  opus_decoder_destroy: "void opus_decoder_destroy(void *)",
  opus_decode: "int opus_decode(void *, void *, int, void *, int, int)",
  opus_encoder_create: "void *opus_encoder_create(int, int, int, void *)",
  opus_encoder_destroy: "void opus_encoder_destroy(void *)",
  opus_encoder_ctl: "int opus_encoder_ctl(void *, int, ...)",
  opus_encode: "int opus_encode(void *, void *, int, void *, int)",
};

let bound: Libopus | undefined;
/** One frame at a time passes between packets and the library. */
const frame = new Uint8Array(LARGEST_FRAME);

export function openLibraryDecoder(rate: PcmRate): Decode {
  const lib = libopus();
  const decoder = made(lib.opus_decoder_create(rate, MONO, new Int32Array(1)));
  const longest = (rate * 120) / 1000;
  const decode: Decode = (packet, from, to, into) => {
    if (to <= from || to - from > LARGEST_FRAME) return 0;
    copyBytes(packet, from, to, frame, 0);
    return Math.max(0, lib.opus_decode(decoder, frame, to - from, into, Math.min(longest, into.length), 0));
  };
  decode.conceal = (into) => {
    if (lib.opus_decode(decoder, null, 0, into, into.length, 0) < 0) into.fill(0);
  };
  decode.close = () => lib.opus_decoder_destroy(decoder);
  return decode;
}

export function openLibraryEncoder(rate: PcmRate): Encode {
  const lib = libopus();
  const encoder = made(lib.opus_encoder_create(rate, MONO, VOIP, new Int32Array(1)));
  for (const [request, value] of opusSettings) lib.opus_encoder_ctl(encoder, request, "int", value);
  const encode: Encode = (pcm, into, at) => {
    const bytes = lib.opus_encode(encoder, pcm, pcm.length, frame, LARGEST_FRAME);
    if (bytes <= 0) return 0;
    copyBytes(frame, 0, bytes, into, at);
    return bytes;
  };
  encode.close = () => lib.opus_encoder_destroy(encoder);
  return encode;
}

function made(state: Handle | null): Handle {
  if (!state) throw new Error("libopus has no memory left");
  return state;
}

function libopus(): Libopus {
  bound ??= bind<Libopus>(LIBOPUS.library, signatures);
  return bound;
}
