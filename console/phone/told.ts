// A line as whoever is outside of the phone is told of it.

import type { Line } from "./lines.ts";
import type { CallTold } from "./messages.ts";

export function told({ id, callUuid, direction, number, name, queue, at, held, muted }: Line): CallTold {
  const state = at === "over" ? "talking" : at; // a line that is over is in no list
  return { id, callUuid, direction, number, name, queue, state, held, muted };
}
