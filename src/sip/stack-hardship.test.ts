import { expect, test } from "vitest";
import {
  ALICE,
  aliceCalls,
  BOB,
  bobAnswers,
  ladder,
  line,
  NOTHING_LEFT,
  requestTo,
} from "../../test/phones/sip-phones.ts";
import { headerOf } from "./message/message.ts";
import { parseMessage } from "./reading/parse.ts";
import { responseTo } from "./respond.ts";
import type { Sighting } from "./stack-options.ts";
import type { Destination } from "./transport/transport.ts";

const MALLORY = "203.0.113.9";
const NOBODY = { failed() {} };

/** Sends octets to Bob as they are, from Alice's door. */
function throwAtBob(town: ReturnType<typeof line>, octets: string): void {
  town.alice.doorTo(town.toBob)!.send(octets, town.toBob, NOBODY);
  town.clock.pass(10);
}

function lastCarried(town: ReturnType<typeof line>) {
  const parsed = parseMessage(town.network.carried().at(-1)!.octets);
  if (!("message" in parsed)) throw new Error("garbage");
  return { message: parsed.message, to: town.network.carried().at(-1)!.to };
}

test("a malformed request whose sender can be found is refused, and leaves nothing behind", () => {
  const town = line();
  throwAtBob(town, `OPTIONS sip:bob@${BOB} SIP/2.0\r\nVia: SIP/2.0/UDP ${ALICE};branch=z9hG4bK1\r\n\r\n`);
  const { octets, to } = town.network.carried().at(-1)!;
  expect(octets).toMatch(/^SIP\/2.0 400 Bad Request\r\nVia: /);
  expect(to).toBe(`${ALICE}:5060`);
  expect(town.bob.load()).toEqual(NOTHING_LEFT);
  expect(town.bob.counters.malformed).toBe(1);
});

test.each([
  "",
  "\r\n",
  "\r\n\r\n",
  "\0",
  "hello",
  "ACK nonsense\r\n\r\n",
  "SIP/2.0 200 OK\r\n\r\n",
  "\xff".repeat(9_000),
])("noise is dropped without an answer (%j)", (noise) => {
  const town = line();
  throwAtBob(town, noise);
  expect(town.network.carried()).toHaveLength(1);
  expect(town.bob.load()).toEqual(NOTHING_LEFT);
});

test("an ACK from elsewhere does not keep a refusal from being said again, and the caller's does", () => {
  const town = line();
  town.bob.onRequest((incoming) => void incoming.reply(486));
  const via = (branch: string) => `Via: SIP/2.0/UDP ${ALICE};branch=${branch}\r\n`;
  const names = `From: <sip:a@b>;tag=1\r\nTo: <sip:bob@${BOB}>\r\nCall-ID: refused\r\n`;
  const said = (method: string) =>
    `${method} sip:bob@${BOB} SIP/2.0\r\n${via("z9hG4bKr")}${names}CSeq: 1 ${method}\r\nContact: <sip:a@${ALICE}>\r\n\r\n`;
  const refusals = () => town.network.carried().filter(({ octets }) => octets.startsWith("SIP/2.0 486")).length;
  throwAtBob(town, said("INVITE"));
  town.network.attach({ address: MALLORY }).send(said("ACK"), town.toBob, NOBODY);
  town.clock.pass(600);
  expect(refusals()).toBe(2);
  throwAtBob(town, said("ACK"));
  town.clock.pass(32_000);
  expect(refusals()).toBe(2);
});

test("a response to nothing is counted and dropped", () => {
  const town = line();
  const via = `Via: SIP/2.0/UDP ${BOB};branch=z9hG4bKx\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>;tag=2\r\n`;
  throwAtBob(town, `SIP/2.0 200 OK\r\n${via}Call-ID: 1\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n`);
  expect(town.bob.counters.strayResponses).toBe(1);
  expect(town.network.carried()).toHaveLength(1);
});

test("a response that is not at its end with us is dropped, though it is to a request of ours", () => {
  const town = line();
  town.bob.onRequest((incoming) => {
    const response = responseTo(incoming.request, 200, { toTag: "b" });
    incoming.respond({
      ...response,
      headers: [...response.headers, { name: "Via", value: "SIP/2.0/UDP 255.255.255.255" }],
    });
  });
  const heard: string[] = [];
  town.alice.send(requestTo("OPTIONS"), town.toBob, ({ is }) => void heard.push(is));
  town.clock.pass(40_000);
  expect(heard).toEqual(["timeout"]);
  expect(town.alice.counters.strayResponses).toBe(11);
});

test("a full house says 503 and when to come again, and keeps serving those inside", () => {
  const town = line({ bob: { limits: { transactions: 2 } } });
  town.bob.onRequest(() => {});
  for (let guest = 0; guest < 3; guest++) town.alice.send(requestTo("OPTIONS"), town.toBob, () => {});
  town.clock.pass(10);
  expect(ladder(town.network)).toEqual(["OPTIONS", "OPTIONS", "OPTIONS", "503 OPTIONS"]);
  expect(headerOf(lastCarried(town).message, "Retry-After")).toBe("5");
  expect(town.bob.load().serverTransactions).toBe(2);
  expect(town.bob.counters.overload).toBe(1);
});

test("a source that is shut out gets nothing, not even a look at its message", () => {
  const looked: string[] = [];
  const town = line({ bob: { guard: () => "drop", observe: ({ text }) => void looked.push(text()) } });
  town.bob.onRequest(() => expect.unreachable());
  town.alice.send(requestTo("OPTIONS"), town.toBob, () => {});
  town.clock.pass(40_000);
  expect(looked).toEqual([]);
  expect(town.bob.counters.dropped).toBe(11);
  expect(ladder(town.network).every((line) => line === "OPTIONS")).toBe(true);
});

test("an onlooker sees every message in and out, with its time and the other side", () => {
  const seen: string[] = [];
  const look = ({ direction, peer, atMs, text }: Sighting) =>
    void seen.push(`${direction} ${peer.address} ${atMs - start} ${text().split("\r\n")[0]}`);
  const town = line({ bob: { observe: look } });
  const start = town.clock.wall();
  town.bob.onRequest((incoming) => void incoming.reply(404));
  town.alice.send(requestTo("OPTIONS"), town.toBob, () => {});
  town.clock.pass(1_000);
  expect(seen).toEqual([`in ${ALICE} 1 OPTIONS sip:bob@${BOB} SIP/2.0`, `out ${ALICE} 1 SIP/2.0 404 Not Found`]);
});

test("an owner's mistake costs one request, not the exchange", () => {
  const mistakes: unknown[] = [];
  const town = line({ bob: { mistake: (error) => void mistakes.push(error) } });
  town.bob.onRequest(() => {
    throw new Error("a mistake of ours");
  });
  town.alice.send(requestTo("OPTIONS"), town.toBob, () => {});
  town.clock.pass(100);
  expect(ladder(town.network)).toEqual(["OPTIONS", "500 OPTIONS"]);
  expect(mistakes).toHaveLength(1);
  bobAnswers(town);
  const { heard } = aliceCalls(town);
  town.clock.pass(10_000);
  expect(heard.at(-1)).toBe("BYE success");
});

test("a listener's mistake stays with the listener", () => {
  const mistakes: unknown[] = [];
  const town = line({ alice: { mistake: (error) => void mistakes.push(error) } });
  town.bob.onRequest((incoming) => void incoming.reply(200));
  town.alice.send(requestTo("OPTIONS"), town.toBob, () => {
    throw new Error("a mistake of ours");
  });
  town.clock.pass(60_000);
  expect(mistakes).toHaveLength(1);
  expect(town.alice.load()).toEqual(NOTHING_LEFT);
});

test.each([
  [`SIP/2.0/UDP 10.0.0.1:5070;rport;branch=z9hG4bK1`, `${ALICE}:5060`, `;received=${ALICE}`],
  [`SIP/2.0/UDP 10.0.0.1:5070;branch=z9hG4bK1`, `${ALICE}:5070`, `;received=${ALICE}`],
  [`SIP/2.0/UDP ${ALICE}:5070;branch=z9hG4bK1`, `${ALICE}:5070`, undefined],
  [`SIP/2.0/UDP ${ALICE};branch=z9hG4bK1, SIP/2.0/UDP 10.9.9.9;branch=z9hG4bK2`, `${ALICE}:5060`, "10.9.9.9"],
  [`SIP/2.0/UDP ${ALICE}:0;branch=z9hG4bK1`, `${ALICE}:0`, undefined],
])("a response goes where the Via and the source say (%s)", (via, to, stamp) => {
  const town = line();
  town.bob.onRequest((incoming) => void incoming.reply(200));
  const head = `OPTIONS sip:bob@${BOB} SIP/2.0\r\nVia: ${via}\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:b@c>\r\n`;
  throwAtBob(town, `${head}Call-ID: 1\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n`);
  const sent = lastCarried(town);
  expect(sent.to).toBe(to);
  expect(sent.message).toMatchObject({ status: 200 });
  if (stamp) expect(headerOf(sent.message, "Via")).toContain(stamp);
  else expect(headerOf(sent.message, "Via")).toBe(via);
});

test("a request repeated by the network reaches its owner once", () => {
  const town = line();
  let asked = 0;
  town.bob.onRequest((incoming) => {
    asked += 1;
    incoming.reply(200);
  });
  town.network.weather({ repeat: 1 });
  town.alice.send(requestTo("OPTIONS"), town.toBob, () => {});
  town.clock.pass(1_000);
  expect(asked).toBe(1);
  expect(town.bob.counters.repeats).toBe(1);
});

test("a stack that was closed is silent", async () => {
  const town = line();
  const nowhere: Destination = { transport: "tls", address: BOB, port: 5061 };
  town.alice.send(requestTo("OPTIONS"), nowhere, ({ is }) => expect(is).toBe("unreachable"));
  town.alice.send(requestTo("OPTIONS"), town.toBob, () => expect.unreachable());
  await town.alice.close();
  town.clock.pass(1_000);
  expect(town.network.carried().filter(({ from }) => from === `${ALICE}:5060`)).toHaveLength(1);
});
