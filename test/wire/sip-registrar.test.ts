import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { asWall, type Clock, later, realClock } from "../../src/clock.ts";
import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import { openSwitchboard, type Switchboard } from "../../src/exchange/signalling/switchboard.ts";
import { silentLog } from "../../src/log.ts";
import { answerChallenge, bestChallenge } from "../../src/sip/digest-answer.ts";
import { challengesOf } from "../../src/sip/headers/auth.ts";
import type { Response } from "../../src/sip/message/message.ts";
import { parseMessage } from "../../src/sip/reading/parse.ts";
import { openTcp } from "../../src/sip/transport/tcp.ts";
import { openTls } from "../../src/sip/transport/tls.ts";
import { openUdp } from "../../src/sip/transport/udp.ts";
import { openWebSocket } from "../../src/sip/transport/websocket.ts";
import type { Database } from "../../src/store/db.ts";
import { createExchange } from "../../src/store/exchanges.ts";
import { createExtension } from "../../src/store/extensions.ts";
import { isRefusal } from "../../src/store/refusal.ts";
import { sql } from "../../src/store/sql.ts";
import { runSipp } from "../carriers/sipp.ts";
import { account, registerScenario } from "../carriers/sipp-phones.ts";
import { selfSigned } from "../ground/certificate.ts";
import { freshDatabase } from "../ground/database.ts";
import { shows } from "../ground/interop.ts";
import { temporaryFolder } from "../ground/santral-process.ts";
import { secrets } from "../ground/secrets.ts";
import { unexpected } from "../ground/unexpected.ts";
import { type Baresip, type BaresipOptions, startBaresip } from "../phones/baresip.ts";
import { portOf } from "../sip/sip-doors.ts";

let db: Database;
let board: Switchboard;
let exchangeId: number;
let otherId: number;
let authorities: string;
let webSocketUrl: string;
const servers: Record<"udp" | "tcp" | "tls", string> = { udp: "", tcp: "", tls: "" };
const phones = new Set<Baresip>();
const http = createServer();

/** The real clock, which a test may set forward: phones wait for nobody's fast-forward, registrars may. */
let aheadMs = 0;
const clock: Clock = {
  ticks: () => later(realClock.ticks(), aheadMs),
  wall: () => asWall(realClock.wall() + aheadMs),
  after: realClock.after,
};

beforeAll(async () => {
  ({ db } = await freshDatabase());
  exchangeId = await newExchange("a.example", ["1000", "1001", "1002"]);
  otherId = await newExchange("b.example", ["1000", "2000"]);
  const certificate = selfSigned("a.example");
  authorities = join(temporaryFolder(), "authorities.pem");
  writeFileSync(authorities, certificate.cert);
  const address = "127.0.0.1";
  const udp = await openUdp({ address, port: 0 });
  const tcp = await openTcp({ clock, address, port: 0 });
  const tls = await openTls({ clock, address, port: 0, certificates: { default: certificate } });
  const ws = openWebSocket({ clock, secure: false, sentBy: { host: "127.0.0.1", port: 5060 } });
  http.on("upgrade", (...asked) => void ws.upgrade(...asked));
  await new Promise<void>((resolve) => http.listen(0, address, resolve));
  webSocketUrl = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ws`;
  for (const [name, transport] of Object.entries({ udp, tcp, tls }))
    servers[name as keyof typeof servers] = `127.0.0.1:${portOf(transport)}`;
  board = await openSwitchboard({
    db,
    secrets,
    clock,
    log: silentLog,
    unexpected,
    transports: [udp, tcp, tls, ws],
    registration: { minSeconds: 4 },
  });
});

/** Every phone of the test before is gone, and every binding has run out. */
beforeEach(async () => {
  aheadMs += 7_300_000;
  await expect.poll(() => board.registrar.counts().contacts).toBe(0);
});

afterAll(async () => {
  await Promise.all([...phones].map((phone) => phone.kill()));
  await board.close();
  await new Promise((resolve) => http.close(resolve));
});

async function newExchange(sipDomain: string, numbers: string[]): Promise<number> {
  const exchange = await createExchange(db, secrets, { name: sipDomain, sipDomain });
  if (isRefusal(exchange)) throw new Error(exchange.refused);
  for (const number of numbers)
    await createExtension(db, { exchangeId: exchange.id, number, password: `pw-${sipDomain}-${number}` });
  return exchange.id;
}

async function phoneOf(user: string, options: Partial<BaresipOptions> = {}): Promise<Baresip> {
  const { domain = "a.example", transport = "udp" } = options;
  const standard = { user, domain, password: `pw-${domain}-${user}`, server: servers[transport] };
  const phone = await startBaresip({ ...standard, ...options });
  phones.add(phone);
  return phone;
}

async function quit(phone: Baresip): Promise<void> {
  phones.delete(phone);
  await phone.quit();
}

const contacts = (number: string, exchange = exchangeId) => board.registrar.contactsOf(exchange, number);

describe("a real phone", () => {
  test.each(["udp", "tcp"] as const)("registers over %s, registers again, and says goodbye", async (transport) => {
    const phone = await phoneOf("1000", { transport, registerSeconds: 5 });
    await phone.registered();
    // Of five seconds a busy machine may sleep through the whole.
    const first = await vi.waitUntil(() => contacts("1000")[0], { timeout: 60_000 });
    expect(first).toMatchObject({ destination: { transport }, userAgent: expect.stringMatching(/^baresip/) });
    await expect.poll(() => contacts("1000").map(({ cseq }) => cseq > first.cseq)).toEqual([true]);
    await quit(phone);
    await expect.poll(() => contacts("1000")).toEqual([]);
  });

  test("registers over TLS with a certificate it believes", shows("registration: over TLS", "baresip"), async () => {
    const phone = await phoneOf("1000", { transport: "tls", tlsAuthorities: authorities });
    await phone.registered();
    const [binding] = contacts("1000");
    expect(binding?.destination).toMatchObject({ transport: "tls", connection: expect.any(String) });
    expect(board.stack.doorTo(binding!.destination)?.holds(binding!.destination.connection!)).toBe(true);
    await quit(phone);
    await expect.poll(() => contacts("1000")).toEqual([]);
  });

  test("with a wrong password is refused", async () => {
    const faults = board.abuse.counts().faults["wrong-password"];
    const phone = await phoneOf("1000", { password: "guess" });
    await expect.poll(() => board.abuse.counts().faults["wrong-password"]).toBeGreaterThan(faults);
    expect(await phone.isRegistered()).toBe(false);
    expect(contacts("1000")).toEqual([]);
    await quit(phone);
  });

  test(
    "that goes silent is forgotten when its time is over",
    shows("registration: over UDP, with a password", "baresip"),
    async () => {
      const phone = await phoneOf("1002", { registerSeconds: 60 });
      await phone.registered();
      phones.delete(phone);
      await phone.kill();
      expect(contacts("1002")).toHaveLength(1);
      aheadMs += 61_000;
      await expect.poll(() => board.registrar.counts().contacts).toBe(0);
      await expect.poll(() => db.query(sql`select 1 from registrations`)).toEqual([]);
    },
  );

  test(
    "is one of several of its extension",
    shows("registration: several phones of one extension", "baresip"),
    async () => {
      const pair = await Promise.all([phoneOf("1001"), phoneOf("1001", { transport: "tcp" })]);
      await Promise.all(pair.map((phone) => phone.registered()));
      expect(
        contacts("1001")
          .map(({ destination }) => destination.transport)
          .sort(),
      ).toEqual(["tcp", "udp"]);
      await quit(pair[0]!);
      await expect.poll(() => contacts("1001").length).toBe(1);
      await quit(pair[1]!);
    },
  );

  test("registers in its own exchange, by domain, and in no other", async () => {
    const [ours, theirs] = await Promise.all([phoneOf("1000"), phoneOf("1000", { domain: "b.example" })]);
    await Promise.all([ours.registered(), theirs.registered()]);
    expect(contacts("1000", exchangeId)).toHaveLength(1);
    expect(contacts("1000", otherId)).toHaveLength(1);
    const stranger = await phoneOf("2000", { domain: "a.example", password: "pw-b.example-2000" });
    await expect.poll(() => board.abuse.counts().faults["unknown-user"]).toBeGreaterThan(0);
    expect(await stranger.isRegistered()).toBe(false);
    await Promise.all([quit(ours), quit(theirs), quit(stranger)]);
  });
});

describe("SIPp", () => {
  const numbers = ["1000", "1001", "1002"];

  test.each(["udp", "tcp"] as const)("registers over %s with the right password", async (transport) => {
    const accounts = numbers.map((number) => account(number, `pw-a.example-${number}`));
    const scenario = registerScenario({ domain: "a.example" });
    const result = await runSipp({ scenario, accounts, server: servers[transport], calls: 30, rate: 30, transport });
    expect([result.done, result.failed], result.log).toEqual([30, 0]);
    expect(contacts("1000")).toHaveLength(1);
    await db.query(sql`update extensions set name = name`); // nothing that matters has changed, so nobody is thrown out
    expect(contacts("1000")).toHaveLength(1);
    const goodbye = registerScenario({ domain: "a.example", expires: 0 });
    await runSipp({ scenario: goodbye, accounts, server: servers[transport], calls: 3, rate: 30, transport });
  });

  test(
    "takes the first challenge only: it gets in at its second attempt, and at once from then on",
    shows("registration: a phone that takes only the first challenge", "SIPp"),
    async () => {
      const accounts = [account("1000", "pw-a.example-1000")];
      const scenario = registerScenario({ domain: "a.example", userAgent: "FirstOnly/1.0" });
      const attempt = async () => (await runSipp({ scenario, accounts, server: servers.udp, calls: 1 })).done;
      expect([await attempt(), await attempt(), await attempt()]).toEqual([0, 1, 1]);
    },
  );

  test(
    "gets one and the same answer for a wrong password and for a user nobody has",
    shows("registration: refused with a wrong password", "SIPp"),
    async () => {
      const accounts = [account("1000", "guess"), account("4711", "guess")];
      const scenario = registerScenario({ domain: "a.example", expects: 403 });
      const result = await runSipp({ scenario, accounts, server: servers.udp, calls: 20, rate: 20 });
      expect([result.done, result.failed], result.log).toEqual([20, 0]);
    },
  );
});

test(
  "a browser registers over WebSocket, and is gone with its connection",
  shows("registration: over WebSocket", "JsSIP"),
  async () => {
    const socket = new WebSocket(webSocketUrl, "sip");
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const answers: Response[] = [];
    socket.on("message", (text) => {
      const parsed = parseMessage(text.toString());
      if ("message" in parsed && parsed.message.is === "response") answers.push(parsed.message);
    });
    const uri = "sip:a.example";
    const register = (cseq: number, authorization = "") =>
      socket.send(
        `REGISTER ${uri} SIP/2.0\r\nVia: SIP/2.0/WS df7jal23ls0d.invalid;branch=z9hG4bK${cseq}\r\nMax-Forwards: 70\r\n` +
          `From: <sip:1002@a.example>;tag=w\r\nTo: <sip:1002@a.example>\r\nCall-ID: browser\r\nCSeq: ${cseq} REGISTER\r\n` +
          `User-Agent: JsSIP 3.10\r\nSupported: outbound, path\r\nExpires: 120\r\n` +
          `Contact: <sip:1002@df7jal23ls0d.invalid;transport=ws>;+sip.instance="<urn:uuid:5>";reg-id=1\r\n` +
          `${authorization}Content-Length: 0\r\n\r\n`,
      );
    register(1);
    await expect.poll(() => answers.length).toBe(1);
    const challenge = bestChallenge(challengesOf(answers[0]!))!;
    expect(challenge.parameters.get("algorithm")).toBe("SHA-256");
    const credentials = { user: "1002", password: "pw-a.example-1002" };
    const request = { method: "REGISTER", uri };
    const answer = answerChallenge(hash, { challenge, account: credentials, request, fresh: { nc: 1, cnonce: "c" } });
    register(2, `Authorization: ${answer}\r\n`);
    await expect.poll(() => answers.at(-1)?.status).toBe(200);
    expect(contacts("1002")).toMatchObject([{ destination: { transport: "ws", connection: expect.any(String) } }]);
    socket.close();
    await expect.poll(() => contacts("1002")).toEqual([]);
  },
);
