// Where a message goes, as far as it can be said without asking anybody: addresses yes, names no.

import { asWritten } from "../../addresses.ts";
import { rportOf, type Via } from "../headers/via.ts";
import { parameterOf } from "../message/parameters.ts";
import type { SipUri } from "../message/uri.ts";
import type { Destination, Source, TransportName } from "./transport.ts";

export const DEFAULT_PORT: Record<TransportName, number> = { udp: 5060, tcp: 5060, tls: 5061, ws: 80, wss: 443 };

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** The bare address when the host of a URI or Via is one: brackets taken off, and in its one spelling. */
export function addressIn(host: string): string | undefined {
  if (host.charCodeAt(0) === 91) return asWritten(host.slice(1, -1));
  return IPV4.test(host) ? host : undefined;
}

/** What the URI itself says of the transport; undefined leaves it to DNS, and to UDP where DNS is silent. */
export function transportIn(uri: SipUri): TransportName | undefined {
  const asked = parameterOf(uri.parameters, "transport")?.toLowerCase();
  if (asked === "ws" || asked === "wss") return uri.scheme === "sips" ? "wss" : asked;
  if (uri.scheme === "sips" || asked === "tls") return "tls";
  return asked === "udp" || asked === "tcp" ? asked : undefined;
}

/** The destination of a URI that names an address; undefined for one that names a host. */
export function literalDestination(uri: SipUri): Destination | undefined {
  const address = addressIn(parameterOf(uri.parameters, "maddr") ?? uri.host);
  if (address === undefined) return undefined;
  const transport = transportIn(uri) ?? "udp";
  return { transport, address, port: uri.port ?? DEFAULT_PORT[transport] };
}

/**
 * Where the responses to a request go (RFC 3261 §18.2.2, RFC 3581 §4): back over the stream it came by,
 * back to the very port a datagram came from when the sender asked for that, and else to the port it named.
 */
export function replyDestination(via: Via, source: Source): Destination {
  const { transport, address, listener, connection } = source;
  if (transport !== "udp") {
    const port = via.port ?? DEFAULT_PORT[transport];
    return { transport, address, port, listener, ...(connection !== undefined && { connection }) };
  }
  const port = rportOf(via) === undefined ? (via.port ?? DEFAULT_PORT.udp) : source.port;
  return { transport, address, port, listener };
}

/** The way back to where a message came from, whatever its headers claim. */
export function backTo({ transport, address, port, listener, connection }: Source): Destination {
  return { transport, address, port, listener, ...(connection !== undefined && { connection }) };
}
