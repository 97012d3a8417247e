import { beforeAll, describe, expect, test } from "vitest";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { secrets } from "../../../../test/ground/secrets.ts";
import { type TestClock, testClock } from "../../../../test/ground/test-clock.ts";
import { between, stopwatch } from "../../../clock.ts";
import { silentLog } from "../../../log.ts";
import { openDigest } from "../../../sip/digest.ts";
import { answerChallenge, bestChallenge } from "../../../sip/digest-answer.ts";
import { challengesOf } from "../../../sip/headers/auth.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { headerOf, headersOf, type Request, type Response } from "../../../sip/message/message.ts";
import { parseMessage } from "../../../sip/reading/parse.ts";
import { responseTo } from "../../../sip/respond.ts";
import type { Stack } from "../../../sip/stack.ts";
import type { Source } from "../../../sip/transport/transport.ts";
import { moveWaiting } from "../../../store/clock-steps.ts";
import type { Database } from "../../../store/db.ts";
import { createExchange, updateExchange } from "../../../store/exchanges.ts";
import { createExtension, setExtensionPassword, updateExtension } from "../../../store/extensions.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { sql } from "../../../store/sql.ts";
import { openChallengeOrders } from "./challenge-order.ts";
import { openDirectory } from "./directory.ts";
import { hash, openHmac } from "./hashing.ts";
import { type Authenticate, openLogin } from "./login.ts";
import { openRegistrar } from "./registrar.ts";
import type { RegistrationChange } from "./registrations.ts";
import { openStrays } from "./strays.ts";
import { openWebLogins } from "./web-logins.ts";

const HOUR = 3_600_000;
const desk: Source = { transport: "udp", address: "192.0.2.10", port: 5062, listener: "udp 192.0.2.1:5060" };
let db: Database;
let exchangeId: number;
let otherId: number;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  exchangeId = await exchangeWith("a.example", "1000", "1001");
  otherId = await exchangeWith("b.example", "1000", "2000");
});

async function exchangeWith(sipDomain: string, ...numbers: string[]): Promise<number> {
  const exchange = await createExchange(db, secrets, { name: sipDomain, sipDomain });
  if (isRefusal(exchange)) throw new Error(exchange.refused);
  for (const number of numbers)
    await createExtension(db, { exchangeId: exchange.id, number, password: `pw-${number}` });
  return exchange.id;
}

type Wanted = {
  user?: string;
  domain?: string;
  password?: string;
  contact?: string;
  headers?: string;
  callId?: string;
  cseq?: number;
  source?: Source;
  login?: string;
};

async function town(clock: TestClock = testClock(Date.now()), stack?: Stack) {
  for (const forgotten of [sql`delete from registrations`, sql`delete from phone_digests`, sql`delete from md5_phones`])
    await db.query(forgotten);
  const faults: string[] = [];
  const directory = await openDirectory(db, silentLog);
  const digest = openDigest({ hash, hmac: openHmac(), now: stopwatch(clock) });
  const abuse = {
    fault: (_: Source, offence: string) => void faults.push(offence),
    loggedIn: () => undefined,
    mayTry: () => true,
  };
  const orders = await openChallengeOrders(db, silentLog);
  const webLogins = openWebLogins({ clock, hash, directory });
  const { authenticate } = openLogin({
    directory: webLogins.directory,
    digest,
    abuse,
    orders,
    strays: openStrays(clock, silentLog),
    phones: () => registrar,
  });
  const parts = { db, clock, log: silentLog, directory, authenticate, digestOf: orders.lastOf };
  const open = () => openRegistrar({ ...parts, ...(stack && { stack }) });
  let registrar = await open();
  let cseq = 0;

  return {
    clock,
    directory,
    faults,
    says,
    registers,
    registrar: () => registrar,
    restart,
    crash,
    close,
    authenticate,
    webLogins,
  };

  async function restart() {
    await registrar.close();
    await crash();
  }

  async function crash() {
    registrar = await open();
  }

  async function close() {
    await registrar.close();
    await directory.close();
    expect(clock.waiting()).toBe(0);
  }

  /** One REGISTER, one answer. */
  async function says(wanted: Wanted, authorization = ""): Promise<Response> {
    const { user = "1000", domain = "a.example", contact = "<sip:1000@192.0.2.10:5062>", headers = "" } = wanted;
    const lines = [
      `REGISTER sip:${domain} SIP/2.0`,
      "Via: SIP/2.0/UDP 192.0.2.10:5062;branch=z9hG4bKx;rport",
      `From: <sip:${user}@${domain}>;tag=1`,
      `To: <sip:${user}@${domain}>`,
      `Call-ID: ${wanted.callId ?? "desk"}`,
      `CSeq: ${wanted.cseq ?? ++cseq} REGISTER`,
      ...(contact ? [`Contact: ${contact}`] : []),
      ...(headers ? [headers] : []),
      ...(authorization ? [`Authorization: ${authorization}`] : []),
    ];
    const parsed = parseMessage(`${lines.join("\r\n")}\r\n\r\n`);
    if (!("message" in parsed) || parsed.message.is !== "request") throw new Error(JSON.stringify(parsed));
    let response: Response | undefined;
    registrar.register(
      incoming(parsed.message, wanted.source ?? desk, (sent) => {
        response = sent;
      }),
    );
    // A commit begins as soon as none is under way; the database takes what time it takes, and none of the clock's.
    while (!response) {
      if (clock.isDue(40)) clock.pass(40);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return response;
  }

  /** Answers the challenge as a phone does. */
  async function registers(wanted: Wanted = {}): Promise<Response> {
    const challenged = await says(wanted);
    if (challenged.status !== 401) return challenged;
    const challenge = bestChallenge(challengesOf(challenged))!;
    const { user = "1000", domain = "a.example" } = wanted;
    const account = { user: wanted.login ?? user, password: wanted.password ?? `pw-${user}` };
    const request = { method: "REGISTER", uri: `sip:${domain}` };
    const answer = answerChallenge(hash, { challenge, account, request, fresh: { nc: 1, cnonce: "c" } });
    return says(wanted, answer);
  }
}

/** What 1001, or whoever that is, answers to the first challenge, by the digest that it knows. */
function answerTo(challenged: Response, algorithm: "MD5", account = { user: "1001", password: "pw-1001" }) {
  const asked = bestChallenge(challengesOf(challenged))!;
  const challenge = { ...asked, parameters: new Map([...asked.parameters]).set("algorithm", algorithm) };
  return (method: string, uri: string) =>
    answerChallenge(hash, { challenge, account, request: { method, uri }, fresh: { nc: 1, cnonce: "c" } });
}

/** 1001 calls, by an old phone; or somebody in its place. */
function invite(authenticate: Authenticate, dialled: string, authorization: string | undefined, from = "1001") {
  const lines = [
    `INVITE sip:${dialled}@a.example SIP/2.0`,
    "Via: SIP/2.0/UDP 192.0.2.10:5062;branch=z9hG4bKi;rport",
    `From: <sip:${from}@a.example>;tag=1`,
    `To: <sip:${dialled}@a.example>`,
    "Call-ID: call",
    "CSeq: 1 INVITE",
    "User-Agent: baresip v1.0.0",
    ...(authorization ? [`Authorization: ${authorization}`] : []),
  ];
  const parsed = parseMessage(`${lines.join("\r\n")}\r\n\r\n`);
  if (!("message" in parsed) || parsed.message.is !== "request") throw new Error(JSON.stringify(parsed));
  let response: Response | undefined;
  const login = authenticate(
    incoming(parsed.message, desk, (sent) => {
      response = sent;
    }),
  );
  return { login, response };
}

function incoming(request: Request, source: Source, send: (response: Response) => void): Incoming {
  const respond = (response: Response) => {
    send(response);
    return true;
  };
  const reply: Incoming["reply"] = (status, options) =>
    respond(responseTo(request, status, { toTag: "2", ...options }));
  const nothing = () => undefined;
  const unkept = { acknowledgedBy: nothing, onLost: nothing, keep: nothing, repeat: nothing, follow: nothing };
  return { request, source, localTag: "2", respond, reply, onCancel: nothing, onAck: nothing, ...unkept };
}

describe("logging in", () => {
  test("a phone is challenged with both digests, the stronger first, and registers", async () => {
    const { says, registers, registrar, close } = await town();
    const challenges = headersOf(await says({ headers: "User-Agent: Desk/1.0" }), "WWW-Authenticate");
    expect(challenges.map((value) => /algorithm=([\w-]+)/.exec(value)?.[1])).toEqual(["SHA-256", "MD5"]);
    const old = headersOf(await says({ headers: "User-Agent: baresip v1.0.0 (aarch64/linux)" }), "WWW-Authenticate");
    expect(old).toEqual([expect.stringContaining("algorithm=MD5")]);
    const { status, headers } = await registers({ headers: "User-Agent: Desk/1.0\r\nExpires: 300" });
    expect(status).toBe(200);
    expect(headers).toContainEqual({ name: "Contact", value: "<sip:1000@192.0.2.10:5062>;expires=300" });
    expect(headers).toContainEqual({ name: "Date", value: expect.stringMatching(/ 2026 \d\d:\d\d:\d\d GMT$/) });
    expect(registrar().contactsOf(exchangeId, "1000")).toMatchObject([{ uri: "sip:1000@192.0.2.10:5062" }]);
    await close();
  });

  test("a phone that has used SHA-256 does not get in by MD5, even with the right password", async () => {
    const { says, registers, close } = await town();
    const headers = "User-Agent: Desk/1.0";
    expect((await registers({ headers })).status).toBe(200);
    const challenge = bestChallenge(challengesOf(await says({ headers })))!;
    const asked = { ...challenge, parameters: new Map([...challenge.parameters]).set("algorithm", "MD5") };
    const account = { user: "1000", password: "pw-1000" };
    const request = { method: "REGISTER", uri: "sip:a.example" };
    const answer = answerChallenge(hash, { challenge: asked, account, request, fresh: { nc: 1, cnonce: "c" } });
    expect((await says({ headers }, answer)).status).toBe(401);
    await close();
  });

  test("nobody in between gets MD5 taken of such a phone by taking its name away, or giving it another", async () => {
    const { says, registers, authenticate, faults, close } = await town();
    const registersByMd5 = async (wanted: Wanted, account?: { user: string; password: string }) =>
      says(wanted, answerTo(await says(wanted), "MD5", account)("REGISTER", "sip:a.example"));
    expect((await registers({ user: "1001", headers: "User-Agent: Desk/1.0" })).status).toBe(200);
    for (const headers of ["", "User-Agent: baresip v1.0.0", "User-Agent: SIPp", "User-Agent: Old/1.0"]) {
      const refused = await registersByMd5({ user: "1001", headers });
      expect(refused.status, headers).toBe(401);
      // A phone that knows better than its name says gets in.
      expect(headersOf(refused, "WWW-Authenticate")[0], headers).toContain("algorithm=SHA-256");
    }
    expect(faults).toEqual([]);
    const guess = { user: "1001", password: "a guess" };
    expect((await registersByMd5({ user: "1001" }, guess)).status, "told no more than others").toBe(403);

    const challenged = invite(authenticate, "1000", "", "4711").response!;
    const answer = answerTo(challenged, "MD5")("INVITE", "sip:1000@a.example");
    expect(invite(authenticate, "1000", answer, "4711").response?.status, "called by another number").toBe(401);
    const help = answerTo(invite(authenticate, "112", "").response!, "MD5")("INVITE", "sip:112@a.example");
    expect(invite(authenticate, "112", help).login, "whoever calls for help").toHaveProperty("extension");
    expect((await registersByMd5({ user: "1001", headers: "User-Agent: baresip v1.0.0" })).status).toBe(401);
    await close();
  });

  test("a phone that got in by MD5 before another of its extension had SHA-256 goes on, from its own place", async () => {
    const { says, registers, directory, close } = await town();
    const registersByMd5 = async (wanted: Wanted) =>
      (await says(wanted, answerTo(await says(wanted), "MD5")("REGISTER", "sip:a.example"))).status;
    const elsewhere = { ...desk, address: "198.51.100.7" };
    const old = { user: "1001", headers: "User-Agent: Old/1.0", contact: "<sip:1001@192.0.2.10:5062>" };
    const named = {
      user: "1001",
      headers: "User-Agent: Mobile/1.0",
      contact: '<sip:m@192.0.2.10>;+sip.instance="<urn:m>"',
    };
    expect([await registersByMd5(old), await registersByMd5(named)]).toEqual([200, 200]);
    expect(
      (await registers({ user: "1001", headers: "User-Agent: Desk/1.0", contact: "<sip:d@192.0.2.10>" })).status,
    ).toBe(200);

    const moved = { source: { ...desk, port: 40_000 } };
    expect(await registersByMd5({ ...old, ...moved }), "behind a NAT that chose another port").toBe(200);
    expect(await registersByMd5({ ...old, source: elsewhere }), "in its name, from elsewhere").toBe(401);
    expect(await registersByMd5({ ...old, headers: "User-Agent: Older/1.0" }), "beside it").toBe(401);
    expect(await registersByMd5({ ...named, source: elsewhere }), "who says which phone it is may move").toBe(200);

    await updateExchange(db, exchangeId, { md5_again: true });
    await directory.reload(exchangeId);
    const added = { ...old, headers: "User-Agent: Added/1.0" };
    expect(await registersByMd5(added), "where it may be weakened").toBe(200);
    await updateExchange(db, exchangeId, { md5_again: false });
    await directory.reload(exchangeId);
    expect(await registersByMd5(added), "it is known from then on").toBe(200);
    await close();
  });

  test("an exchange that takes SHA-256 alone asks for nothing else from that moment on, and knows before whom it shuts out", async () => {
    const { says, registers, registrar, directory, authenticate, close } = await town();
    const take = async (sip_digests: "any" | "sha-256") => {
      await updateExchange(db, exchangeId, { sip_digests, md5_again: true });
      await directory.reload(exchangeId);
    };
    const old = { user: "1001", headers: "User-Agent: baresip v1.0.0" };
    const asked = (response: Response) =>
      headersOf(response, "WWW-Authenticate").map((value) => /algorithm=([\w-]+)/.exec(value)?.[1]);
    const byMd5 = answerTo(await says(old), "MD5");
    expect((await says(old, byMd5("REGISTER", "sip:a.example"))).status).toBe(200);
    expect((await registers({ headers: "User-Agent: Desk/1.0" })).status).toBe(200);
    const shown = registrar().list(exchangeId);
    expect(shown.map(({ extension, digest }) => `${extension} ${digest}`)).toEqual(["1000 SHA-256", "1001 MD5"]);
    expect(registrar().md5Phones()).toEqual([{ exchangeId, takesMd5: true, extensions: ["1001"] }]);

    await take("sha-256");
    const challenged = await says(old);
    expect(asked(challenged)).toEqual(["SHA-256"]);
    const again = await says(old, answerTo(challenged, "MD5")("REGISTER", "sip:a.example"));
    expect(again.status).toBe(401);
    expect(asked(again)).toEqual(["SHA-256"]);
    expect((await registers({ headers: "User-Agent: Desk/1.0" })).status).toBe(200);
    expect(asked(await says({ domain: "b.example", headers: old.headers }))).toEqual(["MD5"]);
    expect(registrar().md5Phones()).toEqual([{ exchangeId, takesMd5: false, extensions: ["1001"] }]);

    const invites = (dialled: string, authorization = "") => invite(authenticate, dialled, authorization);
    expect(asked(invites("1000").response!)).toEqual(["SHA-256"]);
    const help = invites("112");
    expect(asked(help.response!), "whoever calls for help").toEqual(["MD5"]);
    const answer = answerTo(help.response!, "MD5")("INVITE", "sip:112@a.example");
    expect(invites("112", answer).login).toMatchObject({ extension: { number: "1001" } });
    await take("any");
    expect((await says(old, answerTo(await says(old), "MD5")("REGISTER", "sip:a.example"))).status).toBe(200);
    await updateExchange(db, exchangeId, { md5_again: false });
    await close();
  });

  test("a web phone, which knows MD5 alone, gets in all the same, but by no password of an extension", async () => {
    const { says, registrar, directory, webLogins, close } = await town();
    await updateExchange(db, exchangeId, { sip_digests: "sha-256" });
    await directory.reload(exchangeId);
    const web = {
      user: "1001",
      contact: "<sip:web@x.invalid;transport=ws>",
      headers: "User-Agent: Santral web phone",
      source: { ...desk, transport: "wss" as const, connection: "page" },
    };
    const register = ["REGISTER", "sip:a.example"] as const;
    const own = await says(web, answerTo(await says(web), "MD5")(...register));
    expect(own.status).toBe(401);
    expect(headersOf(own, "WWW-Authenticate")).toEqual([expect.stringContaining("algorithm=SHA-256")]);
    const login = webLogins.issue({ exchangeId, sipDomain: "a.example", extension: "1001", token: "t" });
    expect((await says(web, answerTo(await says(web), "MD5", login)(...register))).status).toBe(200);
    expect(registrar().md5Phones()).toEqual([]);
    const elsewhere = { ...web, source: desk };
    expect((await says(elsewhere, answerTo(await says(elsewhere), "MD5", login)(...register))).status).toBe(401);
    await updateExchange(db, exchangeId, { sip_digests: "any" });
    await close();
  });

  test("an unknown user and a wrong password get the same answer", async () => {
    const { registers, faults, registrar, close } = await town();
    const wrong = await registers({ password: "guess" });
    const unknown = await registers({ user: "4711", password: "guess" });
    const shape = (response: Response) => ({
      status: response.status,
      reason: response.reason,
      headers: response.headers.map(({ name }) => name),
    });
    expect(shape(unknown)).toEqual(shape(wrong));
    expect(wrong.status).toBe(403);
    expect(faults).toEqual(["wrong-password", "unknown-user"]);
    expect(registrar().counts()).toEqual({ extensions: 0, contacts: 0 });
    await close();
  });

  test("a right password does not move another extension's calls", async () => {
    const { registers, close } = await town();
    expect((await registers({ user: "1001", login: "1000", password: "pw-1000" })).status).toBe(403);
    await close();
  });

  test("one exchange cannot register into another, and a domain nobody has is challenged in vain", async () => {
    const { registers, registrar, close } = await town();
    expect((await registers({ user: "2000", domain: "a.example" })).status).toBe(403);
    expect((await registers({ user: "1001", domain: "b.example" })).status).toBe(403);
    expect((await registers({ user: "1000", domain: "c.example" })).status).toBe(403);
    expect((await registers({ user: "1000", domain: "b.example" })).status).toBe(200);
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(false);
    expect(registrar().isRegistered(otherId, "1000")).toBe(true);
    await close();
  });

  test("an answer cannot be used twice", async () => {
    const { says, close } = await town();
    const challenge = bestChallenge(challengesOf(await says({})))!;
    const account = { user: "1000", password: "pw-1000" };
    const request = { method: "REGISTER", uri: "sip:a.example" };
    const answer = answerChallenge(hash, { challenge, account, request, fresh: { nc: 1, cnonce: "c" } });
    expect((await says({}, answer)).status).toBe(200);
    const again = await says({}, answer);
    expect(again.status).toBe(401);
    expect(headerOf(again, "WWW-Authenticate")).toContain("stale=true");
    await close();
  });

  test("an extension that is switched off, or gets a new password, loses its phones", async () => {
    const { registers, registrar, directory, close } = await town();
    const changes: RegistrationChange[] = [];
    registrar().onChange((change) => changes.push(change));
    await registers();
    await updateExtension(db, { exchangeId, number: "1000", changes: { active: false } });
    await directory.reload(exchangeId);
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(false);
    expect((await registers()).status).toBe(403);
    await updateExtension(db, { exchangeId, number: "1000", changes: { active: true } });
    await directory.reload(exchangeId);
    expect((await registers()).status).toBe(200);
    await setExtensionPassword(db, { exchangeId, number: "1000", password: "another" });
    await directory.reload(exchangeId);
    expect(changes.map(({ registered }) => registered)).toEqual([true, false, true, false]);
    await setExtensionPassword(db, { exchangeId, number: "1000", password: "pw-1000" });
    await close();
  });

  test("an extension with networks registers from there alone, and no password helps anybody elsewhere", async () => {
    const { registers, registrar, directory, faults, close } = await town();
    const at = (address: string): Source => ({ ...desk, address });
    expect((await registers()).status).toBe(200);
    const networks = ["198.51.100.0/24", "2001:db8::/32"];
    await updateExtension(db, { exchangeId, number: "1000", changes: { networks } });
    await directory.reload(exchangeId);
    expect(registrar().isRegistered(exchangeId, "1000"), "who was elsewhere is gone").toBe(false);
    expect((await registers()).status).toBe(403);
    expect(faults).toContain("wrong-password");
    expect((await registers({ source: at("198.51.101.7") })).status).toBe(403);
    expect((await registers({ source: at("198.51.100.7") })).status).toBe(200);
    expect((await registers({ source: at("::ffff:198.51.100.8") })).status).toBe(200);
    expect((await registers({ source: at("2001:db8::5") })).status).toBe(200);
    const edge = at("198.51.100.9");
    expect((await registers({ source: { ...edge, client: { address: "203.0.113.7", port: 40_001 } } })).status).toBe(
      403,
    );
    await updateExtension(db, { exchangeId, number: "1000", changes: { networks: [] } });
    await directory.reload(exchangeId);
    expect((await registers()).status).toBe(200);
    await close();
  });

  test("a change in the database is heard without being told", async () => {
    const { directory, close } = await town();
    await updateExtension(db, { exchangeId, number: "1001", changes: { name: "Ayşe" } });
    await expect.poll(() => directory.extension(exchangeId, "1001")?.name).toBe("Ayşe");
    await close();
  });
});

describe("contacts", () => {
  test("too short an expiry is refused with the least, too long a one is shortened", async () => {
    const { registers, close } = await town();
    const short = await registers({ headers: "Expires: 59" });
    expect([short.status, headerOf(short, "Min-Expires")]).toEqual([423, "60"]);
    expect(headerOf(await registers({ headers: "Expires: 100000" }), "Contact")).toContain("expires=7200");
    expect(headerOf(await registers({ contact: "<sip:1000@192.0.2.10:5062>;expires=90" }), "Contact")).toContain("=90");
    await close();
  });

  test("a binding is gone when its time is over", async () => {
    const { clock, registers, registrar, close } = await town();
    const changes: RegistrationChange[] = [];
    registrar().onChange((change) => changes.push(change));
    await registers({ headers: "Expires: 60" });
    clock.pass(59_000);
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(true);
    clock.pass(2_000);
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(false);
    expect(changes.map(({ registered }) => registered)).toEqual([true, false]);
    await close();
    expect(await db.query(sql`select 1 from registrations`)).toEqual([]);
  });

  test.each([-HOUR, HOUR])("a clock that is set by %i ms neither ends a binding nor keeps it", async (stepMs) => {
    const { clock, registers, registrar, close } = await town();
    await registers({ headers: "Expires: 60" });
    clock.pass(30_000);
    clock.setWall(clock.wall() + stepMs);
    clock.pass(29_000);
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(true);
    clock.pass(2_000);
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(false);
    await close();
  });

  test("an extension has several phones, and the eleventh replaces the one refreshed longest ago", async () => {
    const { registers, registrar, close } = await town();
    for (let phone = 1; phone <= 11; phone++)
      await registers({ callId: `phone-${phone}`, contact: `<sip:1000@192.0.2.${phone}>` });
    const uris = registrar()
      .contactsOf(exchangeId, "1000")
      .map(({ uri }) => uri);
    expect(uris).toHaveLength(10);
    expect(uris).not.toContain("sip:1000@192.0.2.1");
    await close();
  });

  test.each([
    ["pages that were closed", true, [11]],
    ["pages that are open", false, [3, 4, 5, 6, 7, 8, 9, 10, 11]],
  ])("a phone on the desk stays while %s make room for the eleventh", async (_, closes, left) => {
    const open = new Set<string>();
    const stack = { doorTo: () => ({ holds: (connection: string) => open.has(connection) }), ask: () => undefined };
    const { registers, registrar, close } = await town(testClock(Date.now()), stack as unknown as Stack);
    await registers({});
    for (let page = 1; page <= 11; page++) {
      const source: Source = {
        transport: "ws",
        address: "192.0.2.20",
        port: page,
        listener: "ws",
        connection: `${page}`,
      };
      open.add(`${page}`);
      await registers({ callId: `page-${page}`, contact: `<sip:p${page}@browser.invalid;transport=ws>`, source });
      if (closes && page < 11) open.delete(`${page}`);
    }
    const found = registrar().contactsOf(exchangeId, "1000");
    expect(found.map(({ uri }) => uri.replace(/^sip:p?|@.*/g, "")).sort()).toEqual(
      ["1000", ...left.map(String)].sort(),
    );
    await close();
  });

  test("expires=0 takes one phone away, the star takes them all, and asking changes nothing", async () => {
    const { registers, registrar, close } = await town();
    for (const phone of [1, 2, 3]) await registers({ contact: `<sip:1000@192.0.2.${phone}>` });
    await registers({ contact: "<sip:1000@192.0.2.2>;expires=0" });
    const asked = await registers({ contact: "" });
    expect(headersOf(asked, "Contact")).toHaveLength(2);
    expect((await registers({ contact: "*", headers: "Expires: 60" })).status).toBe(400);
    expect((await registers({ contact: "*", headers: "Expires: 0" })).status).toBe(200);
    expect(registrar().counts().contacts).toBe(0);
    await close();
  });

  test("a REGISTER that was overtaken does not undo the later one", async () => {
    const { registers, registrar, close } = await town();
    await registers({ cseq: 20, headers: "Expires: 600" });
    expect((await registers({ cseq: 19, headers: "Expires: 0" })).status).toBe(500);
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(true);
    expect((await registers({ cseq: 1, callId: "rebooted", headers: "Expires: 0" })).status).toBe(200);
    await close();
  });

  test("a phone that names itself and its flow replaces its old contact, whatever its address is now", async () => {
    const { registers, registrar, close } = await town();
    const flow = `;+sip.instance="<urn:uuid:1>";reg-id=1`;
    await registers({ contact: `<sip:1000@192.0.2.10:1111;transport=tcp>${flow}` });
    const moved: Source = {
      ...desk,
      transport: "tcp",
      port: 40_001,
      connection: "tcp-7",
      listener: "tcp 192.0.2.1:5060",
    };
    const answer = await registers({
      contact: `<sip:1000@10.0.0.5:2222;transport=tcp>${flow}`,
      headers: "Supported: outbound, path",
      source: moved,
    });
    expect(headerOf(answer, "Require")).toBe("outbound");
    expect(registrar().contactsOf(exchangeId, "1000")).toMatchObject([
      { destination: { transport: "tcp", connection: "tcp-7", address: "192.0.2.10", port: 40_001 } },
    ]);
    await close();
  });

  test("a phone behind a NAT is reached where its packets come from, any other one where it says", async () => {
    const { registers, registrar, close } = await town();
    await registers({ contact: "<sip:1000@10.0.0.5:5060>" });
    expect(registrar().contactsOf(exchangeId, "1000")[0]?.destination).toMatchObject({
      address: "192.0.2.10",
      port: 5062,
    });
    await registers({ user: "1001", contact: "<sip:1001@192.0.2.10:5099>" });
    expect(registrar().contactsOf(exchangeId, "1001")[0]?.destination).toMatchObject({
      address: "192.0.2.10",
      port: 5099,
    });
    await close();
  });

  test("a Path becomes the route, and is told back to whoever knows what it is", async () => {
    const { registers, registrar, close } = await town();
    const answer = await registers({ headers: "Path: <sip:edge.example;lr>\r\nSupported: path" });
    expect(headerOf(answer, "Path")).toBe("<sip:edge.example;lr>");
    expect(registrar().contactsOf(exchangeId, "1000")[0]?.route).toEqual(["<sip:edge.example;lr>"]);
    await close();
  });

  test("phones with a preference come in its order", async () => {
    const { registers, registrar, close } = await town();
    await registers({ contact: "<sip:1000@192.0.2.1>;q=0.2" });
    await registers({ contact: "<sip:1000@192.0.2.2>;q=0.9" });
    expect(
      registrar()
        .contactsOf(exchangeId, "1000")
        .map(({ uri }) => uri),
    ).toEqual(["sip:1000@192.0.2.2", "sip:1000@192.0.2.1"]);
    await close();
  });
});

describe("restarts", () => {
  test("bindings are there again after a clean stop and after a crash", async () => {
    const { registers, registrar, restart, crash, close } = await town();
    await registers({ headers: "User-Agent: Desk/1.0\r\nAllow-Events: dialog, talk\r\nExpires: 300" });
    const before = registrar().contactsOf(exchangeId, "1000")[0]!;
    await restart();
    const after = registrar().contactsOf(exchangeId, "1000")[0]!;
    expect(after.takesTalk).toBe(true);
    expect(after).toEqual({ ...before, expires: expect.any(Number) });
    expect(between(before.expires, after.expires)).toBeLessThanOrEqual(5_000);
    const old = registrar();
    await crash();
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(true);
    await old.close();
    await close();
  });

  test("a phone behind an edge is reached by the edge's own name for itself, and known by its own address", async () => {
    const { registers, registrar, restart, close } = await town();
    const edge: Source = { transport: "tcp", address: "10.0.0.5", port: 41_234, connection: "tcp 7", listener: "tcp" };
    const source = { ...edge, client: { address: "203.0.113.7", port: 40_001 } };
    const headers = "Supported: path\r\nPath: <sip:10.0.0.5:5080;transport=tcp;lr>";
    expect((await registers({ contact: "<sip:1000@192.168.1.7:5062>", source, headers })).status).toBe(200);
    const isFound = () => {
      const [phone] = registrar().contactsOf(exchangeId, "1000");
      expect(phone).toMatchObject({
        route: ["<sip:10.0.0.5:5080;transport=tcp;lr>"],
        destination: { transport: "tcp", address: "10.0.0.5", port: 5_080 },
        source: { address: "10.0.0.5", client: { address: "203.0.113.7", port: 40_001 } },
      });
      expect(phone?.destination.connection).toBeUndefined();
      expect(registrar().list(exchangeId)).toMatchObject([{ address: "203.0.113.7:40001" }]);
    };
    isFound();
    await restart();
    isFound();
    await close();
  });

  test.each([-HOUR, HOUR])("a clock that was set by %i ms before a restart changes nothing", async (stepMs) => {
    const { clock, registers, registrar, restart, close } = await town();
    await registers({ headers: "Expires: 300" });
    const fromMs = clock.wall();
    clock.setWall(fromMs + stepMs);
    await moveWaiting(db, { stepMs, fromMs: Math.min(fromMs, fromMs + stepMs) });
    await restart();
    clock.pass(290_000);
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(true);
    clock.pass(20_000);
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(false);
    await close();
  });

  test("a refresh that only prolongs is answered at once and written soon after", async () => {
    const { clock, registers, registrar, restart, close } = await town();
    await registers({ headers: "Expires: 60" });
    clock.pass(50_000);
    await registers({ headers: "Expires: 60" });
    await restart();
    clock.pass(20_000);
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(true);
    await close();
  });

  test("a phone that could not register while nobody was there is tried for a minute and a half, and then is gone", async () => {
    const { clock, registers, registrar, restart, crash, close } = await town();
    await registers({ headers: "Expires: 60" });
    await registrar().close();
    clock.pass(300_000);
    await crash();
    clock.pass(88_000);
    expect(registrar().contactsOf(exchangeId, "1000")).toHaveLength(1);
    clock.pass(4_000);
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(false);
    await restart();
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(false);
    await close();
  });

  test("after a longer absence a phone may be anywhere, and is waited for", async () => {
    const { clock, registers, registrar, crash, close } = await town();
    await registers({ headers: "Expires: 60" });
    await registrar().close();
    clock.pass(HOUR);
    await crash();
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(false);
    expect(await db.query(sql`select 1 from registrations`)).toEqual([]);
    await close();
  });

  test("a phone that is tried for longer has its own time again once it registers, and none once it signs off", async () => {
    const { clock, registers, registrar, restart, close } = await town();
    for (const user of ["1000", "1001"])
      await registers({ user, contact: `<sip:${user}@192.0.2.10:5062>`, callId: user, headers: "Expires: 60" });
    clock.pass(50_000);
    await restart();
    await registers({ callId: "1000", headers: "Expires: 60" });
    clock.pass(58_000);
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(true);
    clock.pass(4_000);
    expect(registrar().isRegistered(exchangeId, "1000")).toBe(false);
    expect(registrar().isRegistered(exchangeId, "1001")).toBe(true);
    const rows = () => {
      clock.pass(20); // one commit after the other
      return db.query(sql`select 1 from registrations`);
    };
    await expect.poll(rows).toHaveLength(1);
    await registers({ user: "1001", contact: "*", callId: "1001", headers: "Expires: 0" });
    await restart();
    expect(registrar().isRegistered(exchangeId, "1001")).toBe(false);
    await close();
  });

  test("who takes an exchange over tries its phones as long, however little of their time was left", async () => {
    const { clock, registers, registrar, crash, close } = await town();
    const heir = registrar();
    await crash();
    await registers({ headers: "Expires: 60" });
    await registers({ user: "1001", contact: "<sip:1001@192.0.2.10:5062>", headers: "Expires: 60" });
    await registers({ user: "1001", contact: "<sip:1001@192.0.2.10:5062>", headers: "Expires: 0" });
    await registrar().close();
    clock.pass(62_000);
    await heir.load([otherId]);
    expect(heir.isRegistered(exchangeId, "1000")).toBe(false);
    await heir.load([exchangeId]);
    clock.pass(88_000);
    expect(heir.isRegistered(exchangeId, "1000")).toBe(true);
    expect(heir.isRegistered(exchangeId, "1001")).toBe(false);
    clock.pass(4_000);
    expect(heir.isRegistered(exchangeId, "1000")).toBe(false);
    await heir.close();
    await close();
  });

  test("a database that is away is told to the phone", async () => {
    const clock = testClock(Date.now());
    const { directory, close } = await town(clock);
    const broken = { ...db, query: () => Promise.reject(new Error("gone")) };
    let answered: boolean | undefined;
    const { openKeeper } = await import("./keeper.ts");
    const keeper = openKeeper({ db: broken, clock, log: silentLog });
    keeper.keep({ saved: [], removed: [{ extensionId: 1, key: "x" } as never] }, (kept) => (answered = kept));
    clock.pass(20);
    await expect.poll(() => answered).toBe(false);
    expect(directory.exchange(exchangeId)).toBeDefined();
    await close();
  });
});
