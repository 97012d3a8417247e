import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { secrets } from "../../../../test/ground/secrets.ts";
import { testClock } from "../../../../test/ground/test-clock.ts";
import { unexpected } from "../../../../test/ground/unexpected.ts";
import { memoryNetwork } from "../../../../test/sip/memory-network.ts";
import { readStrictly } from "../../../../test/sip/strict-reading.ts";
import { silentLog } from "../../../log.ts";
import { answerChallenge, bestChallenge } from "../../../sip/digest-answer.ts";
import { toOf } from "../../../sip/headers/addresses.ts";
import { challengesOf } from "../../../sip/headers/auth.ts";
import { tagOf } from "../../../sip/headers/name-address.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { type Header, headerOf, type Request, type Response } from "../../../sip/message/message.ts";
import type { LampCall } from "../../../sip/notification.ts";
import { openStack } from "../../../sip/stack.ts";
import { openRandom } from "../../../sip/transport/random.ts";
import type { Database } from "../../../store/db.ts";
import { createExchange } from "../../../store/exchanges.ts";
import { createExtension } from "../../../store/extensions.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { hash } from "../registrar/hashing.ts";
import { openSwitchboard } from "../switchboard.ts";

let db: Database;
let exchangeId: number;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const exchange = await createExchange(db, secrets, { name: "a", sipDomain: "a.example" });
  if (isRefusal(exchange)) throw new Error(exchange.refused);
  exchangeId = exchange.id;
  for (const number of ["1000", "1001"]) await createExtension(db, { exchangeId, number, password: `pw-${number}` });
});

/** The phone of extension 1000, which can subscribe and remembers what it is notified of. */
async function town() {
  const clock = testClock();
  const network = memoryNetwork(clock, 1, readStrictly);
  const transports = [network.attach({ address: "192.0.2.1" })];
  const board = await openSwitchboard({ db, secrets, clock, log: silentLog, unexpected, transports });
  const phone = openStack({
    clock,
    unexpected,
    random: openRandom(),
    transports: [network.attach({ address: "192.0.2.10" })],
  });
  const notified: { state: string; body: string }[] = [];
  let refuses = false;
  let cseq = 0;
  const hear = (incoming: Incoming) => {
    const { request } = incoming;
    notified.push({ state: headerOf(request, "Subscription-State") ?? "", body: request.body });
    incoming.reply(refuses ? 481 : 200);
  };
  return { clock, board, notified, subscribes, pass, gone: () => (refuses = true), close };

  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 100) {
      clock.pass(Math.min(left, 100));
      for (let turn = 0; turn < 3; turn++) await new Promise((done) => setImmediate(done));
    }
  }

  async function subscribes(number: string, event: string, seconds = 600, toTag?: string): Promise<Response> {
    const uri = `sip:${number}@a.example`;
    const build = (extra: Header[]): Request => ({
      is: "request",
      method: "SUBSCRIBE",
      uri,
      body: "",
      headers: [
        { name: "From", value: "<sip:1000@a.example>;tag=phone" },
        { name: "To", value: toTag ? `<${uri}>;tag=${toTag}` : `<${uri}>` },
        { name: "Call-ID", value: `watch-${event}-${number}` },
        { name: "CSeq", value: `${++cseq} SUBSCRIBE` },
        { name: "Contact", value: "<sip:1000@192.0.2.10>" },
        { name: "Event", value: event },
        { name: "Expires", value: String(seconds) },
        ...extra,
      ],
    });
    const first = await ask(build([]));
    if (first.status !== 401) return first;
    const challenge = bestChallenge(challengesOf(first))!;
    const account = { user: "1000", password: "pw-1000" };
    const fresh = { nc: 1, cnonce: "c" };
    const value = answerChallenge(hash, { challenge, account, request: { method: "SUBSCRIBE", uri }, fresh })!;
    return ask(build([{ name: "Authorization", value }]));
  }

  async function ask(request: Request): Promise<Response> {
    let response: Response | undefined;
    phone.send(request, { transport: "udp", address: "192.0.2.1", port: 5060 }, (outcome) => {
      if (!("response" in outcome)) throw new Error(outcome.is);
      response = outcome.response;
      const remoteTag = tagOf(toOf(response));
      if (outcome.is === "success" && remoteTag)
        phone.own({ callId: headerOf(request, "Call-ID")!, localTag: "phone", remoteTag }, hear);
    });
    await pass(100);
    return response!; // the network takes a millisecond each way
  }

  async function close(): Promise<void> {
    const closing = board.close();
    await pass(100);
    await closing;
    await phone.close();
  }
}

test("a busy lamp goes on when the colleague rings and out when the call is over", async () => {
  const { board, notified, subscribes, pass, close } = await town();
  const calls: LampCall[] = [];
  board.presence.provide({
    calls: (exchange, extension) => (exchange === exchangeId && extension === "1001" ? calls : []),
  });
  const accepted = await subscribes("1001", "dialog");
  expect([accepted.status, headerOf(accepted, "Expires")]).toEqual([200, "600"]);
  await pass(200);
  expect(notified[0]?.body).toContain('entity="sip:1001@a.example"></dialog-info>');
  calls.push({ id: "7", state: "early", direction: "recipient" });
  board.presence.changed(exchangeId, "1001");
  board.presence.changed(exchangeId, "1000");
  await pass(200);
  calls.length = 0;
  board.presence.changed(exchangeId, "1001", "dialog");
  await pass(200);
  expect(notified.map(({ body }) => [/version="(\d+)"/.exec(body)?.[1], body.includes("<state>early")])).toEqual([
    ["0", false],
    ["1", true],
    ["2", false],
  ]);
  await close();
  expect(notified.at(-1)?.state).toBe("terminated;reason=deactivated");
});

test("an agent's own phone is told what he is, at once and whenever it changes, and nobody else's", async () => {
  const { board, notified, subscribes, pass, close } = await town();
  let status: "AVAILABLE" | "ON_BREAK" = "AVAILABLE";
  board.presence.provide({
    agent: (exchange, extension) =>
      exchange === exchangeId && extension === "1000" ? { status, breakDescription: "Çay", dnd: false } : undefined,
  });
  expect((await subscribes("1001", "x-santral-agent")).status).toBe(404);
  expect((await subscribes("1000", "x-santral-agent")).status).toBe(200);
  await pass(200);
  status = "ON_BREAK";
  board.presence.changed(exchangeId, "1000", "x-santral-agent");
  await pass(200);
  const told = notified.map(({ body }) => JSON.parse(Buffer.from(body, "latin1").toString()));
  expect(told).toEqual([
    { status: "AVAILABLE", breakDescription: "Çay", dnd: false },
    { status: "ON_BREAK", breakDescription: "Çay", dnd: false },
  ]);
  await close();
});

test("the office's own switch has a lamp, and is nothing else", async () => {
  const { board, notified, subscribes, pass, close } = await town();
  const lit: LampCall[] = [];
  board.presence.provide({ calls: (_, watched) => (watched === "*24" ? lit : []) });
  expect((await subscribes("*24", "presence")).status).toBe(404);
  expect((await subscribes("*24", "dialog")).status).toBe(200);
  await pass(200);
  lit.push({ id: "office", state: "confirmed", direction: "recipient" });
  board.presence.changed(exchangeId, "*24", "dialog");
  await pass(200);
  expect(notified.map(({ body }) => body.includes("<state>confirmed"))).toEqual([false, true]);
  await close();
});

test("waiting messages are told to their owner and to nobody else", async () => {
  const { board, notified, subscribes, pass, close } = await town();
  board.presence.provide({ voicemail: () => ({ unheard: 2, heard: 5 }) });
  expect((await subscribes("1001", "message-summary")).status).toBe(404);
  expect((await subscribes("1000", "message-summary")).status).toBe(200);
  await pass(200);
  expect(notified[0]?.body).toContain("Messages-Waiting: yes");
  expect(notified[0]?.body).toContain("Voice-Message: 2/5");
  await close();
});

test("presence follows the registration", async () => {
  const { board, notified, subscribes, pass, close } = await town();
  await subscribes("1001", "presence");
  await pass(200);
  expect(notified[0]?.body).toContain("<basic>closed</basic>");
  board.presence.provide({ isReachable: () => true });
  board.presence.changed(exchangeId, "1001", "presence");
  await pass(200);
  expect(notified[1]?.body).toContain("<basic>open</basic>");
  await close();
});

test("a subscription is renewed, fetched once, ended by the phone, by time, and by a phone that is gone", async () => {
  const { board, notified, subscribes, pass, gone, close } = await town();
  const tag = tagOf(toOf(await subscribes("1001", "dialog", 60)))!;
  await pass(50_000);
  expect((await subscribes("1001", "dialog", 60, tag)).status).toBe(200);
  await pass(50_000);
  expect(board.presence.counts().subscriptions).toBe(1);
  expect((await subscribes("1001", "dialog", 0, tag)).status).toBe(200);
  await pass(200);
  expect(board.presence.counts().subscriptions).toBe(0);
  expect(notified.at(-1)?.state).toBe("terminated;reason=timeout");

  await subscribes("1001", "presence", 0);
  await pass(200);
  expect([notified.at(-1)?.state, board.presence.counts().subscriptions]).toEqual(["terminated;reason=timeout", 0]);

  await subscribes("1000", "dialog", 60);
  await pass(61_000);
  expect(board.presence.counts().subscriptions).toBe(0);

  await subscribes("1000", "presence", 600);
  await pass(200);
  gone();
  board.presence.changed(exchangeId, "1000");
  await pass(200);
  expect(board.presence.counts().subscriptions).toBe(0);
  await close();
});

test("what nobody can subscribe to, and too short a time, are refused", async () => {
  const { subscribes, close } = await town();
  const unknown = await subscribes("1001", "winfo");
  expect([unknown.status, headerOf(unknown, "Allow-Events")]).toEqual([489, "message-summary, dialog, presence"]);
  expect((await subscribes("1001", "dialog", 10)).status).toBe(423);
  expect((await subscribes("4711", "dialog")).status).toBe(404);
  await close();
});
