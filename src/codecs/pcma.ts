// PCMA: G.711 A-law, what telephone networks outside North America and Japan speak.

import { aLaw } from "./g711.ts";
import { decodeByTable, encodeByTable } from "./law-frames.ts";
import type { LawCodec } from "./shape.ts";

export const pcma = {
  name: "PCMA",
  payloadType: 8,
  clockRate: 8000,
  rtpmap: "PCMA/8000",
  pcmRate: 8000,
  law: aLaw,
  openDecoder: () => decodeByTable(aLaw.toLinear),
  openEncoder: () => encodeByTable(aLaw.toByte),
} as const satisfies LawCodec;
