// What an earlier process of the same data folder left in its ledgers: read once at the start, gone when it is not needed.

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { StreamId } from "../engine.ts";
import { machineMs, machineStart } from "./boot-clock.ts";
import type { KeptStream } from "./kept-stream.ts";
import { LONGEST_AWAY_MS } from "./kept-stream.ts";
import { LEDGER_NAME } from "./ledger.ts";
import { LEDGER_VERSION, PAGE_BYTES, readHead, readPage } from "./ledger-page.ts";

export type LeftBehind = {
  /** What can be gone on with, and at which of our addresses. */
  streams: Map<StreamId, { kept: KeptStream; at: number }>;
  /** When the recordings of them began, by file. */
  recordings: Map<string, number>;
  /** Whether a later process could still read it. */
  isThere(): boolean;
  /** Everything that was read. */
  forget(): void;
};

export const nothingLeft: LeftBehind = {
  streams: new Map(),
  recordings: new Map(),
  isThere: () => false,
  forget: () => undefined,
};

type Needs = {
  folder: string;
  addresses: readonly string[];
  log: { warn(details: object, message: string): void };
};

export function readLeftBehind({ folder, addresses, log }: Needs): LeftBehind {
  const names = filesIn(folder).filter((name) => LEDGER_NAME.test(name));
  const left: LeftBehind = {
    streams: new Map(),
    recordings: new Map(),
    isThere: () => names.length > 0,
    forget: () => {
      for (const name of names.splice(0)) rmSync(join(folder, name), { force: true });
    },
  };
  for (const name of names) {
    for (const found of pagesOf(join(folder, name))) {
      const why = typeof found === "string" ? found : whyNot(found, addresses);
      if (why !== undefined) {
        const stream = typeof found === "string" ? undefined : found.facts.id;
        log.warn({ stream, ledger: name, why }, "a stream that was left behind cannot be gone on with");
      } else if (typeof found !== "string") note(left, found, addresses);
    }
  }
  if (left.streams.size === 0) left.forget();
  return left;
}

/** A process that died while it went on with a stream left two pages of it: the newer one is true. */
function note({ streams, recordings }: LeftBehind, kept: KeptStream, addresses: readonly string[]): void {
  const { facts, counters } = kept;
  for (const { path, begunMs } of facts.recordings) recordings.set(path, begunMs);
  const known = streams.get(facts.id);
  if (known && known.kept.counters.stampMs >= counters.stampMs) return;
  streams.set(facts.id, { kept, at: addresses.indexOf(facts.bound) });
}

function whyNot({ facts, counters }: KeptStream, addresses: readonly string[]): string | undefined {
  const passedMs = machineMs() - counters.stampMs;
  if (passedMs > LONGEST_AWAY_MS || passedMs < 0) return "too long ago";
  if (!addresses.includes(facts.bound)) return "its address is not ours any more";
  // Keys that were still being agreed on are agreed on with nobody now.
  return facts.settings.dtls && !facts.keys ? "its handshake was not over" : undefined;
}

function pagesOf(path: string): (KeptStream | string)[] {
  const bytes = readFileSync(path);
  if (bytes.length < PAGE_BYTES) return [];
  const head = readHead(bytes.subarray(0, PAGE_BYTES));
  if (head?.version !== LEDGER_VERSION) return ["another version wrote it"];
  if (head.machine !== machineStart()) return ["the machine was started anew"];
  const found: (KeptStream | string)[] = [];
  for (let at = PAGE_BYTES; at + PAGE_BYTES <= bytes.length; at += PAGE_BYTES) {
    const page = readPage(bytes.subarray(at, at + PAGE_BYTES));
    if (page !== "empty") found.push(page === "torn" ? "its page is torn" : page);
  }
  return found;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
