// CANCELs of calls that never were, while very much is under way: each is answered once, is kept nowhere, and costs the
// same however much there is.

import { expect, test } from "vitest";
import { ALICE, BOB, bobAnswers, type Line, line, requestTo } from "../phones/sip-phones.ts";

const UNDER_WAY = 40_000;
const STRAY = 3_000;
/** The network keeps those that are on their way in a list. */
const AT_ONCE = 100;

let branches = 0;

function request(method: string, from: string, below: string[] = []): string {
  const id = `x${++branches}`;
  const lines = [
    `${method} sip:bob@${BOB} SIP/2.0`,
    `Via: SIP/2.0/UDP ${from}:5060;branch=z9hG4bK${id}`,
    ...below,
    `From: <sip:mallory@${from}>;tag=${id}`,
    `To: <sip:bob@${BOB}>`,
    `Call-ID: ${id}@${from}`,
    `CSeq: 1 ${method}`,
    "Content-Length: 0",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** Answers to them; the log of the network forgets what is old. */
function sends({ network, clock }: Line, count: number, make: (number: number) => { octets: string; from: string }) {
  let answered = 0;
  for (let number = 0; number < count; number += AT_ONCE) {
    const before = network.carried().length;
    for (let at = 0; at < AT_ONCE; at++) {
      const { octets, from } = make(number + at);
      network.forge(octets, from, BOB);
    }
    clock.pass(1);
    const log = network.carried().slice(before);
    answered += log.filter(({ octets }) => octets.startsWith("SIP/2.0 481")).length;
    if (network.carried().length > 10_000) network.carried().splice(0);
  }
  return answered;
}

/** How many places of maps are walked over meanwhile, if each walk went to the end. */
function stepsOf(act: () => void): number {
  let steps = 0;
  const kept = (["values", "keys", "entries", "forEach"] as const).map((name) => {
    const real = Object.getOwnPropertyDescriptor(Map.prototype, name)!; // every map has it
    function counting(this: Map<unknown, unknown>, ...given: unknown[]) {
      steps += this.size;
      return real.value.apply(this, given);
    }
    Object.defineProperty(Map.prototype, name, { ...real, value: counting });
    return () => Object.defineProperty(Map.prototype, name, real);
  });
  try {
    act();
  } finally {
    for (const putBack of kept) putBack();
  }
  return steps;
}

test("a flood of CANCELs of nothing walks over nothing and leaves nothing, and a call is taken back meanwhile", () => {
  const town = line();
  const { calls } = bobAnswers(town, { afterMs: 20_000 });
  const phone = (number: number) => `10.0.${(number >> 8) & 255}.${number & 255}`;
  sends(town, UNDER_WAY, (number) => ({ octets: request("OPTIONS", phone(number)), from: phone(number) }));
  expect(town.bob.load().serverTransactions).toBe(UNDER_WAY);
  const heard: unknown[] = [];
  const call = town.alice.send(requestTo("INVITE"), town.toBob, (outcome) => {
    heard.push("response" in outcome ? outcome.response.status : outcome.is);
  });
  town.clock.pass(10);

  let answered = 0;
  const steps = stepsOf(() => {
    answered = sends(town, STRAY, (number) => {
      const from = `203.0.113.${number % 10}`;
      return { octets: request("CANCEL", from), from };
    });
  });
  expect(answered).toBe(STRAY);
  expect(town.bob.load().serverTransactions).toBe(UNDER_WAY + 1);
  expect(steps).toBeLessThan(STRAY);

  call.cancel();
  town.clock.pass(100);
  expect(heard).toEqual([180, 487]);
  expect(calls).toEqual(["cancelled"]);
});

test("what an edge has passed on is found as quickly, and the one that rings, of several by one name", () => {
  const edge = "192.0.2.41";
  const town = line({ bob: { isEdge: (address) => address === edge } });
  const cancelled: string[] = [];
  const answers: (() => void)[] = [];
  town.bob.onRequest((incoming) => {
    incoming.onCancel(() => {
      cancelled.push(incoming.request.uri);
      incoming.reply(487);
    });
    answers.push(() => incoming.reply(503));
    incoming.reply(180);
  });
  const phoneVia = `Via: SIP/2.0/UDP ${ALICE}:5060;branch=z9hG4bKphone;received=198.51.100.7;rport=40001`;
  const said = (method: string, uri: string, vias: string[]) => {
    const rest = ["From: <sip:a@a.example>;tag=a", "To: <sip:b@a.example>", "Call-ID: one", `CSeq: 1 ${method}`];
    const lines = [`${method} ${uri} SIP/2.0`, ...vias, ...rest, "Content-Length: 0"];
    town.network.forge(`${lines.join("\r\n")}\r\n\r\n`, edge, BOB);
    town.clock.pass(10);
  };
  const edgeVia = (branch: string) => `Via: SIP/2.0/UDP ${edge}:5060;branch=z9hG4bK${branch}`;
  said("INVITE", "sip:first@a.example", [edgeVia("one"), phoneVia]);
  answers[0]!();
  said("INVITE", "sip:second@a.example", [edgeVia("two"), phoneVia]);
  const steps = stepsOf(() => said("CANCEL", "sip:second@a.example", [phoneVia]));
  expect(cancelled).toEqual(["sip:second@a.example"]);
  expect(steps).toBe(0);
});
