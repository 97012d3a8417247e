// A town in a process: an exchange and its phones on a memory network, a wound clock and silent media.
// Signalling and the database are real from end to end; sound is who hears whom.

import { expect } from "vitest";
import { LONG_AGO, within } from "../../src/clock.ts";
import type { CallNeeds } from "../../src/exchange/call-desk.ts";
import type { Way } from "../../src/exchange/lead/outside.ts";
import { emergencyIn } from "../../src/exchange/plan/emergency.ts";
import { written } from "../../src/exchange/plan/numbers.ts";
import { addressCall } from "../../src/exchange/signalling/trunks/addressing.ts";
import { openAttestation } from "../../src/exchange/signalling/trunks/attestation.ts";
import { fromTrunk, termsOf } from "../../src/exchange/signalling/trunks/from-trunk.ts";
import { allowanceOf, monthOf } from "../../src/exchange/spending/spending.ts";
import { silentLog } from "../../src/log.ts";
import type { Incoming } from "../../src/sip/incoming.ts";
import { octetsOf } from "../../src/sip/message/text.ts";
import { openRandom } from "../../src/sip/transport/random.ts";
import type { Database } from "../../src/store/db.ts";
import type { TrunkSetup } from "../../src/store/trunk-state.ts";
import { freshDatabase } from "../ground/database.ts";
import { testClock } from "../ground/test-clock.ts";
import { expectWellTold } from "../ground/told.ts";
import { whenOver } from "../ground/when-over.ts";
import { memoryNetwork } from "../sip/memory-network.ts";
import { readStrictly } from "../sip/strict-reading.ts";
import { heardBy } from "./heard-by.ts";
import { silentLedger } from "./silent-media.ts";
import type { Diary } from "./town-diary.ts";
import { type Machine, openTownExchange } from "./town-exchange.ts";
import { openTownPhone, type PhoneHabits, type PluggedPhone, type TownPhone } from "./town-phone.ts";
import { writeTown } from "./town-rows.ts";
import { OWN_NUMBER, type TownSetup, USUAL_TRUNK } from "./town-setup.ts";
import { watchedDatabase } from "./watched-database.ts";

/** One database a test file, for whoever brings none. */
let shared: Promise<Database> | undefined;

const sharedDatabase = () => {
  if (!shared) {
    shared = freshDatabase().then(({ db }) => db);
    whenOver(() => {
      shared = undefined;
    });
  }
  return shared;
};

/** `meanwhile`: what people do while there is no exchange. */
type Restart = {
  afterSeconds?: number;
  handsOver?: boolean;
  losesVoice?: boolean;
  /** On another machine, of which nobody has heard yet. */
  elsewhere?: boolean;
  meanwhile?: () => Promise<void>;
};

/** Where nothing can be sent any more. */
const CLOSED_PAGE: PluggedPhone["destination"] = { transport: "ws", address: "10.0.9.9", port: 80 };

export async function townWith(setup: TownSetup, database?: Database) {
  const clock = testClock();
  const network = memoryNetwork(clock, 1, readStrictly);
  const random = openRandom();
  const diary: Diary = { lines: [], records: [] };
  const { db, settled } = watchedDatabase(database ?? (await sharedDatabase()));
  const { exchangeId, extensionIds: desks } = await writeTown(db, setup);
  const allowance = allowanceOf(db, silentLog);
  const phones = new Map<string, PluggedPhone>();
  const watching = new Set<(extensionId: number) => void>();
  let helpNumbers: readonly string[] = [];
  const silent = new Set<string>();
  const closing = new Set<string>();
  const openPages = new Set<string>();
  const hearGone = new Set<(connection: string) => void>();
  const trunk: TrunkSetup = { ...USUAL_TRUNK, exchangeId, ...setup.trunk };
  const attest = openAttestation(clock);
  const inbound: Parameters<typeof fromTrunk>[0] = {
    inbound: () => ({ trunk, exchangeId, dialled: OWN_NUMBER, number: OWN_NUMBER }),
    seizeInbound: () => () => undefined,
    accountOf: () => setup.account,
  };
  const phoneNeeds: CallNeeds["phones"] = {
    contactsOf: (_, number) => (desks.has(number) ? bindingsOf(number) : []),
    watch: {
      silentSince: ({ destination }) => (silent.has(destination.address) ? LONG_AGO : undefined),
      roundTripMs: () => undefined,
      note: ({ destination }, answered) =>
        void (answered ? silent.delete(destination.address) : silent.add(destination.address)),
    },
    isRegistered: (_, number) => phones.has(number) && desks.has(number),
    onRegister: heardBy(watching),
    onChange: () => () => undefined,
    onGone: heardBy(hearGone),
    isPhone: () => false,
    callsForHelp: (dialled) => emergencyIn(dialled, helpNumbers) !== undefined,
    authenticate: (incoming) => {
      const number = callerOf(incoming);
      const id = desks.get(number);
      if (id === undefined) {
        incoming.reply(403);
        return { refused: 403 };
      }
      const { name = `Desk ${number}`, codecs = ["PCMA", "PCMU"] } = setup.desks?.[number] ?? {};
      return {
        exchange: { id: exchangeId, sipDomain: "town.example", emergencyNumbers: [...helpNumbers] },
        extension: { id, exchangeId, number, name, active: true, codecs },
      };
    },
  };
  const trunks: CallNeeds["trunks"] = {
    lineOf: () => ({ trunk, account: setup.account, seize: () => () => undefined }),
    wayBy: (_, trunk) => setup.wayBy?.(trunk),
    waysTo: (_, number) => setup.waysTo?.(number) ?? (phones.has(written(number)) ? [wayTo(written(number))] : []),
    from: (incoming) => (desks.has(callerOf(incoming)) ? undefined : fromTrunk(inbound, attest, incoming)),
  };
  let machine: Machine = { address: "10.0.0.1", ledger: silentLedger(), notes: new Map(), takesOver: false };
  let machines = 1;
  const open = () =>
    openTownExchange({
      clock,
      network,
      random,
      db,
      diary,
      machine,
      exchangeId,
      setup,
      phones: phoneNeeds,
      trunks,
    });
  let exchange = await open();
  helpNumbers = (await exchange.settings.of(exchangeId))!.settings.emergencyNumbers; // it was made a moment ago

  function phonesOf(number: string): PluggedPhone[] {
    return [...phones.values()].filter((phone) => phone.number === number);
  }

  /** A page that is just being closed is among them for the last time. */
  function bindingsOf(number: string) {
    const page =
      openPages.has(number) || closing.delete(number)
        ? [{ number, destination: { ...CLOSED_PAGE, connection: number } }]
        : [];
    return [...phonesOf(number), ...page].map(bindingOf);
  }

  function bindingOf({ number, destination }: Pick<PluggedPhone, "number" | "destination">) {
    const uri = `sip:${number}@${destination.address}`;
    const source = { ...destination, listener: "" };
    const times = { registeredAtMs: clock.wall(), expires: within(clock, 60_000) };
    const ids = { exchangeId, extensionId: desks.get(number) ?? 0, key: uri, callId: "", cseq: 1 };
    return { ...ids, ...times, uri, route: [], destination, preference: 1, userAgent: "", source };
  }

  /** Whatever its From says. */
  function callerOf({ source }: Incoming): string {
    return [...phones.values()].find(({ destination }) => destination.address === source.address)?.number ?? "";
  }

  function wayTo(number: string): Way {
    const { destination } = phones.get(number)!; // as above
    return {
      trunk: "Ana hat",
      codecs: ["PCMA"],
      terms: termsOf(trunk),
      seize: () => ({ release: () => undefined }),
      invite: ({ to: called, callerId: caller, name, withheld = false, original, diversions }) => ({
        ...addressCall(trunk, { called, caller, name: octetsOf(name), withheld, original, diversions }),
        uri: `sip:${number}@${destination.address}`,
        destinations: [destination],
      }),
    };
  }

  const town = {
    clock,
    /** For carriers of a test's own. */
    network,
    diary,
    get media() {
      return exchange.media;
    },
    get board() {
      return exchange.board;
    },
    get queues() {
      return exchange.queues;
    },
    get settings() {
      return exchange.settings;
    },
    get exchange() {
      return exchange.board.exchange;
    },
    /** Its process dies as by `kill -9`, or hands over; after a while the next one finds what it left. */
    async restarts({
      afterSeconds = 2,
      handsOver = false,
      losesVoice = false,
      elsewhere = false,
      meanwhile,
    }: Restart = {}): Promise<void> {
      if (handsOver) await town.whileTimePasses(exchange.handOver());
      else await exchange.die();
      await meanwhile?.();
      await town.pass({ seconds: afterSeconds });
      if (losesVoice) machine.ledger.streams.clear();
      if (elsewhere) machines += 1;
      if (elsewhere)
        machine = {
          address: `10.0.0.${machines}`,
          ledger: silentLedger(machines * 10_000 - 5_000),
          notes: new Map(),
          takesOver: true,
        };
      else machine = { ...machine, takesOver: false };
      exchange = await open();
      await settled();
    },
    /** From now on its exchange writes, and nothing of it is committed: until it is lost. */
    writesInVain: () => exchange.stall(),
    /** The town's own handle: the clock waits for what is asked through it. */
    db,
    /** What was sent to that phone, the last of it last. */
    sentTo: (phone: TownPhone) => {
      const { address, port } = phones.get(phone.number)!.destination; // opened by this town
      return network.carried().flatMap(({ octets, to }) => (to === `${address}:${port}` ? [octets] : []));
    },
    /** Every SIP message that was sent, the last of them. */
    carried: () => network.carried().map(({ octets }) => octets),
    /** What the exchange's SIP stack still keeps. */
    stackLoad: () => exchange.stack.load(),
    exchangeId,
    /** This month, on calls to the outside. */
    spent: () => allowance.spent(exchangeId, monthOf(clock.wall(), "Europe/Istanbul")),
    phone: (number: string, habits?: PhoneHabits): TownPhone => plugIn(number, number, habits),
    /** One more phone of an extension. */
    another: (number: string) => plugIn(number, `${number} ${phones.size}`),
    /** The phones that calls have found silent, by their addresses. */
    silent,
    /** Extensions whose page is closed in the moment when it shall ring. */
    closing,
    /** Those whose page is open. */
    openPages,
    closesPage(number: string): void {
      openPages.delete(number);
      for (const hear of hearGone) hear(number);
    },
    /** Such a page still takes what it is sent, and says nothing any more. */
    pagesTakeInvites: () => network.attach({ ...CLOSED_PAGE, name: CLOSED_PAGE.transport }),
    /** Nothing that was asked of the database is unanswered, and what was written is known everywhere. */
    settled,
    /** Winds the clock until something is so; what never becomes so fails the test. */
    async until(what: string, isSo: () => boolean, limitMs = 5_000): Promise<void> {
      for (let passed = 0; !isSo(); passed += 5) {
        if (passed > limitMs) throw new Error(`never: ${what}\n${diary.lines.join("\n")}`);
        clock.pass(5);
        await settled();
      }
    },
    async pass({ seconds }: { seconds: number }): Promise<void> {
      for (let step = 0; step < seconds * 4; step++) {
        clock.pass(250);
        await settled();
      }
    },
    /** For what waits for the clock itself. */
    async whileTimePasses<Result>(work: Promise<Result>): Promise<Result> {
      let isDone = false;
      const done = work.finally(() => {
        isDone = true;
      });
      while (!isDone) {
        clock.pass(5);
        await settled();
      }
      return done;
    },
    talksWith: (one: TownPhone, other: TownPhone) =>
      town.until(`${one.number} talks with ${other.number}`, () => {
        const [port, otherPort] = [one.rtpPort(), other.rtpPort()];
        const { media } = exchange;
        return media.hears(port).includes(String(otherPort)) && media.hears(otherPort).includes(String(port));
      }),
    /** From now on nothing reaches the phone, and nothing comes from it. */
    unplug: (phone: TownPhone) => [...phones.values()].find((it) => it === phone)!.unplug(),
    /** Every call has its record and is well told, and nothing of any call is left. */
    async isQuiet(): Promise<void> {
      await town.until("all calls are over", () => exchange.board.live.size === 0);
      await town.pass({ seconds: 70 });
      expect(exchange.media.streamsOpen()).toBe(0);
      expectWellTold(diary.records.flatMap(({ facts }) => facts.story));
      expect(exchange.stack.load()).toMatchObject({ clientTransactions: 0, serverTransactions: 0, dialogs: 0 });
    },
  };
  return town;

  function plugIn(number: string, key: string, habits?: PhoneHabits): PluggedPhone {
    const parts = { clock, network, random, place: phones.size, until: town.until };
    const opened = openTownPhone(number, parts, habits);
    phones.set(key, opened);
    for (const hear of watching) hear(desks.get(number) ?? 0);
    return opened;
  }
}
