// Every lamp that is on some phone, found by the extension it shows and counted by whose phone it is on.

import type { Subscription } from "../../../sip/subscription.ts";
import type { Package } from "./packages.ts";

export type Lamp = {
  subscription: Subscription;
  exchangeId: number;
  extension: string;
  what: Package;
  /** The extension whose phone it is on. */
  subscriber: number;
};

export type Lamps = {
  hang(lamp: Lamp): void;
  putAway(lamp: Lamp): void;
  showing(exchangeId: number, extension: string): Iterable<Lamp>;
  countOf(subscriber: number): number;
  all(): readonly Lamp[];
};

export function noLamps(): Lamps {
  const lamps = new Set<Lamp>();
  // Extensions change far more often than phones subscribe.
  const byShown = new Map<string, Set<Lamp>>();
  const shownBy = ({ exchangeId, extension }: Pick<Lamp, "exchangeId" | "extension">) => `${exchangeId} ${extension}`;
  return {
    hang(lamp) {
      const others = byShown.get(shownBy(lamp)) ?? new Set();
      lamps.add(lamp);
      byShown.set(shownBy(lamp), others.add(lamp));
    },
    putAway(lamp) {
      const others = byShown.get(shownBy(lamp));
      lamps.delete(lamp);
      others?.delete(lamp);
      if (others?.size === 0) byShown.delete(shownBy(lamp));
    },
    showing: (exchangeId, extension) => byShown.get(shownBy({ exchangeId, extension })) ?? [],
    countOf: (subscriber) => [...lamps].filter((lamp) => lamp.subscriber === subscriber).length,
    all: () => [...lamps],
  };
}
