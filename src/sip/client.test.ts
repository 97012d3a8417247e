import { describe, expect, test } from "vitest";
import { unexpected } from "../../test/ground/unexpected.ts";
import {
  answeredCall,
  bobsContact,
  forksAt,
  ladder,
  line,
  NOTHING_LEFT,
  requestTo,
  seededRandom,
} from "../../test/phones/sip-phones.ts";
import type { Outcome } from "./client.ts";
import type { Incoming } from "./incoming.ts";
import { openStack } from "./stack.ts";
import type { Destination } from "./transport/transport.ts";

const told = (outcome: Outcome) =>
  "response" in outcome ? `${outcome.response.status}${/;tag=.*/.exec(toIn(outcome.response))?.[0] ?? ""}` : outcome.is;
const toIn = ({ headers }: { headers: { name: string; value: string }[] }) =>
  headers.find(({ name }) => name === "To")?.value ?? "";

test("an owner that goes hears nothing more; other forks are told to whom it named, and repeats are acknowledged", () => {
  const town = line();
  const bob = forksAt(town);
  const invite = requestTo("INVITE");
  const [owner, heir]: string[][] = [[], []];
  const hear = (said: string[] | undefined) => (outcome: Outcome) => {
    said?.push(told(outcome));
    if (outcome.is !== "success") return;
    const { ack, hop } = answeredCall(invite, outcome.response);
    call.sendAck(ack, hop);
  };
  const call = town.alice.send(invite, town.toBob, hear(owner));
  town.clock.pass(10);
  bob.answers("first");
  town.clock.pass(10);
  call.handOver(hear(heir));
  bob.answers("first");
  bob.answers("second");
  bob.answers("second");
  town.clock.pass(10);
  expect(owner).toEqual(["200;tag=first"]);
  expect(heir).toEqual(["200;tag=second"]);
  expect(ladder(town.network).filter((message) => message === "ACK")).toHaveLength(4);
  town.clock.pass(40_000);
  expect(town.alice.load()).toEqual(NOTHING_LEFT);
});

test("a refusal is the last word: who asked is let go with it, and its repeats are still acknowledged", () => {
  const town = line();
  town.bob.onRequest((incoming) => void incoming.reply(486));
  const heard: string[] = [];
  const call = town.alice.send(
    requestTo("INVITE"),
    town.toBob,
    (outcome) => void heard.push(told(outcome).slice(0, 3)),
  );
  town.clock.pass(1);
  town.network.weather({ loss: 1 });
  town.clock.pass(1);
  town.network.weather({});
  call.handOver(() => expect.unreachable());
  town.clock.pass(2_000);
  expect(heard).toEqual(["486"]);
  expect(ladder(town.network)).toEqual(["INVITE", "486 INVITE", "ACK", "486 INVITE", "ACK"]);
  town.clock.pass(60_000);
  expect(town.alice.load()).toEqual(NOTHING_LEFT);
});

test("a question's answer is heard once, whatever comes afterwards", () => {
  const town = line();
  town.bob.onRequest((incoming) => void incoming.reply(200));
  town.network.weather({ repeat: 1 });
  const heard: string[] = [];
  const asked = town.alice.send(requestTo("OPTIONS"), town.toBob, ({ is }) => void heard.push(is));
  town.clock.pass(1_000);
  asked.handOver(() => expect.unreachable());
  town.clock.pass(60_000);
  expect(heard).toEqual(["success"]);
  expect(town.alice.load()).toEqual(NOTHING_LEFT);
});

describe("a server that says nothing to an INVITE", () => {
  const OTHER = "192.0.2.3";
  const patience = { silentMs: 4_000, lastSilentMs: 4_000 };

  /** Bob is there but silent until he is told to speak; another server answers at once. */
  function silentBob() {
    const town = line();
    const other = openStack({
      clock: town.clock,
      unexpected,
      random: seededRandom(9),
      transports: [town.network.attach({ address: OTHER })],
    });
    const held: Incoming[] = [];
    town.bob.onRequest((incoming) => {
      held.push(incoming);
      incoming.onCancel(() => undefined);
    });
    const heard: string[] = [];
    const toOther: Destination = { ...town.toBob, address: OTHER };
    return { ...town, other, held, heard, toOther, hear: (outcome: Outcome) => void heard.push(told(outcome)) };
  }

  test("is given up in favour of the next after the time it was given", () => {
    const { clock, alice, toBob, toOther, other, heard, hear } = silentBob();
    other.onRequest((incoming) => void incoming.reply(486));
    alice.send(requestTo("INVITE"), [{ ...toBob, address: "192.0.2.99" }, toOther], hear, patience);
    clock.pass(3_900);
    expect(heard).toEqual([]);
    clock.pass(200);
    expect(heard.map((it) => it.slice(0, 3))).toEqual(["486"]);
    clock.pass(60_000);
    expect(alice.load()).toEqual(NOTHING_LEFT);
  });

  test("is the last: its caller is told, the INVITE is not said again, and who wakes up late is taken back", () => {
    const { clock, network, alice, bob, toBob, heard, hear } = silentBob();
    bob.onRequest((incoming) => {
      incoming.reply(183);
      clock.after(5_000, () => incoming.reply(180));
    });
    network.weather({ loss: 1 });
    alice.send(requestTo("INVITE"), toBob, hear, patience);
    clock.pass(4_100);
    expect(heard).toEqual(["timeout"]);
    network.weather({});
    clock.pass(40_000);
    expect(ladder(network).filter((it) => it === "INVITE")).toHaveLength(4);
    expect(alice.load()).toEqual(NOTHING_LEFT);
  });

  test("that picks up after it was given up has its answer told to whoever can hang up on it", () => {
    const { clock, network, alice, toBob, toOther, other, held, hear, heard } = silentBob();
    const rung: Incoming[] = [];
    other.onRequest((incoming) => {
      rung.push(incoming);
      incoming.reply(180);
    });
    network.weather({ delayMs: [150, 150] });
    alice.send(requestTo("INVITE"), [toBob, toOther], hear, { silentMs: 100 });
    clock.pass(1_000);
    expect(held).toHaveLength(1);
    held[0]?.reply(200, { toTag: "late", headers: [bobsContact] });
    clock.pass(2_000);
    expect(heard.map((it) => it.slice(0, 3))).toEqual(["180", "200"]);
    expect(ladder(network)).toContain("CANCEL");
    clock.pass(60_000);
    expect(heard).toHaveLength(2);
    expect(alice.load()).toEqual(NOTHING_LEFT);
  });
});
