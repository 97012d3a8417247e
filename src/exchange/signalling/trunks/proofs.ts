// Where SIP servers have answered a trunk. Whoever has an address today may have given it up tomorrow: a proof is good for a
// day after the last answer from there.

import { type Clock, momentOf, stampOf, type Ticks, until, within } from "../../../clock.ts";
import type { TrunkState } from "../../../store/trunk-state.ts";

export type Proofs = {
  /** Those that need no asking yet. */
  fresh(): string[];
  /** A server there has answered. */
  heard(address: string): void;
  /** The same of one that is good, and of no other. */
  heardAgain(address: string): void;
  /** Forgets those that are over; whether there were any. */
  lapse(): boolean;
  /** What is written down of them. */
  kept(): Pick<TrunkState, "proved" | "provedUntilMs">;
};

const GOOD_MS = 24 * 3_600_000;
/** Early enough that a carrier which is away for most of a day costs nobody a call. */
const ASKED_BEFORE_MS = 18 * 3_600_000;
const MOST = 64;

export function openProofs(clock: Clock, known: Partial<ReturnType<Proofs["kept"]>> = {}): Proofs {
  const { proved = [], provedUntilMs = [] } = known;
  /** The one that was heard last stands last. */
  const goodUntil = new Map<string, Ticks>();
  for (const [at, address] of proved.entries()) {
    // A clock that was set back meanwhile makes no proof longer.
    const left = Math.min(until(clock, momentOf(clock, provedUntilMs[at] ?? 0)), GOOD_MS);
    goodUntil.set(address, within(clock, left));
  }
  const leftOf = (atLeastMs: number) =>
    [...goodUntil].flatMap(([address, moment]) => (until(clock, moment) > atLeastMs ? address : []));
  const heard = (address: string) => {
    goodUntil.delete(address);
    goodUntil.set(address, within(clock, GOOD_MS));
    for (const [oldest] of goodUntil) if (goodUntil.size > MOST) goodUntil.delete(oldest);
  };
  return {
    heard,
    heardAgain(address) {
      if (leftOf(0).includes(address)) heard(address);
    },
    fresh: () => leftOf(ASKED_BEFORE_MS),
    lapse() {
      const good = new Set(leftOf(0));
      const over = [...goodUntil.keys()].filter((address) => !good.has(address));
      for (const address of over) goodUntil.delete(address);
      return over.length > 0;
    },
    kept() {
      const addresses = leftOf(0);
      const provedUntilMs = addresses.map((address) => stampOf(clock, goodUntil.get(address)!)); // it is good
      return { proved: addresses, provedUntilMs };
    },
  };
}
