// What Via and Contact say of us to one peer.

import type { Destination, Source, Transport } from "./transport.ts";

export function sentByTo(door: Transport, peer: Destination | Source): { host: string; port: number } {
  return { host: door.toldTo?.(peer.address) ?? door.sentBy.host, port: door.sentBy.port };
}
