// A binding: one phone of an extension, and how to reach it.

import { asWritten } from "../../../addresses.ts";
import { type Clock, momentOf, stampOf, type Ticks } from "../../../clock.ts";
import { isMalformed } from "../../../sip/message/malformed.ts";
import { parseSipUri, type SipUri } from "../../../sip/message/uri.ts";
import { backTo, literalDestination } from "../../../sip/transport/destination.ts";
import type { Destination, Source, TransportName } from "../../../sip/transport/transport.ts";
import type { Registration } from "../../../store/registrations.ts";

export type Binding = {
  readonly exchangeId: number;
  readonly extensionId: number;
  /** Tells the contacts of one extension apart. */
  readonly key: string;
  /** The Request-URI of whatever is sent to this phone. */
  readonly uri: string;
  /** The values of Route, in order, that lead there (RFC 3327). */
  readonly route: readonly string[];
  /** Where it goes on the wire: the phone's connection while it is up, else the address it can be reached at. */
  readonly destination: Destination;
  /** Contacts of higher preference are tried first. */
  readonly preference: number;
  readonly userAgent: string;
  /** It picks up when it is told to (Event: talk), by its own word at its last REGISTER to this process. */
  readonly takesTalk?: boolean;
  readonly source: Source;
  readonly callId: string;
  readonly cseq: number;
  readonly registeredAtMs: number;
  readonly expires: Ticks;
};

/** Nothing but a browser telephones over a WebSocket (RFC 7118), and its media are WebRTC. */
export function isBrowser({ destination }: Binding): boolean {
  return destination.transport === "ws" || destination.transport === "wss";
}

/** Its packets come from elsewhere than it believes itself to be. What is behind an edge is the edge's to keep open. */
export function isBehindNat({ uri, source }: Binding): boolean {
  if (source.client) return false;
  const contact = parseSipUri(uri);
  return isMalformed(contact) || asWritten(contact.host) !== source.address;
}

const DEFAULT_PORTS: Record<TransportName, number> = { udp: 5060, tcp: 5060, tls: 5061, ws: 80, wss: 443 };

/**
 * A contact that names the address its REGISTER came from is believed, port included. Any other one is what a phone
 * behind a NAT thinks its address is: such a phone is reached where its packets come from.
 */
export function destinationOf(contact: SipUri, source: Source, route: readonly string[]): Destination {
  if (source.client) return edgeOf(source, route);
  const { transport, connection, listener } = source;
  const honest = asWritten(contact.host) === source.address;
  const port = honest ? (contact.port ?? DEFAULT_PORTS[transport]) : source.port;
  const { address } = source;
  return connection === undefined
    ? { transport, address, port, listener }
    : { transport, address, port, listener, connection };
}

/** By the name it gave itself (RFC 3327), since a stream that it opened to us is not where it listens. */
function edgeOf(source: Source, [first = ""]: readonly string[]): Destination {
  const uri = parseSipUri(first.replace(/^<|>$/g, ""));
  const named = isMalformed(uri) ? undefined : literalDestination(uri);
  return named ? { ...named, listener: source.listener } : backTo(source);
}

/** Field by field: this runs for every registration, and spreading objects costs more than all the rest of it. */
export function storedForm(binding: Binding, clock: Clock): Registration {
  const { source } = binding;
  return {
    exchangeId: binding.exchangeId,
    extensionId: binding.extensionId,
    key: binding.key,
    contact: binding.uri,
    path: binding.route as string[], // only printed
    callId: binding.callId,
    cseq: binding.cseq,
    preference: binding.preference,
    transport: source.transport,
    sourceAddress: source.address,
    sourcePort: source.port,
    listener: source.listener,
    clientAddress: source.client?.address ?? null,
    clientPort: source.client?.port ?? null,
    userAgent: binding.userAgent,
    takesTalk: binding.takesTalk === true,
    registeredAtMs: binding.registeredAtMs,
    expiresAtMs: stampOf(clock, binding.expires),
  };
}

/** Undefined for a phone whose only way was a connection that went with the old process. */
export function fromStored(row: Registration, clock: Clock): Binding | undefined {
  // Only what `storedForm` wrote is read back.
  const transport = row.transport as TransportName;
  const contact = parseSipUri(row.contact);
  if (transport === "ws" || transport === "wss" || isMalformed(contact)) return undefined;
  const source = sourceIn(row, transport);
  const { exchangeId, extensionId, key, callId, cseq, preference, userAgent, takesTalk, registeredAtMs } = row;
  return {
    exchangeId,
    extensionId,
    key,
    uri: row.contact,
    route: row.path,
    destination: destinationOf(contact, source, row.path),
    preference,
    userAgent,
    takesTalk,
    source,
    callId,
    cseq,
    registeredAtMs,
    expires: momentOf(clock, row.expiresAtMs),
  };
}

function sourceIn(row: Registration, transport: TransportName): Source {
  const { sourceAddress: address, sourcePort: port, listener, clientAddress, clientPort } = row;
  const source = { transport, address, port, listener };
  return clientAddress === null ? source : { client: { address: clientAddress, port: clientPort ?? 0 }, ...source };
}
