import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { createExchange } from "../store/exchanges.ts";
import { createExtension } from "../store/extensions.ts";
import { createExternalNumber } from "../store/external-numbers.ts";
import { createQueue } from "../store/queues.ts";
import { isRefusal } from "../store/refusal.ts";
import { literal, type Sql, sql } from "../store/sql.ts";
import { daysOfYear } from "./calendar.ts";
import { fillWithCalls } from "./fill.ts";
import { chanceOf } from "./random.ts";
import { fillTelephoneBook, townOf } from "./town.ts";

const nowMs = Date.UTC(2026, 10, 15, 15, 0, 0);
const DAY_MS = 86_400_000;

test("a year has exactly the calls asked for, few of them on Sundays and none in the future", () => {
  const days = daysOfYear({ nowMs, timeZone: "Europe/Istanbul", total: 100_000 });
  expect(days).toHaveLength(365);
  expect(days.at(-1)?.date).toBe("2026-11-15");
  expect(new Date(days[0]!.startMs).toISOString()).toBe("2025-11-15T21:00:00.000Z");
  expect(days.reduce((sum, { calls }) => sum + calls, 0)).toBe(100_000);
  const ofWeekday = (weekday: number) =>
    days.filter(({ date }) => new Date(date).getUTCDay() === weekday).reduce((sum, { calls }) => sum + calls, 0);
  expect(ofWeekday(0)).toBeLessThan(ofWeekday(1) / 8);
});

test("the same seed gives the same chance, another seed another", () => {
  const three = (seed: string) => {
    const chance = chanceOf(seed);
    return [chance.uuid(), chance.between(1, 1_000_000), chance.uuid()];
  };
  expect(three("a")).toEqual(three("a"));
  expect(three("a")).not.toEqual(three("b"));
  expect(three("a")[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("an exchange is filled with calls that hold together, and filling it again adds nothing", async () => {
  const { db, urls } = await freshDatabase();
  const exchange = await createExchange(db, secrets, { name: "Demo", sipDomain: "demo.example" });
  if (isRefusal(exchange)) throw new Error("refused");
  const exchangeId = exchange.id;
  for (const number of ["1000", "1001", "1002"])
    await createExtension(db, { exchangeId, number, password: "secret", name: `Agent ${number}` });
  await createQueue(db, { exchangeId, number: "200", name: "Support", members: ["1000", "1001"] });
  await createExternalNumber(db, { exchangeId, number: "908505320000", target: "queue/200" });
  const seed = "test";
  const town = await townOf(db, exchangeId, { seed, contacts: 50 });
  expect(await fillTelephoneBook(db, { exchangeId, seed, count: 50, progress: () => undefined })).toBe(50);

  const seen: number[] = [];
  const filling = {
    connection: urls.owner,
    exchange,
    seed,
    nowMs,
    calls: 3_000,
    town: town!,
    keepRecording: async (uuid: string) => `recordings/${uuid}.wav`,
    progress: (done: number) => void seen.push(done),
  };
  expect(await fillWithCalls(filling)).toMatchObject({ calls: 3_000, skippedDays: 0 });
  expect(seen.at(-1)).toBe(3_000);
  expect(await fillWithCalls(filling)).toMatchObject({ calls: 0, legs: 0 });
  expect(await fillTelephoneBook(db, { exchangeId, seed, count: 50, progress: () => undefined })).toBe(0);

  const count = async (condition: Sql) => {
    const [row] = await db.query<{ count: number }>(sql`select count(*) from cdrs where ${condition}`);
    return row!.count;
  };
  expect(await count(sql`true`)).toBe(3_000);
  for (const direction of ["inbound", "outbound", "internal"])
    expect(await count(sql`direction = ${literal(direction)}`)).toBeGreaterThan(200);
  expect(
    await count(sql`end_stamp < start_stamp or answer_stamp < start_stamp or talk_seconds > duration_seconds`),
  ).toBe(0);
  expect(await count(sql`end_stamp > to_timestamp(${nowMs / 1_000})`)).toBe(0);
  expect(await count(sql`start_stamp < to_timestamp(${nowMs / 1_000 - 366 * (DAY_MS / 1_000)})`)).toBe(0);
  expect(await count(sql`queue = '200' and queue_wait_seconds > 0`)).toBeGreaterThan(500);
  expect(await count(sql`caller_id_name <> '' and direction = 'inbound'`)).toBeGreaterThan(50);
  expect(await count(sql`missed and return_uuid is not null`)).toBeGreaterThan(50);
  const broken = await db.query(
    sql`select 1 from cdrs as missed left join cdrs as returned on returned.call_uuid = missed.return_uuid
     where missed.return_uuid is not null
       and (returned.answer_stamp is null or returned.start_stamp < missed.end_stamp or returned.peer <> missed.peer)`,
  );
  expect(broken).toEqual([]);
  expect(await count(sql`recording = 'present'`)).toBeGreaterThan(0);
  expect(
    await count(
      sql`recording = 'present' and not exists (select 1 from recordings r where r.call_uuid = cdrs.call_uuid)`,
    ),
  ).toBe(0);
  expect(await count(sql`not exists (select 1 from cdr_legs l where l.call_uuid = cdrs.call_uuid)`)).toBeLessThan(100);
});
