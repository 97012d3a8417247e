// G.722 at 64 kbit/s, by the machine's spandsp or else by our own arithmetic: both say the same, bit by bit.

import { LIBSPANDSP, openLibraryDecoder, openLibraryEncoder } from "./g722-library.ts";
import { openOwnDecoder, openOwnEncoder } from "./g722-own.ts";
import { isInstalled } from "./native.ts";
import type { Codec } from "./shape.ts";

export const g722 = {
  name: "G722",
  payloadType: 9,
  clockRate: 8000,
  rtpmap: "G722/8000",
  pcmRate: 16000,
  openDecoder: () => (isInstalled(LIBSPANDSP) && openLibraryDecoder()) || openOwnDecoder(),
  openEncoder: () => (isInstalled(LIBSPANDSP) ? openLibraryEncoder() : openOwnEncoder()),
} as const satisfies Codec;
