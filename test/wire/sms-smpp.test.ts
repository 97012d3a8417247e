// Messages over SMPP to an SMSC in a process of its own that has no code in common with the client.

import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { type Clock, realClock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { openSandbox } from "../../src/sms/carriers/sandbox.ts";
import { openSmpp } from "../../src/sms/carriers/smpp/smpp.ts";
import { openMessageCentre } from "../../src/sms/centre.ts";
import { smsChores } from "../../src/sms/chores.ts";
import type { OrderedMessage } from "../../src/sms/order.ts";
import { localRegistry } from "../../src/sms/registry.ts";
import { send } from "../../src/sms/send.ts";
import type { Database } from "../../src/store/db.ts";
import { listSmsAccounts, updateSmsAccount } from "../../src/store/sms-accounts.ts";
import { createCarrier, type NewCarrier } from "../../src/store/sms-carriers.ts";
import { sql } from "../../src/store/sql.ts";
import { letterWords } from "../../src/words/letters/words.ts";
import { selfSigned } from "../ground/certificate.ts";
import { freshDatabase } from "../ground/database.ts";
import { secrets } from "../ground/secrets.ts";
import { testClock } from "../ground/test-clock.ts";
import { openSmsc, type Smsc } from "../smsc/open-smsc.ts";
import { type Desk, newDesk, sure } from "../town/sms-desk.ts";

vi.setConfig({ testTimeout: 240_000 });

let db: Database;
let closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  db = (await freshDatabase()).db;
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
});

async function openTown(
  carrier: Partial<NewCarrier> = {},
  { smsc: given, clock = realClock }: { smsc?: Smsc; clock?: Clock } = {},
) {
  const smsc = given ?? (await openSmsc());
  closing.push(() => smsc.close());
  const desk = await newDesk(db);
  const address = { host: "localhost", port: smsc.port, systemId: "acme", password: "secret" };
  sure(await createCarrier(db, secrets, desk.exchangeId, { name: "smsc", kind: "smpp", ...address, ...carrier }));
  const chores = smsChores({ db, clock, log: silentLog, registry: localRegistry, words: letterWords });
  const carriers = { sandbox: openSandbox, smpp: openSmpp };
  const centre = await openMessageCentre({ db, secrets, clock, log: silentLog, carriers, chores });
  closing.push(async () => {
    await centre.close();
    await db.query(sql`update sms_carriers set active = false`);
  });
  return { desk, smsc, centre };
}

async function order(desk: Desk, messages: OrderedMessage[], more: object = {}): Promise<number> {
  const account = (await listSmsAccounts(db, desk.exchangeId))[0]!;
  const sent = await send(db, realClock, account, { messages, ...more });
  if ("refused" in sent) throw new Error(sent.refused);
  return sent.campaignId;
}

const one = (text: string, dest = "905321234567"): OrderedMessage => ({ dests: [dest], ids: [], text });

async function until(isSo: () => Promise<boolean>, seconds = 90): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error("it never came to pass");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function states(desk: Desk): Promise<Record<string, number>> {
  const rows = await db.query<{ state: string; n: number }>(
    sql`select state, count(*) as n from sms_messages where account_id = $1 group by state`,
    [desk.accountId],
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}

test("each kind of text reaches the SMSC as the standard writes it", async () => {
  const { desk, smsc } = await openTown();
  const texts = ["Merhaba [dünya]", "ş", "😀", "a".repeat(161)];
  await order(
    desk,
    texts.map((text) => one(text)),
    { validFor: "1:00" },
  );
  await until(async () => (await states(desk)).DELIVERED === 4);
  const taken = await smsc.taken();
  const of = (part: object) =>
    taken.filter((message) => Object.entries(part).every(([name, value]) => message[name as "id"] === value));
  expect(taken).toHaveLength(5);
  expect(taken[0]).toMatchObject({
    source: "ACME",
    sourceTon: 5,
    dest: "905321234567",
    destTon: 1,
    destNpi: 1,
    registered: 1,
  });
  expect(taken[0]!.validity, "an hour, less what a busy machine took").toMatch(/^000000(0059[0-5]\d|010000)000R$/);
  expect(of({ octets: Buffer.from("4d657268616261201b3c647e6e79611b3e", "hex").toString("hex") })).toHaveLength(1);
  expect(of({ octets: "032501011d", esmClass: 0x40, coding: 0 })).toHaveLength(1);
  expect(of({ octets: "d83dde00", esmClass: 0, coding: 8 })).toHaveLength(1);
  const parts = taken
    .filter(({ octets }) => octets.startsWith("050003"))
    .map(({ octets }) => Buffer.from(octets, "hex"));
  expect(parts.map((part) => [part[4], part[5], part.length])).toEqual([
    [2, 1, 6 + 153],
    [2, 2, 6 + 8],
  ]);
});

test("long messages go by TLVs or as one payload where the carrier wants them so", async () => {
  const text = `ş${"a".repeat(200)}`;
  const sar = await openTown({ longMessages: "sar" });
  await order(sar.desk, [one(text)]);
  await until(async () => (await states(sar.desk)).DELIVERED === 1);
  const parts = await sar.smsc.taken();
  expect(parts.map(({ sar }) => sar.slice(1))).toEqual([
    [2, 1],
    [2, 2],
  ]);
  expect(parts.every(({ octets, esmClass }) => octets.startsWith("03250101") && esmClass === 0x40)).toBe(true);

  const payload = await openTown({ longMessages: "payload", nationalTables: false });
  await order(payload.desk, [one(text)]);
  await until(async () => (await states(payload.desk)).DELIVERED === 1);
  const [whole, ...none] = await payload.smsc.taken();
  expect(none).toEqual([]);
  expect(whole).toMatchObject({ octets: "", coding: 8, esmClass: 0 });
  expect(Buffer.from(whole!.payload!, "hex").swap16().toString("utf16le")).toBe(text);
});

test("through throttling, cut lines, late, early and doubled receipts every message ends exactly once", async () => {
  const { desk, smsc } = await openTown({ window: 50 });
  await updateSmsAccount(db, desk.exchangeId, desk.accountId, { pushUrl: "http://127.0.0.1:1/" });
  await smsc.manner({
    throttleEvery: 211,
    dropEvery: 397,
    failEvery: 10,
    hexReceiptIds: true,
    doubleReceiptEvery: 3,
    lateReceiptEvery: 17,
    receiptFirstEvery: 29,
    answerMs: 1,
  });
  const count = 2_000;
  const messages = Array.from({ length: count }, (_, n) =>
    one(n % 20 === 0 ? `${n} ${"uzun ".repeat(40)}` : `Merhaba ${n}`, `90532${String(1_000_000 + n)}`),
  );
  await order(desk, messages);
  const finals = async () => {
    const { DELIVERED = 0, NOT_DELIVERED = 0 } = await states(desk);
    return DELIVERED + NOT_DELIVERED;
  };
  await until(async () => (await finals()) === count, 180);
  const counts = await smsc.counts();
  expect(counts.throttled).toBeGreaterThan(5);
  expect(counts.drops).toBeGreaterThan(2);
  const failed = (await states(desk)).NOT_DELIVERED!;
  expect(failed).toBeGreaterThan(100);
  // One report a message: what came late or twice changed nothing.
  await until(async () => (await smsc.counts()).owed === 0);
  // In one look: what is owed goes into the outbox meanwhile.
  const [pushes] = await db.query<{ bodies: string[]; owed: number }>(
    sql`select array(select payload->>'body' from jobs where kind = 'sms-push') as bodies,
       (select count(*) from sms_owed_pushes where account_id = $1) as owed`,
    [desk.accountId],
  );
  const told = pushes!.bodies.flatMap((body) =>
    (JSON.parse(body) as { message_id: string }[]).map(({ message_id }) => message_id),
  );
  expect(told.length + pushes!.owed).toBe(count);
  expect(new Set(told).size).toBe(told.length);
  await expectNoneLostOrSecretlyDoubled(desk, smsc);
  const [account] = await db.query<{ reserved: number }>(sql`select reserved from sms_accounts where id = $1`, [
    desk.accountId,
  ]);
  expect(account!.reserved).toBe(0);
  const [gone] = await db.query<{ n: number }>(
    sql`select count(*) as n from sms_messages where account_id = $1 and state = 'NOT_DELIVERED' and gsm_error not in (27, 32)`,
    [desk.accountId],
  );
  expect(gone!.n).toBe(0);
});

async function expectNoneLostOrSecretlyDoubled(desk: Desk, smsc: Smsc): Promise<void> {
  const rows = await db.query<{ dest: string; text: string; size: number; unanswered: number }>(
    sql`select dest, text, size, unanswered from sms_messages where account_id = $1`,
    [desk.accountId],
  );
  const times = new Map<string, number>();
  for (const { dest } of await smsc.taken()) times.set(dest, (times.get(dest) ?? 0) + 1);
  const lost = rows.filter(({ dest, size }) => (times.get(dest) ?? 0) < size);
  const doubled = rows.filter(({ dest, size }) => (times.get(dest) ?? 0) > size);
  expect(lost).toEqual([]);
  expect(doubled.length).toBeGreaterThan(0);
  expect(doubled.filter(({ unanswered }) => unanswered === 0)).toEqual([]);
}

test("by the other policy a cut-off message is not sent again, and its receipt still finds it", async () => {
  const { desk, smsc } = await openTown({ whenUncertain: "keep" });
  await smsc.manner({ dropEvery: 1, receipts: false });
  await order(desk, [one("Merhaba")]);
  await until(async () => (await states(desk)).uncertain === 1);
  await smsc.manner({ dropEvery: 0 });
  // Of the dialects only the second repeats the text; the message is known again by it.
  const receipt =
    "id:77 sub:001 dlvrd:001 submit date:2601051200 done date:2601051201 stat:DELIVRD err:000 text:Merhaba";
  const said = { source: "905321234567", dest: "ACME", coding: 0, message: Buffer.from(receipt).toString("hex") };
  // The receiver himself may write the same words: they are a message of his, and change nothing.
  await smsc.bring({ ...said, esmClass: 0 });
  await until(async () => (await db.query(sql`select from sms_inbound where content = $1`, [receipt])).length === 1);
  expect(await states(desk)).toEqual({ uncertain: 1 });
  await smsc.bring({ ...said, esmClass: 4 });
  await until(async () => (await states(desk)).DELIVERED === 1);
  expect((await smsc.counts()).taken).toBe(1);
});

test("a carrier that reports on nothing has done its part when it takes a message", async () => {
  const { desk, smsc } = await openTown({ receipts: false });
  await order(desk, [one("Merhaba")]);
  await until(async () => (await states(desk)).SENT === 1);
  expect((await smsc.taken())[0]).toMatchObject({ registered: 0 });
  const [account] = await db.query(sql`select credits, reserved from sms_accounts where id = $1`, [desk.accountId]);
  expect(account).toEqual({ credits: 999_999, reserved: 0 });
});

test("messages from handsets come in whole, and IPTAL in any alphabet is obeyed", async () => {
  const { desk, smsc } = await openTown();
  await until(async () => (await smsc.counts()).lines > 0);
  const bring = (message: string, more = {}) =>
    smsc.bring({ source: "905321112233", dest: "4607", esmClass: 0, coding: 0, message, ...more });
  await bring(Buffer.from("EVET").toString("hex"));
  await bring(`0500032a0202${Buffer.from(" son").toString("hex")}`, { esmClass: 0x40 });
  await bring(`0500032a0201${Buffer.from("ilk").toString("hex")}`, { esmClass: 0x40 });
  await bring("032501011d6501", { esmClass: 0x40 });
  await bring(Buffer.from("İ p t a l", "utf16le").swap16().toString("hex"), { coding: 8 });
  const inbound = async () =>
    (
      await db.query<{ content: string }>(sql`select content from sms_inbound where exchange_id = $1`, [
        desk.exchangeId,
      ])
    )
      .map(({ content }) => content)
      .sort();
  await until(async () => (await inbound()).length === 4);
  expect(await inbound()).toEqual(["EVET", "ilk son", "İ p t a l", "şe£"]);
  const [blocked] = await db.query(sql`select phone, source from sms_blacklist where exchange_id = $1`, [
    desk.exchangeId,
  ]);
  expect(blocked).toEqual({ phone: "905321112233", source: "sms" });
  await until(async () => (await smsc.taken()).some(({ dest }) => dest === "905321112233"));
});

test("a wrong password is tried again after a while, and TLS is spoken where it is asked for", async () => {
  const { desk, smsc } = await openTown(
    { tls: true, tlsVerify: false },
    { smsc: await openSmsc(selfSigned("localhost")) },
  );
  await smsc.manner({ password: "another" });
  await smsc.hangUp();
  await order(desk, [one("Merhaba")]);
  await until(async () => (await smsc.counts()).refused > 0);
  await until(async () => (await states(desk)).queued === 1);
  await smsc.manner({ password: "secret" });
  await until(async () => (await states(desk)).DELIVERED === 1);
  expect((await smsc.taken())[0]).toMatchObject({ text: "Merhaba" });
});

test("a carrier that shows no sign of life is left and bound anew", async () => {
  const clock = testClock(Date.now());
  const { desk, smsc } = await openTown({}, { clock });
  // Bound for us as well: our sign of life comes, and is answered.
  await until(async () => {
    clock.pass(5_000);
    return (await smsc.counts()).signsOfLife > 0;
  });
  await smsc.manner({ silentLinks: true });
  const { binds } = await smsc.counts();
  await until(async () => {
    clock.pass(5_000);
    return (await smsc.counts()).binds > binds;
  });
  await smsc.manner({ silentLinks: false });
  await until(async () => (await smsc.counts()).lines === 1);
  await order(desk, [one("Merhaba")]);
  await until(async () => (await states(desk)).DELIVERED === 1);
});
