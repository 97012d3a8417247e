// What this machine knows of names by itself: its hosts file, and the domains in which it looks for names without a dot.

import { readFile, stat } from "node:fs/promises";
import { isIP } from "node:net";
import { type Clock, since, type Ticks } from "./clock.ts";

export type HostsFile = {
  /** Undefined: nothing is written of it, name servers are asked. */
  addressesOf(name: string): Promise<string[] | undefined>;
  searchDomains(): Promise<readonly string[]>;
};

export type HostsFilePaths = { hosts: string; resolver: string };

const usual: HostsFilePaths = { hosts: "/etc/hosts", resolver: "/etc/resolv.conf" };
/** Whoever changes a file waits so long for it. */
const LOOK_AFTER_MS = 5_000;
const MOST_DOMAINS = 6;
const LOOPBACK = ["127.0.0.1", "::1"];

export function openHostsFile(clock: Clock, { hosts, resolver }: HostsFilePaths = usual): HostsFile {
  const names = keep(clock, hosts, readHosts);
  const domains = keep(clock, resolver, readSearchDomains);
  return {
    async addressesOf(name) {
      return (await names()).get(name) ?? (name === "localhost" ? LOOPBACK : undefined);
    },
    searchDomains: domains,
  };
}

/** What is read of a file, anew when it has changed. One that is not there is empty. */
function keep<Read>(clock: Clock, path: string, read: (text: string) => Read): () => Promise<Read> {
  let mark = "";
  let known = read("");
  let looked: Ticks | undefined;
  let looking: Promise<void> | undefined;
  const look = async () => {
    const is = await stat(path).catch(() => undefined);
    const now = is ? `${is.mtimeMs} ${is.size} ${is.ino}` : "";
    if (now !== mark) known = read(await readFile(path, "utf8").catch(() => ""));
    mark = now;
    looked = clock.ticks();
  };
  return async () => {
    if (looked !== undefined && since(clock, looked) < LOOK_AFTER_MS) return known;
    looking ??= look().finally(() => {
      looking = undefined;
    });
    await looking;
    return known;
  };
}

function readHosts(text: string): Map<string, string[]> {
  const known = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = wordsOf(line);
    if (isIP(address) === 0) continue;
    for (const name of names.map((it) => it.toLowerCase())) known.set(name, [...(known.get(name) ?? []), address]);
  }
  return known;
}

/** The last line that says any (resolv.conf(5)). */
function readSearchDomains(text: string): readonly string[] {
  const said = text
    .split("\n")
    .map(wordsOf)
    .filter(([word]) => word === "search" || word === "domain");
  return (said.at(-1) ?? []).slice(1, 1 + MOST_DOMAINS).map((it) => it.toLowerCase().replace(/\.$/, ""));
}

function wordsOf(line: string): string[] {
  return (line.split("#", 1)[0] ?? "").split(/\s/).filter((word) => word !== "");
}
