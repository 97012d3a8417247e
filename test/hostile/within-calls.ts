// A switchboard that takes every call, phones at any address, and what somebody may say within a call of theirs.

import { expect } from "vitest";
import type { Leg, LegEvent } from "../../src/exchange/calls/leg.ts";
import { openLegs } from "../../src/exchange/legs/legs.ts";
import { type LegOf, standingOf } from "../../src/exchange/legs/standing.ts";
import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import { openSwitchboard } from "../../src/exchange/signalling/switchboard.ts";
import { silentLog } from "../../src/log.ts";
import { type Dialog, requestInDialog } from "../../src/sip/dialog.ts";
import { answerChallenge, bestChallenge } from "../../src/sip/digest-answer.ts";
import { challengesOf } from "../../src/sip/headers/auth.ts";
import type { Header, Request, Response } from "../../src/sip/message/message.ts";
import { openStack, type Stack } from "../../src/sip/stack.ts";
import type { Transport, TransportName } from "../../src/sip/transport/transport.ts";
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

export const US = "198.51.100.1";
export const HOME = "192.0.2.10";
export const ROAMING = "192.0.2.99";
export const MALLORY = "203.0.113.9";
export const CARRIER = ["192.0.2.50", "192.0.2.51"] as const;
const EDGE = "198.51.100.200";
export const DOMAIN = "pbx.example.com";
export const SDP_TYPE: Header = { name: "Content-Type", value: "application/sdp" };

/** As "192.0.2.10", "192.0.2.10:5099" or "tcp 192.0.2.10:40001", whose port names the connection. */
export type Station = string;

function placeOf(station: Station): { name: TransportName; address: string; port: number } {
  const [, name = "udp", address = "", port = "5060"] = /^(?:(\w+) )?([\d.]+)(?::(\d+))?$/.exec(station) ?? [];
  return { name: name as TransportName, address, port: Number(port) }; // only what the pattern takes
}

/** Streams of the network in memory have no names of their own. */
function withConnections(transport: Transport): Transport {
  return {
    ...transport,
    holds: () => true,
    start: (receiver) =>
      transport.start({
        ...receiver,
        receive: (octets, source) =>
          receiver.receive(octets, { ...source, connection: `${source.address}:${source.port}` }),
      }),
  };
}

export const sdpAt = (address: string, port = 4000) =>
  ["v=0", `o=- 1 1 IN IP4 ${address}`, "s=-", `c=IN IP4 ${address}`, "t=0 0", `m=audio ${port} RTP/AVP 8`, ""].join(
    "\r\n",
  );

/** The same again, counted on and with one more header. */
export const counted = (request: Request, more: Header): Request => ({
  ...request,
  headers: [
    ...request.headers.map((it) =>
      it.name === "CSeq" ? { name: "CSeq", value: it.value.replace(/^\d+/, (n) => String(Number(n) + 1)) } : it,
    ),
    more,
  ],
});

export type WithinCalls = Awaited<ReturnType<typeof openWithinCalls>>;

export async function openWithinCalls() {
  const clock = testClock(Date.UTC(2026, 0, 5, 10));
  const network = memoryNetwork(clock);
  const stacks = new Map<Station, Stack>();
  const strangers: { method?: string }[] = [];
  let seed = 0;
  let up: { leg: Leg; events: LegEvent["is"][] } | undefined;

  const { db } = await freshDatabase();
  const { id: exchangeId } = (await createExchange(db, secrets, { name: "a", sipDomain: DOMAIN })) as { id: number };
  for (const number of ["1000", "1001"]) await createExtension(db, { exchangeId, number, password: `pw-${number}` });
  const changes = { source_addresses: [...CARRIER] };
  await createTrunk(db, secrets, { exchangeId, name: "carrier", host: CARRIER[0], changes });
  const transports = [network.attach({ address: US }), withConnections(network.attach({ address: US, name: "tcp" }))];
  const board = await openSwitchboard({ db, secrets, clock, log: silentLog, unexpected, transports, edges: [EDGE] });
  const { stack, random, directory, registrar, authenticate, trunks } = board;
  const known = { phones: { ...registrar, authenticate }, exchanges: directory, trunks: trunks.whose };
  const legs = openLegs({
    ...{ clock, media: silentMedia({ address: US }), stack, random, hash, unexpected, product: "Test" },
    locate: async () => [],
    log: { ...silentLog, warn: (what: object) => void strangers.push(what) } as typeof silentLog,
    standing: (of, party) => standingOf(known, of, party),
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
    if (leg) take(leg);
    void leg?.answer();
  });

  function take(leg: Leg): void {
    const events: LegEvent["is"][] = [];
    up = { leg, events };
    leg.listen(({ is }) => void (is !== "changed" && events.push(is)));
  }

  function at(station: Station): Stack {
    const known = stacks.get(station);
    if (known) return known;
    const wire = network.attach(placeOf(station));
    const transports = [wire.name === "udp" ? wire : withConnections(wire)];
    const own = openStack({ clock, random: seededRandom(++seed), unexpected, transports });
    own.onRequest((incoming) => void incoming.reply(200));
    stacks.set(station, own);
    return own;
  }

  const us = (station: Station) => ({ transport: placeOf(station).name, address: US, port: 5060 });

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

  const passes = (ms: number) => soon(new Promise<void>((resolve) => clock.after(ms, () => resolve())));

  async function asks(from: Station, request: Request): Promise<Response> {
    return soon(
      new Promise<Response>((resolve, reject) =>
        at(from).send(request, us(from), (outcome) => {
          if (request.method === "SUBSCRIBE" && outcome.is === "success") listens(from, request, outcome.response);
          if (!("response" in outcome)) reject(new Error(outcome.is));
          else if (outcome.is !== "provisional") resolve(outcome.response);
        }),
      ),
    );
  }

  /** Asks again with the password when it is asked for one. */
  async function proves(from: Station, request: Request, user = "1000"): Promise<Response> {
    const challenged = await asks(from, request);
    expect(challenged.status).toBe(401);
    return asks(from, counted(request, proofFor(request, challenged, user)));
  }

  /** What is never answered. */
  async function says(from: Station, request: Request): Promise<void> {
    at(from).send(request, us(from), () => undefined);
    await passes(20);
  }

  /** From now on it takes what it is told. */
  function listens(from: Station, request: Request, answer: Response): void {
    const { callId, localTag, remoteTag } = answeredCall(request, answer).dialog;
    at(from).own({ callId, localTag, remoteTag }, (incoming) => void incoming.reply(200));
  }

  function proofFor({ method, uri }: Request, challenged: Response, number: string): Header {
    const challenge = bestChallenge(challengesOf(challenged))!;
    const account = { user: number, password: `pw-${number}` };
    const fresh = { nc: 1, cnonce: `c${++seed}` };
    const value = answerChallenge(hash, { challenge, account, request: { method, uri }, fresh }) ?? "";
    return { name: "Authorization", value };
  }

  function first(method: string, from: Station, { user = "1000", isLate = false } = {}): Request {
    const { name, address, port } = placeOf(from);
    const hasOffer = method === "INVITE" && !isLate;
    return {
      is: "request",
      method,
      uri: `sip:1001@${DOMAIN}`,
      headers: [
        { name: "From", value: `<sip:${user}@${DOMAIN}>;tag=t${++seed}` },
        { name: "To", value: `<sip:${method === "REGISTER" ? user : "1001"}@${DOMAIN}>` },
        { name: "Call-ID", value: `c${seed}` },
        { name: "CSeq", value: `1 ${method}` },
        { name: "Contact", value: `<sip:${user}@${address}:${port};transport=${name}>` },
        ...(hasOffer ? [SDP_TYPE] : []),
      ],
      body: hasOffer ? sdpAt(address) : "",
    };
  }

  /** A call that was answered, as the caller knows it, and the ACK that is due. */
  async function answered(from: Station, { user = "1000", isLate = false } = {}) {
    let invite = first("INVITE", from, { user, isLate });
    let answer = await asks(from, invite);
    if (answer.status === 401) {
      invite = counted(invite, proofFor(invite, answer, user));
      answer = await asks(from, invite);
    }
    expect(answer.status).toBe(200);
    return answeredCall(invite, answer);
  }

  /** A call that is up, as the caller knows it. */
  async function call(from: Station = HOME, user = "1000"): Promise<Dialog> {
    const { dialog, ack } = await answered(from, { user });
    await says(from, ack);
    return dialog;
  }

  async function registers(from: Station, user = "1000"): Promise<void> {
    expect((await proves(from, first("REGISTER", from, { user }), user)).status).toBe(200);
  }

  /** To whom we say goodbye. */
  async function hungUpAt(): Promise<string> {
    const before = network.carried().length;
    current().leg.end("NORMAL_CLEARING");
    await passes(50);
    const said = network.carried().slice(before);
    return said.find(({ octets }) => octets.startsWith("BYE "))?.to ?? "";
  }

  function current() {
    if (!up) throw new Error("nobody has called");
    return up;
  }

  /** Where the voice of the call goes. */
  function voiceTo(): string | undefined {
    const remote = current().leg.keep()?.media?.agreed?.remote;
    return remote && `${remote.address}:${remote.port}`;
  }

  return {
    ...{ clock, network, db, board, exchangeId, strangers, at, asks, proves, says, passes, first, proofFor },
    ...{ answered, call, registers, hungUpAt, voiceTo, current, legs, take },
    close: () => board.close(),
  };
}

/** What somebody says within a call who knows its names. `at`: where he says that he, and his voice, is. */
export function inside(
  dialog: Dialog,
  method: string,
  at: Station,
  { headers: extra = [], sdp, later = 10 }: { headers?: Header[]; sdp?: string | undefined; later?: number } = {},
): Request {
  const { address, port } = placeOf(at);
  const body = sdp ?? (method === "INVITE" || method === "UPDATE" ? sdpAt(address) : "");
  const keys = method === "INFO" ? "Signal=5\r\nDuration=160\r\n" : "";
  const headers = [
    { name: "Contact", value: `<sip:x@${address}:${port}>` },
    ...(method === "REFER" ? [{ name: "Refer-To", value: "<sip:900900@evil.example>" }] : []),
    ...(method === "INFO" ? [{ name: "Content-Type", value: "application/dtmf-relay" }] : []),
    ...(body !== "" ? [SDP_TYPE] : []),
    ...extra,
  ];
  const counts = { ...dialog, localCSeq: dialog.localCSeq + later };
  return requestInDialog(counts, method, { headers, body: body || keys }).request;
}
