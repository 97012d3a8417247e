// Keeps webhooks from being used to reach what only this machine can reach: which URLs and addresses may be called.

import { BlockList, isIP, type LookupFunction } from "node:net";
import { lookupBy, type Resolve } from "../names.ts";

export type GuardOptions = {
  /** The operator's own network is meant to be reached. */
  privateAllowed: boolean;
};

export type CheckedUrl = { url: URL } | { refused: string; why: "bad-url" | "not-public" };

/** A name leads to an address that is not called. */
export class NotPublic extends Error {}

const LONGEST_URL = 2_000;

// Ports on which a POST could be taken for something else: mail, IRC, databases, caches, print and file servers, SIP.
const NO_WEB_PORTS = [1433, 1521, 2049, 2375, 3306, 3389, 5060, 5061, 5432, 5900, 6000, 6379, 6667, 9100, 11211, 27017];

const nobodysRanges: [network: string, prefix: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["240.0.0.0", 4],
  // Only 2000::/3 is in use on the public network. Of that: Teredo, ORCHID, documentation and 6to4, which wrap others.
  ["::", 3],
  ["4000::", 2],
  ["8000::", 1],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const manysRanges: [network: string, prefix: number][] = [
  ["224.0.0.0", 4],
  ["255.255.255.255", 32],
  ["ff00::", 8],
];

const notPublic = blockLists(nobodysRanges);
const notOne = blockLists(manysRanges);

export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !isIn(notPublic, address) && !isIn(notOne, address);
}

/** Whether the text may be a webhook URL at all. Names are resolved and checked when the connection is made. */
export function checkUrl(text: string, { privateAllowed }: GuardOptions): CheckedUrl {
  if (text.length > LONGEST_URL || !URL.canParse(text)) return { refused: "not a valid URL", why: "bad-url" };
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { refused: "only http and https are called", why: "bad-url" };
  if (url.username !== "" || url.password !== "")
    return { refused: "a URL with credentials is not called", why: "bad-url" };
  if (!privateAllowed && !isWebPort(url.port)) return { refused: `port ${url.port} is not called`, why: "bad-url" };
  // The parser has turned octal, hexadecimal and one-number addresses into plain ones.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !mayCall(host, privateAllowed))
    return { refused: `${host} is not a public address`, why: "not-public" };
  return { url };
}

/** For a connection: every address of the name must be allowed, and the very ones that were checked are connected to. */
export function guardedLookup({ privateAllowed, resolve }: GuardOptions & { resolve: Resolve }): LookupFunction {
  return (host, options, done) => {
    const checked: Resolve = (name, tell) =>
      resolve(name, (error, addresses) => {
        const forbidden = addresses?.find(({ address }) => !mayCall(address, privateAllowed));
        if (error || addresses.length === 0) tell(error ?? new Error(`${host} has no address`), []);
        else if (forbidden)
          tell(new NotPublic(`${host} is at ${forbidden.address}, which is not a public address`), []);
        else tell(null, addresses);
      });
    lookupBy(checked)(host, options, done);
  };
}

function mayCall(address: string, privateAllowed: boolean): boolean {
  return privateAllowed ? isIP(address) !== 0 && !isIn(notOne, address) : isPublicAddress(address);
}

function isWebPort(port: string): boolean {
  if (port === "" || port === "80" || port === "443") return true;
  return Number(port) >= 1_024 && !NO_WEB_PORTS.includes(Number(port));
}

function isIn(lists: Lists, address: string): boolean {
  return isIP(address) === 6 ? lists.ipv6.check(address, "ipv6") : lists.ipv4.check(address, "ipv4");
}

// One list a family: in a mixed one every IPv4 address is also sought in its IPv6 clothing, which is never public.
type Lists = { ipv4: BlockList; ipv6: BlockList };

function blockLists(ranges: [string, number][]): Lists {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const [network, prefix] of ranges) {
    const family = network.includes(":") ? "ipv6" : "ipv4";
    lists[family].addSubnet(network, prefix, family);
  }
  return lists;
}
