import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { selfSigned } from "../../test/ground/certificate.ts";
import { freshDatabase } from "../../test/ground/database.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { type TestClock, testClock } from "../../test/ground/test-clock.ts";
import { deadJobs } from "../jobs/jobs.ts";
import { startWorkers, type Workers } from "../jobs/workers.ts";
import { silentLog } from "../log.ts";
import type { Database } from "../store/db.ts";
import { renewSigningSecret } from "../store/event-receivers.ts";
import { sql } from "../store/sql.ts";
import { deliverEvents } from "./deliver.ts";
import type { CallEvent, Ringing } from "./events.ts";
import { probe } from "./probe.ts";
import { openRequester, type Requester } from "./requester.ts";
import { DELIVER_EVENT, oweTo, waitAfter, wantedBy } from "./tell.ts";

type Received = { headers: IncomingMessage["headers"]; body: string; form: Record<string, string>; method: string };
type Behave = (response: ServerResponse, received: Received, request: IncomingMessage) => void;
type Receiver = { url: string; received: Received[]; behave: Behave };

let db: Database;
let clock: TestClock;
let requester: Requester;
let workers: Workers | undefined;
let servers: Server[];

beforeAll(async () => {
  ({ db } = await freshDatabase());
});
beforeEach(async () => {
  await db.query(sql`delete from jobs`);
  clock = testClock();
  requester = openRequester({ clock, privateAllowed: true });
  servers = [];
});
afterEach(async () => {
  const stopped = workers?.stop({ drainMs: 0 });
  clock.pass(0);
  await stopped;
  workers = undefined;
  requester.close();
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await until(() => clock.waiting() === 0);
});

const well: Behave = (response) => response.end("whatever");

async function receiver(behave: Behave = well): Promise<Receiver> {
  const box: Receiver = { url: "", received: [], behave };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const form = Object.fromEntries(new URLSearchParams(body));
    const received = { headers: request.headers, body, form, method: request.method ?? "" };
    box.received.push(received);
    box.behave(response, received, request);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  box.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/crm`;
  return box;
}

async function exchangeTelling(url: string, switches: Record<string, boolean> = {}): Promise<number> {
  const { ringing = true, answered = true, hangup = true } = switches;
  const [row] = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_url, crm_ringing, crm_answered, crm_hangup, crm_secret)
     values ('Test', $1, $2, $3, $4, $5, 'secret') returning id`,
    [`${randomUUID()}.example`, url, ringing, answered, hangup],
  );
  return row!.id;
}

const tell = async (db: Database, ...events: CallEvent[]) => oweTo(db, await wantedBy(db, events), events);

const ringing = (exchangeId: number, callUuid: string = randomUUID()): Ringing => ({
  is: "ringing",
  exchangeId,
  callUuid,
  direction: "inbound",
  callerIdNumber: "02123205062",
  outboundCallerIdNumber: "",
  destinationNumber: "1001",
  dialedUser: "1001",
  startMs: clock.wall(),
});
const answer = (exchangeId: number, callUuid: string): CallEvent => ({
  ...ringing(exchangeId, callUuid),
  is: "answer",
  connectedUser: "1001",
  answerMs: clock.wall(),
});
const hangup = (exchangeId: number, callUuid: string, is: "hangup" | "user_hangup" = "hangup"): CallEvent => ({
  ...ringing(exchangeId, callUuid),
  is,
  endMs: clock.wall(),
  talkSeconds: 0,
  recordingPresent: false,
  answered: false,
  hangupDisposition: "caller",
  hangupCause: "ORIGINATOR_CANCEL",
});

async function startDelivering(): Promise<Workers> {
  const handlers = { [DELIVER_EVENT]: deliverEvents({ db, secrets, clock, requester }) };
  workers = await startWorkers({ db, clock, log: silentLog, handlers, random: () => 0.5 });
  return workers;
}

/** What it waits for comes at once, unless the machine itself stands still. */
const PATIENCE_MS = 15_000;

async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error("it never came to that");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The workers look at the clock when they look for work, so they are made to. */
function wind(ms: number): void {
  clock.pass(ms);
  void workers?.idle();
}

const kinds = ({ received }: Receiver) => received.map(({ form }) => form.event_type);

test("the events of a call arrive in order, once each, as signed forms", async () => {
  const crm = await receiver();
  const id = await exchangeTelling(crm.url);
  const uuid = randomUUID();
  await startDelivering();
  await tell(db, ringing(id, uuid), answer(id, uuid), hangup(id, uuid, "user_hangup"), hangup(id, uuid));
  await until(() => crm.received.length === 4);
  await workers!.idle();
  expect(kinds(crm)).toEqual(["ringing", "answer", "user_hangup", "hangup"]);
  expect(new Set(crm.received.map(({ headers }) => headers["x-santral-delivery"])).size).toBe(4);
  const [first] = crm.received;
  expect(first!.headers).toMatchObject({
    "content-type": "application/x-www-form-urlencoded",
    accept: "*/*",
    "x-santral-attempt": "1",
  });
  expect(first!.form).toMatchObject({ domain_id: String(id), call_uuid: uuid, start_stamp: "2026-01-05 12:00:00" });
});

test("the receiver can check the signature with the exchange's secret", async () => {
  const crm = await receiver();
  const id = await exchangeTelling(crm.url);
  const secret = await renewSigningSecret(db, secrets, id);
  await startDelivering();
  await tell(db, ringing(id));
  await until(() => crm.received.length === 1);
  const { headers, body } = crm.received[0]!;
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-santral-signature"]))!;
  expect(Number(seconds)).toBe(Math.floor(clock.wall() / 1_000));
  expect(createHmac("sha256", secret).update(`${seconds}.`).update(body).digest("hex")).toBe(signature);
});

test("what cannot be signed is not sent, and goes out once the secret opens again", async () => {
  const crm = await receiver();
  const id = await exchangeTelling(crm.url);
  const uuid = randomUUID();
  await db.query(sql`update exchanges set crm_secret = $2 where id = $1`, [id, `sealed:ffffffff:${"A".repeat(40)}`]);
  await startDelivering();
  await tell(db, ringing(id, uuid));
  const noted = () =>
    db.query<{ answer: string }>(sql`select answer from event_deliveries where call_uuid = $1 and not delivered`, [
      uuid,
    ]);
  await workers!.idle();
  expect(await noted()).toEqual([{ answer: "not sent: the secret that signs it cannot be opened" }]);
  expect(crm.received).toEqual([]);
  await renewSigningSecret(db, secrets, id);
  wind(60_000);
  await until(() => crm.received.length === 1);
});

test("the switches decide what is told, and the end of a leg follows the end of a call", async () => {
  const crm = await receiver();
  const quiet = await exchangeTelling(crm.url, { ringing: false, hangup: false });
  const uuid = randomUUID();
  await startDelivering();
  await tell(db, ringing(quiet, uuid), answer(quiet, uuid), hangup(quiet, uuid, "user_hangup"), hangup(quiet, uuid));
  await tell(db, ringing(await exchangeTelling(""), uuid));
  await until(() => crm.received.length > 0);
  await workers!.idle();
  expect(kinds(crm)).toEqual(["answer"]);
});

test("a receiver that answers 500 gets the same event again, under the same id", async () => {
  let answers = 0;
  const crm = await receiver((response) => {
    response.statusCode = answers++ < 2 ? 500 : 200;
    response.end();
  });
  const id = await exchangeTelling(crm.url);
  await startDelivering();
  await tell(db, ringing(id));
  await until(() => crm.received.length === 1);
  for (const seconds of [2, 4]) {
    await workers!.idle();
    wind(seconds * 1_000);
  }
  await until(() => crm.received.length === 3);
  await workers!.idle();
  expect(crm.received.map(({ headers }) => headers["x-santral-attempt"])).toEqual(["1", "2", "3"]);
  expect(new Set(crm.received.map(({ headers }) => headers["x-santral-delivery"])).size).toBe(1);
  expect(new Set(crm.received.map(({ body }) => body)).size).toBe(1);
});

test("resets, redirects and answers that never come are failures, not losses", async () => {
  const elsewhere = await receiver();
  const misdeeds: Behave[] = [
    (_response, _received, request) => request.socket.destroy(),
    (response) => response.writeHead(302, { Location: elsewhere.url }).end(),
    () => undefined,
    well,
  ];
  const crm = await receiver((...args) => misdeeds.shift()!(...args));
  const id = await exchangeTelling(crm.url);
  await startDelivering();
  await tell(db, ringing(id));
  const errors: string[] = [];
  for (let attempt = 1; attempt <= 3; attempt++) {
    await until(() => crm.received.length === attempt);
    if (attempt === 3) wind(10_000);
    await workers!.idle();
    const [job] = await db.query<{ last_error: string }>(sql`select last_error from jobs`);
    errors.push(job!.last_error);
    wind(2 ** attempt * 1_000);
  }
  await until(() => crm.received.length === 4);
  await workers!.idle();
  expect(errors[0]).toMatch(/hang up|ECONNRESET/);
  expect(errors.slice(1)).toEqual(["answered 302; redirects are not followed", "no answer within 10 s"]);
  expect(elsewhere.received).toEqual([]);
  expect(await db.query(sql`select id from jobs`)).toEqual([]);
});

test("a receiver that is down for an hour loses nothing and gets everything in order", async () => {
  const crm = await receiver((response) => response.writeHead(503).end());
  const id = await exchangeTelling(crm.url);
  await startDelivering();
  const calls = Array.from({ length: 5 }, () => randomUUID());
  for (const uuid of calls) await tell(db, ringing(id, uuid), hangup(id, uuid));
  for (let turn = 0; turn < 12; turn++) {
    wind(300_000);
    await workers!.idle();
  }
  const tries = crm.received.length;
  expect(kinds(crm).every((kind) => kind === "ringing")).toBe(true);
  crm.behave = well;
  for (let turn = 0; turn < 2; turn++) {
    wind(300_000);
    await workers!.idle();
  }
  const delivered = crm.received.slice(tries);
  expect(delivered).toHaveLength(10);
  for (const uuid of calls)
    expect(delivered.filter(({ form }) => form.call_uuid === uuid).map(({ form }) => form.event_type)).toEqual([
      "ringing",
      "hangup",
    ]);
});

test("after a day of failures the event waits in the dead-letter list", async () => {
  const crm = await receiver((response) => response.writeHead(500).end());
  const id = await exchangeTelling(crm.url);
  await tell(db, ringing(id));
  const [job] = await db.query<{ most: number }>(
    sql`update jobs set attempts = max_attempts - 2 returning max_attempts as most`,
  );
  const waits = Array.from({ length: job!.most - 1 }, (_, failures) => waitAfter(failures + 1));
  const hours = waits.reduce((sum, ms) => sum + ms, 0) / 3_600_000;
  expect(hours).toBeGreaterThanOrEqual(24);
  expect(hours).toBeLessThan(24.2);
  await startDelivering();
  await workers!.idle();
  expect(await deadJobs(db)).toEqual([]);
  wind(300_000);
  await until(() => crm.received.length === 2);
  await workers!.idle();
  expect(await deadJobs(db)).toMatchObject([
    { kind: DELIVER_EVENT, lastError: "answered 500", payload: { event: "ringing" } },
  ]);
});

test("a receiver that hangs delays nobody else", async () => {
  const hanging = await receiver(() => undefined);
  const lively = await receiver();
  const [slow, quick] = [await exchangeTelling(hanging.url), await exchangeTelling(lively.url)];
  await startDelivering();
  await tell(db, ...Array.from({ length: 100 }, () => ringing(slow)));
  await until(() => hanging.received.length === 8);
  await tell(db, ...Array.from({ length: 50 }, () => ringing(quick)));
  await until(() => lively.received.length === 50);
  expect(hanging.received).toHaveLength(8);
});

test("a crash between the POST and its note repeats the event under the same id", async () => {
  const crm = await receiver();
  const id = await exchangeTelling(crm.url);
  await tell(db, ringing(id));
  // The worker that posts never writes that it did: the kill came in between.
  const [job] = await db.query<{ payload: { delivery: string } }>(
    sql`update jobs set attempts = 1, lease = gen_random_uuid(), run_at = $1 returning payload`,
    [new Date(clock.wall() + 60_000)],
  );
  const handler = deliverEvents({ db, secrets, clock, requester });
  const signal = new AbortController().signal;
  await handler.run(job!.payload as never, { id: 1, attempt: 1, lane: null, signal });
  await startDelivering();
  await workers!.idle();
  expect(crm.received).toHaveLength(1);
  wind(60_000);
  await until(() => crm.received.length === 2);
  await workers!.idle();
  const seen = crm.received.map(({ headers }) => [headers["x-santral-delivery"], headers["x-santral-attempt"]]);
  expect(seen).toEqual([
    [job!.payload.delivery, "1"],
    [job!.payload.delivery, "2"],
  ]);
});

test("a corrected URL gets what is still owed, and a removed one ends it", async () => {
  const wrong = await receiver((response) => response.writeHead(404).end());
  const right = await receiver();
  const id = await exchangeTelling(wrong.url);
  await startDelivering();
  await tell(db, ringing(id));
  await until(() => wrong.received.length === 1);
  await workers!.idle();
  await db.query(sql`update exchanges set crm_url = $2 where id = $1`, [id, right.url]);
  wind(2_000);
  await until(() => right.received.length === 1);
  await workers!.idle();
  await tell(db, ringing(id));
  await db.query(sql`update exchanges set crm_url = null where id = $1`, [id]);
  await workers!.idle();
  expect(await db.query(sql`select id from jobs`)).toEqual([]);
});

test("private addresses are not called unless the operator allows them", async () => {
  const crm = await receiver();
  const strict = openRequester({ clock, privateAllowed: false });
  const byName = openRequester({
    clock,
    privateAllowed: false,
    resolve: (_host, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
  });
  const named = crm.url.replace("127.0.0.1", "hook.example");
  expect(await strict.ask(crm.url, { method: "POST" })).toEqual({
    failed: "127.0.0.1 is not a public address",
    why: "not-public",
  });
  expect(await byName.ask(named, { method: "POST" })).toEqual({
    failed: "hook.example is at 127.0.0.1, which is not a public address",
    why: "not-public",
  });
  expect(crm.received).toEqual([]);
  strict.close();
  byName.close();
});

test("a certificate that nobody vouches for is not trusted with an event", async () => {
  const { key, cert } = selfSigned("hook.example");
  const server = createTlsServer({ key, cert }, (_request, response) => response.end());
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  expect(await requester.ask(`https://127.0.0.1:${port}/`, { method: "POST" })).toEqual({
    failed: expect.stringMatching(/self-signed|self signed/),
    why: "unreachable",
  });
  const trusting = openRequester({ clock, privateAllowed: true, certificateAuthority: cert });
  expect(await trusting.ask(`https://127.0.0.1:${port}/`, { method: "POST" })).toEqual({ status: 200, body: "" });
  expect(await trusting.ask(`https://localhost:${port}/`, { method: "POST" })).toHaveProperty("failed"); // another name
  trusting.close();
});

test("a trial POST tells whether a URL may be saved", async () => {
  const good = await receiver();
  const bad = await receiver((response) => response.writeHead(204).end());
  expect(await probe(requester, good.url, "{}")).toEqual({ ok: true });
  expect(await probe(requester, good.url, "")).toEqual({ ok: true });
  expect(good.received.map(({ method, body, headers }) => [method, body, headers["content-length"]])).toEqual([
    ["POST", "{}", "2"],
    ["POST", "", "0"],
  ]);
  expect(await probe(requester, bad.url, "{}")).toEqual({ refused: "answered 204 instead of 200" });
  expect(await probe(requester, "ftp://example.com", "{}")).toEqual({ refused: "only http and https are called" });
});

test("an answer that begins well and never ends was an answer", async () => {
  const endless = await receiver((response) => response.write("and so on"));
  expect(await requester.ask(endless.url, { method: "POST" })).toEqual({ status: 200, body: "" });
  wind(5_000);
});

test("a name is called at the address that was checked", async () => {
  const crm = await receiver();
  const byName = openRequester({
    clock,
    privateAllowed: true,
    resolve: (_host, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
  });
  const url = crm.url.replace("127.0.0.1", "hook.example");
  expect(await byName.ask(url, { method: "POST" })).toEqual({ status: 200, body: "" });
  expect(crm.received[0]!.headers.host).toBe(new URL(url).host);
  byName.close();
});

test("a long answer is not read to its end, and a wanted one is bounded", async () => {
  const talkative = await receiver((response) => response.end("x".repeat(1_000_000)));
  expect(await requester.ask(talkative.url, { method: "POST" })).toEqual({ status: 200, body: "" });
  const failed = { failed: "the answer is longer than 1000 bytes", why: "too-long" };
  expect(await requester.ask(talkative.url, { method: "GET", wantBytes: 1_000 })).toEqual(failed);
  const brief = await receiver((response) => response.end("{}"));
  expect(await requester.ask(brief.url, { method: "GET", wantBytes: 1_000 })).toEqual({ status: 200, body: "{}" });
});
