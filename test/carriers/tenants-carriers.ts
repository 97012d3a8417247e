// Several exchanges on one server and the SIP servers around it, in memory: whose is what comes from there?

import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import { openTrunks, type Trunks } from "../../src/exchange/signalling/trunks/trunks.ts";
import { silentLog } from "../../src/log.ts";
import type { Incoming } from "../../src/sip/incoming.ts";
import { openStack, type Stack } from "../../src/sip/stack.ts";
import { openRandom } from "../../src/sip/transport/random.ts";
import type { Source } from "../../src/sip/transport/transport.ts";
import type { Database } from "../../src/store/db.ts";
import { createExchange } from "../../src/store/exchanges.ts";
import { createExternalNumber } from "../../src/store/external-numbers.ts";
import { isRefusal } from "../../src/store/refusal.ts";
import { createTrunk } from "../../src/store/trunks.ts";
import { secrets } from "../ground/secrets.ts";
import { type TestClock, testClock } from "../ground/test-clock.ts";
import { unexpected } from "../ground/unexpected.ts";
import { memoryNetwork } from "../sip/memory-network.ts";

const OURS = "192.0.2.1";
/** Where the edge of our server is. */
export const HOUSE = "192.0.2.3";

export type Around = {
  /** SIP servers that answer stand at these addresses. */
  answering: readonly string[];
  /** Where a host's name leads. */
  names?: Record<string, string[]>;
  answer?(incoming: Incoming): unknown;
  clock?: TestClock;
};

export type TenantsCarriers = {
  trunks: Trunks;
  warnings: string[];
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
};

export async function tenantsCarriers(db: Database, around: Around): Promise<TenantsCarriers> {
  const { answering, names = {}, answer = (incoming) => incoming.reply(405), clock = testClock() } = around;
  const network = memoryNetwork(clock);
  const stackAt = (address: string) =>
    openStack({ clock, unexpected, random: openRandom(), transports: [network.attach({ address })] });
  const near = stackAt(OURS);
  const far = answering.map((address): Stack => {
    const stack = stackAt(address);
    stack.onRequest((incoming) => void answer(incoming));
    return stack;
  });
  const resolve = async (uri: string) => {
    const host = /sip:([^:;]+)/.exec(uri)?.[1] ?? "";
    return (names[host] ?? [host]).map((address) => ({ transport: "udp", address, port: 5060 }) as const);
  };
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_: object, text: string) => void warnings.push(text) };
  const trunks = await openTrunks({
    ...{ db, secrets, clock, log, unexpected, stack: near, hash, resolve },
    random: openRandom(),
    isHouse: (address) => address === HOUSE,
  });
  const pass = async (ms: number) => {
    const stepMs = ms > 600_000 ? 10_000 : 100;
    for (let left = ms; left > 0; left -= stepMs) {
      clock.pass(Math.min(left, stepMs));
      for (let turn = 0; turn < 4; turn++) await new Promise((done) => setImmediate(done));
    }
  };
  const close = async () => {
    await trunks.close();
    for (const stack of [near, ...far]) await stack.close();
  };
  await pass(1_000);
  return { trunks, warnings, pass, close };
}

export async function exchangeWith(db: Database, sipDomain: string, ...numbers: string[]): Promise<number> {
  const made = await createExchange(db, secrets, { name: sipDomain, sipDomain });
  if (isRefusal(made)) throw new Error(made.refused);
  for (const number of numbers) await createExternalNumber(db, { exchangeId: made.id, number, target: "hangup/busy" });
  return made.id;
}

/** `to`: what the To header says, where that is not the number called. */
export const callTo = (number: string, address: string, to = number) => ({
  request: {
    is: "request" as const,
    method: "INVITE",
    uri: `sip:${number}@${OURS}`,
    body: "",
    headers: [{ name: "To", value: `<sip:${to}@${OURS}>` }],
  },
  source: { transport: "udp", address, port: 5060, listener: "udp" } satisfies Source,
});

export type TrunkChanges = Parameters<typeof createTrunk>[2]["changes"];

export const trunkOf = (db: Database, exchangeId: number, host: string, changes: TrunkChanges = {}) =>
  createTrunk(db, secrets, { exchangeId, name: "t", host, changes: { health_check: false, ...changes } });
