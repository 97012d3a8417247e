// What calls on the wire bring about: letters to those who run the exchange, and the stop of an hour.

import { expect, test } from "vitest";
import { MAIL_NOTICE } from "../../src/jobs/notice.ts";
import type { SpendingAlarmTold } from "../../src/store/letter-facts.ts";
import { sql } from "../../src/store/sql.ts";
import { createStaffAccount } from "../../src/store/staff.ts";
import { nobodysPassword } from "../../src/store/staff-password.ts";
import { eventually } from "../ground/eventually.ts";
import { townWith } from "../town/town.ts";

const desks = { "1000": {}, "1001": {} };
const rates = [{ prefix: "905", minutePrice: 1 }];

type Town = Awaited<ReturnType<typeof townWith>>;

async function administrator({ db, exchangeId }: Town): Promise<void> {
  const email = `admin${exchangeId}@test.example`;
  await createStaffAccount(db, { exchangeId, name: "A", email, role: "administrator", password: nobodysPassword() });
}

async function letters({ db, exchangeId }: Town): Promise<string[]> {
  const rows = await db.query<{ told: SpendingAlarmTold }>(
    sql`select payload -> 'notice' as told from jobs
     where kind = $1 and (payload ->> 'exchangeId')::bigint = $2 order by id`,
    [MAIL_NOTICE, exchangeId],
  );
  return rows.map(({ told }) => `${told.cause} ${told.extension}`.trim());
}

test("calls that cost more in an hour than was set, and too many at once, are told to whoever runs the exchange", async () => {
  const exchange = { hourlySpendingAlarm: 2, extensionHourlyAlarm: 1, callsAtOnceAlarm: 1 };
  const town = await townWith({ desks, rates, exchange });
  await administrator(town);
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  const [far, other] = [town.phone("905321234567"), town.phone("905321234568")];
  await ann.calls("05321234567");
  await far.answers();
  await town.talksWith(ann, far);
  expect(await letters(town)).toEqual([]);
  await bob.calls("05321234568");
  await other.answers();
  await town.talksWith(bob, other);
  await eventually("two at once are told", async () => (await letters(town)).join() === "calls-at-once");
  await bob.hangsUp();
  await town.pass({ seconds: 61 });
  const all = ["calls-at-once", "hourly-spending", "hourly-spending 1000"];
  await eventually("the hour is told", async () => (await letters(town)).join() === all.join());
  await town.pass({ seconds: 120 });
  await ann.hangsUp();
  await town.isQuiet();
  expect(await letters(town), "each once").toEqual(all);
});

test("where the hour's limit is reached a paid call ends, none goes out, and whoever calls for help gets it", async () => {
  const town = await townWith({ desks, rates, exchange: { hourlySpendingLimit: 2 } });
  await administrator(town);
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  const [far, free, help] = [town.phone("905321234567"), town.phone("902121234567"), town.phone("112")];
  await ann.calls("05321234567");
  await far.answers();
  await town.talksWith(ann, far);
  await town.pass({ seconds: 130 });
  expect(ann.seen.at(-1)).toMatch(/^ended/);
  await town.isQuiet();
  expect(await town.spent()).toBe(2);
  await bob.calls("05321234567");
  await town.until("no paid call goes out", () => bob.seen.includes("ended INCOMING_CALL_BARRED"));
  const { facts } = town.diary.records.at(-1)!;
  expect(facts.story).toContainEqual(expect.objectContaining({ is: "barred", why: "hourly-limit" }));
  bob.seen.length = 0;
  await bob.calls("02121234567");
  await free.answers();
  await town.talksWith(bob, free);
  await bob.hangsUp();
  await town.isQuiet();
  await ann.calls("112");
  await help.answers();
  await town.talksWith(ann, help);
  await ann.hangsUp();
  await town.isQuiet();
  expect(await letters(town)).toContain("hourly-limit");
  await town.pass({ seconds: 3_600 });
  bob.seen.length = 0;
  far.seen.length = 0;
  await bob.calls("05321234567");
  await far.rings();
  await far.answers();
  await town.talksWith(bob, far);
  await bob.hangsUp();
  await town.isQuiet();
});
