// Opus, by the machine's libopus or else by WebAssembly; to 16 kHz, since nobody behind a telephone exchange hears more,
// or straight to the 8 kHz of whoever talks with a narrow telephone: nothing is resampled, and coding costs a third.

import { isInstalled } from "./native.ts";
import { LIBOPUS, openLibraryDecoder, openLibraryEncoder } from "./opus-library.ts";
import { openWasmDecoder, openWasmEncoder } from "./opus-wasm.ts";
import type { Codec } from "./shape.ts";

export const opus = {
  name: "opus",
  payloadType: 107,
  clockRate: 48000,
  rtpmap: "opus/48000/2",
  fmtp: "useinbandfec=1",
  pcmRate: 16000,
  otherRate: 8000,
  openDecoder: (_form, rate = 16000) => (isInstalled(LIBOPUS) ? openLibraryDecoder(rate) : openWasmDecoder(rate)),
  openEncoder: (_form, rate = 16000) => (isInstalled(LIBOPUS) ? openLibraryEncoder(rate) : openWasmEncoder(rate)),
} as const satisfies Codec;
