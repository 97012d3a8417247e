// The trunks of every exchange: calls ask here for a way out, and who is calling in.

import { readFile } from "node:fs/promises";
import { runAgain } from "../../../again.ts";
import type { Clock } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { Secrets } from "../../../secrets/secrets.ts";
import type { ClientAccount } from "../../../sip/digest-answer.ts";
import type { Moved } from "../../../sip/headers/moved.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { isMalformed } from "../../../sip/message/malformed.ts";
import { parseSipUri } from "../../../sip/message/uri.ts";
import type { Resolve } from "../../../sip/transport/resolve.ts";
import { speakerOf } from "../../../sip/transport/speaker.ts";
import type { Destination } from "../../../sip/transport/transport.ts";
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
import type { PhoneNumber } from "../../plan/numbers.ts";
import { type Addressed, addressCall, type Ends } from "./addressing.ts";
import { type Choice, chooseTrunks, everyTrunk, hasFreeChannel, type Question, type TrunkChoice } from "./choose.ts";
import { type Inbound, matchInbound } from "./match.ts";
import { type Networks, networksOf, noNetworks } from "./networks.ts";
import { type Onward, onwardBy } from "./onward.ts";
import { RunningTrunk, type RunningTrunkParts } from "./running-trunk.ts";
import { shadowWarnings } from "./shadow-warnings.ts";
import type { TrunkCheck } from "./trunk-check.ts";

/** One way out for a call. Try them in order while `isWorthAnotherTrunk` says so. */
export type TrunkWay = {
  trunk: TrunkSetup;
  /** What the rule wants shown to the called party, a number of the exchange; null leaves it to the extension. */
  callerId: string | null;
  /** Never empty. */
  destinations: readonly [Destination, ...Destination[]];
  /** Answers the carrier's 401 or 407. */
  account: ClientAccount | undefined;
  /** Request-URI, To, From and identity headers for this carrier. */
  address(ends: Ends): Addressed;
  /** Numbers of ours that came with this trunk, or else with none. */
  numbers: readonly string[];
  /** Takes a channel; undefined when the last has just gone. Call what is returned when the leg is over. */
  seize(how?: { anyway: boolean }): (() => void) | undefined;
  /**
   * Where a 3xx of the carrier's may lead: to another number, or with the same one to another server of the carrier's
   * own. What it names beyond the trunk's servers and networks is no place for a call of ours.
   */
  onward(moved: Moved, dialled: PhoneNumber): Promise<Onward | undefined>;
  /** Tell it when the trunk itself failed (`isWorthAnotherTrunk` was true). */
  failed(): void;
};

export type TrunkLine = { trunk: TrunkSetup; account: ClientAccount | undefined; seize(): () => void };

export type WaysOut = { ways: [TrunkWay, ...TrunkWay[]] } | Extract<Choice, { refused: string }>;

export type TrunkView = TrunkState & { exchangeId: number; name: string; up: boolean; channelsUsed: number };

export type Trunks = {
  /** `number` in the stored form (90… at home, 00… abroad). */
  waysOut(exchangeId: number, number: string): WaysOut;
  /** Every trunk whose servers are known, down or full as it may be, in the order in which they are tried. */
  waysForHelp(exchangeId: number, number: string): TrunkWay[];
  /** That trunk and no other, whatever rules and its health say; undefined while its servers are not known. */
  wayBy(exchangeId: number, name: string): TrunkWay | undefined;
  /** Asks it now. Undefined: no such trunk is at work. */
  check(exchangeId: number, name: string): Promise<TrunkCheck | undefined>;
  /** Undefined when the request comes from no trunk: then it is a phone's, and has to log in. */
  inbound(incoming: Pick<Incoming, "request" | "source">): Inbound | undefined;
  /** A channel for a call that came in; undefined when the trunk's limit is reached. */
  seizeInbound(trunkId: number): (() => void) | undefined;
  /** With which it answers when a carrier asks who we are. */
  accountOf(trunkId: number): ClientAccount | undefined;
  /** For a leg of an earlier process that goes by it: what is agreed on with it, and a channel, full as it may be. */
  lineOf(exchangeId: number, name: string): TrunkLine | undefined;
  hasTrunks(exchangeId: number): boolean;
  isTrunkAddress(address: string): boolean;
  list(exchangeId?: number): TrunkView[];
  reload(): Promise<void>;
  close(): Promise<void>;
};

export type TrunksParts = Omit<RunningTrunkParts, "keep"> & {
  db: Database;
  secrets: Pick<Secrets, "open">;
  clock: Clock;
  log: Log;
  resolve: Resolve;
};

export async function openTrunks(parts: TrunksParts): Promise<Trunks> {
  const { db, secrets, log } = parts;
  const lines = new Map<number, RunningTrunk>();
  const channels = countChannels();
  const keeping = runAgain((states: ReadonlySet<TrunkState>) => saveAll(db, states));
  const keep = (state: TrunkState) =>
    void keeping.ask(state).catch((error: Error) => log.error({ error: error.message }, "trunk state not written"));
  let book: TrunkSetups = { trunks: [], rules: [], numbers: [] };
  let numbers = new Map<string, TrunkNumber>();
  let networks = new Map<number, Networks>();
  /** All of them in one, asked for every message that comes in. */
  let everywhere = noNetworks();
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
      const { address } = speakerOf(source);
      const candidates = book.trunks.filter(
        (trunk) => networks.get(trunk.id)?.has(address) || isServer(trunk, address) || isOurContact(trunk, request.uri),
      );
      return matchInbound({ request, candidates, numberOf: (number) => numbers.get(number) });
    },
    seizeInbound: (trunkId) => channels.seize(lines.get(trunkId)?.setup),
    accountOf: (trunkId) => lines.get(trunkId)?.account,
    ...byName({ lines, channels }, () => book),
    hasTrunks: (exchangeId) => book.trunks.some((trunk) => trunk.exchangeId === exchangeId),
    isTrunkAddress: (address) => everywhere.has(address) || book.trunks.some((trunk) => isServer(trunk, address)),
    list: (exchangeId) => [...lines.values()].flatMap((line) => viewOf(line, channels, exchangeId)),
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
    networks = new Map(book.trunks.map((trunk) => [trunk.id, networksOf(trunk.sourceAddresses)]));
    everywhere = networksOf(book.trunks.flatMap((trunk) => trunk.sourceAddresses));
    for (const [id, line] of lines) {
      if (book.trunks.some((trunk) => isSame(trunk, line.setup))) continue;
      lines.delete(id);
      known.set(id, line.state());
      line.close(networks.has(id) ? "stop" : "withdraw");
    }
    for (const trunk of book.trunks) {
      if (lines.has(trunk.id)) continue;
      const authorities = trunk.tlsCa === null ? undefined : await readAuthorities(trunk.tlsCa);
      lines.set(trunk.id, new RunningTrunk(trunk, { ...parts, authorities, keep }, known.get(trunk.id)));
    }
  }

  /** A trunk that registers, or that names no networks, may call from the very servers we call. */
  function isServer(trunk: TrunkSetup, address: string): boolean {
    if (!trunk.registers && trunk.sourceAddresses.length > 0) return false;
    return lines.get(trunk.id)?.destinations.some((server) => server.address === address) ?? false;
  }

  function isOurContact(trunk: TrunkSetup, uri: string): boolean {
    if (!trunk.registers) return false;
    const parsed = parseSipUri(uri);
    return !isMalformed(parsed) && parsed.user === lines.get(trunk.id)?.contactUser();
  }
}

async function statesIn(db: Database): Promise<Map<number, TrunkState>> {
  return new Map((await readTrunkStates(db)).map((state) => [state.trunkId, state]));
}

type Live = { lines: ReadonlyMap<number, RunningTrunk>; channels: Channels };

function named(lines: Live["lines"], exchangeId: number, name: string): RunningTrunk | undefined {
  return [...lines.values()].find(({ setup }) => setup.exchangeId === exchangeId && setup.name === name);
}

function byName(live: Live, book: () => TrunkSetups): Pick<Trunks, "lineOf" | "wayBy" | "check"> {
  return {
    lineOf: (exchangeId, name) => lineOf(live, named(live.lines, exchangeId, name)),
    wayBy: (exchangeId, name) => namedWay(book(), live, named(live.lines, exchangeId, name)),
    check: async (exchangeId, name) => named(live.lines, exchangeId, name)?.check(),
  };
}

function lineOf({ channels }: Live, line: RunningTrunk | undefined): TrunkLine | undefined {
  if (!line) return undefined;
  const { setup: trunk, account } = line;
  return { trunk, account, seize: () => channels.seize(trunk, { anyway: true }) ?? (() => undefined) };
}

type Wanted = { exchangeId: number; number: string };

function waysOut(book: TrunkSetups, live: Live, wanted: Wanted): WaysOut {
  const choice = chooseTrunks(questionOf(book, live, wanted));
  if ("refused" in choice) return choice;
  // A choice holds at least one way.
  const [first, ...others] = choice.ways.map((way) => wayBy(book, live, way));
  return { ways: [first!, ...others] };
}

function waysForHelp(book: TrunkSetups, live: Live, wanted: Wanted): TrunkWay[] {
  const found = everyTrunk(questionOf(book, live, wanted)).filter(
    ({ trunk }) => live.lines.get(trunk.id)?.destinations[0],
  );
  return found.map((way) => wayBy(book, live, way));
}

function namedWay(book: TrunkSetups, live: Live, line: RunningTrunk | undefined): TrunkWay | undefined {
  return line?.destinations[0] && wayBy(book, live, { trunk: line.setup, rule: null, callerId: null });
}

function questionOf(
  { trunks, rules }: TrunkSetups,
  { lines, channels }: Live,
  { exchangeId, number }: Wanted,
): Question {
  const ofExchange = <Item extends { exchangeId: number }>(item: Item) => item.exchangeId === exchangeId;
  const conditionOf = (trunkId: number) => {
    const line = lines.get(trunkId);
    return { up: !!line?.isUp() && line.destinations.length > 0, channelsUsed: channels.used(trunkId) };
  };
  return { number, rules: rules.filter(ofExchange), trunks: trunks.filter(ofExchange), conditionOf };
}

function wayBy({ numbers }: TrunkSetups, { lines, channels }: Live, { trunk, callerId }: TrunkChoice): TrunkWay {
  const line = lines.get(trunk.id)!; // a choice is made among lines
  const { setup, account, destinations } = line;
  const own = numbers.filter(({ exchangeId }) => exchangeId === trunk.exchangeId);
  const given = own.filter(({ trunkId }) => trunkId === trunk.id);
  const known = given.length > 0 ? given : own.filter(({ trunkId }) => trunkId === null);
  return {
    trunk: setup,
    callerId,
    destinations: destinations as readonly [Destination, ...Destination[]], // chosen means: found
    account,
    numbers: known.map(({ number }) => number),
    address: (ends) => addressCall(setup, ends),
    seize: (how) => channels.seize(setup, how),
    onward: (moved, dialled) => onwardBy(line, moved, dialled),
    failed: () => line.failed(),
  };
}

type Channels = ReturnType<typeof countChannels>;

/** Apart from the lines, so that a trunk whose settings change keeps count of the calls it carries. */
function countChannels() {
  const used = new Map<number, number>();
  return {
    used: (trunkId: number) => used.get(trunkId) ?? 0,
    seize(trunk: TrunkSetup | undefined, { anyway } = { anyway: false }): (() => void) | undefined {
      if (!trunk) return undefined;
      const now = used.get(trunk.id) ?? 0;
      if (!anyway && !hasFreeChannel(trunk, { up: true, channelsUsed: now })) return undefined;
      used.set(trunk.id, now + 1);
      let held = true;
      return () => {
        if (held) used.set(trunk.id, (used.get(trunk.id) ?? 1) - 1);
        held = false;
      };
    },
  };
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

function viewOf(line: RunningTrunk, channels: Channels, only: number | undefined): TrunkView[] {
  const { id, exchangeId, name } = line.setup;
  if (only !== undefined && exchangeId !== only) return [];
  return [{ ...line.state(), exchangeId, name, up: line.isUp(), channelsUsed: channels.used(id) }];
}
