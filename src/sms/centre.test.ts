// Stories of the message centre: real parts and a real database on a wound clock, the sandbox for a carrier.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { type TestClock, testClock } from "../../test/ground/test-clock.ts";
import { type Desk, newDesk } from "../../test/town/sms-desk.ts";
import { pause, realClock } from "../clock.ts";
import { startWorkers } from "../jobs/workers.ts";
import { silentLog } from "../log.ts";
import type { Database } from "../store/db.ts";
import { listSmsAccounts, updateSmsAccount } from "../store/sms-accounts.ts";
import { addToBlacklist } from "../store/sms-blacklist.ts";
import { createCarrier } from "../store/sms-carriers.ts";
import { type MessageStatus, statusesOf } from "../store/sms-status.ts";
import { sql } from "../store/sql.ts";
import { openRequester } from "../webhooks/requester.ts";
import { letterWords } from "../words/letters/words.ts";
import type { Carriers } from "./carrier.ts";
import { openSandbox } from "./carriers/sandbox.ts";
import { openMessageCentre } from "./centre.ts";
import { smsChores } from "./chores.ts";
import { deliverPushes, PUSH_JOB } from "./push.ts";
import { localRegistry } from "./registry.ts";
import { deliveryReport } from "./report.ts";
import { send } from "./send.ts";

let db: Database;
let closing: (() => Promise<void>)[] = [];
/** Of the workers of this test, where it has any. */
let idle: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  db = (await freshDatabase()).db;
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
  idle = async () => undefined;
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function openCentre({
  clock = testClock(),
  sandbox = openSandbox,
}: {
  clock?: TestClock;
  sandbox?: Carriers["sandbox"];
} = {}) {
  const chores = smsChores({ db, clock, log: silentLog, registry: localRegistry, words: letterWords });
  const carriers = { sandbox, smpp: sandbox };
  const centre = await openMessageCentre({ db, secrets, clock, log: silentLog, carriers, chores });
  closing.push(() => centre.close());
  return { clock, centre };
}

/**
 * Winds the clock in small steps until something is so; the database is given its own time, and more of it when it seems to
 * need it: a clock that is wound on and on would run away from what it is busy with.
 */
async function until(clock: TestClock, isSo: () => Promise<boolean>, stepMs = 250): Promise<void> {
  for (let turn = 0; turn < 2_000; turn++) {
    if (await isSo()) return idle(); // nothing is on its way when the clock goes on
    clock.pass(stepMs);
    await db.query(sql`select 1`);
    await idle();
    if (turn > 250) await pause(realClock, 10);
  }
  throw new Error("it never came to pass");
}

/** Lets everything that is due now happen. */
async function quiet(clock: TestClock): Promise<void> {
  for (let turn = 0; turn < 30; turn++) {
    clock.pass(100);
    await db.query(sql`select 1`);
    await idle();
  }
}

async function order(desk: Desk, clock: TestClock, dests: string[], more: object = {}): Promise<number> {
  const account = (await listSmsAccounts(db, desk.exchangeId))[0]!;
  const messages = [{ dests, ids: [], text: `Merhaba ${Math.random()}` }];
  const sent = await send(db, clock, account, { messages, ...more });
  if ("refused" in sent) throw new Error(sent.refused);
  return sent.campaignId;
}

async function messagesOf(desk: Desk, campaignId: number): Promise<MessageStatus[]> {
  const rows = await db.query<{ id: number }>(sql`select id from sms_messages where campaign_id = $1`, [campaignId]);
  const ids = rows.map(({ id }) => id);
  return statusesOf(db, desk.accountId, ids);
}

async function fates(desk: Desk, campaignId: number): Promise<Record<string, string>> {
  const messages = await messagesOf(desk, campaignId);
  return Object.fromEntries(messages.map(({ dest, state }) => [dest.slice(-4), state]));
}

const balance = async ({ accountId }: Desk) =>
  (
    await db.query<{ credits: number; reserved: number }>(
      sql`select credits, reserved from sms_accounts where id = $1`,
      [accountId],
    )
  )[0]!;

test("every sandbox number does what the README says of it", async () => {
  const { clock } = await openCentre();
  const desk = await newDesk(db, { credits: 100 });
  const numbers = ["0001", "0003", "0004", "0005", "0006", "0012", "0013", "0014", "0016", "0099"];
  const campaign = await order(
    desk,
    clock,
    numbers.map((number) => `90500000${number}`),
  );
  await until(
    clock,
    async () => Object.values(await fates(desk, campaign)).filter((fate) => /^[A-Z]/.test(fate)).length === 9,
  );
  expect(await fates(desk, campaign)).toEqual({
    "0001": "DELIVERED",
    "0003": "NOT_DELIVERED",
    "0004": "EXPIRED",
    "0005": "REJECTED",
    "0006": "INVALID_DESTINATION_ADDRESS",
    "0012": "accepted",
    "0013": "DELIVERED",
    "0014": "DELIVERED",
    "0016": "DELIVERED",
    "0099": "DELIVERED",
  });
  const reports = (await messagesOf(desk, campaign)).map((message) => deliveryReport(message, "Europe/Istanbul"));
  expect(reports.map(({ gsm_error }) => gsm_error)).toEqual(["0", "27", "4101", "500", "1", "0", "0", "0", "0", "0"]);
  expect(reports.every(({ status, sent_at }) => (status === "DELIVERED") === (sent_at !== null))).toBe(true);
  // Two were never taken, so they cost nothing; one is still on its way.
  expect(await balance(desk)).toEqual({ credits: 92, reserved: 1 });
});

test("a carrier whose password does not open is not called, and the others go on", async () => {
  const desk = await newDesk(db, { credits: 10 });
  const { exchangeId } = desk;
  for (const name of ["well", "broken"]) {
    const carrier = {
      name,
      kind: "smpp",
      host: "smsc.example",
      port: 2775,
      systemId: "s",
      password: "secret",
    } as const;
    await createCarrier(db, secrets, exchangeId, carrier);
  }
  await db.query(
    sql`update sms_carriers set password = overlay(password placing 'AAAA' from 30) where exchange_id = $1 and name = 'broken'`,
    [exchangeId],
  );
  const opened: [string, string | null][] = [];
  await openCentre({
    sandbox: (row, around) => {
      if (row.exchangeId === exchangeId) opened.push([row.name, row.password]);
      return openSandbox(row, around);
    },
  });
  await expect
    .poll(() => opened)
    .toEqual([
      ["sandbox", null],
      ["well", "secret"],
    ]);
});

test("a message without a receipt ends when its validity and an hour's patience are over", async () => {
  const { clock } = await openCentre();
  const desk = await newDesk(db, { credits: 10 });
  const campaign = await order(desk, clock, ["905000000012"], { validFor: "1:00" });
  const ordered = clock.wall();
  await until(clock, async () => (await fates(desk, campaign))["0012"] === "accepted");
  clock.pass(ordered + 119 * MINUTE - clock.wall());
  await quiet(clock);
  expect(await fates(desk, campaign)).toEqual({ "0012": "accepted" });
  clock.pass(2 * MINUTE);
  await until(clock, async () => (await fates(desk, campaign))["0012"] === "EXPIRED");
  expect((await messagesOf(desk, campaign))[0]).toMatchObject({ gsmError: 502 });
  expect(await balance(desk)).toEqual({ credits: 9, reserved: 0 });
});

test("a message that no carrier takes before its validity is over expires and is not charged", async () => {
  const absent: Carriers["sandbox"] = (...given) => ({ ...openSandbox(...given), isReady: () => false });
  const { clock } = await openCentre({ sandbox: absent });
  const desk = await newDesk(db, { credits: 10 });
  const campaign = await order(desk, clock, ["905000000001"], { validFor: "0:30" });
  await quiet(clock);
  expect(await balance(desk)).toEqual({ credits: 9, reserved: 1 });
  clock.pass(31 * MINUTE);
  await until(clock, async () => (await fates(desk, campaign))["0001"] === "EXPIRED");
  expect(await balance(desk)).toEqual({ credits: 10, reserved: 0 });
});

test("a scheduled campaign starts at its time, and looks at the blacklist then", async () => {
  const { clock } = await openCentre();
  const desk = await newDesk(db, { credits: 10 });
  const sendAt = new Date(clock.wall() + 2 * HOUR).toISOString();
  const campaign = await order(desk, clock, ["905000000001", "905000000098"], { sendAt });
  await quiet(clock);
  expect(await fates(desk, campaign)).toEqual({ "0001": "held", "0098": "held" });
  await addToBlacklist(db, { exchangeId: desk.exchangeId, phones: ["905000000098"], source: "oim", now: new Date() });
  clock.pass(2 * HOUR);
  await until(clock, async () => (await fates(desk, campaign))["0001"] === "DELIVERED");
  expect(await fates(desk, campaign)).toEqual({ "0001": "DELIVERED", "0098": "BLACKLISTED_DESTINATION_ADDRESS" });
  expect(await balance(desk)).toEqual({ credits: 9, reserved: 0 });
});

test("who answers IPTAL is blacklisted and answered at once, and the morning's report says so", async () => {
  const { clock } = await openCentre();
  const desk = await newDesk(db, { credits: 10 });
  const heard = await receiver(clock, [200]);
  await updateSmsAccount(db, desk.exchangeId, desk.accountId, { pushUrl: heard.url, consentPushUrl: heard.url });
  const campaign = await order(desk, clock, ["905000000007"]);
  const blacklisted = () =>
    db.query(sql`select phone, source from sms_blacklist where exchange_id = $1`, [desk.exchangeId]);
  await until(clock, async () => (await blacklisted()).length > 0);
  // Its receipt is written beside the answer, not before it.
  await until(clock, async () => (await fates(desk, campaign))["0007"] === "DELIVERED");
  expect(await blacklisted()).toEqual([{ phone: "905000000007", source: "sms" }]);
  const answered = () =>
    db.query<{ state: string }>(sql`select state from sms_messages where account_id = $1 and campaign_id <> $2`, [
      desk.accountId,
      campaign,
    ]);
  await until(clock, async () => (await answered())[0]?.state === "DELIVERED");
  expect(await answered()).toHaveLength(1);
  expect(await fates(desk, await order(desk, clock, ["905000000007"]))).toEqual({
    "0007": "BLACKLISTED_DESTINATION_ADDRESS",
  });

  await until(clock, async () => heard.bodies.flat().some(({ type }) => type === "inbound"));
  const [inbound] = heard.bodies.flat().filter(({ type }) => type === "inbound");
  expect(Object.keys(inbound!)).toEqual(
    "message_id type created_at network source_addr destination_addr keyword content received_at".split(" "),
  );
  expect(inbound).toMatchObject({
    source_addr: "905000000007",
    destination_addr: "4607",
    keyword: "",
    content: "IPTAL",
  });

  const reports = () => heard.bodies.filter((body) => !Array.isArray(body)) as unknown as Record<string, unknown>[];
  clock.pass(10 * HOUR);
  await quiet(clock);
  expect(reports()).toEqual([]);
  // From noon on 5 January to half past seven on the sixth, Istanbul time.
  clock.pass(Date.UTC(2026, 0, 6, 4, 30) - clock.wall());
  await until(clock, async () => reports().length > 0);
  expect(reports()).toEqual([{ iys_campaign_id: expect.any(Number), report_date: "2026-01-05", source_addr: "ACME" }]);
  clock.pass(5 * HOUR);
  await quiet(clock);
  expect(reports()).toHaveLength(1);
  const [ledger] = await db.query(sql`select status from consents where exchange_id = $1`, [desk.exchangeId]);
  expect(ledger).toEqual({ status: "RET" });
});

test("what a handset answers while the centre closes is stored by then", async () => {
  const { clock } = await openCentre();
  const desk = await newDesk(db, { credits: 10 });
  const campaign = await order(desk, clock, ["905000000015"]);
  await until(clock, async () => (await fates(desk, campaign))["0015"] === "DELIVERED");
  clock.pass(1_000);
  for (const close of closing.splice(0)) await close();
  expect(await db.query(sql`select content from sms_inbound where exchange_id = $1`, [desk.exchangeId])).toEqual([
    { content: "EVET" },
  ]);
});

test("reports go out in arrays, and a failing receiver is tried three times more, five minutes apart", async () => {
  const { clock } = await openCentre();
  const desk = await newDesk(db);
  const heard = await receiver(clock, [500, 503, 404, 200]);
  await updateSmsAccount(db, desk.exchangeId, desk.accountId, { pushUrl: heard.url });
  const campaign = await order(desk, clock, ["905000000005", "905000000006"], { customId: "k-1" });
  await until(clock, async () => heard.bodies.length === 4, 5_000);
  const [first, ...further] = heard.bodies;
  expect(further).toEqual([first, first, first]);
  expect(first!.map(({ status }) => status)).toEqual(["REJECTED", "INVALID_DESTINATION_ADDRESS"]);
  expect(Object.keys(first![0]!)).toEqual(
    "type campaign_id campaign_custom_id message_id message_custom_id dest size international_multiplier credits status gsm_error sent_at done_at".split(
      " ",
    ),
  );
  expect(first![0]).toMatchObject({
    type: "outbound",
    campaign_id: campaign,
    campaign_custom_id: "k-1",
    sent_at: null,
  });
  const gaps = heard.times.slice(1).map((time, place) => (time - heard.times[place]!) / MINUTE);
  for (const gap of gaps) expect(Math.round(gap)).toBe(5);
});

test("after the third further try a push is given up", async () => {
  const { clock } = await openCentre();
  const desk = await newDesk(db);
  const heard = await receiver(clock, [500]);
  await updateSmsAccount(db, desk.exchangeId, desk.accountId, { pushUrl: heard.url });
  await order(desk, clock, ["905000000005"]);
  await until(clock, async () => heard.bodies.length === 4, 5_000);
  clock.pass(HOUR);
  await quiet(clock);
  expect(heard.bodies).toHaveLength(4);
});

test("a title and a carrier each keep to their speed, and a slow title holds back no other", async () => {
  const { clock } = await openCentre();
  const desk = await newDesk(db, { title: { messagesPerSecond: 5 } });
  await db.query(sql`insert into sms_titles (exchange_id, name) values ($1, 'HIZLI')`, [desk.exchangeId]);
  const dests = Array.from({ length: 40 }, (_, n) => `9050000001${String(n).padStart(2, "0")}`);
  const begun = clock.wall();
  const slow = await order(desk, clock, dests, { source: "ACME" });
  const quick = await order(desk, clock, dests, { source: "HIZLI" });
  const count = async (campaign: number) =>
    Object.values(await fates(desk, campaign)).filter((fate) => fate === "DELIVERED").length;
  await until(clock, async () => (await count(quick)) === 40, 50);
  const whenQuickDone = await count(slow);
  expect(whenQuickDone).toBeLessThan(40);
  await until(clock, async () => (await count(slow)) === 40, 50);
  expect((clock.wall() - begun) / 1_000).toBeGreaterThan(7);
});

async function receiver(clock: TestClock, answers: number[]) {
  const bodies: Record<string, unknown>[][] = [];
  const times: number[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      bodies.push(JSON.parse(body));
      times.push(clock.wall());
      response.writeHead(answers[Math.min(bodies.length, answers.length) - 1]!).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const requester = openRequester({ clock, privateAllowed: true });
  const handlers = { [PUSH_JOB]: deliverPushes(requester) };
  const workers = await startWorkers({ db, clock, log: silentLog, handlers });
  idle = workers.idle;
  closing.push(async () => {
    await workers.stop();
    requester.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`, bodies, times };
}
