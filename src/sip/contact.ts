// Our Contact, as one peer is to reach us: said only once the way there is known.

import type { Stack } from "./stack.ts";
import { sentByTo } from "./transport/sent-by.ts";
import type { Destination, Source } from "./transport/transport.ts";

/** For the first of these servers that a door of ours leads to; undefined when none does, and nothing can be sent either. */
export function contactFor(
  stack: Pick<Stack, "doorTo">,
  user: string,
  peers: readonly (Destination | Source)[],
): string | undefined {
  for (const peer of peers) {
    const door = stack.doorTo(peer);
    if (!door) continue;
    const { host, port } = sentByTo(door, peer);
    const transport = peer.transport === "udp" ? "" : `;transport=${peer.transport}`;
    return `<sip:${user}@${host}:${port}${transport}>`;
  }
  return undefined;
}
