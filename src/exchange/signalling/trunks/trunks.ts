// The trunks of every exchange: calls ask here for a way out, and who is calling in.

import { readFile } from "node:fs/promises";
import { runAgain } from "../../../again.ts";
import type { Clock } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { Secrets } from "../../../secrets/secrets.ts";
import type { ClientAccount } from "../../../sip/digest-answer.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { userIn } from "../../../sip/message/uri.ts";
import type { Resolve } from "../../../sip/transport/resolve.ts";
import { speakerOf } from "../../../sip/transport/speaker.ts";
import type { Source } from "../../../sip/transport/transport.ts";
import type { Database } from "../../../store/db.ts";
import {
  readTrunkSetups,
  readTrunkStates,
  saveTrunkState,
  TRUNKS_CHANNEL,
  type TrunkSetup,
  type TrunkState,
} from "../../../store/trunk-state.ts";
import { openBooks, type TrunkBooks } from "./books.ts";
import { type Inbound, matchInbound } from "./match.ts";
import { openRegister, type Register } from "./register.ts";
import { RunningTrunk, type RunningTrunkParts } from "./running-trunk.ts";
import { shadowWarnings } from "./shadow-warnings.ts";
import type { TrunkCheck } from "./trunk-check.ts";
import {
  byName,
  type Channels,
  countChannels,
  type TrunkLine,
  type TrunkWay,
  type WaysOut,
  waysForHelp,
  waysOut,
} from "./ways-out.ts";

/** `waiting`: addresses that its settings name, and that nobody has approved or proved yet. */
export type TrunkView = TrunkState & {
  exchangeId: number;
  name: string;
  up: boolean;
  channelsUsed: number;
  waiting: readonly string[];
};

export type Trunks = {
  /** `number` in the stored form (90… at home, 00… abroad). */
  waysOut(exchangeId: number, number: string): WaysOut;
  /** Every trunk whose servers are known, down or full as it may be, in the order in which they are tried. */
  waysForHelp(exchangeId: number, number: string): TrunkWay[];
  /** That trunk and no other, whatever rules and its health say; undefined while its servers are not known. */
  wayBy(exchangeId: number, name: string): TrunkWay | undefined;
  /** Asks it now. Undefined: no such trunk is at work. */
  check(exchangeId: number, name: string): Promise<TrunkCheck | undefined>;
  /**
   * Undefined when the request comes from no trunk: then it is a phone's, and has to log in. Where a carrier's address is
   * several exchanges', a number that none of them has is nobody's.
   */
  inbound(incoming: Pick<Incoming, "request" | "source">): Inbound | "unknown-number" | undefined;
  /** Whether whoever is there speaks for the trunk that an INVITE has come by, though it came from elsewhere. */
  mayTakeBack(source: Source, invite: Pick<Incoming, "request" | "source">): boolean;
  /** A channel for a call that came in; undefined when the trunk's limit is reached. */
  seizeInbound(trunkId: number): (() => void) | undefined;
  /** With which it answers when a carrier asks who we are. */
  accountOf(trunkId: number): ClientAccount | undefined;
  /** For a leg of an earlier process that goes by it: what is agreed on with it, and a channel, full as it may be. */
  lineOf(exchangeId: number, name: string): TrunkLine | undefined;
  hasTrunks(exchangeId: number): boolean;
  isTrunkAddress(address: string): boolean;
  readonly whose: Pick<Register, "isOneTrunks" | "isOf" | "hasVoiceAt">;
  list(exchangeId?: number): TrunkView[];
  reload(): Promise<void>;
  close(): Promise<void>;
};

export type TrunksParts = Omit<RunningTrunkParts, "keep" | "moved" | "toProve"> & {
  db: Database;
  secrets: Pick<Secrets, "open">;
  clock: Clock;
  log: Log;
  resolve: Resolve;
  /** Where exchanges may live elsewhere: whether there is but one in all. */
  residence?: { isOnlyOne(): boolean } | undefined;
  /** This server's own addresses and those of its edges, which no tenant gets by what answers there. */
  isHouse?(address: string): boolean;
};

export async function openTrunks(parts: TrunksParts): Promise<Trunks> {
  const { db, log, isHouse = () => false } = parts;
  const lines = new Map<number, RunningTrunk>();
  const channels = countChannels();
  const keeping = runAgain((states: ReadonlySet<TrunkState>) => saveAll(db, states));
  const keep = (state: TrunkState) =>
    void keeping.ask(state).catch((error: Error) => log.error({ error: error.message }, "trunk state not written"));
  const books = openBooks();
  let exchanges = 0;
  const isAlone = () => parts.residence?.isOnlyOne() ?? exchanges <= 1;
  const register = openRegister({ lines, approvalsOf: books.approvalsOf, isAlone, isHouse, log });
  const warnOfShadows = shadowWarnings(log);
  const readWhat = reading(parts);

  const { ask, settled } = runAgain<number | "all">(readAgain);
  const stopListening = await db.listen(TRUNKS_CHANNEL, (payload) =>
    ask(payload === "" ? "all" : Number(payload)).catch((error: Error) =>
      log.error({ error: error.message }, "trunks could not be read again"),
    ),
  );
  await ask("all");

  return {
    waysOut: (exchangeId, number) => waysOut(books.of(exchangeId), { lines, channels }, number),
    waysForHelp: (exchangeId, number) => waysForHelp(books.of(exchangeId), { lines, channels }, number),
    ...arrivals(register, books),
    seizeInbound: (trunkId) => channels.seize(lines.get(trunkId)?.setup),
    accountOf: (trunkId) => lines.get(trunkId)?.account,
    ...byName({ lines, channels }, books),
    hasTrunks: (exchangeId) => books.of(exchangeId).trunks.length > 0,
    isTrunkAddress: register.isOfTrunk,
    whose: register,
    list: (exchangeId) => [...lines.values()].flatMap((line) => viewOf(line, { channels, register }, exchangeId)),
    reload: () => ask("all"),
    async close() {
      await stopListening();
      await settled();
      for (const line of lines.values()) line.close("stop");
      await keeping.settled();
    },
  };

  async function readAgain(asked: ReadonlySet<number | "all">): Promise<void> {
    const { read, only } = await readWhat(asked);
    const unknown = read.trunks.flatMap(({ id }) => (lines.has(id) ? [] : id));
    const known = await statesOf(db, unknown);
    exchanges = read.exchanges;
    const changed = books.take(read, only);
    for (const exchangeId of changed) warnOfShadows(exchangeId, books.of(exchangeId).rules);
    const setups = new Map(read.trunks.map((trunk) => [trunk.id, trunk]));
    for (const [id, line] of lines) {
      if (!changed.has(line.setup.exchangeId)) continue;
      register.changed(id);
      const setup = setups.get(id);
      if (setup && isSame(setup, line.setup)) continue;
      lines.delete(id);
      known.set(id, line.state());
      line.close(setup ? "stop" : "withdraw");
    }
    for (const trunk of read.trunks) {
      if (lines.has(trunk.id)) continue;
      const authorities = trunk.tlsCa === null ? undefined : await readAuthorities(trunk.tlsCa);
      const more = { authorities, keep, moved: () => register.changed(trunk.id), toProve: register.toProve };
      lines.set(trunk.id, new RunningTrunk(trunk, { ...parts, ...more }, known.get(trunk.id)));
      register.changed(trunk.id);
    }
  }
}

/** Who calls in, and who takes that back. */
function arrivals(register: Register, { numberOf }: Pick<TrunkBooks, "numberOf">) {
  const inbound: Trunks["inbound"] = ({ request, source }) => {
    const { address } = speakerOf(source);
    const candidates = register.trunksFor(address, userIn(request.uri));
    const isApproved = ({ id }: TrunkSetup) => register.isApproved(id, address);
    return matchInbound({ request, candidates, numberOf, isApproved });
  };
  const mayTakeBack: Trunks["mayTakeBack"] = (source, invite) => {
    const came = inbound(invite);
    return typeof came === "object" && register.mayCallFrom(came.trunk.id, speakerOf(source).address);
  };
  return { inbound, mayTakeBack };
}

/** What could not be read when it was asked for is read with what is asked for next. */
function reading({ db, secrets }: TrunksParts) {
  const owed = new Set<number | "all">();
  return async (asked: ReadonlySet<number | "all">) => {
    for (const it of asked) owed.add(it);
    const only = owed.has("all") ? undefined : [...owed].filter((id) => id !== "all");
    const read = await readTrunkSetups(db, secrets, only);
    owed.clear();
    return { read, only };
  };
}

async function statesOf(db: Database, trunkIds: readonly number[]): Promise<Map<number, TrunkState>> {
  if (trunkIds.length === 0) return new Map();
  return new Map((await readTrunkStates(db, trunkIds)).map((state) => [state.trunkId, state]));
}

/** PEM; undefined where the file holds none. */
async function readAuthorities(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.includes("-----BEGIN CERTIFICATE-----") ? text : undefined;
}

async function saveAll(db: Database, states: ReadonlySet<TrunkState>): Promise<void> {
  const latest = new Map([...states].map((state) => [state.trunkId, state]));
  for (const state of latest.values()) await saveTrunkState(db, state);
}

function isSame(one: TrunkSetup, other: TrunkSetup): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

type Now = { channels: Channels; register: Pick<Register, "waitingOf"> };

function viewOf(line: RunningTrunk, { channels, register }: Now, only: number | undefined): TrunkView[] {
  const { id, exchangeId, name } = line.setup;
  if (only !== undefined && exchangeId !== only) return [];
  const waiting = register.waitingOf(id);
  return [{ ...line.state(), exchangeId, name, up: line.isUp(), channelsUsed: channels.used(id), waiting }];
}
