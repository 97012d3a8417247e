import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../../test/ground/database.ts";
import { eventually } from "../../../test/ground/eventually.ts";
import { secrets } from "../../../test/ground/secrets.ts";
import { type TestClock, testClock } from "../../../test/ground/test-clock.ts";
import { whenOver } from "../../../test/ground/when-over.ts";
import { MAIL_NOTICE } from "../../jobs/notice.ts";
import { silentLog } from "../../log.ts";
import type { exchange } from "../../nouns/exchange.ts";
import type { Changes } from "../../nouns/field.ts";
import { listAuditLines } from "../../store/audit.ts";
import type { Database } from "../../store/db.ts";
import { createExchange, updateExchange } from "../../store/exchanges.ts";
import type { SpendingAlarmTold } from "../../store/letter-facts.ts";
import { isRefusal } from "../../store/refusal.ts";
import { setCallRate } from "../../store/spending.ts";
import { spendingAlarms } from "../../store/spent-lately.ts";
import { sql } from "../../store/sql.ts";
import { createStaffAccount } from "../../store/staff.ts";
import { nobodysPassword } from "../../store/staff-password.ts";
import { openSettings } from "../plan/settings.ts";
import { allowanceOf, openSpending, spendingErrands } from "./spending.ts";

let db: Database;
let made = 0;

const MOBILE = "905321234567";
const FREE = "902121234567";
const ABROAD = "0049301234567";
const MINUTE_MS = 60_000;

beforeAll(async () => {
  ({ db } = await freshDatabase());
});

/** An exchange where a minute with a mobile phone costs 1, and the rest nothing. */
async function exchangeWith(changes: Changes<typeof exchange>) {
  const name = `alarms ${++made}`;
  const row = await createExchange(db, secrets, { name, sipDomain: `${made}.example` });
  if (isRefusal(row)) throw new Error(row.refused);
  const exchangeId = row.id;
  await updateExchange(db, exchangeId, changes);
  await setCallRate(db, { exchangeId, prefix: "905", minutePrice: "1" });
  const email = `admin${made}@test.example`;
  await createStaffAccount(db, { exchangeId, name, email, role: "administrator", password: nobodysPassword() });
  return exchangeId;
}

async function open(exchangeId: number, clock: TestClock = testClock()) {
  const settings = await openSettings(db);
  whenOver(() => settings.close());
  const spending = openSpending({ allowance: allowanceOf(db, silentLog), clock, log: silentLog, settings });
  const ended: string[] = [];
  /** Talks from now on; what is returned hangs up. */
  const calls = (number: string, extension = "1000") => {
    let hangUp = () => {};
    const over = new Promise<void>((resolve) => {
      hangUp = resolve;
    });
    const by = { kind: "call", callUuid: randomUUID(), trunk: "Ana hat", extension } as const;
    const stop = () => void ended.push(extension);
    spending.meter({ exchangeId, number, leg: randomUUID(), by, answeredMs: clock.wall(), over, stop });
    return hangUp;
  };
  const spent = async () => {
    const [sum] = await db.query<{ amount: number }>(
      sql`select coalesce(sum(amount), 0)::float8 as amount from spent_lately where exchange_id = $1`,
      [exchangeId],
    );
    return sum!.amount;
  };
  const isSpent = (amount: number) => eventually(`${amount} is spent`, async () => (await spent()) === amount);
  return { clock, spending, settings, calls, isSpent, ended };
}

async function lettersOf(exchangeId: number) {
  const rows = await db.query<{ told: SpendingAlarmTold }>(
    sql`select payload -> 'notice' as told from jobs
     where kind = $1 and (payload ->> 'exchangeId')::bigint = $2 order by id`,
    [MAIL_NOTICE, exchangeId],
  );
  return rows.map(({ told: { cause, extension, value, threshold } }) => [cause, extension, value, threshold].join(" "));
}

test("an hour that costs more than was set is told once, and again when the next hour does", async () => {
  const exchangeId = await exchangeWith({ hourly_spending_alarm: "2" });
  const { clock, calls, isSpent } = await open(exchangeId);
  const at = new Date(clock.wall());
  const hangUps = [calls(MOBILE, "1000"), calls(MOBILE, "1001")];
  await isSpent(2);
  expect(await lettersOf(exchangeId), "that much is no more than that").toEqual([]);
  hangUps.push(calls(MOBILE, ""));
  await isSpent(3);
  expect(await lettersOf(exchangeId)).toEqual(["hourly-spending  3 2"]);
  clock.pass(MINUTE_MS);
  await isSpent(6);
  for (const hangUp of hangUps) hangUp();
  expect(await lettersOf(exchangeId)).toHaveLength(1);
  const alarm = { cause: "hourly-spending", extension: "", value: 3, threshold: 2 };
  expect(await spendingAlarms(db, exchangeId)).toEqual([{ ...alarm, at }]);
  expect(await listAuditLines(db, exchangeId)).toMatchObject([
    { did: "spending-alarm", doer: "exchange", details: { cause: "hourly-spending", value: "3", threshold: "2" } },
  ]);
  clock.pass(61 * MINUTE_MS);
  for (const hangUp of [calls(MOBILE), calls(MOBILE), calls(MOBILE)]) {
    hangUp();
  }
  await isSpent(9);
  expect(await lettersOf(exchangeId)).toEqual(["hourly-spending  3 2", "hourly-spending  3 2"]);
});

test("an extension that spends more than was set is named, whatever the others spend", async () => {
  const exchangeId = await exchangeWith({ extension_hourly_alarm: "1" });
  const { calls, isSpent } = await open(exchangeId);
  for (const extension of ["1000", "1001", "1002", "", ""]) calls(MOBILE, extension)();
  await isSpent(5);
  expect(await lettersOf(exchangeId)).toEqual([]);
  calls(MOBILE, "1001")();
  await isSpent(6);
  expect(await lettersOf(exchangeId)).toEqual(["hourly-spending 1001 2 1"]);
});

test("an hour that costs far more than any of the four weeks before is told, once there was one", async () => {
  const exchangeId = await exchangeWith({ unusual_spending_alarm: 2 });
  const { clock, calls, isSpent } = await open(exchangeId);
  for (const hangUp of [calls(MOBILE), calls(MOBILE)]) hangUp();
  await isSpent(2);
  clock.pass(2 * 60 * MINUTE_MS);
  for (const hangUp of [calls(MOBILE), calls(MOBILE), calls(MOBILE), calls(MOBILE)]) hangUp();
  await isSpent(6);
  expect(await lettersOf(exchangeId), "twice as much is no more than that").toEqual([]);
  calls(MOBILE)();
  await isSpent(7);
  expect(await lettersOf(exchangeId)).toEqual(["unusual-spending  5 4"]);
});

test("calls that cost something or go abroad are counted while they are up, of the exchange and of each extension", async () => {
  const exchangeId = await exchangeWith({
    calls_at_once_alarm: 3,
    extension_calls_alarm: 1,
    international_calls: true,
  });
  const { clock, calls } = await open(exchangeId);
  const isTold = (letters: string[]) =>
    eventually(`${letters} is told`, async () => (await lettersOf(exchangeId)).join() === letters.join());
  const first = calls(MOBILE, "1000");
  for (const free of [FREE, FREE, FREE]) calls(free, "1000");
  first();
  calls(MOBILE, "1000");
  calls(ABROAD, "1001");
  calls(ABROAD, "1002");
  const known = await spendingAlarms(db, exchangeId);
  expect(known).toEqual([]);
  const fourth = calls(ABROAD, "1001");
  await isTold(["calls-at-once  4 3", "calls-at-once 1001 2 1"]);
  fourth();
  clock.pass(30 * MINUTE_MS);
  const fifth = calls(ABROAD, "1000");
  await isTold(["calls-at-once  4 3", "calls-at-once 1001 2 1", "calls-at-once 1000 2 1"]);
  fifth();
  clock.pass(31 * MINUTE_MS);
  calls(ABROAD, "1002");
  await isTold([
    ...["calls-at-once  4 3", "calls-at-once 1001 2 1", "calls-at-once 1000 2 1"],
    ...["calls-at-once  4 3", "calls-at-once 1002 2 1"],
  ]);
});

test("an hour's limit lets nobody spend more, ends whoever would, and is over when the hour is", async () => {
  const exchangeId = await exchangeWith({ hourly_spending_limit: "3" });
  const { clock, spending, settings, calls, isSpent, ended } = await open(exchangeId);
  const book = (await settings.of(exchangeId))!; // made above
  expect(await spending.whyNot(book, MOBILE)).toBe(undefined);
  const hangUps = [calls(MOBILE, "1000"), calls(MOBILE, "1001")];
  await isSpent(2);
  clock.pass(MINUTE_MS);
  await eventually("one of them is ended", async () => ended.length === 1);
  await isSpent(3);
  expect(await spending.whyNot(book, MOBILE)).toBe("hourly-limit");
  expect(await spending.whyNot(book, FREE)).toBe(undefined);
  expect(await lettersOf(exchangeId)).toEqual(["hourly-limit  3 3"]);
  for (const hangUp of hangUps) hangUp();
  clock.pass(59 * MINUTE_MS);
  await eventually(
    "what was spent first is an hour ago",
    async () => (await spending.whyNot(book, MOBILE)) === undefined,
  );
});

test("a hundred calls that buy at once never pass the limit of an hour", async () => {
  const exchangeId = await exchangeWith({ hourly_spending_limit: "25" });
  const { calls, isSpent, ended } = await open(exchangeId);
  for (let call = 0; call < 100; call++) calls(MOBILE);
  await eventually("the rest is refused", async () => ended.length === 75);
  await isSpent(25);
  expect(await lettersOf(exchangeId)).toHaveLength(1);
});

test("minutes that were owed while the database was away are told with the hour in which they were talked", async () => {
  const exchangeId = await exchangeWith({});
  const call = {
    kind: "call",
    callUuid: randomUUID(),
    trunk: null,
    extension: "1000",
    number: MOBILE,
    prefix: "905",
  } as const;
  const [atMs, minutes] = [testClock().wall(), { leg: randomUUID(), day: "2026-01-05", paid: 0, through: 3 }];
  const watched = { timeZone: "Europe/Istanbul", exchange: 2, extension: null, unusual: null };
  const owed = { exchangeId, month: "2026-01-01", minutePrice: 1, minutes, call: { ...call, atMs }, watched };
  for (let tries = 0; tries < 2; tries++) await spendingErrands["spending.minutes"](db, owed);
  expect(await lettersOf(exchangeId)).toEqual(["hourly-spending  3 2"]);
});
