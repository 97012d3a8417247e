// A year and a bit of contacts' automatic messages on a wound clock: each exactly once, on the right day.

import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { testClock } from "../../test/ground/test-clock.ts";
import { type Desk, newDesk } from "../../test/town/sms-desk.ts";
import { silentLog } from "../log.ts";
import { writeLedger } from "../store/consents.ts";
import type { Database } from "../store/db.ts";
import { updateSmsAccount } from "../store/sms-accounts.ts";
import { setSpecialDays } from "../store/special-days.ts";
import { sql } from "../store/sql.ts";
import { greetContacts } from "./greetings.ts";
import { plainStamp } from "./stamp.ts";

let db: Database;
beforeAll(async () => {
  db = (await freshDatabase()).db;
});

const BERLIN = "Europe/Berlin";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Contact = { phone: string; birthday?: string; wedding?: string; monthly?: number };

async function addContacts({ exchangeId }: Desk, contacts: Contact[]): Promise<void> {
  for (const { phone, birthday = null, wedding = null, monthly = null } of contacts)
    await db.query(
      sql`insert into contacts (exchange_id, name, surname, phone, birthday, birthday_sms, weddingday, weddingday_sms,
         monthly_sms_day, monthly_sms_message)
       values ($1, 'Ada', 'Su', $2, $3::date, $3::date is not null, $4::date, $4::date is not null, $5::int, case when $5::int is not null then 'Aylik' end)`,
      [exchangeId, phone, birthday, wedding, monthly],
    );
}

async function newGreeter(
  options: { zone?: string; on?: boolean; recipientType?: "BIREYSEL" | "TACIR"; at?: string } = {},
): Promise<Desk> {
  const { zone = BERLIN, on = true, recipientType, at = "02:30" } = options;
  const desk = await newDesk(db);
  await db.query(sql`update exchanges set time_zone = $2, special_day_messages = $3 where id = $1`, [
    desk.exchangeId,
    zone,
    on,
  ]);
  const { exchangeId, accountId, titleId } = desk;
  const texts = { birthdayMessage: "Dogum {name}", weddingMessage: "Evlilik {surname}" };
  await setSpecialDays(db, {
    exchangeId,
    accountId,
    titleId,
    at,
    ...texts,
    ...(recipientType ? { recipientType } : {}),
  });
  return desk;
}

type Sent = { phone: string; text: string; stamp: string };

async function sentBy({ accountId }: Desk, zone = BERLIN): Promise<Sent[]> {
  const rows = await db.query<{ dest: string; text: string; at: Date }>(
    sql`select m.dest, m.text, k.send_at as at from sms_messages m join sms_campaigns k on k.id = m.campaign_id
     where m.account_id = $1 order by k.send_at, m.dest, m.text`,
    [accountId],
  );
  return rows.map(({ dest, text, at }) => ({ phone: dest.slice(-3), text, stamp: plainStamp(at, zone) }));
}

/** The calendar by plain counting, without a look at the code under test. */
function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(`${from}T00:00:00Z`); at <= Date.parse(`${to}T00:00:00Z`); at += DAY)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

const isLast = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + DAY).getUTCDate() === 1;

function isYearly(day: string, monthDay: string): boolean {
  return day.slice(5) === monthDay || (monthDay === "02-29" && day.slice(5) === "02-28" && isLast(day));
}

test("through a year with a leap day and both changes of the clock each message goes out exactly once", async () => {
  const desk = await newGreeter();
  const contacts: Contact[] = [
    { phone: "905320000001", birthday: "1990-02-28" },
    { phone: "905320000002", birthday: "1992-02-29" },
    { phone: "905320000003", birthday: "1985-12-31", wedding: "2010-03-01" },
    { phone: "905320000004", birthday: "1985-03-28", wedding: "2011-10-31" },
    { phone: "905320000005", wedding: "2012-02-29", monthly: 31 },
    { phone: "905320000006", monthly: 30 },
    { phone: "905320000007", monthly: 29 },
    { phone: "905320000008", monthly: 28 },
    { phone: "905320000009", monthly: 1 },
    { phone: "905320000010", birthday: "2000-06-15", wedding: "2020-06-15", monthly: 15 },
  ];
  await addContacts(desk, contacts);
  const [first, last] = ["2027-02-15", "2028-03-05"];
  const clock = testClock(Date.parse(`${first}T00:00:00Z`));
  for (const day of daysBetween(first, last)) {
    // Around the changes of the clock it looks every ten minutes, as on other days it would every minute.
    const close = /2027-03-28|2027-10-31/.test(day);
    const looks = close ? 30 : 2;
    for (let look = 0; look < looks; look++) {
      // Two nodes may look at once, and one may have been restarted a moment ago.
      await Promise.all([greetContacts(db, clock, silentLog), greetContacts(db, clock, silentLog)]);
      clock.pass(close ? HOUR / 6 : 4 * HOUR);
    }
    clock.pass(DAY - looks * (close ? HOUR / 6 : 4 * HOUR));
  }
  const expected: string[] = [];
  for (const day of daysBetween(first, last))
    for (const { phone, birthday, wedding, monthly } of contacts) {
      const short = phone.slice(-3);
      const date = Number(day.slice(8));
      if (birthday && isYearly(day, birthday.slice(5))) expected.push(`${day} ${short} Dogum Ada`);
      if (wedding && isYearly(day, wedding.slice(5))) expected.push(`${day} ${short} Evlilik Su`);
      if (monthly && (date === monthly || (isLast(day) && monthly > date))) expected.push(`${day} ${short} Aylik`);
    }
  const sent = await sentBy(desk);
  expect(sent.map(({ phone, text, stamp }) => `${stamp.slice(0, 10)} ${phone} ${text}`).sort()).toEqual(
    expected.sort(),
  );
  expect(expected.length).toBeGreaterThan(80);
  expect(sent.every(({ stamp }) => stamp.slice(11) >= "02:30:00")).toBe(true);
  // Half past two was skipped on the one day and came twice on the other.
  const of = (day: string) => sent.filter(({ stamp }) => stamp.startsWith(day)).map(({ stamp }) => stamp.slice(11));
  expect(of("2027-03-28")).toEqual(["03:00:00", "03:00:00"]);
  expect(of("2027-10-31")).toEqual(["02:30:00", "02:30:00"]);
  expect(of("2028-02-29")).toHaveLength(5);
  expect(of("2027-02-28")).toHaveLength(7);
}, 120_000);

test("an exchange that was down at the hour greets later the same day, but not the day after", async () => {
  const desk = await newGreeter({ at: "10:00" });
  await addContacts(desk, [
    { phone: "905320000001", birthday: "1990-05-05" },
    { phone: "905320000002", birthday: "1990-05-06" },
  ]);
  const clock = testClock(Date.parse("2027-05-05T21:00:00Z"));
  await greetContacts(db, clock, silentLog);
  clock.pass(35 * HOUR);
  await greetContacts(db, clock, silentLog);
  expect((await sentBy(desk)).map(({ stamp }) => stamp)).toEqual(["2027-05-05 23:00:00"]);
});

test("nothing goes out while the switch is off, and a commercial greeting only to who consented", async () => {
  const off = await newGreeter({ on: false });
  const commercial = await newGreeter({ recipientType: "BIREYSEL" });
  const contacts = [
    { phone: "905320000001", birthday: "1990-05-05" },
    { phone: "05320000002", birthday: "1990-05-05" },
    { phone: "abc", birthday: "1990-05-05" },
  ];
  await addContacts(off, contacts);
  await addContacts(commercial, contacts);
  const clock = testClock(Date.parse("2027-05-05T09:00:00Z"));
  const now = new Date(clock.wall());
  await writeLedger(db, { exchangeId: commercial.exchangeId, brandCode: 600_001, now }, [
    {
      type: "MESAJ",
      source: "HS_WEB",
      status: "ONAY",
      recipientType: "BIREYSEL",
      recipient: "905320000002",
      consentedAt: now,
    },
  ]);
  await greetContacts(db, clock, silentLog);
  expect(await sentBy(off)).toEqual([]);
  const states = await db.query(sql`select dest, state from sms_messages where account_id = $1 order by dest`, [
    commercial.accountId,
  ]);
  expect(states).toEqual([
    { dest: "905320000001", state: "NOT_ALLOWED_BY_IYS" },
    { dest: "905320000002", state: "queued" },
  ]);
});

test("a day that could not be paid for is tried again when there are credits", async () => {
  const desk = await newGreeter();
  await db.query(sql`update sms_accounts set credits = 0 where id = $1`, [desk.accountId]);
  await addContacts(desk, [{ phone: "905320000001", birthday: "1990-05-05" }]);
  const clock = testClock(Date.parse("2027-05-05T09:00:00Z"));
  await greetContacts(db, clock, silentLog);
  expect(await sentBy(desk)).toEqual([]);
  await db.query(sql`update sms_accounts set credits = 5 where id = $1`, [desk.accountId]);
  await greetContacts(db, clock, silentLog);
  expect(await sentBy(desk)).toHaveLength(1);
});

test("greetings that do not say how to stop them are marked, completed or left out, as the account says", async () => {
  const [day, phone] = ["2027-06-15", "905320000001"];
  const greeted = async (optOutMissing: "off" | "append" | "refuse") => {
    const desk = await newGreeter();
    await updateSmsAccount(db, desk.exchangeId, desk.accountId, { optOutMissing });
    await addContacts(desk, [{ phone, birthday: "1990-06-15" }]);
    await greetContacts(db, testClock(Date.parse(`${day}T12:00:00Z`)), silentLog);
    return db.query<{ text: string; marked: boolean }>(
      sql`select text, lacks_opt_out as marked from sms_messages where account_id = $1`,
      [desk.accountId],
    );
  };
  expect(await greeted("off")).toEqual([{ text: "Dogum Ada", marked: true }]);
  expect(await greeted("append")).toEqual([{ text: "Dogum Ada\nRet: IPTAL yaz 4607 gonder", marked: false }]);
  expect(await greeted("refuse")).toEqual([]);
});
