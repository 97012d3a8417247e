// What is heard of many: so much of each address, and so much of all of them together. Anybody can write datagrams in
// anybody's name, so what they use up is never that of whoever comes by connection.

import { holderOf } from "../../../addresses.ts";
import type { Ticks } from "../../../clock.ts";
import { type Allowance, type Budget, fullBudget, spend } from "./budget.ts";
import { CARRIER, kept, STRANGER } from "./sources.ts";

/** All strangers together, whatever their addresses. */
const ALL_STRANGERS = { burst: 20_000, perSecond: 4_000 };
/** Several times what one of them may say, since a trunk may have hundreds of addresses. */
const ALL_CARRIERS = { burst: 80_000, perSecond: 40_000 };

export type Crowds = {
  strangers: {
    datagrams: Crowd;
    /** Of all; of each of them it is remembered with what else he has done. */
    connections: Tally;
  };
  carriers: Record<"datagrams" | "connections", Crowd>;
};

/** Of `most` addresses a crowd it is remembered what they have said. */
export function openCrowds(most: number, now: Ticks): Crowds {
  const ofCarriers = () => new Crowd({ each: CARRIER.messages, all: ALL_CARRIERS, most }, now);
  return {
    strangers: {
      datagrams: new Crowd({ each: STRANGER.messages, all: ALL_STRANGERS, most }, now),
      connections: new Tally(ALL_STRANGERS, now),
    },
    carriers: { datagrams: ofCarriers(), connections: ofCarriers() },
  };
}

class Tally {
  readonly #allowance: Allowance;
  readonly #budget: Budget;

  constructor(allowance: Allowance, now: Ticks) {
    this.#allowance = allowance;
    this.#budget = fullBudget(allowance, now);
  }

  isHeard(now: Ticks): boolean {
    return spend(this.#budget, 1, this.#allowance, now);
  }
}

class Crowd {
  readonly #each: Allowance;
  readonly #all: Tally;
  readonly #most: number;
  readonly #own = new Map<string, Budget>();

  constructor({ each, all, most }: { each: Allowance; all: Allowance; most: number }, now: Ticks) {
    this.#each = each;
    this.#all = new Tally(all, now);
    this.#most = most;
  }

  get size(): number {
    return this.#own.size;
  }

  /** What is too much of one address takes nothing from the others. */
  isHeard(address: string, now: Ticks): boolean {
    const own = kept(this.#own, holderOf(address), { record: fullBudget(this.#each, now), most: this.#most });
    return spend(own, 1, this.#each, now) && this.#all.isHeard(now);
  }
}
