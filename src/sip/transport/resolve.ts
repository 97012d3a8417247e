// DNS for the stack: asked with a time limit, remembered for a while, and silent instead of failing.

import { Resolver } from "node:dns/promises";
import { type Clock, type Ticks, within } from "../../clock.ts";
import { type Dns, locate } from "./locate.ts";
import type { Destination, TransportName } from "./transport.ts";

export type ResolveOptions = {
  clock: Clock;
  transports: readonly TransportName[];
  /** For all questions of one address together. */
  limitMs?: number;
  /** How long an answer is believed, and how long the lack of one. */
  rememberMs?: number;
  rememberNothingMs?: number;
  /** Addresses remembered; the oldest goes first. */
  remembered?: number;
  dns?: Dns;
  /** Whom to ask, as address or address:port; the system's when there are none. */
  nameServers?: readonly string[];
};

export type Resolve = (uri: string) => Promise<Destination[]>;

export function openResolve(options: ResolveOptions): Resolve {
  const {
    clock,
    transports,
    limitMs = 4_000,
    rememberMs = 60_000,
    rememberNothingMs = 5_000,
    remembered = 1_000,
  } = options;
  const dns = options.dns ?? systemDns(options.nameServers ?? []);
  const known = new Map<string, { until: Ticks; answer: Promise<Destination[]> }>();

  return (uri) => {
    const entry = known.get(uri);
    if (entry && entry.until > clock.ticks()) return entry.answer;
    const answer = withinLimit(locate(uri, { dns, transports, chance: Math.random }));
    remember(uri, answer);
    return answer;
  };

  function remember(uri: string, answer: Promise<Destination[]>) {
    known.delete(uri);
    const oldest = known.keys().next();
    if (known.size >= remembered && !oldest.done) known.delete(oldest.value);
    const entry = { until: within(clock, rememberMs), answer };
    known.set(uri, entry);
    void answer.then((found) => {
      if (found.length === 0) entry.until = within(clock, rememberNothingMs);
    });
  }

  function withinLimit(answer: Promise<Destination[]>): Promise<Destination[]> {
    return new Promise((resolve) => {
      const cancel = clock.after(limitMs, () => resolve([]));
      answer.then(
        (found) => {
          cancel();
          resolve(found);
        },
        () => {
          cancel();
          resolve([]);
        },
      );
    });
  }
}

function systemDns(nameServers: readonly string[]): Dns {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (nameServers.length > 0) resolver.setServers(nameServers);
  const silent = <Answer>(answer: Promise<Answer[]>): Promise<Answer[]> => answer.catch(() => []);
  return {
    async addresses(name) {
      const [four, six] = await Promise.all([silent(resolver.resolve4(name)), silent(resolver.resolve6(name))]);
      return [...four, ...six];
    },
    services: (name) => silent(resolver.resolveSrv(name)),
    naming: (name) => silent(resolver.resolveNaptr(name)),
  };
}
