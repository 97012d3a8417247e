// Those who listen to a conversation with a right to: who hears whom when there are more than the two who talk.

import type { StreamId } from "../../media/engine.ts";
import type { Leg } from "./leg.ts";

/** `listen`: heard by nobody. `whisper`: heard by the watched party only. `join`: heard by both. */
export type SupervisionMode = "listen" | "whisper" | "join";

/** `call` is his own, by its uuid: the one in which his phone was rung. */
export type Listener = { leg: Leg; watched: Leg; mode: SupervisionMode; call: string };

export type Party = { stream: StreamId; hears: StreamId[] };

export function roomOf({ a, b }: { a: Leg; b: Leg }, listeners: readonly Listener[]): Party[] {
  const parties = [
    partyOf(a, [b, ...listeners.filter((it) => speaksTo(it, a)).map(({ leg }) => leg)]),
    partyOf(b, [a, ...listeners.filter((it) => speaksTo(it, b)).map(({ leg }) => leg)]),
    ...listeners.map((listener) => {
      const joined = listeners.filter((other) => other !== listener && other.mode === "join");
      return partyOf(listener.leg, [a, b, ...joined.map(({ leg }) => leg)]);
    }),
  ];
  return parties.flatMap((party) => party ?? []);
}

function speaksTo({ mode, watched }: Listener, to: Leg): boolean {
  return mode === "join" || (mode === "whisper" && to === watched);
}

/** Undefined when its media is gone already. */
function partyOf(leg: Leg, heard: Leg[]): Party | undefined {
  const stream = leg.stream();
  return stream === undefined ? undefined : { stream, hears: heard.flatMap((it) => it.stream() ?? []) };
}
