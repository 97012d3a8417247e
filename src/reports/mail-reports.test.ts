import { beforeAll, expect, test } from "vitest";
import { attachmentOf, openMailServer, type TakenLetter } from "../../test/customer/mail-server.ts";
import { freshDatabase } from "../../test/ground/database.ts";
import { eventually } from "../../test/ground/eventually.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { type TestClock, testClock } from "../../test/ground/test-clock.ts";
import { whenOver } from "../../test/ground/when-over.ts";
import { rowsOf } from "../../test/ground/workbooks.ts";
import { startWorkers } from "../jobs/workers.ts";
import { silentLog } from "../log.ts";
import { openMailer } from "../mail/mailer.ts";
import type { Changes } from "../nouns/field.ts";
import type { reportPlan } from "../nouns/report-plan.ts";
import { createExchange } from "../store/exchanges.ts";
import { listReportMails } from "../store/report-mails.ts";
import {
  createReportPlan,
  dueReportPlans,
  listReportPlans,
  oweReportMails,
  oweReportNow,
  updateReportPlan,
} from "../store/report-plans.ts";
import { sql } from "../store/sql.ts";
import { letterWords } from "../words/letters/words.ts";
import { mailReports, planReportMails } from "./mail-reports.ts";
import { enqueueMails, MAIL_REPORT } from "./owed-mails.ts";

const { db } = await freshDatabase();
const LEAD = 7;
let exchangeId = 0;

beforeAll(async () => {
  const made = await createExchange(db, secrets, { name: "Test", sipDomain: "test.example" });
  if ("refused" in made) throw new Error(made.refused);
  exchangeId = made.id;
  await db.query(
    sql`with who as (insert into staff (id, exchange_id, name, email, role, password_hash)
         values ($2, $1, 'Lale', 'lale@example.com', 'supervisor', '')),
       queue as (insert into queues (id, exchange_id, number, name) values (200, $1, '200', 'Satış'), (201, $1, '201', 'Destek'))
     insert into cdrs (exchange_id, call_uuid, direction, origin, start_stamp, end_stamp, caller_id_number,
       destination_number, queue, missed, hangup_cause)
     select $1, gen_random_uuid(), 'inbound', 'phone', at, at + interval '1 minute', '05321234567', '908505320000', queue,
       true, 'NORMAL_CLEARING'
     from (values ('200', timestamptz '2026-03-27 12:00+03'), ('200', '2026-03-28 12:00+03'), ('201', '2026-03-28 13:00+03'),
       ('201', '2026-03-28 23:59+03')) as calls (queue, at)`,
    [exchangeId, LEAD],
  );
  await db.query(sql`insert into staff_queues (exchange_id, staff_id, queue_id) values ($1, $2, 200)`, [
    exchangeId,
    LEAD,
  ]);
});

const clockAt = (stamp: string): TestClock => testClock(Date.parse(stamp));

type Plan = Changes<typeof reportPlan>;

async function plan(name: string, changes: Plan, made: string): Promise<number> {
  const addresses = changes.addresses ?? ["rapor@example.com"];
  const wanted = { exchangeId, staffId: LEAD, filter: {}, nowMs: Date.parse(made) };
  const kept = await createReportPlan(db, { ...wanted, changes: { ...changes, name, addresses } });
  if ("refused" in kept) throw new Error(kept.refused);
  return kept.id;
}

/** What a look at this moment owes, as days. */
async function owedAt(stamp: string, id: number): Promise<string[]> {
  const now = new Date(stamp);
  const due = (await dueReportPlans(db, now)).some((it) => it.id === id);
  const mails = await db.transaction((db) => oweReportMails(db, { exchangeId, id, now }));
  if (!due) expect(mails).toEqual([]);
  const rows = await db.query<{ day: string }>(
    sql`select day::text from report_mails where id = any($1) order by day`,
    [mails],
  );
  return rows.map(({ day }) => day);
}

const setZone = (zone: string) => db.query(sql`update exchanges set time_zone = $2 where id = $1`, [exchangeId, zone]);

test("a plan is due once a day at its hour, also on days that have an hour less or more, and after a change of the hour", async () => {
  await setZone("Europe/Berlin");
  const id = await plan("daily", { send_at: "02:30" }, "2026-03-28T08:00:00Z");
  expect(await owedAt("2026-03-29T00:29:00Z", id)).toEqual([]);
  expect(await owedAt("2026-03-29T01:31:00Z", id)).toEqual(["2026-03-29"]); // 02:30 was skipped that night
  expect(await owedAt("2026-03-29T10:00:00Z", id)).toEqual([]);
  expect(await owedAt("2026-03-30T00:30:00Z", id)).toEqual(["2026-03-30"]);
  const later = { exchangeId, staffId: undefined, id, changes: { send_at: "11:00" } };
  await updateReportPlan(db, { ...later, nowMs: Date.parse("2026-03-30T08:00:00Z") });
  expect(await owedAt("2026-03-30T09:30:00Z", id)).toEqual([]); // that day has had its letter
  await updateReportPlan(db, {
    ...later,
    changes: { send_at: "02:30" },
    nowMs: Date.parse("2026-10-24T08:00:00Z"),
  });
  const autumn = ["2026-10-25T00:31:00Z", "2026-10-25T01:31:00Z", "2026-10-25T02:31:00Z"]; // 02:30 comes twice
  const owed: string[] = [];
  for (const stamp of autumn) owed.push(...(await owedAt(stamp, id)));
  expect(owed).toEqual(["2026-10-25"]);
});

test("weekly and monthly plans keep to their day; who was away sends the last seven late, and a pause owes nothing", async () => {
  await setZone("Europe/Istanbul");
  const weekly = await plan("weekly", { every: "week", weekday: "3" }, "2026-05-04T08:00:00Z");
  expect(await owedAt("2026-05-06T04:59:00Z", weekly)).toEqual([]);
  expect(await owedAt("2026-05-20T05:00:00Z", weekly)).toEqual(["2026-05-06", "2026-05-13", "2026-05-20"]);
  const monthly = await plan("monthly", { every: "month", month_day: 28 }, "2026-01-28T05:00:00Z");
  expect(await owedAt("2026-02-28T06:00:00Z", monthly)).toEqual(["2026-02-28"]);
  const daily = await plan("away", {}, "2026-05-01T08:00:00Z");
  expect(await owedAt("2026-05-20T06:00:00Z", daily)).toHaveLength(7);
  const paused = { exchangeId, staffId: LEAD, id: daily };
  await updateReportPlan(db, { ...paused, changes: { active: false }, nowMs: Date.parse("2026-05-20T06:00:00Z") });
  expect(await owedAt("2026-05-22T06:00:00Z", daily)).toEqual([]);
  await updateReportPlan(db, { ...paused, changes: { active: true }, nowMs: Date.parse("2026-05-25T06:00:00Z") });
  expect(await owedAt("2026-05-26T06:00:00Z", daily)).toEqual(["2026-05-26"]);
});

test("the planner's round owes what has become due, with a job for each letter", async () => {
  const id = await plan("round", {}, "2026-05-01T08:00:00Z");
  const clock = clockAt("2026-05-02T04:59:50Z");
  const stop = await planReportMails({ db, clock, log: silentLog });
  const owed = async () =>
    (
      await db.query(
        sql`select from jobs join report_mails m on m.id = (payload ->> 'mail')::bigint where m.plan_id = $1`,
        [id],
      )
    ).length;
  await eventually("the first look", async () => clock.waiting() > 0);
  expect(await owed()).toBe(0);
  clock.pass(20_000);
  await eventually("the letter is owed", async () => (await owed()) === 1);
  await stop();
  await db.query(sql`delete from jobs`);
});

test("two servers that look at once owe each letter once", async () => {
  const id = await plan("twice", { addresses: ["a@example.com", "b@example.com"] }, "2026-05-01T08:00:00Z");
  const now = new Date("2026-05-02T06:00:00Z");
  const look = () => db.transaction((db) => oweReportMails(db, { exchangeId, id, now }));
  expect((await Promise.all([look(), look(), look()])).flat()).toHaveLength(2);
});

/** Owes a plan's letters and sends them. */
async function sent(id: number, stamp: string, port: number): Promise<void> {
  const clock = clockAt(stamp);
  const now = new Date(stamp);
  await db.forExchange(exchangeId).transaction(async (db) => {
    await enqueueMails(db, exchangeId, await oweReportMails(db, { exchangeId, id, now }));
  });
  const mailer = openMailer({
    url: port === 0 ? undefined : `smtp://127.0.0.1:${port}`,
    from: "Santral <s@test.example>",
  });
  const handlers = { [MAIL_REPORT]: mailReports({ db, clock, mailer, words: letterWords }) };
  const workers = await startWorkers({ db, clock, log: silentLog, handlers, random: () => 0.5 });
  await workers.idle();
  const stopped = workers.stop({ drainMs: 0 });
  clock.pass(0);
  await stopped;
}

const headerOf = ({ text }: TakenLetter, name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(text)?.[1]?.trim();
const mails = async () => (await listReportMails(db, { exchangeId, staffId: LEAD }, { page: 1, limit: 2 })).rows;

test("a letter has the figures and the table of what its maker sees, whatever he saw when he made it, and is known by its mark", async () => {
  const server = await openMailServer();
  whenOver(() => server.close());
  const plans = { report: "queues", format: "csv", send_at: "08:00" } as const;
  const id = await plan("Kuyruklar", plans, "2026-03-28T06:00:00Z");
  await sent(id, "2026-03-29T06:00:00Z", server.port);
  const [first] = server.letters;
  const { name, type, bytes } = attachmentOf(first!); // the one that was sent
  expect([name, type]).toEqual(["queues-2026-03-28.csv", "text/csv"]);
  const lines = bytes.toString("utf8").replace("\uFEFF", "").trim().split("\r\n");
  expect(lines[0]).toMatch(/^Kuyruk;Ad;Çağrı;/);
  expect(lines.slice(1).map((line) => line.split(";").slice(0, 3))).toEqual([["200", "Satış", "1"]]);
  expect(first?.text).toContain("(=C3=B6nceki d=C3=B6nem 1)");
  // The note of it is lost: the same letter again, by the same mark.
  await db.query(sql`update report_mails set sent_at = null where plan_id = $1`, [id]);
  const again = await listReportMails(db, { exchangeId, staffId: LEAD }, { page: 1, limit: 1 });
  await db.forExchange(exchangeId).transaction((db) => enqueueMails(db, exchangeId, [again.rows[0]!.id])); // of this plan
  await sent(id, "2026-03-29T06:00:30Z", server.port);
  expect(new Set(server.letters.map((letter) => headerOf(letter, "message-id"))).size).toBe(1);
  expect(headerOf(first!, "message-id")).toMatch(/^<[0-9a-f-]{36}@test\.example>$/);
  // He leads another queue now; the letter is late, and says so.
  await db.query(sql`update staff_queues set queue_id = 201 where staff_id = $1`, [LEAD]);
  await updateReportPlan(db, {
    ...{ exchangeId, staffId: LEAD, id, nowMs: Date.parse("2026-03-28T06:00:00Z") },
    changes: { format: "xlsx", addresses: ["ertesi@example.com"], every: "day" },
  });
  await sent(id, "2026-03-30T04:00:00Z", server.port);
  const last = server.letters.at(-1);
  const rows = await rowsOf(attachmentOf(last!).bytes);
  expect(rows.map((row) => row.slice(0, 3))).toEqual([rows[0]?.slice(0, 3), ["201", "Destek", "2"]]);
  expect(last?.to).toEqual(["ertesi@example.com"]);
  expect(last?.text).toContain("29 Mart 2026");
});

test("what keeps a letter from going out is told, and what was taken from its maker is not sent", async () => {
  const refusing = await openMailServer({ recipient: () => "550 no such mailbox" });
  whenOver(() => refusing.close());
  const id = await plan("failing", { report: "days" }, "2026-06-01T08:00:00Z");
  await sent(id, "2026-06-02T06:00:00Z", 0);
  expect((await mails())[0]).toMatchObject({ failure: "no-mail-server", sentAt: null, givenUpAt: null });
  await sent(id, "2026-06-03T06:00:00Z", refusing.port);
  expect((await mails())[0]).toMatchObject({ failure: "refused", failureAbout: expect.stringContaining("550") });
  expect((await mails())[0]?.givenUpAt).not.toBeNull();
  await db.query(sql`update staff set exports = 'no' where id = $1`, [LEAD]);
  await sent(id, "2026-06-04T06:00:00Z", refusing.port);
  expect((await mails())[0]).toMatchObject({ failure: "no-right", sentAt: null });
  const [listed] = (await listReportPlans(db, { exchangeId, staffId: LEAD })).filter((it) => it.id === id);
  expect(listed).toMatchObject({ failure: "no-right", nextAt: new Date("2026-06-05T05:00:00Z"), maker: "Lale" });
  await db.query(sql`update staff set exports = null where id = $1`, [LEAD]);
});

test("one asked for by hand goes beside the others, and not again while it is on its way; all goes with who made it", async () => {
  const id = await plan("by hand", {}, "2026-07-01T08:00:00Z");
  const ask = (staffId: number | undefined) =>
    oweReportNow(db, { exchangeId, staffId, id, nowMs: Date.parse("2026-07-02T05:00:00Z") });
  expect(await ask(LEAD + 1)).toBeUndefined();
  expect(await ask(LEAD)).toHaveLength(1);
  expect(await ask(undefined)).toEqual([]);
  expect(await owedAt("2026-07-02T06:00:00Z", id)).toEqual(["2026-07-02"]);
  await db.query(sql`delete from staff where id = $1`, [LEAD]);
  expect(await listReportPlans(db, { exchangeId, staffId: undefined })).toEqual([]);
  expect(await db.query(sql`select from report_mails`)).toEqual([]);
});
