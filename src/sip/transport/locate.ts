// From a SIP address to the servers that answer for it, in the order to try them (RFC 3263). DNS is passed in.

import { asWritten } from "../../addresses.ts";
import { isMalformed } from "../message/malformed.ts";
import { parameterOf } from "../message/parameters.ts";
import { parseSipUri, type SipUri } from "../message/uri.ts";
import { addressIn, DEFAULT_PORT, literalDestination, transportIn } from "./destination.ts";
import type { Destination, TransportName } from "./transport.ts";

export type ServiceRecord = { name: string; port: number; priority: number; weight: number };
export type NamingRecord = { service: string; flags: string; replacement: string; order: number; preference: number };

/** Every answer may be empty; none is an error. */
export type Dns = {
  addresses(name: string): Promise<string[]>;
  services(name: string): Promise<ServiceRecord[]>;
  naming(name: string): Promise<NamingRecord[]>;
};

export type LocateOptions = {
  dns: Dns;
  /** Which we can speak, the best first. */
  transports: readonly TransportName[];
  /** 0 to 1, for the lottery among servers of one priority. */
  chance(): number;
};

/** However many a domain names: each of them is asked about, and a stranger's Contact may name a domain of his own. */
const MOST_SERVERS = 16;
const MOST_NAMINGS = 4;
const MOST_ADDRESSES = 16;

/** An empty list when the address leads nowhere. */
export async function locate(uri: string, options: LocateOptions): Promise<Destination[]> {
  const parsed = parseSipUri(uri);
  if (isMalformed(parsed)) return [];
  const literal = literalDestination(parsed);
  if (literal) return [literal];
  const host = parameterOf(parsed.parameters, "maddr") ?? parsed.host;
  const asked = transportIn(parsed);
  if (parsed.port !== undefined) return hosts(options.dns, [{ name: host, port: parsed.port }], asked ?? "udp", host);
  const found = asked ? await byService(host, asked, options) : await byName(host, parsed, options);
  if (found.length > 0) return found;
  const transport = asked ?? "udp";
  return hosts(options.dns, [{ name: host, port: DEFAULT_PORT[transport] }], transport, host);
}

const SERVICES: Partial<Record<TransportName, string>> = { udp: "_sip._udp", tcp: "_sip._tcp", tls: "_sips._tcp" };
const NAMING: Record<string, TransportName> = { "sip+d2u": "udp", "sip+d2t": "tcp", "sips+d2t": "tls" };

/** The domain says by NAPTR which transports it likes; a silent one is asked for each service in turn (§4.1). */
async function byName(host: string, uri: SipUri, options: LocateOptions): Promise<Destination[]> {
  const wanted = (await options.dns.naming(host))
    .filter(
      ({ service, flags }) => flags.toLowerCase() === "s" && canSpeak(NAMING[service.toLowerCase()], uri, options),
    )
    .sort((one, other) => one.order - other.order || one.preference - other.preference)
    .slice(0, MOST_NAMINGS);
  const found: Destination[] = [];
  for (const { service, replacement } of wanted) {
    const transport = NAMING[service.toLowerCase()]!; // `canSpeak` has let it through.
    found.push(...(await hosts(options.dns, drawn(await options.dns.services(replacement), options), transport, host)));
  }
  if (found.length > 0) return found;
  for (const transport of options.transports)
    if (canSpeak(transport, uri, options)) found.push(...(await byService(host, transport, options)));
  return found;
}

function canSpeak(transport: TransportName | undefined, { scheme }: SipUri, { transports }: LocateOptions): boolean {
  if (transport === undefined || SERVICES[transport] === undefined) return false;
  return transports.includes(transport) && (scheme === "sip" || transport === "tls");
}

async function byService(host: string, transport: TransportName, options: LocateOptions): Promise<Destination[]> {
  const service = SERVICES[transport];
  if (service === undefined) return [];
  return hosts(options.dns, drawn(await options.dns.services(`${service}.${host}`), options), transport, host);
}

/** By priority, and within one by lot, the heavier the likelier first (RFC 2782); of very many the first. */
export function drawn(records: ServiceRecord[], { chance }: Pick<LocateOptions, "chance">): ServiceRecord[] {
  const order: ServiceRecord[] = [];
  const left = records.toSorted((one, other) => one.priority - other.priority || one.weight - other.weight);
  while (left.length > 0 && order.length < MOST_SERVERS) {
    const equals = left.filter(({ priority }) => priority === left[0]!.priority);
    const total = equals.reduce((sum, { weight }) => sum + weight, 0);
    const won = winner(equals, chance() * total);
    order.push(won);
    left.splice(left.indexOf(won), 1);
  }
  return order;
}

function winner(equals: ServiceRecord[], lot: number): ServiceRecord {
  let left = lot;
  for (const record of equals) {
    left -= record.weight;
    if (left <= 0) return record;
  }
  return equals[0]!; // Only rounding leads here, and the list is never empty.
}

async function hosts(
  dns: Dns,
  servers: readonly { name: string; port: number }[],
  transport: TransportName,
  serverName: string,
): Promise<Destination[]> {
  const lists = await Promise.all(
    servers.map(async ({ name, port }) => {
      const literal = addressIn(name);
      const addresses = literal === undefined ? await dns.addresses(name) : [literal];
      return addresses
        .slice(0, MOST_ADDRESSES)
        .map(asWritten)
        .map((address): Destination => ({ transport, address, port, serverName }));
    }),
  );
  return lists.flat();
}
