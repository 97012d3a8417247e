// The register of addresses: which trunks a request from there may have come by, asked for every message that comes in.

import type { Log } from "../../../log.ts";
import { isMalformed } from "../../../sip/message/malformed.ts";
import { parseSipUri } from "../../../sip/message/uri.ts";
import type { TrunkApproval, TrunkSetup, TrunkSetups } from "../../../store/trunk-state.ts";
import { networksOf } from "../../plan/networks.ts";
import type { Candidate } from "./match.ts";
import type { RunningTrunk } from "./running-trunk.ts";
import { addressesToProve, ownAddresses, type TrunkGround } from "./whose-address.ts";

export type Register = {
  /** In the order in which the trunks are tried. */
  trunksFor(address: string, uri: string): Candidate[];
  /** A wide network is left out: most of it is no carrier's. */
  isOfTrunk(address: string): boolean;
  /** Whether one trunk has both, by its networks or its servers. */
  isOneTrunks(address: string, other: string): boolean;
  /** Whether that trunk has it. */
  isOf(exchangeId: number, name: string, address: string): boolean;
  /** Whether its voice may be at that address: by a network of its voice, or since it has its SIP there. */
  hasVoiceAt(exchangeId: number, name: string, address: string): boolean;
  /** Addresses that a trunk names and that are not its own yet. */
  waitingOf(trunkId: number): readonly string[];
  /** Of those, the ones at which a server could show itself. */
  toProve(line: RunningTrunk): readonly string[];
  /** It is made anew when it is asked next. */
  changed(): void;
};

type RegisterParts = {
  lines: ReadonlyMap<number, RunningTrunk>;
  book(): TrunkSetups;
  isAlone(): boolean;
  isHouse(address: string): boolean;
  log: Log;
};

type Entry = ReturnType<typeof entryOf>;

export function openRegister({ lines, book, isAlone, isHouse, log }: RegisterParts): Register {
  let made: ReturnType<typeof make> | undefined;
  let approvals = { of: book(), byTrunk: approvalsIn(book()) };
  const now = () => {
    made ??= make();
    return made;
  };
  return {
    trunksFor(address, uri) {
      // What we registered at a carrier is a word that nobody else knows: it says which trunk, wherever it is said.
      const parsed = parseSipUri(uri);
      const user = isMalformed(parsed) ? undefined : parsed.user;
      const meant = book().trunks.filter((trunk) => trunk.registers && lines.get(trunk.id)?.contactUser() === user);
      if (meant.length > 0) return meant.map((trunk) => ({ trunk, isWide: false }));
      const found = now().entries.flatMap((entry) => candidateAt(entry, address));
      if (found.length === 0) tellOfClaims(address);
      return found;
    },
    isOfTrunk: (address) => now().servers.has(address) || now().narrow.has(address),
    isOneTrunks: (address, other) => now().entries.some((it) => isIn(it, address) && isIn(it, other)),
    isOf(exchangeId, name, address) {
      return now().entries.some((it) => isNamed(it, exchangeId, name) && isIn(it, address));
    },
    hasVoiceAt(exchangeId, name, address) {
      const has = (it: Entry) => it.media.has(address) || candidateAt(it, address).length > 0;
      return now().entries.some((it) => isNamed(it, exchangeId, name) && has(it));
    },
    waitingOf(trunkId) {
      const own = now().entries.find(({ trunk }) => trunk.id === trunkId)?.own;
      return own ? [...own.waiting, ...own.mediaWaiting] : [];
    },
    toProve: ({ setup }) => addressesToProve(groundOf(setup)).filter((address) => !isHouse(address)),
    changed() {
      made = undefined;
    },
  };

  function make() {
    const entries = book().trunks.map((trunk) => entryOf(groundOf(trunk)));
    return {
      entries,
      servers: new Set(entries.flatMap(({ own }) => own.servers)),
      narrow: networksOf(entries.flatMap(({ own }) => own.narrow)),
      claims: entries.filter(({ own }) => own.waiting.length > 0),
    };
  }

  function isIn(entry: Entry, address: string): boolean {
    const called = lines.get(entry.trunk.id)?.destinations.some((server) => server.address === address);
    return called === true || candidateAt(entry, address).length > 0;
  }

  function groundOf(setup: TrunkSetup): TrunkGround {
    if (approvals.of !== book()) approvals = { of: book(), byTrunk: approvalsIn(book()) };
    const line = lines.get(setup.id);
    return {
      setup,
      servers: line?.destinations.map(({ address }) => address) ?? [],
      // At the house's own addresses it is ourselves, or a neighbour on this machine, who answers.
      proved: line?.state().proved.filter((address) => !isHouse(address)) ?? [],
      approvals: approvals.byTrunk.get(setup.id) ?? [],
      isAlone: isAlone(),
    };
  }

  /** Said once of each trunk, until something changes. */
  function tellOfClaims(address: string): void {
    const { claims } = now();
    for (const [at, { trunk, own }] of claims.entries()) {
      if (!networksOf(own.waiting).has(address)) continue;
      claims.splice(at, 1);
      const what = { exchange: trunk.exchangeId, trunk: trunk.name, address };
      return log.warn(what, "a call from an address that a trunk names was not taken: it waits for approval or proof");
    }
  }
}

function approvalsIn({ approvals }: TrunkSetups): Map<number, TrunkApproval[]> {
  const byTrunk = new Map<number, TrunkApproval[]>();
  for (const approval of approvals) {
    const own = byTrunk.get(approval.trunkId);
    if (own) own.push(approval);
    else byTrunk.set(approval.trunkId, [approval]);
  }
  return byTrunk;
}

function entryOf(ground: TrunkGround) {
  const own = ownAddresses(ground);
  const { setup: trunk } = ground;
  const sip = { servers: new Set(own.servers), narrow: networksOf(own.narrow), wide: networksOf(own.wide) };
  return { trunk, own, ...sip, media: networksOf(own.media) };
}

function isNamed({ trunk }: Entry, exchangeId: number, name: string): boolean {
  return trunk.exchangeId === exchangeId && trunk.name === name;
}

function candidateAt({ trunk, servers, narrow, wide }: Entry, address: string): Candidate[] {
  if (servers.has(address) || narrow.has(address)) return [{ trunk, isWide: false }];
  return wide.has(address) ? [{ trunk, isWide: true }] : [];
}
