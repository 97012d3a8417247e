// Which names this server answers to: a page of a stranger's, whose name was made to lead here (DNS rebinding), asks for
// that name, and gets nothing. Addresses are always answered to: nobody else's page can have one of ours as its origin.

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { PeerCheck } from "./client-address.ts";

/** `any`, or names; `*.example.com` means each name below that. */
export type HostNames = "any" | readonly string[];

export type HostsNeeds = {
  /** What we are called besides. */
  more: HostNames;
  /** Addresses of ours as others write them, each with the name in it. */
  urls: readonly (string | undefined)[];
  /** Whose X-Forwarded-Host is believed. */
  isTrusted: PeerCheck;
  /** Everybody may read what is counted, so any name will do for it. */
  metricsFromAnywhere?: boolean | undefined;
  /** Signed for by another node, which has looked at the name already. */
  isPassedOn?(headers: IncomingMessage["headers"]): boolean;
  /** Told of a name that was refused, of each once. */
  onRefused(name: string): void;
};

export type Hosts = (request: Pick<IncomingMessage, "headers" | "socket" | "url">) => boolean;

/** Told by whoever sees that we live, by whatever name; nothing is in the answer. */
const SIGNS_OF_LIFE = /^\/(?:healthz|readyz)(?:\?|$)/;
const METRICS = /^\/metrics(?:\?|$)/;
const MOST_TOLD = 100;
const MOST_KNOWN = 1_000;

export function openHosts({ more, urls, isTrusted, metricsFromAnywhere, isPassedOn, onRefused }: HostsNeeds): Hosts {
  if (more === "any") return () => true;
  const names = [...urls.flatMap(nameIn), ...more.map((name) => name.toLowerCase())];
  const exact = new Set(names.filter((name) => !name.startsWith("*.")));
  const below = names.flatMap((name) => (name.startsWith("*.") ? name.slice(1) : []));
  const told = new Set<string>();
  const known = new Set<string>();
  const isForAnyone = (url: string) => SIGNS_OF_LIFE.test(url) || (metricsFromAnywhere === true && METRICS.test(url));
  const isOurs = (host: string) => {
    if (known.has(host)) return true;
    const name = nameOf(host);
    const ours = name !== undefined && (isOurOwn(name) || exact.has(name) || below.some((end) => name.endsWith(end)));
    if (ours && known.size < MOST_KNOWN) known.add(host);
    return ours;
  };
  return ({ headers, socket, url = "/" }) => {
    const host = askedFor(headers, socket.remoteAddress, isTrusted);
    // Programs of before HTTP/1.1 name no host; browsers always do.
    if (host === undefined || isOurs(host) || isForAnyone(url) || isPassedOn?.(headers)) return true;
    const short = host.slice(0, 253);
    if (told.size < MOST_TOLD && !told.has(short)) onRefused(short);
    told.add(short);
    return false;
  };
}

/** Of a proxy that is trusted the name that it was asked for itself: the one to us may be its own word for us. */
function askedFor(
  { host, "x-forwarded-host": forwarded }: IncomingMessage["headers"],
  peer: string | undefined,
  isTrusted: PeerCheck,
): string | undefined {
  if (forwarded === undefined || !isTrusted(peer)) return host;
  // Each proxy appends; what the nearest one to us heard is the last.
  return String(forwarded).split(",").at(-1)?.trim();
}

/** Without the port, and in lower case; nothing where it is not written as a host is. */
function nameOf(host: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(host) ?? [];
  return (bracketed ?? plain)?.toLowerCase().replace(/\.$/, "");
}

/** Public DNS has no name without a dot, so no stranger's page has one: services of containers and of a LAN do. */
function isOurOwn(name: string): boolean {
  return isIP(name) !== 0 || !name.includes(".") || name.endsWith(".localhost");
}

function nameIn(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  return [nameOf(new URL(url).host) ?? []].flat(); // none where it is written as no host is
}
