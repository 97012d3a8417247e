// Spoilt messages thrown at a whole stack, and calls over a line that spoils them: no throw, no leak, no slow message.
//
// SANTRAL_FUZZ=1000000 npx vitest run test/sip/sip-stack-fuzz.test.ts runs longer, SANTRAL_FUZZ_SEED=7 makes other trouble.

import { expect, test } from "vitest";
import type { Unexpected } from "../../src/machine.ts";
import { acceptInDialog, dialogAsCallee, dialogAsCaller, movedBy, requestInDialog } from "../../src/sip/dialog.ts";
import type { Incoming } from "../../src/sip/incoming.ts";
import { isMalformed } from "../../src/sip/message/malformed.ts";
import { transferIn } from "../../src/sip/refer.ts";
import { prackFor, wantsReliable } from "../../src/sip/reliable.ts";
import { SESSION_PREFERENCE, sessionAsCallee, sessionAsCaller } from "../../src/sip/session-timer.ts";
import { openStack, type Stack } from "../../src/sip/stack.ts";
import type { Destination, Transport } from "../../src/sip/transport/transport.ts";
import { heapUsed } from "../ground/heap.ts";
import { type TestClock, testClock } from "../ground/test-clock.ts";
import { ALICE, BOB, bobsContact, NOTHING_LEFT, requestTo, seededRandom } from "../phones/sip-phones.ts";
import { type MemoryNetwork, memoryNetwork } from "./memory-network.ts";
import { corpus, openMutator, pick, seeded } from "./sip-mutator.ts";

const MESSAGES = Number(process.env.SANTRAL_FUZZ ?? 40_000);
const SEED = Number(process.env.SANTRAL_FUZZ_SEED ?? 1);
const PATIENCE_MS = 120_000 + MESSAGES;
const SLOWEST_MS = 5;
const MOST_GROWTH = 16 * 1024 * 1024;
const NOBODY = { failed() {} };

/** All that a stranger's message can surprise a transaction with: an ACK of what nobody has answered yet. */
function unexpected(what: Unexpected): void {
  expect(what).toEqual({ machine: "server transaction", state: "proceeding", input: "ack" });
}

/** A stack whose owner does with every request what an exchange might. */
function openBob(clock: TestClock, transports: Transport[], chance: () => number): Stack {
  const bob = openStack({
    clock,
    random: seededRandom(SEED),
    transports,
    unexpected,
    mistake(error) {
      throw error;
    },
  });
  bob.onRequest((incoming) => answer(bob, clock, incoming, chance));
  return bob;
}

function answer(bob: Stack, clock: TestClock, incoming: Incoming, chance: () => number): void {
  const { request } = incoming;
  if (request.method === "REFER") transferIn(request);
  if (request.method !== "INVITE") {
    incoming.reply(pick(chance, [200, 401, 404, 501]));
    return;
  }
  wantsReliable(request);
  sessionAsCallee(request, SESSION_PREFERENCE);
  const made = dialogAsCallee(request, incoming.localTag, incoming.source);
  if (isMalformed(made)) {
    incoming.reply(400);
    return;
  }
  let dialog = made;
  const release = bob.own(dialog, (inside) => {
    const taken = acceptInDialog(dialog, inside.request);
    if ("accepted" in taken) dialog = taken.accepted;
    inside.reply("accepted" in taken ? 200 : taken.refused);
    if (inside.request.method === "BYE") release();
  });
  clock.after(60_000, release);
  if (chance() < 0.7) incoming.reply(180, { headers: [bobsContact] });
  if (chance() < 0.8)
    clock.after(10, () => void incoming.reply(chance() < 0.5 ? 200 : 486, { headers: [bobsContact] }));
  else clock.after(40_000, () => void incoming.reply(408));
}

/** A pause of the machine is no fault of the message: what is slow nine times at a fresh stack is slow. */
function fastestMs(octets: string): number {
  const times = Array.from({ length: 9 }, () => {
    const { clock, network } = town(SEED);
    openBob(clock, [network.attach({ address: BOB })], () => 0);
    network.attach({ address: ALICE }).send(octets, { transport: "udp", address: BOB, port: 5060 }, NOBODY);
    const started = performance.now();
    clock.pass(2);
    return performance.now() - started;
  });
  return Math.min(...times);
}

function town(seed: number): { clock: TestClock; network: MemoryNetwork } {
  const clock = testClock();
  return { clock, network: memoryNetwork(clock, seed) };
}

test(`${MESSAGES} spoilt messages at the door of a whole stack`, { timeout: PATIENCE_MS }, () => {
  const { clock, network } = town(SEED);
  const chance = seeded(SEED);
  const doors = [network.attach({ address: BOB }), network.attach({ address: BOB, name: "tcp" })];
  const bob = openBob(clock, doors, chance);
  const throwers = [network.attach({ address: ALICE }), network.attach({ address: ALICE, name: "tcp" })];
  const messages = corpus();
  const mutate = openMutator(chance, messages);
  let slowestMs = 0;
  let heapBefore = 0;
  const suspects: string[] = [];
  for (let count = 0; count < MESSAGES; count++) {
    if (count === Math.floor(MESSAGES / 5)) heapBefore = heapUsed();
    const from = pick(chance, throwers);
    const octets = mutate(pick(chance, messages));
    from.send(octets, { transport: from.name, address: BOB, port: 5060 }, NOBODY);
    const started = performance.now();
    clock.pass(2);
    const ms = performance.now() - started;
    if (ms > SLOWEST_MS && count > 1_000) suspects.push(octets);
    else if (count > 1_000) slowestMs = Math.max(slowestMs, ms);
    if (count % 200 === 199) clock.pass(120_000);
  }
  clock.pass(120_000);
  expect(bob.load()).toEqual(NOTHING_LEFT);
  expect(clock.waiting()).toBe(0);
  const growth = heapUsed() - heapBefore;
  const { received, malformed, sent, mistakes } = bob.counters;
  process.stdout.write(
    `\nstack fuzz seed ${SEED}: ${JSON.stringify({ received, malformed, sent, mistakes })}, ` +
      `slowest ${slowestMs.toFixed(2)} ms, heap ${(growth / 1024).toFixed(0)} KiB more\n`,
  );
  expect(mistakes).toBe(0);
  expect(growth).toBeLessThan(MOST_GROWTH);
  expect(suspects.filter((octets) => fastestMs(octets) > SLOWEST_MS)).toEqual([]);
});

/** What goes out by this door is spoilt now and then. */
function spoiling(door: Transport, spoil: (octets: string) => string): Transport {
  return { ...door, send: (octets, destination, sender) => door.send(spoil(octets), destination, sender) };
}

test("calls over a line that spoils messages end one way or another", { timeout: PATIENCE_MS }, () => {
  const { clock, network } = town(SEED + 1);
  const chance = seeded(SEED + 1);
  const mutate = openMutator(chance, corpus());
  const spoil = (octets: string) => (chance() < 0.3 ? mutate(octets) : octets);
  const bob = openBob(clock, [spoiling(network.attach({ address: BOB }), spoil)], chance);
  const alice = openStack({
    clock,
    random: seededRandom(SEED + 2),
    transports: [spoiling(network.attach({ address: ALICE }), spoil)],
    unexpected,
    mistake(error) {
      throw error;
    },
  });
  const toBob: Destination = { transport: "udp", address: BOB, port: 5060 };
  const calls = Math.ceil(MESSAGES / 20);
  let ended = 0;
  let answered = 0;
  for (let count = 0; count < calls; count++) {
    const invite = requestTo("INVITE");
    const call = alice.send(invite, toBob, (outcome) => {
      if (outcome.is !== "provisional") ended += 1;
      if (!("response" in outcome) || outcome.response.status === 100) return;
      sessionAsCaller(outcome.response);
      const dialog = dialogAsCaller(invite, outcome.response, toBob);
      if (isMalformed(dialog)) return;
      prackFor(outcome.response, undefined);
      movedBy(outcome.response, dialog);
      if (outcome.is !== "success") return;
      answered += 1;
      call.sendAck(requestInDialog(dialog, "ACK", { cseq: dialog.localCSeq }).request, toBob);
      clock.after(1_000, () => alice.send(requestInDialog(dialog, "BYE").request, toBob, () => {}));
    });
    clock.after(100_000, () => call.cancel());
    if (count % 25 === 24) clock.pass(260_000);
  }
  clock.pass(260_000);
  expect(ended).toBeGreaterThanOrEqual(calls);
  expect(answered).toBeGreaterThan(calls / 5);
  expect(alice.load()).toEqual(NOTHING_LEFT);
  expect(bob.load()).toEqual(NOTHING_LEFT);
  expect(clock.waiting()).toBe(0);
});
