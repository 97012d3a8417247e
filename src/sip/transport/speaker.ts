// Who spoke: whoever a message came from, or, where a proxy of ours at the edge passed it on, whoever that had it from.

import { receivedOf, rportOf, type Via, viasOf } from "../headers/via.ts";
import { isMalformed } from "../message/malformed.ts";
import type { Request } from "../message/message.ts";
import { addressIn, DEFAULT_PORT } from "./destination.ts";
import type { Source, TransportName } from "./transport.ts";

export function speakerOf({ client, address, port }: Source): { address: string; port: number } {
  return client ?? { address, port };
}

/** By what he spoke: to the edge, where he is behind one. What nobody noted may have been a datagram. */
export function spokenBy({ client, clientTransport = "udp", transport }: Source): TransportName {
  return client ? clientTransport : transport;
}

/**
 * What an edge notes in the Via below its own is where the request came from, so that it is believed. A request with the
 * edge's Via alone is the edge's own.
 */
export function behindEdge(request: Request, source: Source): Source {
  const below = viasOf(request)[1];
  if (below === undefined || isMalformed(below)) return source;
  // The added fields first: behind the others they would make a hidden class of every message's source.
  return { client: senderOf(below), clientTransport: transportOf(below), ...source };
}

/** What nobody knows is taken for what anybody can forge. */
function transportOf({ transport }: Via): TransportName {
  const name = transport.toLowerCase();
  return name === "tcp" || name === "tls" || name === "ws" || name === "wss" ? name : "udp";
}

/** An edge need not note what the sender has said rightly. A name that nobody noted an address for stands for itself. */
function senderOf(via: Via): { address: string; port: number } {
  const noted = rportOf(via);
  const port = typeof noted === "number" ? noted : (via.port ?? DEFAULT_PORT.udp);
  return { address: receivedOf(via) ?? addressIn(via.host) ?? via.host.toLowerCase(), port };
}
