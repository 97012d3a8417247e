// Of datagrams that lie ready together, those of calls that are up go first, and those that begin a call last.

import type { Octets } from "../message/message.ts";

export type Hear = (octets: Octets, address: string, port: number) => void;

export type ReadingOrder = {
  /** Heard now, or with the rest. */
  take: Hear;
  /** Nothing more lies ready: what was put off is heard, in the order it came. */
  rest(): void;
};

/** A re-INVITE has a tag in its To: it belongs to a call that is up. */
const TAG_IN_TO = /\r\n(?:To|t)[ \t]*:[^\r\n]*;[ \t]*tag[ \t]*=/i;

export function openReadingOrder(hear: Hear): ReadingOrder {
  let putOff: Parameters<Hear>[] = [];
  return { take, rest };

  function take(octets: Octets, address: string, port: number): void {
    if (octets.startsWith("INVITE ") && !TAG_IN_TO.test(octets)) {
      putOff.push([octets, address, port]);
      return;
    }
    // What is taken back must have been heard before.
    if (octets.startsWith("CANCEL ")) rest();
    hear(octets, address, port);
  }

  function rest(): void {
    if (putOff.length === 0) return;
    const heldBack = putOff;
    putOff = [];
    for (const [octets, address, port] of heldBack) hear(octets, address, port);
  }
}
