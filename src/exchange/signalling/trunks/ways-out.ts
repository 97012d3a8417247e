// The ways to the outside by the trunks at work: which of them a call may take, and how many it carries.

import type { ClientAccount } from "../../../sip/digest-answer.ts";
import type { Moved } from "../../../sip/headers/moved.ts";
import type { Destination } from "../../../sip/transport/transport.ts";
import type { TrunkSetup } from "../../../store/trunk-state.ts";
import type { PhoneNumber } from "../../plan/numbers.ts";
import { type Addressed, addressCall, type Ends } from "./addressing.ts";
import type { TrunkBook, TrunkBooks } from "./books.ts";
import { type Choice, chooseTrunks, everyTrunk, hasFreeChannel, type Question, type TrunkChoice } from "./choose.ts";
import { type Onward, onwardBy } from "./onward.ts";
import type { RunningTrunk } from "./running-trunk.ts";
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

type ByName = {
  lineOf(exchangeId: number, name: string): TrunkLine | undefined;
  wayBy(exchangeId: number, name: string): TrunkWay | undefined;
  check(exchangeId: number, name: string): Promise<TrunkCheck | undefined>;
};

export type TrunkLine = { trunk: TrunkSetup; account: ClientAccount | undefined; seize(): () => void };

export type WaysOut = { ways: [TrunkWay, ...TrunkWay[]] } | Extract<Choice, { refused: string }>;

type Live = { lines: ReadonlyMap<number, RunningTrunk>; channels: Channels };

export function byName(live: Live, books: Pick<TrunkBooks, "of">): ByName {
  const named = (exchangeId: number, name: string) => {
    const trunk = books.of(exchangeId).trunks.find((it) => it.name === name);
    return trunk && live.lines.get(trunk.id);
  };
  return {
    lineOf: (exchangeId, name) => lineOf(live, named(exchangeId, name)),
    wayBy: (exchangeId, name) => namedWay(books.of(exchangeId), live, named(exchangeId, name)),
    check: async (exchangeId, name) => named(exchangeId, name)?.check(),
  };
}

function lineOf({ channels }: Live, line: RunningTrunk | undefined): TrunkLine | undefined {
  if (!line) return undefined;
  const { setup: trunk, account } = line;
  return { trunk, account, seize: () => channels.seize(trunk, { anyway: true }) ?? (() => undefined) };
}

/** By the book of the caller's exchange. */
export function waysOut(book: TrunkBook, live: Live, number: string): WaysOut {
  const choice = chooseTrunks(questionOf(book, live, number));
  if ("refused" in choice) return choice;
  // A choice holds at least one way.
  const [first, ...others] = choice.ways.map((way) => wayBy(book, live, way));
  return { ways: [first!, ...others] };
}

export function waysForHelp(book: TrunkBook, live: Live, number: string): TrunkWay[] {
  const found = everyTrunk(questionOf(book, live, number)).filter(
    ({ trunk }) => live.lines.get(trunk.id)?.destinations[0],
  );
  return found.map((way) => wayBy(book, live, way));
}

function namedWay(book: TrunkBook, live: Live, line: RunningTrunk | undefined): TrunkWay | undefined {
  return line?.destinations[0] && wayBy(book, live, { trunk: line.setup, rule: null, callerId: null });
}

function questionOf({ trunks, rules }: TrunkBook, { lines, channels }: Live, number: string): Question {
  const conditionOf = (trunkId: number) => {
    const line = lines.get(trunkId);
    return { up: !!line?.isUp() && line.destinations.length > 0, channelsUsed: channels.used(trunkId) };
  };
  return { number, rules, trunks, conditionOf };
}

function wayBy({ numbers }: TrunkBook, { lines, channels }: Live, { trunk, callerId }: TrunkChoice): TrunkWay {
  const line = lines.get(trunk.id)!; // a choice is made among lines
  const { setup, account, destinations } = line;
  const given = numbers.filter(({ trunkId }) => trunkId === trunk.id);
  const known = given.length > 0 ? given : numbers.filter(({ trunkId }) => trunkId === null);
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

export type Channels = ReturnType<typeof countChannels>;

/** Apart from the lines, so that a trunk whose settings change keeps count of the calls it carries. */
export function countChannels() {
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
