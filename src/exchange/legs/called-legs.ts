// Whom we have called for each call, until they are gone; and those of them whom an earlier process had begun to ring,
// until whoever leads the call takes them up.

import type { Leg } from "../calls/leg.ts";
import type { LegLine, Party } from "../calls/party.ts";

export class CalledLegs {
  readonly #legs = new Map<string, Set<Leg>>();
  readonly #left = new Map<string, Set<Leg>>();

  add(callUuid: string, leg: Leg): void {
    put(this.#legs, callUuid, leg);
    void leg.over.then(() => drop(this.#legs, callUuid, leg));
  }

  of = (callUuid: string): Leg[] => [...(this.#legs.get(callUuid) ?? [])];

  /** It rings still. */
  leave(callUuid: string, leg: Leg): void {
    this.add(callUuid, leg);
    put(this.#left, callUuid, leg);
  }

  /** Whether somebody rings still whom nobody has taken up. */
  left(callUuid: string): Leg[] {
    return [...(this.#left.get(callUuid) ?? [])];
  }

  /** Those of them that ring there: from now on they are whoever's who asks. */
  takeUp(callUuid: string, at: Pick<Party, "is" | "number"> & Partial<LegLine>): Leg[] {
    const found = this.left(callUuid).filter((leg) => ringsAt(leg, at));
    for (const leg of found) drop(this.#left, callUuid, leg);
    return found;
  }

  /** Nobody rings for nothing. */
  letGo(callUuid: string): void {
    for (const leg of this.left(callUuid)) leg.end("NORMAL_CLEARING");
    this.#left.delete(callUuid);
  }
}

export function ringsAt(
  { party, line }: Leg,
  { is, number, trunk = line?.trunk }: Pick<Party, "is" | "number"> & Partial<LegLine>,
): boolean {
  return party.is === is && party.number === number && line?.trunk === trunk;
}

function put(legs: Map<string, Set<Leg>>, callUuid: string, leg: Leg): void {
  legs.set(callUuid, (legs.get(callUuid) ?? new Set()).add(leg));
}

function drop(legs: Map<string, Set<Leg>>, callUuid: string, leg: Leg): void {
  const of = legs.get(callUuid);
  of?.delete(leg);
  if (of?.size === 0) legs.delete(callUuid);
}
