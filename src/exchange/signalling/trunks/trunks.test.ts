import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { secrets } from "../../../../test/ground/secrets.ts";
import { type TestClock, testClock } from "../../../../test/ground/test-clock.ts";
import { unexpected } from "../../../../test/ground/unexpected.ts";
import { memoryNetwork } from "../../../../test/sip/memory-network.ts";
import { readStrictly } from "../../../../test/sip/strict-reading.ts";
import { stopwatch } from "../../../clock.ts";
import { silentLog } from "../../../log.ts";
import { openDigest } from "../../../sip/digest.ts";
import { ha1Of } from "../../../sip/digest-answer.ts";
import { answerFor } from "../../../sip/headers/auth.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { headerOf } from "../../../sip/message/message.ts";
import { openStack } from "../../../sip/stack.ts";
import { openRandom } from "../../../sip/transport/random.ts";
import type { Destination } from "../../../sip/transport/transport.ts";
import type { Database } from "../../../store/db.ts";
import { createExchange } from "../../../store/exchanges.ts";
import { createExternalNumber } from "../../../store/external-numbers.ts";
import { createOutboundRule } from "../../../store/outbound-rules.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { sql } from "../../../store/sql.ts";
import { approveTrunk } from "../../../store/trunk-approvals.ts";
import { createTrunk, updateTrunk } from "../../../store/trunks.ts";
import { hash, openHmac } from "../registrar/hashing.ts";
import { openTrunks } from "./trunks.ts";

const CARRIER = "192.0.2.50";
let db: Database;
let exchangeId: number;
let otherId: number;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  exchangeId = await newExchange("a.example", "908505320000");
  otherId = await newExchange("b.example", "908505320001");
});

beforeEach(async () => {
  await db.query(sql`delete from trunks`);
});

async function newExchange(sipDomain: string, number: string): Promise<number> {
  const exchange = await createExchange(db, secrets, { name: sipDomain, sipDomain });
  if (isRefusal(exchange)) throw new Error(exchange.refused);
  await createExternalNumber(db, { exchangeId: exchange.id, number, target: "hangup/busy" });
  return exchange.id;
}

/** A carrier that asks for a password, can be told to be out of service, and remembers what it heard. */
async function town(clock: TestClock = testClock(Date.now())) {
  const network = memoryNetwork(clock, 1, readStrictly);
  const heard: { method: string; headers: Record<string, string | undefined> }[] = [];
  const carrier = { status: 200, grants: 600, least: 0, silent: false };
  const digest = openDigest({ hash, hmac: openHmac(), now: stopwatch(clock) });
  const ha1 = ha1Of(hash, { user: "santral", realm: "carrier", password: "secret" });
  const far = openStack({
    clock,
    unexpected,
    random: openRandom(),
    transports: [network.attach({ address: CARRIER })],
  });
  const near = openStack({
    clock,
    unexpected,
    random: openRandom(),
    transports: [network.attach({ address: "192.0.2.1" })],
  });
  far.onRequest(answer);
  const resolve = async (): Promise<Destination[]> => [{ transport: "udp", address: CARRIER, port: 5060 }];
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_: object, text: string) => void warnings.push(text) };
  const open = () =>
    openTrunks({ db, secrets, clock, log, unexpected, stack: near, hash, random: openRandom(), resolve });
  let trunks = await open();

  return { clock, heard, carrier, warnings, trunks: () => trunks, pass, restart, close, near, far };

  function answer(incoming: Incoming): void {
    if (carrier.silent) return;
    const { request, source } = incoming;
    const header = (name: string) => headerOf(request, name);
    const names = ["Call-ID", "CSeq", "Expires", "Contact", "Authorization", "From", "To"];
    heard.push({ method: request.method, headers: Object.fromEntries(names.map((name) => [name, header(name)])) });
    if (request.method !== "REGISTER") return void incoming.reply(carrier.status);
    const credentials = answerFor("carrier", request);
    const attempt = { source: source.address, realm: "carrier", method: "REGISTER", ha1 };
    if (!credentials || digest.verify({ ...attempt, credentials }).verdict !== "right") {
      const challenges = digest.challenges({ source: source.address, realm: "carrier" });
      return void incoming.reply(401, { headers: challenges.map((value) => ({ name: "WWW-Authenticate", value })) });
    }
    if (Number(header("Expires")) > 0 && Number(header("Expires")) < carrier.least)
      return void incoming.reply(423, { headers: [{ name: "Min-Expires", value: String(carrier.least) }] });
    const contact = `${header("Contact")};expires=${carrier.grants}`;
    incoming.reply(carrier.status, { headers: [{ name: "Contact", value: contact }] });
  }

  /** Time goes by in small steps, so that what is awaited in between happens in between. */
  async function pass(ms: number): Promise<void> {
    const stepMs = ms > 60_000 ? 1_000 : 100;
    for (let left = ms; left > 0; left -= stepMs) {
      clock.pass(Math.min(left, stepMs));
      for (let turn = 0; turn < 4; turn++) await new Promise((done) => setImmediate(done));
    }
  }

  async function restart(): Promise<void> {
    await trunks.close();
    trunks = await open();
  }

  async function close(): Promise<void> {
    await trunks.close();
    await near.close();
    await far.close();
  }
}

const account = { username: "santral", password: "secret", registers: true, health_check: false };

describe("a trunk that registers", () => {
  beforeEach(async () => {
    await createTrunk(db, secrets, { exchangeId, name: "carrier", host: CARRIER, changes: account });
    await approveTrunk(db, { exchangeId, name: "carrier", by: "operator" });
  });

  test("answers the challenge, is up, and refreshes before its time is over", async () => {
    const { heard, trunks, pass, close } = await town();
    await pass(1_000);
    expect(heard.map(({ headers }) => headers.Authorization !== undefined)).toEqual([false, true]);
    expect(trunks().list(exchangeId)).toMatchObject([{ name: "carrier", up: true }]);
    const { waysOut } = trunks();
    const out = waysOut(exchangeId, "905321234567");
    expect("ways" in out && out.ways[0].account).toEqual({ user: "santral", password: "secret" });
    expect(waysOut(otherId, "905321234567")).toEqual({ refused: "no-trunk" });
    heard.length = 0;
    await pass(579_000);
    expect(heard).toEqual([]);
    await pass(3_000);
    expect(heard.length).toBeGreaterThan(0);
    expect(new Set(heard.map(({ headers }) => headers["Call-ID"])).size).toBe(1);
    await close();
  });

  test("says where it can be reached from its very first word on, and after a restart", async () => {
    const { heard, pass, restart, close } = await town();
    await pass(1_000);
    await restart();
    await pass(1_000);
    expect(heard.length).toBeGreaterThanOrEqual(4);
    for (const { headers } of heard) expect(headers.Contact).toMatch(/^<sip:t\d+-[^@]+@192\.0\.2\.1:5060>$/);
    await close();
  });

  test("whose password does not open asks the carrier for nothing, says why, and works when it is set anew", async () => {
    const mine = sql`where exchange_id = $1 and name = 'carrier'`;
    await db.query(sql`update trunks set password = overlay(password placing 'AAAA' from 30) ${mine}`, [exchangeId]);
    await createTrunk(db, secrets, { exchangeId, name: "other", host: CARRIER, changes: { ...account, priority: 20 } });
    await approveTrunk(db, { exchangeId, name: "other", by: "operator" });
    const { heard, trunks, pass, close } = await town();
    await pass(1_000);
    const [broken, other] = trunks().list(exchangeId);
    expect(broken).toMatchObject({ name: "carrier", up: false, lastError: "password-lost" });
    expect(other).toMatchObject({ name: "other", up: true });
    expect(new Set(heard.map(({ headers }) => headers["Call-ID"])).size).toBe(1);
    const out = trunks().waysOut(exchangeId, "905321234567");
    expect("ways" in out && out.ways.map(({ trunk }) => trunk.name)).toEqual(["other"]);
    await updateTrunk(db, secrets, { exchangeId, name: "carrier", changes: { password: "secret" } });
    await trunks().reload();
    await pass(1_000);
    expect(trunks().list(exchangeId)).toMatchObject([{ up: true }, { up: true }]);
    await close();
  });

  test("asks for as much as the carrier wants at least", async () => {
    const { carrier, heard, trunks, pass, close } = await town();
    carrier.least = 1_800;
    carrier.grants = 1_800;
    await pass(1_000);
    expect(heard.at(-1)?.headers.Expires).toBe("1800");
    expect(trunks().list()[0]?.up).toBe(true);
    await close();
  });

  test("tries again with growing patience, and is down meanwhile", async () => {
    const { carrier, heard, trunks, pass, close } = await town();
    carrier.status = 503;
    await pass(1_000);
    expect(trunks().waysOut(exchangeId, "905321234567")).toEqual({ refused: "trunk-down" });
    expect(trunks().list()[0]).toMatchObject({ up: false, lastError: "503 Service Unavailable" });
    const attempts = () => heard.filter(({ headers }) => headers.Authorization).length;
    await pass(5_000);
    expect(attempts()).toBe(2);
    await pass(9_000);
    expect(attempts()).toBe(2);
    await pass(2_000);
    expect(attempts()).toBe(3);
    carrier.status = 200;
    await pass(25_000);
    expect(trunks().list()[0]?.up).toBe(true);
    await close();
  });

  test("stays registered over a restart, as the same one with a higher count", async () => {
    const { heard, trunks, pass, restart, close } = await town();
    await pass(1_000);
    const before = heard.at(-1)!.headers;
    await restart();
    expect(trunks().list()[0]?.up).toBe(true);
    await pass(1_000);
    const after = heard.at(-1)!.headers;
    expect(after["Call-ID"]).toBe(before["Call-ID"]);
    expect(Number.parseInt(after.CSeq!, 10)).toBeGreaterThan(Number.parseInt(before.CSeq!, 10));
    await close();
  });

  test("says goodbye when it is switched off", async () => {
    const { heard, trunks, pass, close } = await town();
    await pass(1_000);
    await updateTrunk(db, secrets, { exchangeId, name: "carrier", changes: { active: false } });
    await trunks().reload();
    await pass(1_000);
    expect(heard.at(-1)?.headers.Expires).toBe("0");
    expect(trunks().list()).toEqual([]);
    await close();
  });
});

describe("health", () => {
  beforeEach(async () => {
    await createTrunk(db, secrets, { exchangeId, name: "carrier", host: CARRIER, changes: { channel_limit: 1 } });
  });

  test("one lost answer takes no line down, two do, and two bring it back", async () => {
    const { carrier, trunks, pass, close } = await town();
    await pass(1_000);
    expect(trunks().list()[0]).toMatchObject({ up: true, health: "up" });
    carrier.status = 503;
    await pass(31_000);
    expect(trunks().list()[0]?.up).toBe(true);
    await pass(6_000);
    expect(trunks().list()[0]).toMatchObject({ up: false, health: "down" });
    carrier.status = 404; // alive is alive
    await pass(11_000);
    expect(trunks().list()[0]?.up).toBe(false);
    await pass(6_000);
    expect(trunks().list()[0]?.up).toBe(true);
    await close();
  });

  test("a carrier that says nothing at all is down too, and is still known to be after a restart", async () => {
    const { carrier, trunks, pass, restart, close } = await town();
    carrier.silent = true;
    await pass(80_000);
    expect(trunks().list()[0]?.up).toBe(false);
    await restart();
    expect(trunks().list()[0]?.up).toBe(false);
    await close();
  });

  test("channels are counted, given back once, and outlive a change of settings", async () => {
    const { trunks, pass, close } = await town();
    await pass(1_000);
    const out = trunks().waysOut(exchangeId, "905321234567");
    if (!("ways" in out)) throw new Error(out.refused);
    const release = out.ways[0].seize()!;
    expect(out.ways[0].seize()).toBeUndefined();
    await updateTrunk(db, secrets, { exchangeId, name: "carrier", changes: { priority: 5 } });
    await trunks().reload();
    await pass(1_000);
    expect(trunks().waysOut(exchangeId, "905321234567")).toEqual({ refused: "no-free-channel" });
    release();
    release();
    expect(trunks().list()[0]?.channelsUsed).toBe(0);
    await close();
  });
});

describe("a call that comes in", () => {
  const call = (uri: string, address: string, to = uri): Incoming =>
    ({
      request: {
        is: "request",
        method: "INVITE",
        uri,
        body: "",
        headers: [{ name: "To", value: `<${to}>` }],
      },
      source: { transport: "udp", address, port: 5060, listener: "udp" },
    }) as Incoming;

  test("is known by its source and its number, and the number decides between exchanges at one carrier", async () => {
    const changes = { source_addresses: ["198.51.100.0/24"], health_check: false };
    for (const [exchange, name] of [
      [exchangeId, "one"],
      [otherId, "two"],
    ] as const) {
      await createTrunk(db, secrets, { exchangeId: exchange, name, host: CARRIER, changes });
      await approveTrunk(db, { exchangeId: exchange, name, by: "operator" });
    }
    const { trunks, pass, close } = await town();
    await pass(500);
    const { inbound, isTrunkAddress } = trunks();
    expect(inbound(call("sip:908505320001@192.0.2.1", "198.51.100.9"))).toMatchObject({
      exchangeId: otherId,
      number: "908505320001",
    });
    expect(inbound(call("sip:+908505320000@192.0.2.1", "198.51.100.9"))).toMatchObject({ exchangeId });
    expect(inbound(call("sip:santral@192.0.2.1", "198.51.100.9", "sip:08505320000@carrier"))).toMatchObject({
      number: "908505320000",
    });
    expect(inbound(call("sip:905550000000@192.0.2.1", "198.51.100.9"))).toBe("unknown-number");
    expect(inbound(call("sip:908505320000@192.0.2.1", "203.0.113.1"))).toBeUndefined();
    expect([isTrunkAddress("198.51.100.9"), isTrunkAddress("203.0.113.1")]).toEqual([true, false]);
    await close();
  });

  test("from one exchange's carrier does not reach another exchange's number", async () => {
    await createTrunk(db, secrets, { exchangeId, name: "one", host: CARRIER, changes: { health_check: false } });
    const { trunks, pass, close } = await town();
    await pass(500);
    expect(trunks().inbound(call("sip:908505320001@192.0.2.1", CARRIER))).toMatchObject({
      exchangeId,
      number: undefined,
    });
    await close();
  });

  test("to the contact we registered is the trunk's, whichever server sends it", async () => {
    await createTrunk(db, secrets, { exchangeId, name: "carrier", host: CARRIER, changes: account });
    const { heard, trunks, pass, close } = await town();
    await pass(1_000);
    const contact = /<(sip:[^>]+)>/.exec(heard.at(-1)?.headers.Contact ?? "")?.[1] ?? "";
    expect(trunks().inbound(call(contact, "203.0.113.77", "sip:908505320000@carrier"))).toMatchObject({
      exchangeId,
      number: "908505320000",
    });
    expect(trunks().inbound(call(contact.replace(/-\w+@/, "-0000@"), "203.0.113.77"))).toBeUndefined();
    await close();
  });
});

test("an operator is warned once of a rule that never gets a call", async () => {
  const rule = { exchangeId, callerId: undefined, trunk: undefined };
  await createOutboundRule(db, { ...rule, name: "country", priority: 1, prefix: "90" });
  await createOutboundRule(db, { ...rule, name: "mobiles", priority: 2, prefix: "905" });
  await createOutboundRule(db, { ...rule, exchangeId: otherId, name: "elsewhere", priority: 3, prefix: "9055" });
  const { trunks, warnings, close } = await town();
  await trunks().reload();
  expect(warnings).toEqual(["rule mobiles never gets a call: country matches first"]);
  await close();
  await db.query(sql`delete from outbound_rules`);
});
