// Whoever writes another's address into his datagrams: what comes back to that address is never more than he has sent.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import { openSwitchboard, type Switchboard } from "../../src/exchange/signalling/switchboard.ts";
import { silentLog } from "../../src/log.ts";
import { answerChallenge, bestChallenge } from "../../src/sip/digest-answer.ts";
import { challengesOf } from "../../src/sip/headers/auth.ts";
import { parseMessage } from "../../src/sip/reading/parse.ts";
import { createExchange } from "../../src/store/exchanges.ts";
import { createExtension } from "../../src/store/extensions.ts";
import { freshDatabase } from "../ground/database.ts";
import { secrets } from "../ground/secrets.ts";
import { testClock } from "../ground/test-clock.ts";
import { unexpected } from "../ground/unexpected.ts";
import { memoryNetwork } from "../sip/memory-network.ts";

const US = "198.51.100.1";
const clock = testClock(Date.UTC(2026, 0, 5, 10));
const network = memoryNetwork(clock);
let board: Switchboard;
let victims = 0;
let branches = 0;

beforeAll(async () => {
  const { db } = await freshDatabase();
  const exchange = (await createExchange(db, secrets, { name: "a", sipDomain: "pbx.example.com" })) as { id: number };
  await createExtension(db, { exchangeId: exchange.id, number: "1000", password: "a-long-password" });
  const transports = [network.attach({ address: US })];
  board = await openSwitchboard({ db, secrets, clock, log: silentLog, unexpected, transports });
  board.receive("INVITE", (incoming) => {
    if ("extension" in board.authenticate(incoming)) incoming.reply(486);
  });
});

afterAll(() => board.close());

type Forged = { via?: string; to?: string; headers?: string[]; body?: string };

/** As small as phones write it. */
function forged(method: string, { via = "192.0.2.66:5060;rport", to = "", headers = [], body = "" }: Forged = {}) {
  const id = `x${++branches}`;
  const lines = [
    `${method} sip:1000@pbx.example.com SIP/2.0`,
    `Via: SIP/2.0/UDP ${via};branch=z9hG4bK${id}`,
    "Max-Forwards: 70",
    `From: "Desk" <sip:1000@pbx.example.com>;tag=${id}`,
    `To: <sip:1000@pbx.example.com>${to}`,
    `Call-ID: ${id}@192.0.2.66`,
    `CSeq: 1 ${method}`,
    "Contact: <sip:1000@192.0.2.66:5060>",
    "User-Agent: Desk phone 4.1 (66:41:02)",
    "Allow: INVITE,ACK,BYE,CANCEL,OPTIONS,NOTIFY,SUBSCRIBE,INFO,MESSAGE,UPDATE,REFER",
    ...headers,
    `Content-Length: ${body.length}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** What is sent to anybody on account of that, for as long as anything could be. */
function answersTo(octets: string, from = `192.0.2.${++victims}`): { octets: string; to: string }[] {
  const before = network.carried().length;
  network.forge(octets, from, US);
  clock.pass(60_000);
  return network.carried().slice(before + 1);
}

const sizes = (answers: readonly { octets: string }[]) => answers.map(({ octets }) => octets.length);
const status = ({ octets }: { octets: string }) => Number(octets.slice(8, 11));

describe("an INVITE of somebody who has proved nothing", () => {
  test("is challenged once, in fewer octets, and nothing is kept of it", () => {
    const invite = forged("INVITE");
    const answers = answersTo(invite);
    expect(answers.map(status)).toEqual([401]);
    expect(sizes(answers)[0]).toBeLessThan(invite.length);
    expect(board.stack.load().serverTransactions).toBe(0);
  });

  test("is answered once although it brings a proof that is made up, or somebody else's", () => {
    const made = 'Digest username="1000", realm="pbx.example.com", uri="sip:a", response="0123"';
    const [asked] = answersTo(forged("INVITE"), "192.0.2.200");
    const parsed = parseMessage(asked!.octets);
    if (!("message" in parsed)) throw new Error(parsed.malformed);
    const challenge = bestChallenge(challengesOf(parsed.message))!;
    const account = { user: "1000", password: "a-long-password" };
    const request = { method: "INVITE", uri: "sip:1000@pbx.example.com" };
    const overheard = answerChallenge(hash, { challenge, account, request, fresh: { nc: 1, cnonce: "c" } });
    for (const proof of [made, `${made}, nonce="a.b.c"`, overheard, "Digest", "Basic x"]) {
      const invite = forged("INVITE", { headers: [`Authorization: ${proof}`] });
      const answers = answersTo(invite);
      expect(answers.length, proof).toBeLessThanOrEqual(1);
      for (const size of sizes(answers)) expect(size, proof).toBeLessThan(invite.length);
      expect(board.stack.load().serverTransactions, proof).toBe(0);
    }
  });

  test("inside a call that nobody has is answered once", () => {
    const invite = forged("INVITE", { to: ";tag=made-up" });
    const answers = answersTo(invite);
    expect(answers.map(status)).toEqual([481]);
    expect(sizes(answers)[0]).toBeLessThan(invite.length);
  });
});

test("no request of a stranger's brings back more octets than it has, nor more than one packet", () => {
  const methods = [
    "REGISTER",
    "OPTIONS",
    "SUBSCRIBE",
    "NOTIFY",
    "MESSAGE",
    "PUBLISH",
    "REFER",
    "BYE",
    "CANCEL",
    "INFO",
  ];
  for (const method of [...methods, "PRACK", "UPDATE", "ACK", "NONSENSE"])
    for (const more of [
      {},
      { headers: ["Require: nothing-known"] },
      { headers: ["Event: dialog"] },
      { to: ";tag=x" },
    ]) {
      const request = forged(method, more);
      const answers = answersTo(request);
      const about = `${method} ${JSON.stringify(more)}`;
      expect(answers.length, about).toBeLessThanOrEqual(1);
      for (const { octets } of answers)
        expect(octets.length, `${about}\n${octets}`).toBeLessThanOrEqual(request.length);
    }
});

test("a long request brings its answer once, and not again for the little that anybody says by its name", () => {
  const victim = "192.0.2.240";
  const long = forged("OPTIONS").replace('"Desk"', `"${"x".repeat(8_000)}"`);
  const little = long.replace("x".repeat(8_000), "Desk");
  const answers = [long, ...Array<string>(200).fill(little)].flatMap((octets, at) =>
    [victim, "198.51.100.99"].slice(0, at + 1).flatMap((from) => {
      const before = network.carried().length;
      network.forge(octets, from, US);
      clock.pass(10);
      return network.carried().slice(before + 1);
    }),
  );
  expect(answers.map(status)).toEqual([200]);
  expect(sizes(answers)[0]).toBeGreaterThan(8_000);
  expect(sizes(answers)[0]).toBeLessThanOrEqual(long.length);
  clock.pass(60_000);
});

test("whoever asks how we are where there is no room for it hears only that we are there", () => {
  const short = forged("OPTIONS").replace(/Allow: .*\r\n/, "");
  const [answer] = answersTo(short);
  expect(status(answer!)).toBe(200);
  expect(answer!.octets).not.toContain("Allow");
});

test("answers go where the datagram came from, whatever its Via says", () => {
  const victim = "203.0.113.9";
  const vias = [
    `${victim}:5060`,
    `${victim}:5060;rport`,
    `${victim};maddr=${victim}`,
    `192.0.2.66;received=${victim};rport=5060`,
    `victim.example.com;received=${victim}`,
  ];
  for (const via of vias)
    for (const method of ["OPTIONS", "INVITE", "BYE"])
      for (const { to } of answersTo(forged(method, { via }))) expect(to, via).not.toContain(victim);
});

test("a phone whose REGISTER has hardly any room for a challenge gets a few all the same", () => {
  const tiny = () => forged("REGISTER").replace(/(?:User-Agent|Allow): .*\r\n/g, "");
  const answers = Array.from({ length: 60 }, () => tiny()).map((request) => {
    const before = network.carried().length;
    network.forge(request, "192.0.2.250", US);
    clock.pass(10);
    return network.carried().slice(before + 1);
  });
  expect(answers[0]!.map(status)).toEqual([401]);
  const larger = answers.flat().filter(({ octets }) => octets.length > tiny().length);
  expect(larger.length).toBeGreaterThan(0);
  expect(larger.length).toBeLessThanOrEqual(5);
});

test("questions of where one is seen from are answered a few times, since the answer is larger", () => {
  const stun = `\x00\x01\x00\x00\x21\x12\xa4\x42${"t".repeat(12)}`;
  const answers = Array.from({ length: 60 }, () => {
    const before = network.carried().length;
    network.forge(stun, "192.0.2.251", US);
    clock.pass(10);
    return network.carried().length - before - 1;
  });
  expect(answers.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(5);
});
