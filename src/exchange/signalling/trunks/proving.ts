// Proof that the addresses which a trunk names are SIP servers that it speaks with: each is asked for a sign of life, and
// again before the proof is over.

import type { Clock } from "../../../clock.ts";
import { openProofs, type Proofs } from "./proofs.ts";

export type ProvingParts = {
  clock: Clock;
  known: Parameters<typeof openProofs>[1];
  /** Those that are still to be proved, or are to be anew: not those that were of late. */
  due(fresh: readonly string[]): readonly string[];
  /** Whether one there answered, from the very address that was asked. */
  ask(address: string): Promise<boolean>;
  /** There is one proof more or less. */
  changed(): void;
};

export type Proving = Pick<Proofs, "fresh" | "kept" | "heardAgain"> & {
  /** Called now and then: whoever does not answer is left alone twice as long each time. */
  round(): Promise<void>;
  proved(address: string): void;
};

/** Somebody else's server must not be asked without end, nor thousands of them. */
const MOST_AT_ONCE = 16;
const MOST_DOUBLINGS = 6;

export function openProving({ clock, known, due, ask, changed }: ProvingParts): Proving {
  const { heard, lapse, fresh, ...proofs } = openProofs(clock, known);
  let failures = new Map<string, number>();
  let round = 0;
  return {
    ...proofs,
    fresh,
    proved,
    async round() {
      if (lapse()) changed();
      round++;
      const wanted = due(fresh());
      failures = new Map([...failures].filter(([address]) => wanted.includes(address)));
      const patient = (address: string) => 2 ** Math.min(failures.get(address) ?? 0, MOST_DOUBLINGS);
      const now = wanted.filter((address) => round % patient(address) === 0).slice(0, MOST_AT_ONCE);
      await Promise.all(
        now.map(async (address) => {
          if (await ask(address)) proved(address);
          else failures.set(address, (failures.get(address) ?? 0) + 1);
        }),
      );
    },
  };

  function proved(address: string): void {
    heard(address);
    changed();
  }
}
