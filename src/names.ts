// Where hosts are that somebody outside has named. The system's own look-up takes one of four threads for as long as a name
// server is silent, and cannot be taken back: a few names of one customer would keep everybody's waiting.

import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { type Clock, type Ticks, within } from "./clock.ts";
import { type HostsFile, openHostsFile } from "./hosts-file.ts";

export type Resolve = (host: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export type NamesOptions = {
  clock: Clock;
  /** Whom to ask, as address or address:port; the system's when there are none. */
  nameServers?: readonly string[];
  hostsFile?: HostsFile;
  /** For all questions about one name. */
  limitMs?: number;
};

type Answer = { addresses: LookupAddress[]; keepMs: number } | { failed: NameFailed; keepMs: number };
type Known = { until: Ticks | undefined; answer: Promise<Answer> };

/** `code` as the system's look-up has it. */
class NameFailed extends Error {
  readonly code: "ENOTFOUND" | "EAI_AGAIN";

  constructor(host: string, code: NameFailed["code"]) {
    super(code === "ENOTFOUND" ? `${host} has no address` : `no name server says where ${host} is`);
    this.code = code;
  }
}

const LIMIT_MS = 4_000;
/** Once there are addresses of one family, those of the other are worth waiting for so long. */
const OTHER_FAMILY_MS = 500;
const MOST_KNOWN = 1_000;
/** Answers are believed as long as they say, within these. */
const LEAST_MS = 1_000;
const LONGEST_MS = 60_000;
const FAILURE_MS = 5_000;
/** Nobody's, and there may be others by now. */
const NOTHING_FOUND = ["ENOTFOUND", "ENODATA", "EBADNAME"];

export function openNames(options: NamesOptions): Resolve {
  const { clock, nameServers = [], limitMs = LIMIT_MS, hostsFile = openHostsFile(options.clock) } = options;
  const known = new Map<string, Known>();

  return (host, done) => {
    const name = host.toLowerCase().replace(/\.$/, "");
    void answerFor(name).then((answer) => {
      if ("failed" in answer) done(answer.failed, []);
      else done(null, answer.addresses);
    });
  };

  function answerFor(name: string): Promise<Answer> {
    const entry = known.get(name);
    if (entry && (entry.until === undefined || entry.until > clock.ticks())) return entry.answer;
    const answer = find(name);
    const fresh: Known = { until: undefined, answer };
    known.delete(name);
    const oldest = known.keys().next();
    if (known.size >= MOST_KNOWN && !oldest.done) known.delete(oldest.value);
    known.set(name, fresh);
    void answer.then(({ keepMs }) => {
      fresh.until = within(clock, keepMs);
    });
    return answer;
  }

  async function find(name: string): Promise<Answer> {
    const own = isIP(name) === 0 ? await hostsFile.addressesOf(name) : [name];
    if (own) return { addresses: own.map(withFamily), keepMs: 0 };
    const around = name.includes(".") ? [] : await hostsFile.searchDomains();
    let answer: Answer | undefined;
    for (const domain of around) {
      answer = await ask(`${name}.${domain}`);
      if ("addresses" in answer) return answer;
    }
    return ask(name);
  }

  /** A resolver for each name: what is taken back then is this name's alone. */
  function ask(name: string): Promise<Answer> {
    const resolver = new Resolver({ timeout: 1_500, tries: 2 });
    if (nameServers.length > 0) resolver.setServers(nameServers);
    return new Promise((settle) => {
      const found: { address: string; ttl: number }[] = [];
      let open = 2;
      let isKnownToBeNowhere = true;
      const finish = () => {
        cancel();
        resolver.cancel();
        settle(found.length > 0 ? answerOf(found) : failure(name, isKnownToBeNowhere && open === 0));
      };
      let cancel = clock.after(limitMs, finish);
      const next = () => {
        open--;
        if (open === 0) return finish();
        if (found.length === 0) return;
        cancel();
        cancel = clock.after(Math.min(limitMs, OTHER_FAMILY_MS), finish);
      };
      const hear = (asked: Promise<{ address: string; ttl: number }[]>) =>
        asked.then(
          (some) => {
            found.push(...some);
            next();
          },
          (error: { code?: string }) => {
            if (!NOTHING_FOUND.includes(error.code ?? "")) isKnownToBeNowhere = false;
            next();
          },
        );
      void hear(resolver.resolve4(name, { ttl: true }));
      void hear(resolver.resolve6(name, { ttl: true }));
    });
  }
}

/** For a connection to whatever address it is. */
export function lookupBy(resolve: Resolve): LookupFunction {
  return (host, options, done) =>
    resolve(host, (error, addresses) => {
      if (error || options.all) return done(error, addresses);
      const [{ address, family }] = addresses as [LookupAddress]; // without an error there is one
      done(null, address, family);
    });
}

function answerOf(found: readonly { address: string; ttl: number }[]): Answer {
  const seconds = Math.min(...found.map(({ ttl }) => ttl));
  const keepMs = Math.max(LEAST_MS, Math.min(LONGEST_MS, seconds * 1_000));
  // Where only one is tried, it is one that most machines can reach.
  const addresses = found.map(({ address }) => withFamily(address)).sort((one, other) => one.family - other.family);
  return { addresses, keepMs };
}

function failure(name: string, isNowhere: boolean): Answer {
  return { failed: new NameFailed(name, isNowhere ? "ENOTFOUND" : "EAI_AGAIN"), keepMs: FAILURE_MS };
}

const withFamily = (address: string): LookupAddress => ({ address, family: isIP(address) });
