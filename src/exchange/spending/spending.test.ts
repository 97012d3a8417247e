import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../../test/ground/database.ts";
import { eventually } from "../../../test/ground/eventually.ts";
import { secrets } from "../../../test/ground/secrets.ts";
import { testClock } from "../../../test/ground/test-clock.ts";
import { MAIL_NOTICE } from "../../jobs/notice.ts";
import { silentLog } from "../../log.ts";
import { listAuditLines } from "../../store/audit.ts";
import type { Database } from "../../store/db.ts";
import { createExchange, updateExchange } from "../../store/exchanges.ts";
import {
  charge,
  deleteCallRate,
  listCallRates,
  type PaidBy,
  type Purchase,
  setCallRate,
  spentIn,
} from "../../store/spending.ts";
import { sql } from "../../store/sql.ts";
import { createStaffAccount } from "../../store/staff.ts";
import { nobodysPassword } from "../../store/staff-password.ts";
import { openSettings } from "../plan/settings.ts";
import { priceOf } from "./prices.ts";
import { allowanceOf, monthOf, openSpending, paidBefore, spendingErrands } from "./spending.ts";

let db: Database;
let exchangeId: number;

const by: PaidBy = { kind: "call", callUuid: randomUUID(), trunk: "Ana hat", extension: "1000" };
const anybody = () => ({ leg: randomUUID(), by, answeredMs: Date.UTC(2026, 0, 1) });
const priceIn = ({ minutePrice, minutes: { paid, through } }: Purchase) => minutePrice * (through - paid);

const legsOf = sql`select to_char(month, 'YYYY-MM') as month, leg, at, kind, call_uuid as "callUuid", number, prefix, trunk,
  extension, campaign, calls, minutes, amount::double precision as amount from paid_legs where exchange_id = $1 order by at, leg`;

/** Whatever was spent in a month, its legs have spent. */
async function monthsThatDiffer(): Promise<unknown[]> {
  return db.query(
    sql`select month, spending.amount, legs.amount as legs from spending
     full join (select exchange_id, month, sum(amount) as amount from paid_legs group by 1, 2) as legs using (exchange_id, month)
     where exchange_id = $1 and coalesce(spending.amount, 0) <> coalesce(legs.amount, 0)`,
    [exchangeId],
  );
}

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const made = await createExchange(db, secrets, { name: "Test", sipDomain: "test.example" });
  if ("refused" in made) throw new Error(made.refused);
  exchangeId = made.id;
  for (const [prefix, minutePrice] of [
    ["", "9"],
    ["90", "0.25"],
    ["905", "0.4"],
  ] as const)
    await setCallRate(db, { exchangeId, prefix, minutePrice });
});

test("the longest prefix that fits is the price; without one a minute costs nothing", async () => {
  const rates = await listCallRates(db, exchangeId);
  expect(["905321234567", "902121234567", "0049301234567"].map((number) => priceOf(rates, number))).toEqual([
    0.4, 0.25, 9,
  ]);
  expect(priceOf([], "905321234567")).toBe(0);
  await setCallRate(db, { exchangeId, prefix: "00", minutePrice: "5" });
  expect(priceOf(await listCallRates(db, exchangeId), "0049301234567")).toBe(5);
  expect(await deleteCallRate(db, exchangeId, "00")).toBe(true);
  expect(await deleteCallRate(db, exchangeId, "00")).toBe(false);
});

test("a month begins at midnight of the exchange's own clocks", () => {
  const lastEvening = Date.UTC(2026, 0, 31, 21, 30);
  expect(monthOf(lastEvening, "Europe/Istanbul")).toBe("2026-02-01");
  expect(monthOf(lastEvening, "UTC")).toBe("2026-01-01");
});

test("a hundred calls that buy at once never pass the limit, and those who run the exchange are told once", async () => {
  await createStaffAccount(db, {
    exchangeId,
    name: "A",
    email: "admin@test.example",
    role: "administrator",
    password: nobodysPassword(),
  });
  await updateExchange(db, exchangeId, { monthly_spending_limit: "10.00" });
  const settings = await openSettings(db);
  const clock = testClock();
  const spending = openSpending({ allowance: allowanceOf(db, silentLog), clock, log: silentLog, settings });
  const book = (await settings.of(exchangeId))!; // made above
  expect(book.settings.monthlySpendingLimit).toBe(10);
  expect(await spending.whyNot(book, "905321234567")).toBe(undefined);
  let refused = 0;
  let hangUp = () => {};
  const over = new Promise<void>((resolve) => {
    hangUp = resolve;
  });
  const stop = () => {
    refused += 1;
  };
  for (let call = 0; call < 100; call++)
    spending.meter({ exchangeId, number: "905321234567", ...anybody(), over, stop });
  const month = monthOf(clock.wall(), "Europe/Istanbul");
  await eventually("the rest is refused", async () => refused === 75);
  expect(await spentIn(db, exchangeId, month)).toBe(10);
  expect(await db.query(legsOf, [exchangeId])).toHaveLength(25);
  hangUp();
  expect(refused).toBe(75);
  expect(await spending.whyNot(book, "905321234567")).toBe("spending-limit");
  const notices = await db.query<{ to: string }>(sql`select payload ->> 'to' as to from jobs where kind = $1`, [
    MAIL_NOTICE,
  ]);
  expect(notices).toEqual([{ to: "admin@test.example" }]);
  const told = (await listAuditLines(db, exchangeId)).filter(({ did }) => did === "spending-limit-reached");
  expect(told).toHaveLength(1);
  // A new month begins with nothing spent.
  clock.pass(31 * 86_400_000);
  expect(await spending.whyNot(book, "905321234567")).toBe(undefined);
  await settings.close();
});

test.each([
  ["is owed, though the call is over by the time it answers", true, [0.25, 0.25], [0.25]],
  ["is paid with the next where there is no disk to keep it", false, [0.5, 0.25], []],
])("a database that does not answer ends nobody's call, and the minute %s", async (_, hasDisk, paid, owed) => {
  const clock = testClock();
  const bought: number[] = [];
  const charged: number[] = [];
  let works = false;
  const settings = await openSettings(db);
  const book = await settings.of(exchangeId);
  await settings.close();
  const allowance = {
    ...allowanceOf(db, silentLog),
    buy: async (purchase: Purchase) => {
      if (!works) throw new Error("no line to the database");
      bought.push(priceIn(purchase));
      return true;
    },
    charge: async (purchase: Purchase) => {
      if (!hasDisk) throw new Error("no disk");
      charged.push(priceIn(purchase));
    },
  };
  const spending = openSpending({ allowance, clock, log: silentLog, settings: { of: async () => book } });
  let hangUp = () => {};
  const over = new Promise<void>((resolve) => {
    hangUp = resolve;
  });
  const stop = () => {
    throw new Error("the call was ended");
  };
  spending.meter({ exchangeId, number: "902121234567", ...anybody(), over, stop });
  const settled = async () => {
    for (let breath = 0; breath < 20; breath++) await new Promise((resolve) => setImmediate(resolve));
  };
  await settled();
  works = true;
  clock.pass(60_000);
  await settled();
  clock.pass(60_000);
  await settled();
  expect(bought).toEqual(paid);
  expect(charged).toEqual(owed);
  hangUp();
  await settled();
  expect(clock.waiting()).toBe(0);
});

test("a minute whose answer was lost is charged once, whoever asks for it again", async () => {
  const clock = testClock();
  const settings = await openSettings(db);
  const month = monthOf(clock.wall(), "Europe/Istanbul");
  const spentBefore = await spentIn(db, exchangeId, month);
  const real = allowanceOf(db, silentLog);
  let isLost = true;
  const allowance = {
    ...real,
    buy: async (purchase: Purchase) => {
      const bought = await real.buy({ ...purchase, limit: null });
      if (isLost) throw new Error("the line broke after the commit");
      return bought;
    },
  };
  const spending = openSpending({ allowance, clock, log: silentLog, settings });
  const spent = async () => Math.round(((await spentIn(db, exchangeId, month)) - spentBefore) * 100) / 100;
  const answered = anybody();
  const call = { exchangeId, number: "902121234567", ...answered, stop: () => undefined };
  let hangUp = () => {};
  const over = new Promise<void>((resolve) => {
    hangUp = resolve;
  });
  spending.meter({ ...call, over });
  await eventually("its first minute is paid for", async () => clock.waiting() > 0);
  expect(await spent()).toBe(0.25);
  isLost = false;
  clock.pass(60_000);
  await eventually("its second minute is paid for", async () => clock.waiting() > 0 && (await spent()) > 0.25);
  hangUp();
  // The next process goes on with it in its third minute, and saw it last in the first.
  const next = openSpending({ allowance, clock, log: silentLog, settings });
  next.meter({ ...call, over: Promise.resolve(), before: paidBefore(130_000, 100_000) });
  await eventually("its third minute is paid for", async () => (await spent()) > 0.5);
  expect(await spent()).toBe(0.75);
  const legs = await db.query(legsOf, [exchangeId]);
  expect(legs.filter((it) => (it as { leg: string }).leg === answered.leg)).toEqual([
    expect.objectContaining({ calls: 1, minutes: 3, amount: 0.75, prefix: "90", number: "902121234567", ...by }),
  ]);
  expect(await monthsThatDiffer()).toEqual([]);
  await settings.close();
});

test("a call over the end of a month is a call of the first, and each month has what it paid", async () => {
  const clock = testClock();
  const untilMs = Date.UTC(2026, 2, 31, 20, 59, 30); // half a minute before April in Istanbul
  clock.pass(untilMs - clock.wall());
  const settings = await openSettings(db);
  const spending = openSpending({ allowance: allowanceOf(db, silentLog), clock, log: silentLog, settings });
  const { leg } = anybody();
  let hangUp = () => {};
  const over = new Promise<void>((resolve) => {
    hangUp = resolve;
  });
  const campaign = { id: 7, name: "Anket" };
  const call = { by: { ...by, campaign }, answeredMs: untilMs, stop: () => undefined };
  spending.meter({ exchangeId, number: "905321234567", leg, over, ...call });
  for (let minute = 0; minute < 3; minute++) {
    await eventually("a minute is paid for", async () => clock.waiting() > 0);
    if (minute < 2) clock.pass(60_000);
  }
  hangUp();
  const legs = (await db.query<{ leg: string }>(legsOf, [exchangeId])).filter((it) => it.leg === leg);
  expect(legs).toMatchObject([
    { month: "2026-03", at: new Date(untilMs), campaign: "Anket", calls: 1, minutes: 1, amount: 0.4 },
    { month: "2026-04", at: new Date(untilMs + 60_000), campaign: "Anket", calls: 0, minutes: 2, amount: 0.8 },
  ]);
  expect(await monthsThatDiffer()).toEqual([]);
  await settings.close();
});

const AN_OLD_ONE = "00000000-0000-4000-8000-000000000001";

test("what an older version owes is in the sum of the legs as well, though nobody knows whose it was", async () => {
  await charge(db, { exchangeId, month: "2026-05-01", price: 1.5 });
  await charge(db, { exchangeId, month: "2026-05-01", price: 0.5 });
  const minutes = { leg: AN_OLD_ONE, day: "2026-04-30", paid: 0, through: 2 };
  await spendingErrands["spending.minutes"](db, { exchangeId, month: "2026-05-01", minutePrice: 0.25, minutes });
  const legs = (await db.query<{ month: string }>(legsOf, [exchangeId])).filter(({ month }) => month === "2026-05");
  const at = new Date("2026-05-01T00:00:00+03:00");
  expect(legs).toMatchObject([
    { leg: "", at, kind: "unnoted", calls: 0, minutes: 0, amount: 2 },
    { leg: AN_OLD_ONE, at, kind: "unnoted", callUuid: null, calls: 1, minutes: 2, amount: 0.5 },
  ]);
  expect(await monthsThatDiffer()).toEqual([]);
});
