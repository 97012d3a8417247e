// AMR, the voice of mobile networks, by opencore-amr: eight rates from 4.75 to 12.2 kbit/s (RFC 4867).

import { type AmrDecoder, type AmrEncoder, openAmrDecoder, openAmrEncoder } from "./amr-frames.ts";
import { type AmrBand, agreeOnForm, readForm } from "./amr-payload.ts";
import { bind, type Handle } from "./native.ts";
import type { Codec } from "./shape.ts";

const LIBRARY = "libopencore-amrnb.so.0";
const ALIGNED = "octet-align=1";
const band: AmrBand = { bits: [95, 103, 118, 134, 148, 159, 204, 244, 39], samples: 160, mode: 7 };

type Opencore = {
  Decoder_Interface_init(): Handle;
  Decoder_Interface_exit(state: Handle): void;
  Decoder_Interface_Decode(state: Handle, frame: Uint8Array, into: Int16Array, isBad: 0): void;
  Encoder_Interface_init(sendsSilence: 0): Handle;
  Encoder_Interface_exit(state: Handle): void;
  Encoder_Interface_Encode(state: Handle, mode: number, pcm: Int16Array, into: Uint8Array, forced: 0): number;
};

const signatures: Record<keyof Opencore, string> = {
  Decoder_Interface_init: "void *Decoder_Interface_init(void)",
  Decoder_Interface_exit: "void Decoder_Interface_exit(void *)",
  Decoder_Interface_Decode: "void Decoder_Interface_Decode(void *, const uint8_t *, _Out_ int16_t *, int)",
  Encoder_Interface_init: "void *Encoder_Interface_init(int)",
  Encoder_Interface_exit: "void Encoder_Interface_exit(void *)",
  Encoder_Interface_Encode: "int Encoder_Interface_Encode(void *, int, const int16_t *, _Out_ uint8_t *, int)",
};

let bound: Opencore | undefined;

export const amr = {
  name: "AMR",
  payloadType: 112,
  clockRate: 8000,
  rtpmap: "AMR/8000",
  fmtp: ALIGNED,
  otherForm: { payloadType: 114 },
  pcmRate: 8000,
  needs: [{ library: LIBRARY, package: "libopencore-amrnb0" }],
  agree: (theirs) => agreeOnForm(band, theirs),
  openDecoder: (form = ALIGNED) => openAmrDecoder(band, readForm(band, form), openDecoder()),
  openEncoder: (form = ALIGNED) => openAmrEncoder(band, readForm(band, form), openEncoder()),
} as const satisfies Codec;

function openDecoder(): AmrDecoder {
  const lib = opencore();
  const state = lib.Decoder_Interface_init();
  return {
    decode: (frame, into) => lib.Decoder_Interface_Decode(state, frame, into, 0),
    close: () => lib.Decoder_Interface_exit(state),
  };
}

function openEncoder(): AmrEncoder {
  const lib = opencore();
  const state = lib.Encoder_Interface_init(0);
  return {
    encode: (mode, pcm, into) => void lib.Encoder_Interface_Encode(state, mode, pcm, into, 0),
    close: () => lib.Encoder_Interface_exit(state),
  };
}

function opencore(): Opencore {
  bound ??= bind<Opencore>(LIBRARY, signatures);
  return bound;
}
