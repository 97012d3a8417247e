// The register of addresses: which trunks a request from there may have come by, asked for every message that comes in. It
// holds those of every exchange, so nothing is asked of each trunk.

import type { Log } from "../../../log.ts";
import type { TrunkApproval, TrunkSetup } from "../../../store/trunk-state.ts";
import { networkIndex } from "../../plan/network-index.ts";
import type { Candidate } from "./match.ts";
import type { RunningTrunk } from "./running-trunk.ts";
import { addressesToProve, isApprovedAt, type OwnAddresses, ownAddresses, type TrunkGround } from "./whose-address.ts";

export type Register = {
  /** Those of one exchange in the order in which they are tried. */
  trunksFor(address: string, user: string | undefined): Candidate[];
  /** Whether that trunk has it by the operator's word, and not by an answer alone. */
  isApproved(trunkId: number, address: string): boolean;
  /** A wide network is left out: most of it is no carrier's. */
  isOfTrunk(address: string): boolean;
  /** Whether calls of one trunk may come from both. */
  isOneTrunks(address: string, other: string): boolean;
  /** Whether calls of that trunk may come from there. */
  mayCallFrom(trunkId: number, address: string): boolean;
  /** Whether that trunk has it. */
  isOf(exchangeId: number, name: string, address: string): boolean;
  /** Whether its voice may be at that address: by a network of its voice, or since it has its SIP there. */
  hasVoiceAt(exchangeId: number, name: string, address: string): boolean;
  /** Addresses that a trunk names and that are not its own yet. */
  waitingOf(trunkId: number): readonly string[];
  /** Of those, and of what is not proved for long any more, the ones at which a server could show itself. */
  toProve(line: RunningTrunk, fresh: readonly string[]): readonly string[];
  /** What is known of that trunk is looked at anew when somebody asks next. */
  changed(trunkId: number): void;
};

type RegisterParts = {
  lines: ReadonlyMap<number, RunningTrunk>;
  approvalsOf(trunkId: number): readonly TrunkApproval[];
  isAlone(): boolean;
  isHouse(address: string): boolean;
  log: Log;
};

type Entry = { ground: TrunkGround; trunk: TrunkSetup; own: OwnAddresses; addresses: Record<Kind, readonly string[]> };

/** Servers that we call; where calls may come from; where voice may be; what is named and nobody has shown to be its own. */
const KINDS = ["called", "narrow", "wide", "media", "waiting"] as const;
type Kind = (typeof KINDS)[number];

export function openRegister(parts: RegisterParts): Register {
  const { lines, isHouse, log } = parts;
  const places = openPlaces(parts);
  return {
    trunksFor(address, user) {
      const meant = registeredAs(lines, user);
      if (meant) return [{ trunk: meant, isWide: false }];
      const found = candidatesAt(address);
      if (found.length === 0) tellOfClaims(address);
      return found;
    },
    isApproved: (trunkId, address) => {
      const ground = places.entryOf(trunkId)?.ground;
      return ground !== undefined && isApprovedAt(ground, address);
    },
    isOfTrunk: (address) => places.has("narrow", address),
    isOneTrunks(address, other) {
      const theirs = new Set(places.at(other, PLACES_OF_CALLERS));
      return places.at(address, PLACES_OF_CALLERS).some((entry) => theirs.has(entry));
    },
    mayCallFrom: (trunkId, address) => places.at(address, PLACES_OF_CALLERS).some(({ trunk }) => trunk.id === trunkId),
    isOf: (exchangeId, name, address) =>
      places.at(address, PLACES_OF_CALLS).some((entry) => isNamed(entry, exchangeId, name)),
    hasVoiceAt: (exchangeId, name, address) =>
      places.at(address, PLACES_OF_VOICE).some((entry) => isNamed(entry, exchangeId, name)),
    waitingOf(trunkId) {
      const own = places.entryOf(trunkId)?.own;
      return own ? [...own.waiting, ...own.mediaWaiting] : [];
    },
    toProve: (line, proved) =>
      addressesToProve({ ...groundOf(parts, line), proved }).filter((address) => !isHouse(address)),
    changed: places.changed,
  };

  function candidatesAt(address: string): Candidate[] {
    const narrow = new Set(places.at(address, ["narrow"]));
    const all = [...new Set([...narrow, ...places.at(address, ["wide"])])].sort(inOrder);
    return all.map((entry) => ({ trunk: entry.trunk, isWide: !narrow.has(entry) }));
  }

  /** Said once of each trunk, until something of it changes. */
  function tellOfClaims(address: string): void {
    const entry = places.takeOne("waiting", address);
    if (!entry) return;
    const what = { exchange: entry.trunk.exchangeId, trunk: entry.trunk.name, address };
    log.warn(what, "a call from an address that a trunk names was not taken: it waits for approval or proof");
  }
}

/** The trunks by their addresses; one that has changed is looked at anew when somebody asks next. */
function openPlaces(parts: RegisterParts) {
  const { lines, isAlone, isHouse } = parts;
  const entries = new Map<number, Entry>();
  const found = new Map(KINDS.map((kind) => [kind, networkIndex<Entry>()]));
  const stale = new Set<number>();
  let wasAlone = isAlone();
  return {
    changed: (trunkId: number) => void stale.add(trunkId),
    entryOf(trunkId: number): Entry | undefined {
      lookAgain();
      return entries.get(trunkId);
    },
    has(kind: Kind, address: string): boolean {
      lookAgain();
      return found.get(kind)?.has(address) === true && (!isHouse(address) || ownersAt(address, kind).length > 0);
    },
    at(address: string, kinds: readonly Kind[]): Entry[] {
      lookAgain();
      return kinds.flatMap((kind) => ownersAt(address, kind));
    },
    /** Of that kind it is not found again until something of it changes. */
    takeOne(kind: Kind, address: string): Entry | undefined {
      lookAgain();
      const index = found.get(kind);
      const entry = index?.oneOf(address);
      for (const it of entry?.addresses[kind] ?? []) index?.remove(it, entry!); // it had it
      return entry;
    },
  };

  /** What proof somewhere else in a network is worth ends at the house. */
  function ownersAt(address: string, kind: Kind): Entry[] {
    const owners = found.get(kind)?.ownersOf(address) ?? [];
    if (owners.length === 0 || !PLACES_OF_CALLERS.includes(kind) || !isHouse(address)) return owners;
    return owners.filter(({ ground }) => ground.isAlone || isApprovedAt(ground, address));
  }

  function lookAgain(): void {
    if (isAlone() !== wasAlone) {
      wasAlone = !wasAlone;
      for (const id of lines.keys()) stale.add(id);
    }
    for (const id of stale) makeAnew(id);
    stale.clear();
  }

  function makeAnew(id: number): void {
    const before = entries.get(id);
    for (const [kind, index] of found) for (const it of before?.addresses[kind] ?? []) index.remove(it, before!); // it had it
    entries.delete(id);
    const line = lines.get(id);
    if (!line) return;
    const entry = entryOf(groundOf(parts, line), line);
    entries.set(id, entry);
    for (const [kind, index] of found) for (const it of entry.addresses[kind]) index.add(it, entry);
  }
}

/** What we registered at a carrier is a word that nobody else knows: it says which trunk, wherever it is said. */
function registeredAs(lines: RegisterParts["lines"], user: string | undefined): TrunkSetup | undefined {
  const line = user === undefined ? undefined : lines.get(Number(/^t(\d+)-/.exec(user)?.[1]));
  return line?.setup.registers && line.contactUser() === user ? line.setup : undefined;
}

function groundOf({ approvalsOf, isAlone, isHouse }: RegisterParts, line: RunningTrunk): TrunkGround {
  return {
    setup: line.setup,
    servers: line.destinations.map(({ address }) => address),
    // At the house's own addresses it is ourselves, or a neighbour on this machine, who answers.
    proved: line.state().proved.filter((address) => !isHouse(address)),
    approvals: approvalsOf(line.setup.id),
    isAlone: isAlone(),
  };
}

const PLACES_OF_CALLERS: readonly Kind[] = ["narrow", "wide"];
/** In a call of its own a trunk is also known by the servers that we call, proved or not. */
const PLACES_OF_CALLS: readonly Kind[] = ["called", ...PLACES_OF_CALLERS];
const PLACES_OF_VOICE: readonly Kind[] = ["media", "narrow", "wide"];

function entryOf(ground: TrunkGround, { destinations }: RunningTrunk): Entry {
  const own = ownAddresses(ground);
  const { wide, media, waiting } = own;
  const called = destinations.map(({ address }) => address);
  const addresses = { called, narrow: [...own.servers, ...own.narrow], wide, media, waiting };
  return { ground, trunk: ground.setup, own, addresses };
}

function inOrder({ trunk: one }: Entry, { trunk: other }: Entry): number {
  return one.priority - other.priority || one.id - other.id;
}

function isNamed({ trunk }: Entry, exchangeId: number, name: string): boolean {
  return trunk.exchangeId === exchangeId && trunk.name === name;
}
