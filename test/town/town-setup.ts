// What a town has: its exchange, desks, numbers, and what a test wants to be different.

import type { CallNeeds } from "../../src/exchange/call-desk.ts";
import type { ProgramNeeds } from "../../src/exchange/features/programming/program.ts";
import type { Way } from "../../src/exchange/lead/outside.ts";
import type { PhoneNumber } from "../../src/exchange/plan/numbers.ts";
import type { Trace } from "../../src/exchange/signalling/trace/trace.ts";
import type { ClientAccount } from "../../src/sip/digest-answer.ts";
import type { FloorQueue } from "../../src/store/agents.ts";
import type { ExchangeSettings, ExtensionSettings, OwnNumber } from "../../src/store/call-settings.ts";
import type { HeardMessage } from "../../src/store/mailboxes.ts";
import type { Menu } from "../../src/store/menus.ts";
import type { RingGroupMember } from "../../src/store/ring-groups.ts";
import type { CallRate } from "../../src/store/spending.ts";
import type { TrunkSetup } from "../../src/store/trunk-state.ts";

/** Every member is an agent who has logged in. */
export type QueueSetup = Partial<Omit<FloorQueue, "number">> & { members: string[]; dispositions?: string[] };

export type TownSetup = {
  /** Calls stand in the journal of a real exchange: the town can lose its exchange and open another (`restarts`). */
  keepsCalls?: true;
  desks?: Record<string, Partial<ExtensionSettings> & { maySupervise?: boolean }>;
  exchange?: Partial<ExchangeSettings>;
  target?: string;
  /** More about the line to the outside. */
  trunk?: Partial<TrunkSetup>;
  blocked?: string[];
  /** Names, by number in the form 0…. */
  contacts?: Record<string, string>;
  /** What a minute costs; the longest prefix first. */
  rates?: CallRate[];
  pin?: string;
  /** Greetings that were spoken into the phone, by extension. */
  greetings?: Record<string, string>;
  closedTarget?: string;
  /** Every day, unless it names one. */
  holiday?: { description: string; target: string | null; day?: string };
  /** Tells browsers in which the web phone is closed. */
  wake?: CallNeeds["wake"];
  /** Keeps the ladders of its calls. */
  trace?: Trace;
  /** The trunks to a number, where it is not a phone of the town. */
  waysTo?: (number: PhoneNumber) => Way[];
  /** By the name of a trunk. */
  wayBy?: (trunk: string) => Way | undefined;
  /** Of the trunk by which callers from outside come. */
  account?: ClientAccount;
  /** More about the town's own number. */
  ownNumber?: Partial<OwnNumber>;
  /** The customer's service, asked with a URL. */
  service?: (question: URL) => Awaited<ReturnType<ProgramNeeds["ask"]>> | undefined;
  /** Whom a question goes to that the service does not answer. */
  web?: ProgramNeeds["ask"];
  recognise?: () => Promise<string | undefined>;
  /** Messages that were left, by extension. */
  messages?: Record<string, HeardMessage[]>;
  menus?: Record<string, Partial<Menu>>;
  queues?: Record<string, QueueSetup>;
  groups?: Record<
    string,
    {
      strategy: string;
      members: RingGroupMember[];
      ringSeconds?: number;
      noAnswerTarget?: string;
      followsForwards?: boolean;
    }
  >;
};

export const USUAL_TRUNK: TrunkSetup = {
  id: 1,
  exchangeId: 0,
  name: "Ana hat",
  host: "town.example",
  port: 5060,
  transport: "udp",
  username: null,
  password: null,
  registers: false,
  sourceAddresses: [],
  mediaNetworks: [],
  callerIdForm: "e164",
  identity: "pai",
  trusted: true,
  diversion: "diversion",
  forwardedCaller: "own",
  tellsConnected: false,
  attestation: "ignored",
  attestationCertificates: "",
  authUser: null,
  fromUser: null,
  fromDomain: null,
  outboundProxy: null,
  outward: { strip: 0, prefix: "" },
  inward: { strip: 0, prefix: "" },
  silentSeconds: 4,
  progressSeconds: 15,
  nextOn: ["401", "407", "408", "5xx"],
  sendsName: false,
  comedia: "near",
  tlsVerify: true,
  tlsName: null,
  tlsCa: null,
  srtp: "answered",
  dtmf: "auto",
  hearsInband: false,
  codecs: ["PCMA"],
  channelLimit: null,
  priority: 10,
  healthCheck: false,
  t38: true,
};

export const OWN_NUMBER = "908505320000";

export function usualQueue(number: string, setup: QueueSetup): FloorQueue {
  return {
    number,
    name: `Queue ${number}`,
    strategy: "sequential",
    priority: 0,
    ringSeconds: 10,
    wrapUpSeconds: 0,
    mostMisses: 3,
    maxWaitSeconds: 600,
    maxWaiting: 100,
    overflowTarget: null,
    musicSound: null,
    waitingSound: null,
    agentSound: null,
    announceSeconds: 0,
    language: "en-US",
    callbackKey: null,
    survey: false,
    followsForwards: false,
    dispositionRequired: false,
    ...setup,
  };
}
