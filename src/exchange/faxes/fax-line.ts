// Puts an answered leg into fax: sound first, data (T.38) when both sides want it, sound again when one refuses.

import type { Clock } from "../../clock.ts";
import type { MediaEngine } from "../../media/engine.ts";
import type { FaxEngine, FaxEvent, FaxOptions, FaxResult } from "../../media/fax/fax-engine.ts";
import type { Leg } from "../calls/leg.ts";

export type FaxCall = {
  leg: Leg;
  /** The party has gone, or is taken elsewhere: the fax ends with what it has. */
  signal: AbortSignal;
  media: MediaEngine;
  clock: Clock;
  fax: FaxEngine;
};

export type FaxWishes = FaxOptions & {
  /** `offer`: we ask for T.38 ourselves; `accept`: only when asked; `never`: sound. Default offer. */
  t38?: "offer" | "accept" | "never";
  /** A fax that takes longer is ended. */
  longestMs?: number;
  hear?(event: FaxEvent): void;
};

/** Never throws for what goes wrong on the line: that is in the result. The leg is left as it is, for the call to hang up. */
export async function runFax(_call: FaxCall, _wishes: FaxWishes): Promise<FaxResult> {
  throw new Error("no fax machine yet");
}
