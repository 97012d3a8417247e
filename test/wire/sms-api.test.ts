// The SMS API over a real socket: each row a request, the status and the literal answer.

import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { rates } from "../../src/http/door/rate-limit.ts";
import { submitConsents } from "../../src/sms/consent-desk.ts";
import { localRegistry } from "../../src/sms/registry.ts";
import type { Database } from "../../src/store/db.ts";
import { addCredits, createSmsAccount, updateSmsAccount } from "../../src/store/sms-accounts.ts";
import { addToBlacklist } from "../../src/store/sms-blacklist.ts";
import { setTariff } from "../../src/store/sms-carriers.ts";
import { writeInbound } from "../../src/store/sms-inbound.ts";
import { createTitle } from "../../src/store/sms-titles.ts";
import { sql } from "../../src/store/sql.ts";
import { freshDatabase } from "../ground/database.ts";
import { testClock } from "../ground/test-clock.ts";
import { type Desk, newDesk, openSmsServer, sure } from "../town/sms-desk.ts";

let db: Database;
let desk: Desk;
let server: Awaited<ReturnType<typeof openSmsServer>>;
let rowsPlayed = 0;

beforeAll(async () => {
  db = (await freshDatabase()).db;
  desk = await newDesk(db);
  server = await openSmsServer(db);
  const { exchangeId } = desk;
  sure(await createTitle(db, exchangeId, { name: "ACME TLK" }));
  sure(await createTitle(db, exchangeId, { name: "BEKLEYEN", approved: false }));
  sure(await createTitle(db, exchangeId, { name: "5321234567" }));
  await setTariff(db, exchangeId, "49", 4);
});
afterAll(async () => {
  await server.close();
  console.log(`SMS API conformance: ${rowsPlayed} rows played over a socket`);
});

type Said = { status: number; body: string; type: string; headers: Headers };
type Ask = {
  method?: string;
  path: string;
  query?: Record<string, string>;
  json?: unknown;
  body?: string;
  headers?: Record<string, string>;
};

async function ask({ method = "GET", path, query, json, body, headers = {} }: Ask): Promise<Said> {
  const search = query ? `?${new URLSearchParams(query)}` : "";
  const sent = json === undefined ? body : JSON.stringify(json);
  const type = json === undefined ? {} : { "content-type": "application/json" };
  const answer = await fetch(`${server.url}${path}${search}`, {
    method,
    ...(sent === undefined ? {} : { body: sent }),
    headers: { ...type, ...headers },
  });
  rowsPlayed++;
  return {
    status: answer.status,
    body: await answer.text(),
    type: answer.headers.get("content-type") ?? "",
    headers: answer.headers,
  };
}

const sendJson = (fields: object, headers = {}) =>
  ask({ method: "POST", path: "/v2/send.json", json: { ...desk.login, ...fields }, headers });
const get = (path: string, query: Record<string, string> = {}) => ask({ path, query: { ...desk.login, ...query } });

let texts = 0;
/** A text that was not sent before. */
const fresh = (words = "Merhaba") => `${words} ${++texts}`;
const one = (dest = "905321234567", msg = fresh()) => ({ messages: [{ dest, msg }] });

async function statusOf(campaignId: string): Promise<Record<string, unknown>[]> {
  return JSON.parse((await get("/v2/status", { id: campaignId })).body);
}

test("what is sent is answered with a bare id as text, by every spelling a client uses", async () => {
  const asks: (() => Promise<Said>)[] = [
    () => sendJson({ source_addr: "ACME", ...one() }),
    () => sendJson({ source_addr: "", ...one() }),
    () => sendJson({ ...one(), send_at: "", custom_id: null, datacoding: "", valid_for: null }),
    () => sendJson({ ...one(), datacoding: "0" }),
    () => sendJson({ ...one(), datacoding: 1 }),
    () => sendJson({ ...one(), datacoding: "2" }),
    () => sendJson({ ...one(), valid_for: "0:05" }),
    () => sendJson({ ...one(), valid_for: "48:00" }),
    () => sendJson({ ...one(), custom_id: "1424441160.9331344" }),
    () => sendJson({ ...one(), is_commercial: false }),
    () => sendJson({ ...one(), source_addr_type: 1, msg_header: "x", datacoding_lock: 1 }),
    () => sendJson({ messages: { dest: "905321234567", msg: fresh() } }),
    () => sendJson({ messages: [{ dest: 905321234567, msg: fresh() }] }),
    () => sendJson({ messages: [{ dest: ["05321234567", "5321234568"], msg: fresh() }] }),
    () => sendJson({ messages: [{ dest: " 905321234567 , +90 532 123 45 68 ", msg: fresh(), id: "a" }] }),
    () =>
      sendJson({
        ...one(),
        send_at: new Date(Date.now() + 3 * 3_600_000 - 5_000).toISOString().slice(0, 19).replace("T", " "),
      }),
    () => sendJson(one(), { accept: "application/json" }),
    () => sendJson(one(), { "content-type": "application/x-www-form-urlencoded" }),
    () => sendJson(one(), { "content-type": "application/json; charset=utf-8" }),
    () => ask({ method: "POST", path: "/v2/send.json", query: desk.login, json: one() }),
    () => ask({ method: "POST", path: "//v2/send.json/", json: { ...desk.login, ...one() } }),
    () =>
      get("/v2/send", { dest: "905321234567", msg: fresh(), custom_id: "x1", datacoding: "0", is_commercial: "false" }),
    () => get("/v2/send", { dest: "+905321234567,05321234568", msg: fresh("Çiğ köfte"), datacoding: "2" }),
  ];
  for (const play of asks) {
    const said = await play();
    expect(said, `${play}`).toMatchObject({ status: 200, type: "text/plain; charset=utf-8" });
    expect(said.body).toMatch(/^[1-9]\d*$/);
  }
});

test("every submit error has its own word as the whole body", async () => {
  const long = (coding: number) =>
    ({ 0: "a".repeat(1072), 1: `ş${"a".repeat(1043)}`, 2: `я${"a".repeat(469)}` })[coding];
  const rows: [object, string][] = [
    [{ ...one(), source_addr: "YOK" }, "INVALID_SOURCE_ADDRESS"],
    [{ ...one(), source_addr: "BEKLEYEN" }, "INVALID_SOURCE_ADDRESS"],
    [{ ...one(), source_addr: "5321234567" }, "NUMERIC_SOURCE_ADDRESS_NOT_ALLOWED"],
    [{}, "MISSING_MESSAGE"],
    [{ messages: [] }, "MISSING_MESSAGE"],
    [{ messages: [{ dest: "905321234567" }] }, "MISSING_MESSAGE"],
    [{ messages: [{ dest: "905321234567", msg: " " }] }, "MISSING_MESSAGE"],
    [one("905321234567", long(0)), "MESSAGE_TOO_LONG"],
    [one("905321234567", long(1)), "MESSAGE_TOO_LONG"],
    [one("905321234567", long(2)), "MESSAGE_TOO_LONG"],
    [{ ...one(), valid_for: "00:00" }, "INVALID_PERIOD"],
    [{ ...one(), valid_for: "48:01" }, "INVALID_PERIOD"],
    [{ ...one(), valid_for: "soon" }, "INVALID_PERIOD"],
    [{ ...one(), send_at: "2015-02-20 16:06:00" }, "INVALID_DELIVERY_TIME"],
    [{ ...one(), send_at: "yarın" }, "INVALID_DELIVERY_TIME"],
    [{ ...one(), datacoding: 3 }, "INVALID_DATACODING"],
    [{ ...one(), datacoding: "x" }, "INVALID_DATACODING"],
    [{ ...one("905321234567", "😀"), datacoding: 0 }, "INVALID_DATACODING"],
    [{ ...one("00491701234567", "ş"), datacoding: 1 }, "INVALID_DATACODING"],
    [
      { ...one(), is_commercial: true, iys_recipient_type: "BIREYSEL", source_addr: "ACME TLK" },
      "MISSING_IYS_BRAND_CODE",
    ],
    [{ ...one(), is_commercial: true }, "INVALID_IYS_RECIPIENT_TYPE"],
    [{ ...one(), is_commercial: true, iys_recipient_type: "KIMSE" }, "INVALID_IYS_RECIPIENT_TYPE"],
    [{ messages: [{ msg: "Merhaba" }] }, "MISSING_DESTINATION_ADDRESS"],
    [{ messages: [{ dest: " , ", msg: "Merhaba" }] }, "MISSING_DESTINATION_ADDRESS"],
    [one("123456"), "INVALID_DESTINATION_ADDRESS"],
    [one("905321234567,abc"), "INVALID_DESTINATION_ADDRESS"],
    [one("905321234567", "a\u0000b"), "INVALID_UTF8"],
    [
      { messages: Array.from({ length: 50_001 }, () => ({ dest: "905321234567", msg: "a" })) },
      "MESSAGE_COUNT_LIMIT_EXCEEDED",
    ],
  ];
  for (const [fields, word] of rows)
    expect(await sendJson(fields), word).toMatchObject({ status: 400, body: word, type: "text/plain; charset=utf-8" });
  const raw = { method: "POST", path: "/v2/send.json", headers: { "content-type": "application/json" } };
  expect(await ask({ ...raw, body: '{"username":"x",}' })).toMatchObject({ status: 400, body: "INVALID_JSON" });
  expect(await get("/v2/send", { msg: "x" })).toMatchObject({ status: 400, body: "MISSING_DESTINATION_ADDRESS" });
  expect(await get("/v2/send", { dest: "905321234567" })).toMatchObject({ status: 400, body: "MISSING_MESSAGE" });
});

test("the account's standing, words and credits refuse a send by their own words", async () => {
  const poor = await newDesk(db, { credits: 2 });
  const of = (fields: object) => sendJson({ ...poor.login, ...fields });
  const change = (changes: object) => updateSmsAccount(db, poor.exchangeId, poor.accountId, changes);
  const commercial = { ...one(), is_commercial: true, iys_recipient_type: "BIREYSEL" };
  await change({ registryStanding: "unauthorised" });
  expect(await of(commercial)).toMatchObject({ status: 400, body: "AHS_AUTHORIZATION_ERROR" });
  await change({ registryStanding: "no-brand" });
  expect(await of(commercial)).toMatchObject({ status: 400, body: "NO_AHS_BRAND_ERROR" });
  await change({ registryStanding: "authorised", bannedWords: ["kumar", "Bahis Sitesi"] });
  expect(await of(one("905321234567", "Kumar oyna"))).toMatchObject({ status: 400, body: "FORBIDDEN_MESSAGE" });
  expect(await of(one("905321234567", "BAHİS sitesi!"))).toMatchObject({ status: 400, body: "FORBIDDEN_MESSAGE" });
  expect(await of(one("905321234567,905321234568,905321234569"))).toMatchObject({
    status: 400,
    body: "INSUFFICIENT_CREDITS",
  });
  const text = fresh();
  expect(await of(one("905321234567", text))).toMatchObject({ status: 200 });
  await change({ refuseRepeats: true });
  expect(await of(one("905321234567", text))).toMatchObject({ status: 400, body: "MUKERRER_RAPORLAMA" });
  expect(await ask({ path: "/v2/balance", query: poor.login })).toMatchObject({ status: 200, body: "1" });
});

test("who has the wrong password, no address list or the wrong address stays outside", async () => {
  const wrong = { username: desk.login.username, password: "x" };
  const paths: [string, string][] = [
    ["GET", "/v2/balance"],
    ["GET", "/v2/headers"],
    ["GET", "/v2/blacklists"],
    ["POST", "/v2/blacklists"],
    ["DELETE", "/v2/blacklists/905321234567"],
    ["GET", "/v2/status"],
    ["GET", "/v2/inbound_messages"],
    ["POST", "/v2/send.json"],
    ["GET", "/v2/send"],
    ["POST", "/v2/cancel/1"],
    ["POST", "/v2/iys_consents.json"],
    ["GET", "/v2/iys/campaigns"],
    ["GET", "/v2/iys/campaigns/1/consents"],
    ["POST", "/v2/otp"],
  ];
  for (const [method, path] of paths)
    for (const query of [wrong, {}])
      expect(await ask({ method, path, query }), path).toMatchObject({
        status: 401,
        body: "Geçersiz kullanıcı adı/şifre",
        type: "text/plain; charset=utf-8",
      });
  const closed = await newDesk(db, { allowed: [] });
  expect(await ask({ path: "/v2/balance", query: closed.login })).toMatchObject({
    status: 401,
    body: "Hesabınızda izinli IP ayarları yapılmamış",
  });
  const elsewhere = await newDesk(db, { allowed: ["135.84.80.0/24", "10.1.2.3/32"] });
  expect(await ask({ path: "/v2/balance", query: elsewhere.login })).toMatchObject({ status: 403 });
  const exact = await newDesk(db, { allowed: ["127.0.0.1"] });
  expect(await ask({ path: "/v2/balance", query: exact.login })).toMatchObject({ status: 200 });
});

test("rates are counted apart for sending and for the rest, and say when to come back", async () => {
  // On a clock that stands still the allowance is exact, however slow the machine is.
  const clock = testClock(Date.now());
  const limited = await openSmsServer(db, { clock, table: rates });
  const hit = (path: string, method = "GET") =>
    fetch(`${limited.url}${path}?${new URLSearchParams(desk.login)}`, { method });
  for (let time = 0; time < 10; time++) expect((await hit("/v2/balance")).status).toBe(200);
  const refused = await hit("/v2/headers");
  expect(refused.status).toBe(429);
  expect(await refused.text()).toBe("Too Many Requests");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  let passed = 0;
  while ((await hit("/v2/send")).status === 400) passed++;
  expect(passed).toBe(80);
  expect((await hit("/v2/iys_consents.json", "POST")).status).toBe(429);
  clock.pass(250);
  expect((await hit("/v2/send")).status).toBe(400);
  expect((await hit("/v2/send")).status).toBe(429);
  rowsPlayed += passed + 15;
  await limited.close();
});

test("bodies over 10 MB and long URLs are refused", async () => {
  const big = { ...desk.login, messages: [{ dest: "905321234567", msg: "a".repeat(10 * 1024 * 1024) }] };
  expect((await ask({ method: "POST", path: "/v2/send.json", json: big })).status).toBe(413);
  const base = `/v2/send?${new URLSearchParams({ ...desk.login, dest: "905321234567" })}&msg=`;
  const fit = await ask({ path: base + "a".repeat(8_177 - base.length) });
  expect(fit).toMatchObject({ status: 400, body: "MESSAGE_TOO_LONG" });
  expect((await ask({ path: base + "a".repeat(8_178 - base.length) })).status).toBe(414);
});

test("raw UTF-8 in a query is read, and other bytes are refused", async () => {
  const base = `/v2/send?${new URLSearchParams({ ...desk.login, dest: "905321234567", datacoding: "0" })}&msg=`;
  const raw = (text: Buffer) =>
    new Promise<string>((resolve) => {
      const socket = connect(server.port, "127.0.0.1");
      let heard = "";
      socket.on("data", (part) => {
        heard += part;
      });
      socket.on("close", () => resolve(heard));
      socket.write(
        Buffer.concat([
          Buffer.from(`GET ${base}`),
          text,
          Buffer.from(" HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
        ]),
      );
    });
  expect(await raw(Buffer.from(`şeker${++texts}`))).toMatch(/^HTTP\/1.1 200 [\s\S]*\r\n\r\n\d+$/);
  expect(await raw(Buffer.from([0x73, 0xfe, 0x65]))).toMatch(/^HTTP\/1.1 400 [\s\S]*\r\n\r\nINVALID_UTF8$/);
  rowsPlayed += 2;
});

test("a scheduled campaign can be cancelled once, with credentials in body or query", async () => {
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const scheduled = async () => (await sendJson({ ...one(), send_at: at })).body;
  const before = (await get("/v2/balance")).body;
  const first = await scheduled();
  expect(Number((await get("/v2/balance")).body)).toBe(Number(before) - 1);
  const byBody = { method: "POST", path: `/v2/cancel/${first}`, json: desk.login };
  expect(await ask(byBody)).toMatchObject({ status: 200, body: `Kampanya silindi: ${first}` });
  expect(await ask(byBody)).toMatchObject({ status: 400, body: `Kampanya bulunamadı: ${first}` });
  expect((await get("/v2/balance")).body).toBe(before);
  const second = await scheduled();
  const byQuery = { method: "POST", path: `/v2/cancel/${second}`, query: desk.login };
  expect(await ask(byQuery)).toMatchObject({ status: 200, body: `Kampanya silindi: ${second}` });
  const begun = (await sendJson(one())).body;
  expect(await ask({ method: "POST", path: `/v2/cancel/${begun}`, json: desk.login })).toMatchObject({
    status: 400,
    body: `Kampanya bulunamadı: ${begun}`,
  });
  const other = await newDesk(db);
  const third = await scheduled();
  expect((await ask({ method: "POST", path: `/v2/cancel/${third}`, json: other.login })).status).toBe(400);
  expect(await ask({ method: "POST", path: "/v2/cancel/abc", json: desk.login })).toMatchObject({
    status: 400,
    body: "Kampanya bulunamadı: abc",
  });
});

test("a status lists the messages with every field in its order, and only to their owner", async () => {
  const sent = await sendJson({
    custom_id: "kampanya-7",
    messages: [{ dest: "905321234567,05321234568", msg: fresh("ş"), id: "a1,a2" }],
  });
  const said = await get("/v2/status", { id: sent.body, format: "json" });
  expect(said).toMatchObject({ status: 200, type: "application/json; charset=utf-8" });
  const rows = JSON.parse(said.body);
  expect(Object.keys(rows[0])).toEqual(
    "campaign_id campaign_custom_id message_id message_custom_id dest size international_multiplier credits status gsm_error sent_at done_at".split(
      " ",
    ),
  );
  expect(rows[0]).toMatchObject({
    campaign_id: Number(sent.body),
    campaign_custom_id: "kampanya-7",
    message_custom_id: "a1",
    dest: "905321234567",
    size: 1,
    international_multiplier: 1,
    credits: 1,
    status: "SENDING",
    gsm_error: "0",
    sent_at: null,
    done_at: null,
  });
  expect(typeof rows[0].message_id).toBe("string");
  expect(JSON.parse((await get("/v2/status", { custom_id: "kampanya-7" })).body)).toHaveLength(2);
  expect(JSON.parse((await get("/v2/status", { id: sent.body, dest: "05321234568, 905550000000" })).body)).toHaveLength(
    1,
  );
  expect(JSON.parse((await get("/v2/status", { id: sent.body, greater_than: rows[0].message_id })).body)).toHaveLength(
    1,
  );
  expect((await get("/v2/status", { id: sent.body, greater_than: rows[1].message_id })).body).toBe("[]");
  expect(await get("/v2/status", { id: "999999999" })).toMatchObject({
    status: 404,
    body: "Bu idye sahip kampanya bulunamadı",
  });
  expect(await get("/v2/status", { custom_id: "yok" })).toMatchObject({ status: 404 });
  expect((await get("/v2/status")).status).toBe(400);
  const other = await newDesk(db);
  expect(await ask({ path: "/v2/status", query: { ...other.login, id: sent.body } })).toMatchObject({
    status: 403,
    body: "Bu kampanya size ait değil",
  });
  const many = await sendJson({
    messages: Array.from({ length: 150 }, (_, n) => ({ dest: `9053211${String(n).padStart(5, "0")}`, msg: "çok" })),
  });
  const page = await statusOf(many.body);
  expect(page).toHaveLength(100);
  expect(
    JSON.parse((await get("/v2/status", { id: many.body, greater_than: String(page.at(-1)!.message_id) })).body),
  ).toHaveLength(50);
});

test("messages that may not go out say why at once, and cost nothing", async () => {
  await addToBlacklist(db, { exchangeId: desk.exchangeId, phones: ["905320000001"], source: "oim", now: new Date() });
  const before = Number((await get("/v2/balance")).body);
  const first = async (fields: object) => (await statusOf((await sendJson(fields)).body))[0];
  expect(await first(one("905320000001"))).toMatchObject({
    status: "BLACKLISTED_DESTINATION_ADDRESS",
    gsm_error: "2050",
    credits: 0,
  });
  expect(await first(one("02123205060"))).toMatchObject({ status: "INVALID_DESTINATION_ADDRESS", gsm_error: "1" });
  expect(await first(one("00491701234567"))).toMatchObject({ status: "INTERNATIONAL_DENIED", dest: "00491701234567" });
  const commercial = { is_commercial: "true", iys_recipient_type: "BIREYSEL" };
  expect(await first({ ...one("905320000002"), ...commercial })).toMatchObject({ status: "NOT_ALLOWED_BY_IYS" });
  expect(Number((await get("/v2/balance")).body)).toBe(before);
  const text = fresh();
  const twice = await statusOf((await sendJson({ messages: [{ dest: "905320000003,905320000003", msg: text }] })).body);
  expect(twice.map(({ status }) => status)).toEqual(["SENDING", "DOUBLE_SEND_ERROR"]);
  expect(await first(one("905320000003", text))).toMatchObject({ status: "DOUBLE_SEND_ERROR" });
  expect(await first({ ...one("905320000003", text), source_addr: "ACME TLK" })).toMatchObject({ status: "SENDING" });
  expect(Number((await get("/v2/balance")).body)).toBe(before - 2);
});

test("abroad a message costs its tariff, and a country without one is not reached", async () => {
  const abroad = await newDesk(db);
  await setTariff(db, abroad.exchangeId, "49", 4);
  await updateSmsAccount(db, abroad.exchangeId, abroad.accountId, { international: true });
  const of = async (fields: object) => {
    const { body } = await sendJson({ ...abroad.login, ...fields });
    return JSON.parse((await ask({ path: "/v2/status", query: { ...abroad.login, id: body } })).body)[0];
  };
  expect(await of(one("+491701234567", "a".repeat(161)))).toMatchObject({
    dest: "00491701234567",
    size: 2,
    international_multiplier: 4,
    credits: 8,
    status: "SENDING",
  });
  expect(await of(one("0041791234567"))).toMatchObject({ status: "MISSING_TARIFF", credits: 0 });
  expect(await ask({ path: "/v2/balance", query: abroad.login })).toMatchObject({ body: String(1_000_000 - 8) });
});

test("titles and balance are read as the interface writes them", async () => {
  expect(await get("/v2/headers")).toMatchObject({
    status: 200,
    body: '["ACME","ACME TLK","5321234567"]',
    type: "application/json; charset=utf-8",
  });
  const rich = await newDesk(db, { credits: 123 });
  expect(await ask({ path: "/v2/balance", query: rich.login })).toMatchObject({
    status: 200,
    body: "123",
    type: "text/plain; charset=utf-8",
  });
});

test("the blacklist is kept in both shapes", async () => {
  const shop = await newDesk(db);
  const add = (from: Partial<Ask>) => ask({ method: "POST", path: "/v2/blacklists", ...from });
  expect(await add({ query: { ...shop.login, phones: "05444876543, 905444876544" } })).toMatchObject({
    status: 200,
    body: "OK",
  });
  expect(await add({ json: { ...shop.login, phone: "5444876545" } })).toMatchObject({ status: 200, body: "OK" });
  expect(await add({ json: { ...shop.login, phones: ["+905444876546"] } })).toMatchObject({ status: 200, body: "OK" });
  expect(await add({ query: { ...shop.login, phones: "05444876543,123456" } })).toMatchObject({
    status: 400,
    body: "Invalid phone number: 123456",
  });
  expect(await add({ query: shop.login })).toMatchObject({ status: 400 });
  const page = async (query = {}) =>
    JSON.parse((await ask({ path: "/v2/blacklists", query: { ...shop.login, ...query } })).body);
  const all = await page();
  expect(Object.keys(all)).toEqual(["total", "records"]);
  expect(all.total).toBe(4);
  expect(Object.keys(all.records[0])).toEqual(["created_at", "phone", "source"]);
  expect(all.records[0].created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+03:00$/);
  expect(all.records.map((record: { phone: string }) => record.phone)).toContain("905444876543");
  expect((await page({ offset: "3", limit: "2" })).records).toHaveLength(1);
  for (const query of [{ limit: "101" }, { limit: "0" }, { offset: "-1" }, { offset: "x" }])
    expect((await ask({ path: "/v2/blacklists", query: { ...shop.login, ...query } })).status).toBe(400);
  const remove = (phones: string) => ask({ method: "DELETE", path: `/v2/blacklists/${phones}`, query: shop.login });
  expect(await remove("05444876543,905444876544")).toMatchObject({ status: 200, body: "OK" });
  expect(await remove("05444876545%2C905444876546")).toMatchObject({ status: 200, body: "OK" });
  expect(await remove("123456")).toMatchObject({ status: 400, body: "Invalid phone number: 123456" });
  expect((await remove("05444876543")).status).toBe(404);
  expect((await page()).total).toBe(0);
});

test("inbound messages are listed by time and id", async () => {
  const shop = await newDesk(db);
  expect(await ask({ path: "/v2/inbound_messages", query: shop.login })).toMatchObject({ status: 200, body: "[]" });
  for (let n = 0; n < 3; n++)
    await writeInbound(db, {
      exchangeId: shop.exchangeId,
      network: "TURKCELL",
      sourceAddr: "905321234567",
      destinationAddr: "4609",
      keyword: "",
      content: `EVET ${n}`,
      onceKey: undefined,
      receivedAt: new Date(Date.UTC(2017, 0, 1 + n, 6)),
      now: new Date(Date.UTC(2017, 0, 1 + n, 6)),
    });
  const page = async (query = {}) =>
    JSON.parse((await ask({ path: "/v2/inbound_messages", query: { ...shop.login, ...query } })).body);
  const all = await page();
  expect(Object.keys(all[0])).toEqual(
    "message_id created_at network source_addr destination_addr keyword content received_at".split(" "),
  );
  expect(all[0]).toMatchObject({ created_at: "2017-01-01T09:00:00.000+03:00", keyword: "", content: "EVET 0" });
  expect(typeof all[0].message_id).toBe("number");
  expect(await page({ from_time: "2017-01-02 00:00:00" })).toHaveLength(2);
  expect(await page({ to_time: "2017-01-02 23:59:59" })).toHaveLength(2);
  expect(await page({ greater_than: String(all[1].message_id) })).toHaveLength(1);
  expect(await page({ greater_than: "" })).toHaveLength(3);
  expect((await ask({ path: "/v2/inbound_messages", query: { ...shop.login, from_time: "dün" } })).status).toBe(400);
});

test("consents are handed in, judged one by one, and let commercial messages pass", async () => {
  const shop = await newDesk(db);
  const date = new Date(Date.now() + 3 * 3_600_000 - 60_000).toISOString().slice(0, 19).replace("T", " ");
  const consent = (recipient: string, status = "ONAY") => ({
    type: "MESAJ",
    source: "HS_WEB",
    status,
    recipient_type: "BIREYSEL",
    consent_date: date,
    recipient,
  });
  const hand = (consents: unknown, more = {}) =>
    ask({
      method: "POST",
      path: "/v2/iys_consents.json",
      json: { ...shop.login, source_addr: "ACME", consents, ...more },
    });
  const refusals: [unknown, string][] = [
    [undefined, "MISSING_CONSENT"],
    [[], "MISSING_CONSENT"],
    [[{ ...consent("905321234567"), consent_date: "" }], "MISSING_CONSENT_DATE"],
    [[{ ...consent("905321234567"), consent_date: "2015-04-30 10:00:00" }], "INVALID_CONSENT_DATE"],
    [[{ ...consent("905321234567"), consent_date: "2099-04-30 10:00:00" }], "INVALID_CONSENT_DATE"],
    [[{ ...consent("905321234567"), consent_date: "2020-04-30 10:00:00" }], "INVALID_CONSENT_DATE"],
    [[{ ...consent("905321234567"), source: "HS_2015" }], "INVALID_CONSENT_DATE"],
    [[consent("123456")], "INVALID_RECIPIENT"],
    [[{ ...consent("905321234567"), recipient_type: "X" }], "INVALID_IYS_RECIPIENT_TYPE"],
  ];
  for (const [consents, word] of refusals)
    expect(await hand(consents), word).toMatchObject({ status: 400, body: word });
  expect(await hand([consent("905321234567")], { source_addr: "YOK" })).toMatchObject({
    body: "INVALID_SOURCE_ADDRESS",
  });

  const handed = await hand([consent("05321234567"), consent("905321234568", "RET")]);
  expect(handed).toMatchObject({ status: 200, type: "text/plain; charset=utf-8" });
  expect(handed.body).toMatch(/^\d+$/);
  const older = {
    source_addr: undefined,
    iys_brand_code: 600001,
    consents: [{ ...consent(""), recipient: undefined, phone: "905321234569" }],
  };
  expect((await hand(older.consents, older)).status).toBe(200);
  await submitConsents(db, realClock, localRegistry);

  const read = await ask({ path: `/v2/iys/campaigns/${handed.body}/consents`, query: shop.login });
  expect(JSON.parse(read.body)).toEqual({
    total: 2,
    source_addr: "ACME",
    status: "Tamamlandı",
    records: [
      {
        type: "MESAJ",
        source: "HS_WEB",
        recipient: "905321234567",
        status: "ONAY",
        consent_date: date,
        recipient_type: "BIREYSEL",
        request_status: "Başarılı",
      },
      {
        type: "MESAJ",
        source: "HS_WEB",
        recipient: "905321234568",
        status: "RET",
        consent_date: date,
        recipient_type: "BIREYSEL",
        request_status: "Başarısız",
        request_error: "H175 İlk defa kaydedilen bir iznin durum (status) bilgisi RET olmamalıdır.",
      },
    ],
  });
  const campaigns = JSON.parse(
    (await ask({ path: "/v2/iys/campaigns", query: { ...shop.login, source: "api" } })).body,
  );
  expect(Object.keys(campaigns)).toEqual(["records", "total"]);
  expect(campaigns.total).toBe(2);
  expect(campaigns.records[1]).toMatchObject({
    id: Number(handed.body),
    header_name: "ACME",
    iys_code: 600000,
    iys_brand_code: 600001,
    source: "api",
  });
  expect(JSON.parse((await ask({ path: "/v2/iys/campaigns", query: { ...shop.login, source: "csv" } })).body)).toEqual({
    records: [],
    total: 0,
  });
  expect((await ask({ path: "/v2/iys/campaigns", query: { ...shop.login, source: "?" } })).status).toBe(400);
  expect((await ask({ path: "/v2/iys/campaigns/1/consents", query: shop.login })).status).toBe(400);
  expect((await ask({ path: `/v2/iys/campaigns/${handed.body}/consents`, query: desk.login })).status).toBe(400);

  const commercial = { ...shop.login, is_commercial: true, iys_recipient_type: "BIREYSEL" };
  const sent = await sendJson({
    ...commercial,
    messages: [{ dest: "905321234567,905321234568,905321234569", msg: fresh() }],
  });
  const rows = JSON.parse((await ask({ path: "/v2/status", query: { ...shop.login, id: sent.body } })).body);
  const outcome = Object.fromEntries(rows.map((row: { dest: string; status: string }) => [row.dest, row.status]));
  expect(outcome).toEqual({
    "905321234567": "SENDING",
    "905321234568": "NOT_ALLOWED_BY_IYS",
    "905321234569": "SENDING",
  });
});

test("the opt-out line is appended on request and counted", async () => {
  const sent = await sendJson({
    messages: [{ dest: "905321234567", msg: `${"a".repeat(140)}${++texts}` }],
    add_ret: true,
  });
  expect((await statusOf(sent.body))[0]).toMatchObject({ size: 2 });
  const [row] = await db.query<{ text: string }>(sql`select text from sms_messages where campaign_id = $1`, [
    Number(sent.body),
  ]);
  expect(row!.text).toMatch(/\nRet: IPTAL yaz 4607 gonder$/);
});

test("what sells without saying how to stop it is marked, completed or refused, as the account says", async () => {
  const change = (optOutMissing: "off" | "append" | "refuse") =>
    updateSmsAccount(db, desk.exchangeId, desk.accountId, { optOutMissing });
  const sell = (msg: string, more: object = {}) =>
    sendJson({
      is_commercial: true,
      iys_recipient_type: "BIREYSEL",
      messages: [{ dest: "905321234567", msg }],
      ...more,
    });
  const textOf = async (id: string) => {
    const rows = await db.query<{ text: string }>(sql`select text from sms_messages where campaign_id = $1`, [id]);
    return rows[0]?.text;
  };
  const isMarked = async (id: string) => (await statusOf(id))[0]?.opt_out_missing;

  const sold = fresh("indirim");
  const plain = await sell(sold);
  expect([await isMarked(plain.body), await textOf(plain.body)]).toEqual([true, sold]);
  for (const said of ["SMS almamak icin RET yaz 4607'ye gonder", "iptal için İPTAL yazıp 0850 532 00 00"])
    expect(await isMarked((await sell(`${fresh("indirim")} ${said}`)).body)).toBeUndefined();
  expect(await isMarked((await sell(fresh("indirim"), { add_ret: true })).body)).toBeUndefined();
  const service = await sendJson({ messages: [{ dest: "905321234567", msg: fresh("kargonuz yolda") }] });
  expect(await isMarked(service.body)).toBeUndefined();

  await change("append");
  const completed = await sell(fresh("indirim"));
  expect(await textOf(completed.body)).toMatch(/\nRet: IPTAL yaz 4607 gonder$/);
  expect(await isMarked(completed.body)).toBeUndefined();
  const alone = fresh("indirim RET 4607");
  expect(await textOf((await sell(alone)).body)).toBe(alone);

  await change("refuse");
  expect(await sell(fresh("indirim"))).toMatchObject({ status: 400, body: "MISSING_OPT_OUT" });
  expect((await sell(fresh("indirim"), { add_ret: true })).status).toBe(200);
  expect((await sendJson({ messages: [{ dest: "905321234567", msg: fresh("kargo") }] })).status).toBe(200);
  await change("off");
});

test("one-time codes go to one number, in one of two languages", async () => {
  const otp = (fields: object) =>
    ask({ method: "POST", path: "/v2/otp", json: { ...desk.login, header: "ACME", ...fields } });
  const dest = "905321234567";
  const rows: [object, string][] = [
    [{ dest: `${dest},905321234568`, code: "1" }, "MULTIPLE_DESTINATION_NOT_ALLOWED"],
    [{ dest }, "MISSING_CODE_OR_MESSAGE"],
    [{ dest, msg: "Kod: {code}" }, "MISSING_CODE"],
    [{ code: "1" }, "MISSING_DESTINATION_ADDRESS"],
    [{ dest: "12", code: "1" }, "INVALID_DESTINATION_ADDRESS"],
    [{ dest, code: "1", header: "YOK" }, "INVALID_SOURCE_ADDRESS"],
    [{ dest, code: "1", datacoding: 7 }, "INVALID_DATACODING"],
  ];
  for (const [fields, word] of rows) expect(await otp(fields), word).toMatchObject({ status: 400, body: word });
  expect((await otp({ dest, code: "1", custom_id: "x".repeat(51) })).status).toBe(400);
  const texts: [object, string][] = [
    [{ dest, code: "123456" }, "Doğrulama kodunuz: 123456"],
    [{ dest, code: "123457", lang: "en" }, "Your verification code: 123457"],
    [{ dest, code: "123458", lang: "de" }, "Doğrulama kodunuz: 123458"],
    [{ dest, code: 123459, msg: "Kod {code}." }, "Kod 123459."],
    [{ dest, msg: "Hazır metin" }, "Hazır metin"],
  ];
  for (const [fields, text] of texts) {
    const said = await otp(fields);
    expect(said).toMatchObject({ status: 200 });
    const [row] = await db.query(sql`select text from sms_messages where campaign_id = $1`, [Number(said.body)]);
    expect(row).toEqual({ text });
  }
});

test("unknown paths and methods are refused, and one tenant never sees another's", async () => {
  expect((await get("/v2/nothing")).status).toBe(404);
  expect((await ask({ method: "PUT", path: "/v2/send", query: desk.login })).status).toBe(405);
  const [mine, yours] = [await newDesk(db), await newDesk(db)];
  await addToBlacklist(db, { exchangeId: mine.exchangeId, phones: ["905320000009"], source: "oim", now: new Date() });
  expect(JSON.parse((await ask({ path: "/v2/blacklists", query: yours.login })).body).total).toBe(0);
  expect((await ask({ method: "DELETE", path: "/v2/blacklists/905320000009", query: yours.login })).status).toBe(404);
  const sent = await sendJson({ ...yours.login, ...one("905320000009") });
  expect(JSON.parse((await ask({ path: "/v2/status", query: { ...yours.login, id: sent.body } })).body)[0].status).toBe(
    "SENDING",
  );
});

test("credits are never negative, however many requests come at once", async () => {
  const poor = await newDesk(db, { credits: 50 });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      sendJson({ ...poor.login, ...one(`9053200${10000 + n},9053201${10000 + n}`) }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(25);
  expect(answers.filter(({ body }) => body === "INSUFFICIENT_CREDITS")).toHaveLength(15);
  expect(await db.query(sql`select credits, reserved from sms_accounts where id = $1`, [poor.accountId])).toEqual([
    { credits: 0, reserved: 50 },
  ]);
  await expect(db.query(sql`update sms_accounts set credits = -1 where id = $1`, [poor.accountId])).rejects.toThrow(
    /check/,
  );
  await addCredits(db, { exchangeId: poor.exchangeId, accountId: poor.accountId, credits: 5, at: new Date() });
  const second = sure(await createSmsAccount(db, poor.exchangeId, { username: "ikinci" }));
  expect(second.password).toHaveLength(24);
});
