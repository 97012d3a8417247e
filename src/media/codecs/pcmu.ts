// PCMU: G.711 mu-law.

import { muLaw } from "./g711.ts";
import { decodeByTable, encodeByTable } from "./law-frames.ts";
import type { Codec } from "./shape.ts";

export const pcmu: Codec = {
  name: "PCMU",
  clockRate: 8000,
  pcmRate: 8000,
  openDecoder: () => decodeByTable(muLaw.toLinear),
  openEncoder: () => encodeByTable(muLaw.toByte),
};
