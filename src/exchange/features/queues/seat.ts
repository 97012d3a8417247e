// A caller's seat while he waits: the machine of his place, whoever waits for what becomes of him, and phones that ring.

import type { Machine } from "../../../machine.ts";
import type { Leg } from "../../calls/leg.ts";
import type { Outcome, Rung, Waiter } from "./place.ts";
import type { Effect, Input, Ring, State } from "./place-machine.ts";

export type Seat = {
  readonly caller: Waiter;
  readonly machine: Machine<State, Input, Effect>;
  readonly settle: (outcome: Outcome) => void;
};

/**
 * A phone of an agent from its first ring until nothing more can come of it. `byOrder`: a supervisor wants it so, though
 * he takes no calls of queues just now, or never does; that it rings is nothing to how he stands there. `callUuid`: what
 * he is in when he picks up.
 */
export type Rings = {
  seat: Seat;
  ring: Ring;
  stop: AbortController;
  leg: Leg | undefined;
  callUuid: string;
  byOrder: boolean;
};

export function pickedUp(
  rings: Rings,
  { answered, callUuid = rings.callUuid }: Extract<Rung, { answered: Leg }>,
): void {
  rings.leg = answered;
  rings.callUuid = callUuid;
}

/**
 * Kept when the agent has left the call: one who loads the page of his phone anew takes his place in it by another leg,
 * which `next` finds.
 */
export async function untilGone(leg: Pick<Leg, "over">, next: () => Pick<Leg, "over"> | undefined): Promise<void> {
  const were = new Set<unknown>();
  for (let at: Pick<Leg, "over"> | undefined = leg; at && !were.has(at); at = next()) {
    were.add(at);
    await at.over;
  }
}

/** How long those waited who were served, the latest counting most. */
export class Waits {
  readonly #averageMs = new Map<string, number>();

  averageMs(queue: string): number | undefined {
    return this.#averageMs.get(queue);
  }

  note({ queue, waitedMs }: Waiter): void {
    const before = this.#averageMs.get(queue);
    this.#averageMs.set(queue, before === undefined ? waitedMs() : before * 0.8 + waitedMs() * 0.2);
  }
}
