// A town in a process: an exchange and its phones on a memory network, a wound clock and paper media.
// Signalling is real from end to end; sound is who hears whom.

import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { type CallDesk, type CallDeskParts, openCallDesk } from "../src/exchange/call-desk.ts";
import type { Journal } from "../src/exchange/calls/call.ts";
import type { CallEnd, CallFacts } from "../src/exchange/calls/call-facts.ts";
import type { Leg, LegEvent } from "../src/exchange/calls/leg.ts";
import type { Way } from "../src/exchange/lead/outside.ts";
import { incomingLeg } from "../src/exchange/legs/incoming-leg.ts";
import type { LegParts } from "../src/exchange/legs/leg-parts.ts";
import { type OutgoingOptions, outgoingLeg } from "../src/exchange/legs/outgoing-leg.ts";
import { openStreamHub } from "../src/exchange/legs/stream-hub.ts";
import { written } from "../src/exchange/numbers.ts";
import { hash } from "../src/exchange/registrar/hashing.ts";
import { silentLog } from "../src/log.ts";
import { fromOf } from "../src/sip/headers/addresses.ts";
import { isMalformed } from "../src/sip/malformed.ts";
import type { Header } from "../src/sip/message.ts";
import { openStack } from "../src/sip/stack.ts";
import { memoryNetwork } from "../src/sip/transport/memory.ts";
import { openRandom } from "../src/sip/transport/random.ts";
import type { Destination } from "../src/sip/transport/transport.ts";
import { parseSipUri } from "../src/sip/uri.ts";
import type { CallSettings, ExchangeSettings, ExtensionSettings, OwnNumber } from "../src/store/call-settings.ts";
import type { Db } from "../src/store/db.ts";
import type { HeardMessage } from "../src/store/mailboxes.ts";
import type { Menu } from "../src/store/menus.ts";
import type { RingGroupMember } from "../src/store/ring-groups.ts";
import { paperMedia } from "./paper-media.ts";
import { paperQueues, type QueueSetup } from "./paper-queues.ts";
import { testClock } from "./test-clock.ts";

const EXCHANGE_ID = 101;
const OWN_NUMBER = "908505320000";

const settings: ExchangeSettings = {
  id: EXCHANGE_ID,
  sipDomain: "town.example",
  timeZone: "Europe/Istanbul",
  recordCalls: true,
  recordInbound: true,
  recordOutbound: true,
  recordInternal: true,
  defaultCallerId: null,
  ringSeconds: 30,
  internationalCalls: false,
  monthlySpendingLimit: null,
  programRecordKeys: false,
  channelLimit: null,
  maxCallSeconds: 14_400,
  programUrl: "http://service.example/program",
  programSpareTarget: "user/1001",
  officeOpens: "08:00",
  officeCloses: "18:00",
  officeDays: [1, 2, 3, 4, 5],
};

const extension = (number: string, more: Partial<ExtensionSettings> = {}): ExtensionSettings => ({
  number,
  name: `Desk ${number}`,
  active: true,
  dnd: false,
  recordCalls: true,
  maxCalls: 2,
  outboundCallerId: null,
  forwardAlways: null,
  forwardBusy: null,
  forwardNoAnswer: null,
  forwardUnreachable: null,
  noAnswerSeconds: 30,
  hasMailbox: false,
  ...more,
});

/** What the journal was told, one line an event, and the record of each call that ended. */
export type Diary = { lines: string[]; records: { facts: CallFacts; end: CallEnd }[] };

export type TownPhone = {
  number: string;
  /** What its owner has heard and seen, in order. */
  seen: string[];
  /** Headers of the INVITE that last rang here. */
  lastInvite: Header[];
  calls(number: string, headers?: Header[]): Promise<void>;
  rings(): Promise<void>;
  answers(): Promise<void>;
  refuses(status: "busy" | "rejects"): Promise<void>;
  hangsUp(): Promise<void>;
  /** A key, as its phone's INFO tells it. */
  presses(key: string): Promise<void>;
  leg(): Leg;
  rtpPort(): number;
};

export async function townWith(setup: {
  desks?: Record<string, Partial<ExtensionSettings>>;
  exchange?: Partial<ExchangeSettings>;
  target?: string;
  blocked?: string[];
  /** What a minute costs; the longest prefix first. */
  rates?: CallSettings["rates"];
  pin?: string;
  /** Greetings that were spoken into the phone, by extension. */
  greetings?: Record<string, string>;
  closedTarget?: string;
  /** Every day, unless it names one. */
  holiday?: { description: string; target: string | null; day?: string };
  /** More about the town's own number. */
  ownNumber?: Partial<OwnNumber>;
  /** The customer's service, asked with a URL. */
  service?: (question: URL) => { status: number; body: string } | { failed: string } | undefined;
  /** Whom a question goes to that the service does not answer. */
  web?: CallDeskParts["ask"];
  recognise?: () => Promise<string | undefined>;
  messages?: HeardMessage[];
  menus?: Record<string, Partial<Menu>>;
  queues?: Record<string, QueueSetup>;
  groups?: Record<
    string,
    { strategy: string; members: RingGroupMember[]; ringSeconds?: number; noAnswerTarget?: string }
  >;
}) {
  const clock = testClock();
  const network = memoryNetwork(clock);
  const media = paperMedia();
  const random = openRandom();
  const diary: Diary = { lines: [], records: [] };
  const desks = new Map(Object.entries(setup.desks ?? {}).map(([number, more]) => [number, extension(number, more)]));
  const book: CallSettings = {
    settings: { ...settings, ...setup.exchange },
    extensions: desks,
    empty: new Set(),
    rates: setup.rates ?? [],
    places: new Map([
      ...Object.keys(setup.menus ?? {}).map((number) => [number, "ivr"] as const),
      ...Object.keys(setup.groups ?? {}).map((number) => [number, "group"] as const),
      ...Object.keys(setup.queues ?? {}).map((number) => [number, "queue"] as const),
    ]),
    numbers: new Map([
      [
        OWN_NUMBER,
        {
          ...{ number: OWN_NUMBER, description: "", target: setup.target ?? "user/1000" },
          ...{ closedTarget: setup.closedTarget ?? null, faxTarget: null, opens: null, closes: null, days: null },
          ...setup.ownNumber,
        },
      ],
    ]),
  };
  const phones = new Map<string, TownPhone & { destination: Destination; unplug(): Promise<void> }>();
  const stack = openStack({
    ...{ clock, random, transports: [network.attach({ address: "10.0.0.1" })] },
    screen: (request) => board.screen(request),
  });
  /** Spoken into the phone, by extension. */
  const greetings = new Map(Object.entries(setup.greetings ?? {}));
  const db = paperStore(setup, greetings);
  const queues = paperQueues(setup.queues ?? {});
  const board: CallDesk = openCallDesk({
    clock,
    random,
    hash,
    stack,
    media,
    log: silentLog,
    db,
    locate: async () => [],
    registrar: {
      contactsOf: (_, number) => (phones.has(number) && desks.has(number) ? [bindingOf(number)] : []),
      isRegistered: (_, number) => phones.has(number) && desks.has(number),
    },
    authenticate: (incoming) => {
      const uri = parseSipUri(fromOf(incoming.request).uri);
      const number = isMalformed(uri) ? "" : (uri.user ?? "");
      const found = desks.get(number);
      if (!found) {
        incoming.reply(403);
        return { refused: 403 };
      }
      return {
        exchange: { id: EXCHANGE_ID, sipDomain: settings.sipDomain },
        extension: { id: 1, exchangeId: EXCHANGE_ID, number, name: found.name, active: true },
      };
    },
    settings: { of: async () => book, close: async () => undefined },
    journal: paperJournal(diary),
    waysTo: (_, number) => (phones.has(written(number)) ? [wayTo(written(number))] : []),
    fromTrunk: (incoming) => {
      const uri = parseSipUri(fromOf(incoming.request).uri);
      const number = isMalformed(uri) ? "" : (uri.user ?? "");
      return desks.has(number)
        ? undefined
        : { exchangeId: EXCHANGE_ID, dialled: OWN_NUMBER, caller: { number, name: "" } };
    },
    codecs: ["PCMA", "PCMU"],
    product: "Town",
    holdMusic: [{ is: "file", path: "music" }],
    newUuid: randomUUID,
    recordingPath: (uuid) => `/recordings/${uuid}.wav`,
    speak: async (text, language) => `/speech/${language}/${text}.wav`,
    chance: () => 0,
    traced: () => undefined,
    purse: {
      spent: async () => town.spent,
      buy: async ({ price, limit }) => {
        if (limit !== null && town.spent + price > limit) return false;
        town.spent += price;
        return true;
      },
      limitReached: async ({ month, limit }) => void diary.lines.push(`limit of ${limit} reached in ${month}`),
    },
    ask: async (url, limitMs) =>
      setup.service?.(new URL(url)) ?? (await setup.web?.(url, limitMs)) ?? { failed: "nobody there" },
    recognise: setup.recognise,
    queues,
    voicemail: {
      folder: "/messages",
      path: (objectKey) => `/objects/${objectKey}`,
      keep: async ({ mailbox, durationMs }) =>
        void diary.lines.push(`message for ${mailbox.number} of ${durationMs} ms`),
      keepGreeting: async ({ mailbox, path }) => void greetings.set(mailbox.number, path),
      dropGreeting: async (_, { number }) => void greetings.delete(number),
      discard: async (path) => void diary.lines.push(`discarded ${path}`),
    },
    sound: async (_, id) => (id < 100 ? `/sounds/${id}.wav` : undefined),
  });
  stack.onRequest((incoming) => board.invite(incoming));

  function bindingOf(number: string) {
    const { destination } = phones.get(number)!; // only called for those that are there
    const uri = `sip:${number}@${destination.address}`;
    const now = clock.now();
    const source = { ...destination, listener: "" };
    const times = { registeredAtMs: now, expiresAtMs: now + 60_000 };
    const ids = { exchangeId: EXCHANGE_ID, extensionId: 1, key: uri, callId: "", cseq: 1 };
    return { ...ids, ...times, uri, route: [], destination, preference: 1, userAgent: "", source };
  }

  function wayTo(number: string): Way {
    const { destination } = phones.get(number)!; // as above
    return {
      name: "the trunk",
      codecs: ["PCMA"],
      seize: () => ({ release: () => undefined }),
      invite: ({ callerId }) => ({
        uri: `sip:${number}@${destination.address}`,
        destinations: [destination],
        from: `<sip:${callerId}@town.example>`,
        to: `<sip:${number}@town.example>`,
        headers: [],
      }),
    };
  }

  const town = {
    clock,
    media,
    board,
    queues,
    diary,
    book,
    exchange: board.exchange,
    exchangeId: EXCHANGE_ID,
    /** This month, on calls to the outside. */
    spent: 0,
    phone,
    /** Winds the clock until something is so; what never becomes so fails the test. */
    async until(what: string, isSo: () => boolean, limitMs = 5_000): Promise<void> {
      for (let passed = 0; !isSo(); passed += 5) {
        if (passed > limitMs) throw new Error(`never: ${what}\n${diary.lines.join("\n")}`);
        clock.pass(5);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    async pass({ seconds }: { seconds: number }): Promise<void> {
      for (let step = 0; step < seconds * 4; step++) {
        clock.pass(250);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    talksWith: (one: TownPhone, other: TownPhone) =>
      town.until(`${one.number} talks with ${other.number}`, () => {
        const [port, otherPort] = [one.rtpPort(), other.rtpPort()];
        return media.hears(port).includes(String(otherPort)) && media.hears(otherPort).includes(String(port));
      }),
    /** From now on nothing reaches the phone, and nothing comes from it. */
    unplug: (phone: TownPhone) => phones.get(phone.number)!.unplug(),
    /** Every call has its record, and nothing of any call is left. */
    async isQuiet(): Promise<void> {
      await town.until("all calls are over", () => board.live.size === 0);
      await town.pass({ seconds: 70 });
      expect(media.streamsOpen()).toBe(0);
      expect(stack.load()).toMatchObject({ clientTransactions: 0, serverTransactions: 0, dialogs: 0 });
    },
  };
  return town;

  function phone(number: string): TownPhone {
    const address = `10.0.1.${phones.size + 1}`;
    const own = openStack({ clock, random, transports: [network.attach({ address })] });
    const paper = paperMedia({ address, firstPort: 20_000 + phones.size * 1_000 });
    const parts: LegParts = {
      ...{ clock, random, hash, stack: own, media: paper, streams: openStreamHub(paper) },
      locate: async () => [],
      product: `phone ${number}`,
      mistake: (error) => {
        throw error;
      },
    };
    let leg: Leg | undefined;
    const seen: string[] = [];
    const watch = (next: Leg) => {
      leg = next;
      next.listen((event: LegEvent) => seen.push(event.is === "ended" ? `ended ${event.ending.cause}` : event.is));
    };
    const current = () => {
      if (!leg) throw new Error(`${number} is on no call`);
      return leg;
    };
    const self: TownPhone & { destination: Destination; unplug(): Promise<void> } = {
      number,
      seen,
      lastInvite: [],
      destination: { transport: "udp", address, port: 5060 },
      leg: current,
      unplug: () => own.close(),
      rtpPort: () => Number(/\d+/.exec(current().stream() ?? "paper-0")![0]),
      async calls(dialled, headers = []) {
        const options: OutgoingOptions = {
          ...{ id: randomUUID(), party: { is: "outside", number: dialled, name: "" }, codecs: ["PCMA"] as const },
          uri: `sip:${dialled}@10.0.0.1`,
          destinations: [{ transport: "udp", address: "10.0.0.1", port: 5060 }],
          keepsFlow: false,
          from: `<sip:${number}@town.example>`,
          to: `<sip:${dialled}@town.example>`,
          headers,
        };
        watch(outgoingLeg(parts, options));
      },
      rings: () => town.until(`${number} rings`, () => seen.includes("is rung")),
      async answers() {
        await self.rings();
        await current().answer();
      },
      async refuses(how) {
        await self.rings();
        current().end(how === "busy" ? "USER_BUSY" : "CALL_REJECTED");
      },
      async presses(key) {
        const type = { name: "Content-Type", value: "application/dtmf-relay" };
        current().ask("INFO", { headers: [type], body: `Signal=${key}\r\nDuration=160\r\n` });
      },
      async hangsUp() {
        current().end("NORMAL_CLEARING");
      },
    };
    own.onRequest((incoming) => {
      if (incoming.request.method !== "INVITE") return void incoming.reply(200);
      const party = { is: "outside", number: "", name: "" } as const;
      const rung = incomingLeg(parts, incoming, { id: randomUUID(), party, codecs: ["PCMA"] });
      if (!rung) return;
      self.lastInvite = incoming.request.headers;
      watch(rung);
      seen.push("is rung");
      rung.ring();
    });
    phones.set(number, self);
    return self;
  }
}

/** Rows for the few questions that calls ask the store; what is not set up is not there. */
function paperStore(setup: Parameters<typeof townWith>[0], greetings: ReadonlyMap<string, string>): Db {
  const menu: Menu = {
    ...{ id: 1, number: "", name: "menu", welcomeAnnouncementId: 1, keyTargets: {}, retries: 1, keySeconds: 5 },
    ...{ timeoutTarget: null, invalidTarget: null },
  };
  const mailbox = (number: string) => ({
    ...{ extensionId: 1, number, name: "", active: true, greetingAnnouncementId: null, greetingText: null },
    ...{ greetingLanguage: "tr-TR", maxSeconds: 60, pin: setup.pin ?? null, email: null },
    greetingObjectKey: greetings.get(number) ?? null,
  });
  const tables: [question: RegExp, rows: (number: string, values: readonly unknown[]) => unknown[]][] = [
    [/from blocked_numbers/, (number) => (setup.blocked?.includes(number) ? [1] : [])],
    [/from holidays/, (_, [, , day]) => (setup.holiday && (setup.holiday.day ?? day) === day ? [setup.holiday] : [])],
    [/join mailboxes/, (number) => (setup.desks?.[number] ? [mailbox(number)] : [])],
    [/from voicemail_messages/, () => setup.messages ?? []],
    [/from menus/, (number) => (setup.menus?.[number] ? [{ ...menu, number, ...setup.menus[number] }] : [])],
    [/from ring_group_members/, (number) => (setup.groups?.[number]?.members ?? []).map(memberRow)],
    [
      /from ring_groups/,
      (number) => {
        const group = setup.groups?.[number];
        return group ? [{ id: 1, number, name: "group", ringSeconds: 10, noAnswerTarget: null, ...group }] : [];
      },
    ],
  ];
  const query = async (text: string, values: readonly unknown[] = []) =>
    tables.find(([question]) => question.test(text))?.[1](String(values[1]), values) ?? [];
  // Only what is asked above is ever asked of it.
  return { query } as unknown as Db;
}

function memberRow(member: RingGroupMember) {
  return "extension" in member
    ? { extension: member.extension, external: null }
    : { extension: null, external: member.external };
}

function paperJournal({ lines, records }: Diary): Journal {
  return {
    opened: ({ direction, callerNumber, destinationNumber }) =>
      void lines.push(`opened ${direction} ${callerNumber} -> ${destinationNumber}`),
    kept: async () => undefined,
    rang: ({ dialedUser }) => void lines.push(`ringing ${dialedUser}`),
    answered: ({ connectedUser }) => void lines.push(`answer ${connectedUser}`),
    changed: () => undefined,
    userLeft: (_, { extension }) => void lines.push(`user_hangup ${extension}`),
    closed: async (facts, end) => {
      lines.push(`hangup ${end.cause} by ${end.by}`);
      records.push({ facts, end });
    },
  };
}
