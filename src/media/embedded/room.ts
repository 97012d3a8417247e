// A room: several parties, each hearing exactly those it should; sums are made once a tick for each listener.

import type { Codec, PcmRate } from "../../codecs/shape.ts";
import type { Hearing } from "./hearing.ts";

/** What a room needs of its parties. */
type Speaker = { readonly codec: Codec; readonly hearing: Hearing | undefined };

export const MOST_PARTIES = 64;

export class Room<Party extends Speaker> {
  readonly name: string;
  readonly hears = new Map<Party, Party[]>();
  readonly #sum = new Int32Array(320);

  constructor(name: string) {
    this.name = name;
  }

  /** What this listener hears now, at its own rate. */
  mixFor(listener: Party, into: Int16Array): void {
    const rate: PcmRate = listener.codec.pcmRate;
    const sum = this.#sum;
    sum.fill(0);
    let speakers = 0;
    for (const speaker of this.hears.get(listener) ?? []) {
      if (!speaker.hearing?.isSpeaking) continue;
      addTo(sum, speaker.hearing.frameAt(rate));
      speakers += 1;
    }
    if (speakers === 0) into.fill(0);
    else clip(sum, into);
  }
}

/** Hot: once per speaker and listener. */
function addTo(sum: Int32Array, frame: Int16Array): void {
  for (let i = 0; i < frame.length; i++) sum[i]! += frame[i]!;
}

function clip(sum: Int32Array, into: Int16Array): void {
  for (let i = 0; i < into.length; i++) into[i] = Math.max(-32_768, Math.min(32_767, sum[i]!));
}
