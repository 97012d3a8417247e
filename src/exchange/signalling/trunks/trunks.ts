// The trunks of every exchange: calls ask here for a way out, and who is calling in.

import { readFile } from "node:fs/promises";
import { runAgain } from "../../../again.ts";
import type { Clock } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { Secrets } from "../../../secrets/secrets.ts";
import type { ClientAccount } from "../../../sip/digest-answer.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import type { Resolve } from "../../../sip/transport/resolve.ts";
import { speakerOf } from "../../../sip/transport/speaker.ts";
import type { Database } from "../../../store/db.ts";
import {
  readTrunkSetups,
  readTrunkStates,
  saveTrunkState,
  TRUNKS_CHANNEL,
  type TrunkNumber,
  type TrunkSetup,
  type TrunkSetups,
  type TrunkState,
} from "../../../store/trunk-state.ts";
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
  const { db, secrets, log, isHouse = () => false } = parts;
  const lines = new Map<number, RunningTrunk>();
  const channels = countChannels();
  const keeping = runAgain((states: ReadonlySet<TrunkState>) => saveAll(db, states));
  const keep = (state: TrunkState) =>
    void keeping.ask(state).catch((error: Error) => log.error({ error: error.message }, "trunk state not written"));
  let book: TrunkSetups = { trunks: [], rules: [], numbers: [], approvals: [], exchanges: 0 };
  let numbers = new Map<string, TrunkNumber>();
  const isAlone = () => parts.residence?.isOnlyOne() ?? book.exchanges <= 1;
  const register = openRegister({ lines, book: () => book, isAlone, isHouse, log });
  const warnOfShadows = shadowWarnings(log);

  const { ask, settled } = runAgain<void>(readAgain);
  const stopListening = await db.listen(TRUNKS_CHANNEL, () =>
    ask().catch((error: Error) => log.error({ error: error.message }, "trunks could not be read again")),
  );
  await ask();

  return {
    waysOut: (exchangeId, number) => waysOut(book, { lines, channels }, { exchangeId, number }),
    waysForHelp: (exchangeId, number) => waysForHelp(book, { lines, channels }, { exchangeId, number }),
    inbound: ({ request, source }) => {
      const candidates = register.trunksFor(speakerOf(source).address, request.uri);
      return matchInbound({ request, candidates, numberOf: (number) => numbers.get(number) });
    },
    seizeInbound: (trunkId) => channels.seize(lines.get(trunkId)?.setup),
    accountOf: (trunkId) => lines.get(trunkId)?.account,
    ...byName({ lines, channels }, () => book),
    hasTrunks: (exchangeId) => book.trunks.some((trunk) => trunk.exchangeId === exchangeId),
    isTrunkAddress: register.isOfTrunk,
    whose: register,
    list: (exchangeId) => [...lines.values()].flatMap((line) => viewOf(line, { channels, register }, exchangeId)),
    reload: () => ask(),
    async close() {
      await stopListening();
      await settled();
      for (const line of lines.values()) line.close("stop");
      await keeping.settled();
    },
  };

  async function readAgain(): Promise<void> {
    book = await readTrunkSetups(db, secrets);
    const known = book.trunks.every(({ id }) => lines.has(id)) ? new Map<number, TrunkState>() : await statesIn(db);
    warnOfShadows(book.rules);
    numbers = new Map(book.numbers.map((number) => [number.number, number]));
    register.changed();
    for (const [id, line] of lines) {
      if (book.trunks.some((trunk) => isSame(trunk, line.setup))) continue;
      lines.delete(id);
      known.set(id, line.state());
      line.close(book.trunks.some((trunk) => trunk.id === id) ? "stop" : "withdraw");
    }
    for (const trunk of book.trunks) {
      if (lines.has(trunk.id)) continue;
      const authorities = trunk.tlsCa === null ? undefined : await readAuthorities(trunk.tlsCa);
      const more = { authorities, keep, moved: register.changed, toProve: register.toProve };
      lines.set(trunk.id, new RunningTrunk(trunk, { ...parts, ...more }, known.get(trunk.id)));
    }
    register.changed();
  }
}

async function statesIn(db: Database): Promise<Map<number, TrunkState>> {
  return new Map((await readTrunkStates(db)).map((state) => [state.trunkId, state]));
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
