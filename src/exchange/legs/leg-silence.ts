// Which legs neither hear nor say anything any more, because another process or another machine goes on with them: all of
// them, or those of one call.

import type { Clock } from "../../clock.ts";
import type { Stack } from "../../sip/stack.ts";
import type { Leg } from "../calls/leg.ts";

/** A phone repeats itself for so long; whoever asks later is told that there is no such call. */
const REPEATS_MS = 64_000;

export type Mute = { isSilent(): boolean; of<Some extends Leg>(leg: Some): Some };

export function openSilence({ stack, clock }: { stack: Pick<Stack, "hush" | "hushCall">; clock: Clock }) {
  let everybody = false;
  /** Those who can fall silent alone, and whom they told nothing since. */
  const mutes = new WeakMap<Leg, () => void>();
  /** Nobody is called any more for a call that is not ours. */
  const gone = new Map<string, (() => void)[]>();
  const forget = (callUuid: string) => {
    for (const speak of gone.get(callUuid) ?? []) speak();
    gone.delete(callUuid);
  };
  return {
    mute(callUuid?: string): Mute {
      let alone = callUuid !== undefined && gone.has(callUuid);
      return {
        isSilent: () => everybody || alone,
        of(leg) {
          mutes.set(leg, () => {
            alone = true;
          });
          return leg;
        },
      };
    },
    all() {
      stack.hush();
      everybody = true;
    },
    ofCall(callUuid: string, legs: readonly Leg[]) {
      forget(callUuid);
      const speaks = legs.map(({ sipCallId }) => stack.hushCall(sipCallId));
      for (const leg of legs) mutes.get(leg)?.();
      gone.set(callUuid, speaks);
      clock.after(REPEATS_MS, () => {
        if (gone.get(callUuid) === speaks) forget(callUuid);
      });
    },
    /** It is gone on with here after all. */
    isBack: forget,
  };
}
