// PCMA: G.711 A-law, what telephone networks outside North America and Japan speak.

import { aLaw } from "./g711.ts";
import { decodeByTable, encodeByTable } from "./law-frames.ts";
import type { Codec } from "./shape.ts";

export const pcma: Codec = {
  name: "PCMA",
  clockRate: 8000,
  pcmRate: 8000,
  openDecoder: () => decodeByTable(aLaw.toLinear),
  openEncoder: () => encodeByTable(aLaw.toByte),
};
