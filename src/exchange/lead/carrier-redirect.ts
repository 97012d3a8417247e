// Follows a 3xx of a carrier: the numbers and places it names, the preferred first, within the rules for what may be dialled.

import type { Moved } from "../../sip/headers/moved.ts";
import type { Led } from "../calls/call.ts";
import type { Ending } from "../calls/call-machine.ts";
import { type PhoneNumber, written } from "../plan/numbers.ts";
import type { Onward } from "../signalling/trunks/onward.ts";
import type { Guide } from "./guide.ts";
import { isDecided } from "./redirect.ts";

/** What one call has already been sent to, over all its redirections. */
export type Trail = { hops: number; seen: Set<string> };

export const freshTrail = (number: PhoneNumber): Trail => ({ hops: 0, seen: new Set([written(number)]) });

export type Redirected = {
  trunk: string | null;
  number: PhoneNumber;
  ending: Ending;
  /** Undefined: the place is none that a call of ours may be sent to. */
  read(moved: Moved): Promise<Onward | undefined>;
  go(onward: Onward): Promise<Led>;
};

const MOST_HOPS = 5;

export async function followCarrier(guide: Guide, trail: Trail, redirected: Redirected): Promise<Led> {
  const { trunk, number, read, go } = redirected;
  const { moved = [], ...ending } = redirected.ending;
  let led: Led = { failed: ending };
  for (const place of moved) {
    const onward = await read(place);
    const key = onward && ("number" in onward ? written(onward.number) : place.uri);
    const isCircle = key !== undefined && trail.seen.has(key);
    const followed = key !== undefined && !isCircle && trail.hops < MOST_HOPS;
    const to = onward && "number" in onward ? written(onward.number) : place.uri;
    guide.call.tell({ is: "carrier-moves", trunk, number: written(number), to: to.slice(0, 128), followed });
    if (isCircle) guide.call.tell({ is: "circle" });
    if (key !== undefined && !followed) led = { failed: { cause: "EXCHANGE_ROUTING_ERROR" } };
    if (!followed || !onward) continue;
    trail.hops += 1;
    trail.seen.add(key);
    led = await go(onward);
    if (isDecided(guide, led)) return led;
  }
  return led;
}
