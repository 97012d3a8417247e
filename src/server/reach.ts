// Where each peer finds us: the address of the way to it, or the public one for those outside the local networks.

import { networkInterfaces } from "node:os";
import { asWritten, familyOf, fromHere, isUnspecified, liesIn, networkOf, octetsOf, printed } from "../addresses.ts";
import { type Clock, type Ticks, within } from "../clock.ts";
import type { Config } from "../config.ts";
import { askSystem } from "./route.ts";

export type Reach = {
  /** Of these hosts that we listen at, the one that this peer is spoken to from; undefined when none leads there. */
  boundFor(peer: string, listens: readonly string[]): string | undefined;
  /** What this peer is told of where we are, when it is spoken to from there. */
  toldTo(peer: string, bound: string): string;
  /** A relay of ours: what it says of its own address is so, also where it is a private one. */
  isRelay(address: string): boolean;
  /** An address of this machine, or one by which the world knows it: what is sent there comes back to us. */
  isOwn(address: string): boolean;
};

/** The address of ours that the system would send from; undefined when there is no way. */
export type Route = (peer: string) => string | undefined;

export type ReachNeeds = Pick<Config, "publicIp" | "localNetworks"> & {
  edges?: Config["edges"];
  clock: Clock;
  route?: Route;
  interfaces?: typeof networkInterfaces;
};

/** A way that changes, as when a tunnel opens, is noticed after so long. */
const REMEMBERED_MS = 30_000;
const NO_WAY_REMEMBERED_MS = 2_000;
const MOST_REMEMBERED = 20_000;

export function openReach(needs: ReachNeeds): Reach {
  const { publicIp, localNetworks, edges = [], clock, route = askSystem, interfaces = networkInterfaces } = needs;
  const ways = new Map<string, { way: Way; until: Ticks }>();
  let own: { addresses: ReadonlySet<string>; until: Ticks } | undefined;

  return {
    boundFor(peer, listens) {
      const { family, local } = wayTo(peer);
      if (local === undefined) return undefined;
      const fitting = listens.filter((host) => familyOf(host) === family);
      return fitting.find((host) => host === local) ?? fitting.find(isUnspecified) ?? fitting[0];
    },
    toldTo(peer, bound) {
      const { family, outside, local } = wayTo(peer);
      const isSpokenTo = family === familyOf(bound);
      if (isSpokenTo && outside !== undefined) return outside;
      if (!isUnspecified(bound)) return bound;
      return ((isSpokenTo && local) || anyAddress(interfaces, familyOf(bound))) ?? fromHere(bound);
    },
    isRelay: (address) => edges.includes(asWritten(address)),
    isOwn: (address) => publicIp.includes(asWritten(address)) || ownAddresses().has(asWritten(address)),
  };

  /** Asked of each of a thousand trunks in a row. */
  function ownAddresses(): ReadonlySet<string> {
    if (!own || own.until <= clock.ticks()) {
      const addresses = ownNetworks(interfaces).map(({ octets }) => printed(octets));
      own = { addresses: new Set(addresses), until: within(clock, REMEMBERED_MS) };
    }
    return own.addresses;
  }

  function wayTo(peer: string): Way {
    const known = ways.get(peer);
    if (known && known.until > clock.ticks()) return known.way;
    const way = look(asWritten(peer));
    if (ways.size >= MOST_REMEMBERED) ways.clear();
    const rememberedMs = way.local === undefined ? NO_WAY_REMEMBERED_MS : REMEMBERED_MS;
    ways.set(peer, { way, until: within(clock, rememberedMs) });
    return way;
  }

  function look(peer: string): Way {
    const local = octetsOf(peer) ? route(peer) : undefined;
    const family = familyOf(peer);
    const outside = publicIp.find((address) => familyOf(address) === family);
    return { family, local, outside: outside === undefined || isLocal(peer) ? undefined : outside };
  }

  function isLocal(peer: string): boolean {
    const octets = octetsOf(peer);
    if (!octets) return false;
    const { networks, own } = localNetworks;
    if (networks.some((network) => liesIn(octets, network))) return true;
    // What runs on this very machine finds us there, whatever the settings say of networks.
    return ownNetworks(interfaces).some(
      (network) => (own && liesIn(octets, network)) || printed(network.octets) === printed(octets),
    );
  }
}

type Way = {
  family: 4 | 6;
  /** The system's own choice. */
  local: string | undefined;
  /** The public address, for a peer that sees us by it. */
  outside: string | undefined;
};

function ownNetworks(interfaces: typeof networkInterfaces) {
  return Object.values(interfaces()).flatMap((addresses) =>
    (addresses ?? []).flatMap(({ cidr }) => (cidr && networkOf(cidr)) || []),
  );
}

/** Without a way there is still something to say: the first address that others could reach. */
function anyAddress(interfaces: typeof networkInterfaces, family: 4 | 6): string | undefined {
  return Object.values(interfaces())
    .flatMap((addresses) => addresses ?? [])
    .find((it) => it.family === `IPv${family}` && !it.internal && !it.address.startsWith("fe80"))?.address;
}
