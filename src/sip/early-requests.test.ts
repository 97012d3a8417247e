import { expect, test } from "vitest";
import { aliceCalls, BOB, bobAnswers, ladder, line, NOTHING_LEFT, requestTo } from "../../test/phones/sip-phones.ts";
import { printMessage } from "./message/print.ts";
import type { LookAgain } from "./stack-options.ts";

/** Bob's exchange has no owner until `found` says otherwise. */
function open() {
  const state: { found: ReturnType<LookAgain> } = { found: "wait" };
  const look: LookAgain = () => state.found;
  const town = line({ bob: { screen: () => (state.found === "wait" ? look : state.found) } });
  const { calls } = bobAnswers(town);
  return { ...town, state, calls };
}

function asks({ alice, toBob }: ReturnType<typeof open>, method = "REGISTER") {
  const heard: [number, string | undefined][] = [];
  const outgoing = alice.send(requestTo(method), toBob, (outcome) => {
    if (!("response" in outcome)) return void heard.push([0, undefined]);
    const { status, headers } = outcome.response;
    if (status > 100) heard.push([status, headers.find(({ name }) => name === "Retry-After")?.value]);
  });
  return { heard, outgoing };
}

test("a call that comes while nobody has the exchange is set up once somebody does, and its caller hears nothing else", () => {
  const town = open();
  const { heard } = aliceCalls(town);
  town.clock.pass(4_000);
  expect(heard).toEqual([100]);
  expect(ladder(town.network)).toEqual(["INVITE", "100 INVITE"]);
  town.state.found = "pass";
  town.clock.pass(60_000);
  expect(heard).toEqual([100, 180, 200, "BYE success"]);
  expect(town.calls).toEqual(["hung up"]);
  expect(town.bob.load()).toEqual(NOTHING_LEFT);
});

test("a REGISTER that is repeated meanwhile is answered once, by whoever has it, or told who has", () => {
  for (const [found, answer] of [
    ["pass", [200, undefined]],
    [{ status: 503, headers: [{ name: "Retry-After", value: "7" }] }, [503, "7"]],
  ] as const) {
    const town = open();
    const { heard } = asks(town);
    town.clock.pass(5_000);
    expect(heard).toEqual([]);
    town.state.found = typeof found === "string" ? found : { ...found, headers: [...found.headers] };
    town.clock.pass(60_000);
    expect(heard).toEqual([answer]);
  }
});

test("nobody waits for ever", () => {
  const town = open();
  const { heard } = asks(town);
  town.clock.pass(7_900);
  expect(heard).toEqual([]);
  town.clock.pass(1_000);
  expect(heard).toEqual([[503, "2"]]);
  town.clock.pass(60_000);
  expect(town.bob.load()).toEqual(NOTHING_LEFT);
});

test("a call that is taken back meanwhile begins nowhere", () => {
  const town = open();
  const { heard, outgoing } = asks(town, "INVITE");
  town.clock.pass(1_000);
  outgoing.cancel();
  town.clock.pass(1_000);
  expect(heard).toEqual([[487, undefined]]);
  town.state.found = "pass";
  town.clock.pass(60_000);
  expect(town.calls).toEqual([]);
  expect(town.bob.load()).toEqual(NOTHING_LEFT);
});

test("of a flood only so many wait, and the rest is told at once to come again", () => {
  const town = open();
  const all = Array.from({ length: 2_010 }, () => asks(town));
  town.clock.pass(100);
  expect(all.filter(({ heard }) => heard[0]?.[0] === 503)).toHaveLength(10);
  town.state.found = "pass";
  town.clock.pass(60_000);
  expect(all.filter(({ heard }) => heard[0]?.[0] === 200)).toHaveLength(2_000);
  expect(town.bob.load()).toEqual(NOTHING_LEFT);
});

const CHALLENGE = { status: 401, headers: [{ name: "WWW-Authenticate", value: 'Digest realm="a", nonce="b"' }] };
const ROOMY = { headers: [{ name: "Subject", value: "x".repeat(200) }] };

/** The same of somebody who may be somewhere else than his datagrams say. */
function openToStrangers() {
  const state: { found: ReturnType<LookAgain> } = { found: "wait" };
  const screen = () => (state.found === "wait" ? () => state.found : state.found);
  return { ...line({ bob: { screen, isProved: () => false } }), state };
}

test("a stranger's call that waited is challenged once, and is told nothing meanwhile", () => {
  const town = openToStrangers();
  const invite = printMessage(requestTo("INVITE", ROOMY)).replace(
    "\r\n",
    "\r\nVia: SIP/2.0/UDP 203.0.113.9:5060;branch=z9hG4bKforged\r\n",
  );
  town.network.forge(invite, "203.0.113.9", BOB);
  town.clock.pass(3_000);
  expect(ladder(town.network)).toEqual(["INVITE"]);
  town.state.found = CHALLENGE;
  town.clock.pass(60_000);
  expect(ladder(town.network)).toEqual(["INVITE", "401 INVITE"]);
  expect(town.bob.load()).toEqual(NOTHING_LEFT);
});

test("his challenge comes again, should it be lost, when he asks again", () => {
  const town = openToStrangers();
  const heard: number[] = [];
  town.alice.send(requestTo("INVITE", ROOMY), town.toBob, (outcome) => {
    if ("response" in outcome) heard.push(outcome.response.status);
  });
  town.clock.pass(2_000);
  town.state.found = CHALLENGE;
  town.network.weather({ loss: 1 });
  town.clock.pass(400);
  expect(ladder(town.network).at(-1)).toBe("401 INVITE");
  town.network.weather({});
  town.clock.pass(60_000);
  expect(heard).toEqual([401]);
  expect(town.bob.load()).toEqual(NOTHING_LEFT);
});
