// AMR-WB (G.722.2), the wide voice of mobile networks: nine rates from 6.6 to 23.85 kbit/s (RFC 4867).

import { type AmrDecoder, type AmrEncoder, openAmrDecoder, openAmrEncoder } from "./amr-frames.ts";
import { type AmrBand, agreeOnForm, readForm } from "./amr-payload.ts";
import { bind, type Handle } from "./native.ts";
import type { Codec } from "./shape.ts";

/** Nobody has made both halves: opencore-amr decodes, VisualOn's library encodes. */
const DECODER = "libopencore-amrwb.so.0";
const ENCODER = "libvo-amrwbenc.so.0";
const ALIGNED = "octet-align=1";
/** By itself 12.65 kbit/s, as mobile networks do: above it little is gained. */
const band: AmrBand = { bits: [132, 177, 253, 285, 317, 365, 397, 461, 477, 40], samples: 320, mode: 2 };

type Opencore = {
  D_IF_init(): Handle;
  D_IF_exit(state: Handle): void;
  D_IF_decode(state: Handle, frame: Uint8Array, into: Int16Array, isBad: 0): void;
};
type VisualOn = {
  E_IF_init(): Handle;
  E_IF_exit(state: Handle): void;
  E_IF_encode(state: Handle, mode: number, pcm: Int16Array, into: Uint8Array, sendsSilence: 0): number;
};

const ofDecoder: Record<keyof Opencore, string> = {
  D_IF_init: "void *D_IF_init(void)",
  D_IF_exit: "void D_IF_exit(void *)",
  D_IF_decode: "void D_IF_decode(void *, const uint8_t *, _Out_ int16_t *, int)",
};
const ofEncoder: Record<keyof VisualOn, string> = {
  E_IF_init: "void *E_IF_init(void)",
  E_IF_exit: "void E_IF_exit(void *)",
  E_IF_encode: "int E_IF_encode(void *, int, const int16_t *, _Out_ uint8_t *, int)",
};

let decoders: Opencore | undefined;
let encoders: VisualOn | undefined;

export const amrWb = {
  name: "AMR-WB",
  payloadType: 113,
  clockRate: 16000,
  rtpmap: "AMR-WB/16000",
  fmtp: ALIGNED,
  otherForm: { payloadType: 115 },
  pcmRate: 16000,
  needs: [
    { library: DECODER, package: "libopencore-amrwb0" },
    { library: ENCODER, package: "libvo-amrwbenc0" },
  ],
  agree: (theirs) => agreeOnForm(band, theirs),
  openDecoder: (form = ALIGNED) => openAmrDecoder(band, readForm(band, form), openDecoder()),
  openEncoder: (form = ALIGNED) => openAmrEncoder(band, readForm(band, form), openEncoder()),
} as const satisfies Codec;

function openDecoder(): AmrDecoder {
  decoders ??= bind<Opencore>(DECODER, ofDecoder);
  const lib = decoders;
  const state = lib.D_IF_init();
  return { decode: (frame, into) => lib.D_IF_decode(state, frame, into, 0), close: () => lib.D_IF_exit(state) };
}

function openEncoder(): AmrEncoder {
  encoders ??= bind<VisualOn>(ENCODER, ofEncoder);
  const lib = encoders;
  const state = lib.E_IF_init();
  return {
    encode: (mode, pcm, into) => void lib.E_IF_encode(state, mode, pcm, into, 0),
    close: () => lib.E_IF_exit(state),
  };
}
