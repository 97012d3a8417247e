// What every codec can do, and the record of all of them.

import type { CodecName } from "../../sdp/agreed.ts";
import { g722 } from "./g722.ts";
import { opus } from "./opus.ts";
import { pcma } from "./pcma.ts";
import { pcmu } from "./pcmu.ts";
import type { Codec } from "./shape.ts";

export const codecs: Record<CodecName, Codec> = { PCMA: pcma, PCMU: pcmu, G722: g722, opus };
