import { expect, test } from "vitest";
import { testClock } from "../../../../test/ground/test-clock.ts";
import { memoryNetwork, seededChance } from "../../../../test/sip/memory-network.ts";
import { between, NEVER } from "../../../clock.ts";
import { openStack } from "../../../sip/stack.ts";
import { openRandom } from "../../../sip/transport/random.ts";
import type { Pace } from "../../../store/sip-accounts.ts";
import type { Binding } from "./binding.ts";
import { watchPhones } from "./watch.ts";

const USUAL: Pace = { qualifySeconds: 60, keepAliveSeconds: 25 };

function town({ phones, pace = USUAL, nat = false }: { phones: number; pace?: Pace; nat?: boolean }) {
  const clock = testClock(0);
  const network = memoryNetwork(clock);
  const random = openRandom();
  const stack = openStack({ clock, random, transports: [network.attach({ address: "10.0.0.1" })] });
  const bindings = Array.from({ length: phones }, (_, at) => bindingAt(at, nat));
  const changes: number[] = [];
  const watch = watchPhones({
    clock,
    random,
    stack,
    chance: seededChance(7),
    bindings: () => bindings,
    paceOf: () => pace,
    domainOf: () => "town.example",
    changed: ({ extensionId }) => changes.push(extensionId),
  });
  const plugIn = (at: number) => {
    const phone = openStack({ clock, random, transports: [network.attach({ address: addressOf(at) })] });
    phone.onRequest((incoming) => void incoming.reply(200));
    return phone;
  };
  /** Promises of answers are kept between two moments. */
  async function pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 0.5) {
      clock.pass(500);
      await Promise.resolve();
      await Promise.resolve();
    }
  }
  return { clock, stack, network, bindings, watch, changes, plugIn, pass };
}

const addressOf = (at: number) => `10.1.${at >> 8}.${at & 255}`;

function bindingAt(at: number, nat: boolean): Binding {
  const place = { transport: "udp", address: addressOf(at), port: 5060 } as const;
  const uri = `sip:${at}@${nat ? "192.168.0.5" : addressOf(at)}`;
  const source = { ...place, listener: "udp 10.0.0.1:5060" };
  const times = { registeredAtMs: 0, expires: NEVER };
  const ids = { exchangeId: 1, extensionId: at, key: uri, callId: "", cseq: 1 };
  return { ...ids, ...times, uri, route: [], destination: place, preference: 1, userAgent: "", source };
}

test("ten thousand phones are asked once a minute each, and never many of them at once", () => {
  const clock = testClock(0);
  const bindings = Array.from({ length: 10_000 }, (_, at) => bindingAt(at, false));
  const askedAt: number[] = [];
  const watch = watchPhones({
    clock,
    random: openRandom(),
    stack: {
      doorTo: () => undefined,
      ask: () => {
        askedAt.push(clock.wall());
        return new Promise(() => undefined);
      },
    },
    chance: seededChance(7),
    bindings: () => bindings,
    paceOf: () => ({ qualifySeconds: 60, keepAliveSeconds: 0 }),
    domainOf: () => "town.example",
  });
  for (let minute = 0; minute < 3; minute++) {
    const before = askedAt.length;
    for (let second = 0; second < 60; second++) clock.pass(1_000);
    const asked = askedAt.slice(before);
    const bySecond = new Map<number, number>();
    for (const atMs of asked) bySecond.set(atMs, (bySecond.get(atMs) ?? 0) + 1);
    expect(Math.abs(asked.length - bindings.length)).toBeLessThan(250);
    expect(Math.max(...bySecond.values())).toBeLessThan(250);
  }
  watch.close();
});

test("a phone that does not answer is silent after three seconds, and there again as soon as it does", async () => {
  const { clock, bindings, watch, changes, plugIn, pass } = town({
    phones: 2,
    pace: { qualifySeconds: 10, keepAliveSeconds: 0 },
  });
  const [alive, dead] = bindings as [Binding, Binding];
  plugIn(0);
  const began = clock.ticks();
  await pass(14);
  expect(watch.silentSince(alive)).toBeUndefined();
  expect(watch.roundTripMs(alive)).toBeGreaterThanOrEqual(2);
  expect(between(began, watch.silentSince(dead)!)).toBeLessThanOrEqual(14_000);
  expect(changes).toEqual([1]);
  plugIn(1);
  await pass(11);
  expect(watch.silentSince(dead)).toBeUndefined();
  expect(changes).toEqual([1, 1]);
  watch.close();
});

test("a call that nobody heard of says so, and one that was heard of too", () => {
  const { clock, bindings, watch, changes } = town({ phones: 1 });
  watch.note(bindings[0]!, false);
  watch.note(bindings[0]!, false);
  expect(watch.silentSince(bindings[0]!)).toBe(clock.ticks());
  watch.note(bindings[0]!, true);
  expect(watch.silentSince(bindings[0]!)).toBeUndefined();
  expect(changes).toEqual([0, 0]);
  watch.close();
});

test("the way through a NAT is kept open with four octets, and only there", async () => {
  const pace = { qualifySeconds: 0, keepAliveSeconds: 25 };
  const [behind, before] = [town({ phones: 3, pace, nat: true }), town({ phones: 3, pace })];
  await behind.pass(100);
  await before.pass(100);
  expect(behind.network.carried()).toHaveLength(12);
  expect(behind.network.carried().every(({ octets }) => octets === "\r\n\r\n")).toBe(true);
  expect(before.network.carried()).toEqual([]);
  behind.watch.close();
  before.watch.close();
});

test("a dead phone is asked with four datagrams, and nothing waits for it longer than five seconds", async () => {
  const { stack, network, watch, pass } = town({ phones: 1, pace: { qualifySeconds: 60, keepAliveSeconds: 0 } });
  await pass(59);
  const asked = network.carried().length;
  expect(asked).toBe(4);
  expect(stack.load().clientTransactions).toBe(0);
  watch.close();
});
