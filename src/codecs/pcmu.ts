// PCMU: G.711 mu-law.

import { muLaw } from "./g711.ts";
import { decodeByTable, encodeByTable } from "./law-frames.ts";
import type { LawCodec } from "./shape.ts";

export const pcmu = {
  name: "PCMU",
  payloadType: 0,
  clockRate: 8000,
  rtpmap: "PCMU/8000",
  pcmRate: 8000,
  law: muLaw,
  openDecoder: () => decodeByTable(muLaw.toLinear),
  openEncoder: () => encodeByTable(muLaw.toByte),
} as const satisfies LawCodec;
