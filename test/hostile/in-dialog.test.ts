// Somebody who has seen the names of a call (they stand in lamps, traces and on the wire) speaks in it from elsewhere.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Leg, LegEvent } from "../../src/exchange/calls/leg.ts";
import { type Legs, openLegs } from "../../src/exchange/legs/legs.ts";
import { type LegOf, standingOf } from "../../src/exchange/legs/standing.ts";
import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import { openSwitchboard, type Switchboard } from "../../src/exchange/signalling/switchboard.ts";
import { silentLog } from "../../src/log.ts";
import { type Dialog, requestInDialog } from "../../src/sip/dialog.ts";
import { answerChallenge, bestChallenge } from "../../src/sip/digest-answer.ts";
import { challengesOf } from "../../src/sip/headers/auth.ts";
import { type Header, headerOf, type Request, type Response } from "../../src/sip/message/message.ts";
import { openStack, type Stack } from "../../src/sip/stack.ts";
import { createExchange } from "../../src/store/exchanges.ts";
import { createExtension } from "../../src/store/extensions.ts";
import { createTrunk } from "../../src/store/trunks.ts";
import { freshDatabase } from "../ground/database.ts";
import { secrets } from "../ground/secrets.ts";
import { testClock } from "../ground/test-clock.ts";
import { unexpected } from "../ground/unexpected.ts";
import { answeredCall, seededRandom } from "../phones/sip-phones.ts";
import { memoryNetwork } from "../sip/memory-network.ts";
import { silentMedia } from "../town/silent-media.ts";

const US = "198.51.100.1";
const HOME = "192.0.2.10";
const ROAMING = "192.0.2.99";
const MALLORY = "203.0.113.9";
const CARRIER = ["192.0.2.50", "192.0.2.51"];
const DOMAIN = "pbx.example.com";
const SDP_TYPE: Header = { name: "Content-Type", value: "application/sdp" };
const METHODS = ["BYE", "REFER", "INVITE", "UPDATE", "INFO", "PRACK", "NOTIFY", "MESSAGE", "SUBSCRIBE", "OPTIONS"];

const clock = testClock(Date.UTC(2026, 0, 5, 10));
const network = memoryNetwork(clock);
const stacks = new Map<string, Stack>();
let board: Switchboard;
let legs: Legs;
let exchangeId: number;
let seed = 0;
let up: { leg: Leg; events: LegEvent["is"][] };
let strangers: { method?: string }[] = [];

beforeAll(async () => {
  const { db } = await freshDatabase();
  const exchange = (await createExchange(db, secrets, { name: "a", sipDomain: DOMAIN })) as { id: number };
  exchangeId = exchange.id;
  for (const number of ["1000", "1001"]) await createExtension(db, { exchangeId, number, password: `pw-${number}` });
  await createTrunk(db, secrets, {
    exchangeId,
    name: "carrier",
    host: "192.0.2.50",
    changes: { source_addresses: CARRIER },
  });
  const transports = [network.attach({ address: US }), network.attach({ address: US, name: "tcp" })];
  board = await openSwitchboard({ db, secrets, clock, log: silentLog, unexpected, transports });
  const media = silentMedia({ address: US });
  const { stack, random, registrar, authenticate, trunks } = board;
  legs = openLegs({
    ...{ clock, media, stack, random, hash, unexpected, product: "Test", locate: async () => [] },
    log: { ...silentLog, warn: (what: object) => void strangers.push(what) } as typeof silentLog,
    standing: (of, party) => standingOf({ phones: { ...registrar, authenticate }, trunks: trunks.whose }, of, party),
    traced: () => undefined,
  });
  board.receive("INVITE", (incoming) => {
    const isCarrier = trunks.inbound(incoming) !== undefined;
    const login = isCarrier ? undefined : authenticate(incoming);
    if (login && !("extension" in login)) return;
    const number = login?.extension.number ?? "05320000000";
    const of: LegOf = { exchangeId, trunk: isCarrier ? "carrier" : undefined };
    const party = { is: isCarrier ? "outside" : "extension", number, name: "" } as const;
    const leg = legs.incoming(incoming, { party, of, codecs: ["PCMA"] });
    if (!leg) return;
    up = { leg, events: [] };
    leg.listen(({ is }) => void (is !== "changed" && up.events.push(is)));
    void leg.answer();
  });
});

afterAll(async () => {
  await board.close();
});

beforeEach(() => {
  strangers = [];
});

function at(address: string): Stack {
  const known = stacks.get(address);
  if (known) return known;
  const stack = openStack({
    clock,
    random: seededRandom(++seed),
    unexpected,
    transports: [network.attach({ address })],
  });
  stack.onRequest((incoming) => void incoming.reply(200));
  stacks.set(address, stack);
  return stack;
}

const sdpAt = (address: string) =>
  ["v=0", `o=- 1 1 IN IP4 ${address}`, "s=-", `c=IN IP4 ${address}`, "t=0 0", "m=audio 4000 RTP/AVP 8", ""].join(
    "\r\n",
  );

/** Lets what waits for the machine's own promises go on, and time pass beside it. */
async function soon<Value>(value: Promise<Value>): Promise<Value> {
  let isThere = false;
  const done = value.finally(() => {
    isThere = true;
  });
  while (!isThere) {
    clock.pass(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

async function asks(from: string, request: Request): Promise<Response> {
  const heard = await soon(
    new Promise<Response>((resolve, reject) =>
      at(from).send(request, { transport: "udp", address: US, port: 5060 }, (outcome) => {
        if (request.method === "SUBSCRIBE" && outcome.is === "success") listens(from, request, outcome.response);
        if (!("response" in outcome)) reject(new Error(outcome.is));
        else if (outcome.is !== "provisional") resolve(outcome.response);
      }),
    ),
  );
  return heard;
}

/** From now on it takes what it is told. */
function listens(from: string, request: Request, answer: Response): void {
  const { callId, localTag, remoteTag } = answeredCall(request, answer).dialog;
  at(from).own({ callId, localTag, remoteTag }, (incoming) => void incoming.reply(200));
}

function proofFor({ method, uri }: Request, challenged: Response, number: string): Header {
  const challenge = bestChallenge(challengesOf(challenged))!;
  const account = { user: number, password: `pw-${number}` };
  const fresh = { nc: 1, cnonce: `c${++seed}` };
  return {
    name: "Authorization",
    value: answerChallenge(hash, { challenge, account, request: { method, uri }, fresh }) ?? "",
  };
}

function first(method: string, from: string, { user = "1000", number = 1 } = {}): Request {
  return {
    is: "request",
    method,
    uri: `sip:1001@${DOMAIN}`,
    headers: [
      { name: "From", value: `<sip:${user}@${DOMAIN}>;tag=t${++seed}` },
      { name: "To", value: `<sip:${method === "REGISTER" ? user : "1001"}@${DOMAIN}>` },
      { name: "Call-ID", value: `c${seed}` },
      { name: "CSeq", value: `${number} ${method}` },
      { name: "Contact", value: `<sip:${user}@${from}:5060>` },
      ...(method === "INVITE" ? [SDP_TYPE] : []),
    ],
    body: method === "INVITE" ? sdpAt(from) : "",
  };
}

const counted = (request: Request, more: Header): Request => ({
  ...request,
  headers: [
    ...request.headers.map((it) =>
      it.name === "CSeq" ? { name: "CSeq", value: it.value.replace(/^\d+/, (n) => String(Number(n) + 1)) } : it,
    ),
    more,
  ],
});

/** A call that is up, as the caller knows it. */
async function call(from = HOME, user = "1000"): Promise<Dialog> {
  let invite = first("INVITE", from, { user });
  let answer = await asks(from, invite);
  if (answer.status === 401) {
    invite = counted(invite, proofFor(invite, answer, user));
    answer = await asks(from, invite);
  }
  expect(answer.status).toBe(200);
  const { dialog, ack } = answeredCall(invite, answer);
  at(from).send(ack, { transport: "udp", address: US, port: 5060 }, () => undefined);
  clock.pass(10);
  return dialog;
}

function inside(dialog: Dialog, method: string, from: string, extra: Header[] = []): Request {
  const isOffer = method === "INVITE" || method === "UPDATE";
  const headers = [
    { name: "Contact", value: `<sip:x@${from}:5060>` },
    ...(method === "REFER" ? [{ name: "Refer-To", value: "<sip:900900@evil.example>" }] : []),
    ...(method === "INFO" ? [{ name: "Content-Type", value: "application/dtmf-relay" }] : []),
    ...(isOffer ? [SDP_TYPE] : []),
    ...extra,
  ];
  const body = isOffer ? sdpAt(from) : method === "INFO" ? "Signal=5\r\nDuration=160\r\n" : "";
  return requestInDialog({ ...dialog, localCSeq: dialog.localCSeq + 10 }, method, { headers, body }).request;
}

/** To whom we say goodbye. */
async function hungUpAt(): Promise<string> {
  const before = network.carried().length;
  up.leg.end("NORMAL_CLEARING");
  await soon(new Promise((resolve) => clock.after(50, () => resolve(undefined))));
  const said = network.carried().slice(before);
  return said.find(({ octets }) => octets.startsWith("BYE "))?.to ?? "";
}

test("is asked for a password whatever he says, and changes nothing without", async () => {
  const dialog = await call();
  for (const method of METHODS) expect((await asks(MALLORY, inside(dialog, method, MALLORY))).status, method).toBe(401);
  expect(up.events).toEqual([]);
  expect(new Set(strangers.map(({ method }) => method))).toEqual(new Set(METHODS));
  expect(await hungUpAt()).toBe(`${HOME}:5060`);
});

test("is not believed with the password of another extension", async () => {
  const dialog = await call();
  for (const method of ["BYE", "REFER", "INVITE"]) {
    const request = inside(dialog, method, MALLORY);
    const challenged = await asks(MALLORY, request);
    const again = counted(request, proofFor(request, challenged, "1001"));
    expect((await asks(MALLORY, again)).status, method).toBe(403);
  }
  expect(up.events).toEqual([]);
  expect(await hungUpAt()).toBe(`${HOME}:5060`);
});

test("a phone that went to another network proves itself, and is spoken to there from then on", async () => {
  const dialog = await call();
  const moved = inside(dialog, "INVITE", ROAMING);
  const challenged = await asks(ROAMING, moved);
  expect(challenged.status).toBe(401);
  expect((await asks(ROAMING, counted(moved, proofFor(moved, challenged, "1000")))).status).toBe(200);
  // Now that is where it is.
  const next = { ...dialog, localCSeq: dialog.localCSeq + 20 };
  expect((await asks(ROAMING, inside(next, "INFO", ROAMING))).status).toBe(200);
  expect((await asks(HOME, inside({ ...next, localCSeq: next.localCSeq + 20 }, "BYE", HOME))).status).toBe(401);
  expect(up.leg.facts().address).toBe(ROAMING);
  expect(await hungUpAt()).toBe(`${ROAMING}:5060`);
});

test("a phone that has registered from where it is now goes on without another word", async () => {
  const dialog = await call();
  const register = first("REGISTER", ROAMING);
  const challenged = await asks(ROAMING, register);
  expect((await asks(ROAMING, counted(register, proofFor(register, challenged, "1000")))).status).toBe(200);
  expect((await asks(ROAMING, inside(dialog, "INVITE", ROAMING))).status).toBe(200);
  expect(await hungUpAt()).toBe(`${ROAMING}:5060`);
});

test("beside a registered phone, from another port of its address, a REFER still has to prove itself and a BYE does not", async () => {
  const dialog = await call();
  const beside = openStack({
    ...{ clock, random: seededRandom(++seed), unexpected },
    transports: [network.attach({ address: ROAMING, port: 5099 })],
  });
  stacks.set("beside", beside);
  expect((await asks("beside", inside(dialog, "REFER", ROAMING))).status).toBe(401);
  const next = { ...dialog, localCSeq: dialog.localCSeq + 20 };
  expect((await asks("beside", inside(next, "BYE", ROAMING))).status).toBe(200);
  expect(up.events).toEqual(["ended"]);
});

test("a carrier goes on from another of its addresses, or from where its Contact says, and nobody else does in its name", async () => {
  const [from = "", other = ""] = CARRIER;
  const dialog = await call(from, "05320000000");
  for (const method of METHODS) expect((await asks(MALLORY, inside(dialog, method, MALLORY))).status, method).toBe(403);
  expect(up.events).toEqual([]);
  expect((await asks(other, inside(dialog, "INFO", other))).status).toBe(200);
  const toElsewhere = { ...dialog, localCSeq: dialog.localCSeq + 20 };
  expect((await asks(other, inside(toElsewhere, "INVITE", "192.0.2.77"))).status).toBe(200);
  const bye = inside({ ...dialog, localCSeq: dialog.localCSeq + 40 }, "BYE", "192.0.2.77");
  expect((await asks("192.0.2.77", bye)).status).toBe(200);
  expect(up.events).toContain("ended");
  expect(headerOf(bye, "Call-ID")).toBe(dialog.callId);
});

/** Where the exchange tells its news, after what was asked. */
async function toldTo(act: () => Promise<Response>): Promise<{ status: number; notified: Set<string> }> {
  const before = network.carried().length;
  const { status } = await act();
  await soon(new Promise((resolve) => clock.after(40_000, () => resolve(undefined))));
  const told = network.carried().slice(before);
  return { status, notified: new Set(told.filter(({ octets }) => octets.startsWith("NOTIFY ")).map(({ to }) => to)) };
}

test("news go to whoever has proved himself, whatever his Contact or his proxies say, and nobody else moves them", async () => {
  const victim = "203.0.113.77";
  const naming: Header[][] = [[], [{ name: "Record-Route", value: `<sip:${victim};lr>` }]];
  for (const more of naming) {
    const asked = first("SUBSCRIBE", victim);
    const subscribe = { ...asked, headers: [...asked.headers, { name: "Event", value: "dialog" }, ...more] };
    const challenged = await asks(HOME, subscribe);
    expect(challenged.status).toBe(401);
    const again = counted(subscribe, proofFor(subscribe, challenged, "1000"));
    let answer = challenged;
    const begun = await toldTo(async () => {
      answer = await asks(HOME, again);
      return answer;
    });
    expect(begun).toEqual({ status: 200, notified: new Set([`${HOME}:5060`]) });
    const { dialog } = answeredCall(again, answer);
    const renewal = (from: string, proof: Header[]) =>
      inside({ ...dialog, localCSeq: dialog.localCSeq + ++seed * 10 }, "SUBSCRIBE", victim, [
        { name: "Event", value: "dialog" },
        { name: "X-From", value: from },
        ...proof,
      ]);
    const junk = {
      name: "Authorization",
      value: `Digest username="1000", realm="${DOMAIN}", nonce="x", uri="x", response="y"`,
    };
    const moved = await toldTo(() => asks(MALLORY, renewal(MALLORY, [junk])));
    expect(moved.status).not.toBe(200);
    expect(moved.notified).toEqual(new Set());
    const own = renewal(HOME, []);
    const asksAgain = await asks(HOME, own);
    expect(asksAgain.status).toBe(401);
    const renewed = await toldTo(() => asks(HOME, counted(own, proofFor(own, asksAgain, "1000"))));
    expect(renewed).toEqual({ status: 200, notified: new Set([`${HOME}:5060`]) });
  }
});
