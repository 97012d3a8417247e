// What a town has: its exchange, desks, numbers, and what a test wants to be different.

import type { ProgramNeeds } from "../../src/exchange/features/programming/program.ts";
import type { CallSettings, ExchangeSettings, ExtensionSettings, OwnNumber } from "../../src/store/call-settings.ts";
import type { HeardMessage } from "../../src/store/mailboxes.ts";
import type { Menu } from "../../src/store/menus.ts";
import type { RingGroupMember } from "../../src/store/ring-groups.ts";
import type { QueueSetup } from "./paper-queues.ts";

export type TownSetup = {
  desks?: Record<string, Partial<ExtensionSettings>>;
  exchange?: Partial<ExchangeSettings>;
  target?: string;
  blocked?: string[];
  /** Names, by number in the form 0…. */
  contacts?: Record<string, string>;
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
  service?: (question: URL) => Awaited<ReturnType<ProgramNeeds["ask"]>> | undefined;
  /** Whom a question goes to that the service does not answer. */
  web?: ProgramNeeds["ask"];
  recognise?: () => Promise<string | undefined>;
  messages?: HeardMessage[];
  menus?: Record<string, Partial<Menu>>;
  queues?: Record<string, QueueSetup>;
  groups?: Record<
    string,
    { strategy: string; members: RingGroupMember[]; ringSeconds?: number; noAnswerTarget?: string }
  >;
};

export const EXCHANGE_ID = 101;
export const OWN_NUMBER = "908505320000";

export const settings: ExchangeSettings = {
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

export function bookOf(setup: TownSetup): CallSettings {
  const extensions = new Map(
    Object.entries(setup.desks ?? {}).map(([number, more]) => [number, extension(number, more)]),
  );
  return {
    settings: { ...settings, ...setup.exchange },
    extensions,
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
}
