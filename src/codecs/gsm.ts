// GSM full rate (GSM 06.10) by libgsm: 33 bytes for 20 ms, as RFC 3551 section 4.5.8 packs them.

import { bind, type Handle } from "./native.ts";
import type { Codec, Decode, Encode } from "./shape.ts";

const LIBRARY = "libgsm.so.1";
const FRAME_BYTES = 33;
const FRAME_SAMPLES = 160;

type Libgsm = {
  gsm_create(): Handle;
  gsm_destroy(gsm: Handle): void;
  gsm_encode(gsm: Handle, pcm: Int16Array, into: Uint8Array): void;
  /** Negative when the frame lacks its signature. */
  gsm_decode(gsm: Handle, frame: Uint8Array, into: Int16Array): number;
};

const signatures: Record<keyof Libgsm, string> = {
  gsm_create: "void *gsm_create(void)",
  gsm_destroy: "void gsm_destroy(void *)",
  gsm_encode: "void gsm_encode(void *, const int16_t *, _Out_ uint8_t *)",
  gsm_decode: "int gsm_decode(void *, const uint8_t *, _Out_ int16_t *)",
};

let bound: Libgsm | undefined;

export const gsm = {
  name: "GSM",
  payloadType: 3,
  clockRate: 8000,
  rtpmap: "GSM/8000",
  pcmRate: 8000,
  needs: [{ library: LIBRARY, package: "libgsm1" }],
  openDecoder,
  openEncoder,
} as const satisfies Codec;

function openDecoder(): Decode {
  const lib = libgsm();
  const state = lib.gsm_create();
  const frame = new Uint8Array(FRAME_BYTES);
  const pcm = new Int16Array(FRAME_SAMPLES);
  const decode: Decode = (packet, from, to, into) => {
    const frames = (to - from) / FRAME_BYTES;
    if (!Number.isInteger(frames) || frames * FRAME_SAMPLES > into.length) return 0;
    for (let i = 0; i < frames; i++) {
      frame.set(packet.subarray(from + i * FRAME_BYTES, from + (i + 1) * FRAME_BYTES));
      if (lib.gsm_decode(state, frame, pcm) < 0) return i * FRAME_SAMPLES;
      into.set(pcm, i * FRAME_SAMPLES);
    }
    return frames * FRAME_SAMPLES;
  };
  decode.close = () => lib.gsm_destroy(state);
  return decode;
}

function openEncoder(): Encode {
  const lib = libgsm();
  const state = lib.gsm_create();
  const frame = new Uint8Array(FRAME_BYTES);
  const encode: Encode = (pcm, into, at) => {
    if (pcm.length !== FRAME_SAMPLES) return 0;
    lib.gsm_encode(state, pcm, frame);
    into.set(frame, at);
    return FRAME_BYTES;
  };
  encode.close = () => lib.gsm_destroy(state);
  return encode;
}

function libgsm(): Libgsm {
  bound ??= bind<Libgsm>(LIBRARY, signatures);
  return bound;
}
