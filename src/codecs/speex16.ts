// Speex at 16 kHz (RFC 5574): the same name on another clock.

import type { Codec } from "./shape.ts";
import { type SpeexBand, speexOf } from "./speex-frames.ts";

/** 27.8 kbit/s. */
const band: SpeexBand = {
  id: 1,
  samples: 320,
  quality: 8,
  qualityOfMode: Object.fromEntries(Array.from({ length: 11 }, (_, mode) => [mode, mode])),
};

export const speex16 = {
  name: "speex16",
  payloadType: 99,
  clockRate: 16000,
  rtpmap: "speex/16000",
  pcmRate: 16000,
  ...speexOf(band),
} as const satisfies Codec;
