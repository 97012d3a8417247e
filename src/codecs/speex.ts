// Speex at 8 kHz (RFC 5574).

import type { Codec } from "./shape.ts";
import { type SpeexBand, speexOf } from "./speex-frames.ts";

/** 15 kbit/s. */
const band: SpeexBand = {
  id: 0,
  samples: 160,
  quality: 8,
  qualityOfMode: { 1: 0, 8: 1, 2: 2, 3: 4, 4: 6, 5: 8, 6: 9, 7: 10 },
};

export const speex = {
  name: "speex",
  payloadType: 98,
  clockRate: 8000,
  rtpmap: "speex/8000",
  pcmRate: 8000,
  ...speexOf(band),
} as const satisfies Codec;
