// Sums of what was spent, against its legs one by one, whatever is paid for meanwhile.

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { createExchange, updateExchange } from "./exchanges.ts";
import { paidLegs, spentLines, spentSum } from "./paid-legs.ts";
import { keepSomePaidDays, type PaidOf } from "./paid-sums.ts";
import { buy } from "./spending.ts";
import { sql } from "./sql.ts";

const BEGIN = Date.UTC(2026, 1, 27, 21);
const DAYS = 40;
const HOUR_MS = 3_600_000;

test("sums of days that are over are kept, and are those of their legs whatever is paid for later", async () => {
  const { db } = await freshDatabase();
  const made = await createExchange(db, secrets, { name: "Paid", sipDomain: "paid.example.com" });
  if ("refused" in made) throw new Error(made.refused);
  const exchangeId = made.id;
  let timeZone = "Europe/Istanbul";

  async function bought(atMs: number, leg: string = randomUUID(), paid = 0) {
    const local = new Date(atMs + 3 * HOUR_MS).toISOString();
    const few = Math.floor(atMs / HOUR_MS);
    const campaign = few % 5 === 0 ? { id: few % 3, name: `Campaign ${few % 3}` } : undefined;
    await buy(db, {
      ...{ exchangeId, month: `${local.slice(0, 7)}-01`, minutePrice: 0.25 + (few % 4), limit: null },
      minutes: { leg, day: new Date(atMs).toISOString().slice(0, 10), paid, through: paid + 1 + (few % 3) },
      call: {
        ...{
          kind: few % 7 === 0 ? "fax" : "call",
          callUuid: randomUUID(),
          trunk: few % 11 === 0 ? null : `T${few % 2}`,
        },
        ...{ extension: few % 2 === 0 ? "" : String(1000 + (few % 3)), campaign },
        ...{ number: "905321234567", prefix: few % 3 === 0 ? "" : "90", atMs },
      },
    });
    return leg;
  }

  const plain = (from: Date, before: Date, line: string) =>
    db.query<{ which: string; legs: number; minutes: number; amount: number }>(
      sql`select line.which, count(*)::int as legs, sum(minutes)::int as minutes, sum(amount)::double precision as amount
       from paid_legs as leg cross join lateral (values
         ('trunk', coalesce(trunk, '')), ('extension', extension), ('price', prefix), ('kind', kind),
         ('campaign', coalesce(campaign_id::text, '')), ('day', to_char(at at time zone $4, 'YYYY-MM-DD'))) as line (of, which)
       where exchange_id = $1 and at >= $2 and at < $3 and of = $5 group by 1 order by amount desc, 1`,
      [exchangeId, from, before, timeZone, line],
    );

  async function compare(fromMs: number, beforeMs: number): Promise<void> {
    const [from, before] = [new Date(fromMs), new Date(beforeMs)];
    const stretch = { exchangeId, from, before, timeZone };
    for (const by of ["trunk", "extension", "price", "campaign", "kind", "day"] as (PaidOf | "day")[]) {
      const wanted = await plain(from, before, by);
      const lines = (await spentLines(db, stretch, by)).filter(({ minutes }) => minutes > 0);
      const found = lines.map(({ which, minutes, amount }) => ({ which, minutes, amount }));
      const byName = (one: { which: string | null }, other: { which: string | null }) =>
        one.which! < other.which! ? -1 : 1;
      expect(found.toSorted(byName)).toEqual(wanted.map(({ legs: _, ...rest }) => rest).toSorted(byName));
      const [first] = wanted;
      if (!first) continue;
      const page = { page: 1, limit: 5, line: { by, which: first.which } };
      expect((await paidLegs(db, stretch, page)).total).toBe(first.legs);
    }
    const [sum] = await plain(from, before, "kind").then((lines) => [
      lines.reduce((all, { amount }) => all + amount, 0),
    ]);
    expect((await spentSum(db, stretch)).amount).toBeCloseTo(sum!);
  }

  const daysKept = async () =>
    (
      await db.query<{ n: number }>(sql`select count(*)::int as n from paid_days where exchange_id = $1`, [exchangeId])
    )[0]!.n;

  for (let hour = 0; hour < DAYS * 24; hour += 5) await bought(BEGIN + hour * HOUR_MS);
  const end = BEGIN + DAYS * 24 * HOUR_MS;
  await compare(BEGIN, end);
  expect(await daysKept()).toBe(DAYS - 1); // the newest is counted whenever it is asked for
  await compare(BEGIN - 900 * 24 * HOUR_MS, end + 900 * 24 * HOUR_MS);
  await compare(BEGIN + 7 * HOUR_MS, end - 55 * HOUR_MS);
  await compare(BEGIN - 300 * HOUR_MS, BEGIN - 5 * HOUR_MS); // before all of it
  await compare(end + 5 * HOUR_MS, end + 50 * HOUR_MS);
  for (const at of [BEGIN + 2 * HOUR_MS, BEGIN + 77 * HOUR_MS, end - 15 * HOUR_MS]) await compare(at, at + 9 * HOUR_MS);
  expect(await daysKept()).toBe(DAYS - 1);

  const late = await bought(BEGIN + 3 * 24 * HOUR_MS + 5 * HOUR_MS); // owed for days
  expect(await daysKept()).toBe(DAYS - 2);
  await compare(BEGIN, end);
  await bought(BEGIN + 3 * 24 * HOUR_MS + 5 * HOUR_MS, late, 3);
  await compare(BEGIN, end);
  await bought(end + 50 * HOUR_MS); // a new day
  await compare(BEGIN, end + 72 * HOUR_MS);

  timeZone = "America/Havana"; // its clocks change at midnight, in these weeks
  await updateExchange(db, exchangeId, { time_zone: timeZone });
  expect(await daysKept()).toBe(0);
  await keepSomePaidDays(db);
  expect(await daysKept()).toBeGreaterThan(DAYS - 2);
  await compare(BEGIN, end + 72 * HOUR_MS);
});

test("days are counted beside many who pay, and whoever asks next has all of it", async () => {
  const { db } = await freshDatabase();
  const made = await createExchange(db, secrets, { name: "Paid", sipDomain: "paid.example.com" });
  if ("refused" in made) throw new Error(made.refused);
  const exchangeId = made.id;
  const stretch = { exchangeId, from: new Date(BEGIN), before: new Date(BEGIN + 20 * 24 * HOUR_MS), timeZone: "UTC" };
  const call = {
    kind: "call",
    callUuid: randomUUID(),
    trunk: null,
    extension: "",
    number: "90532",
    prefix: "",
  } as const;
  await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const atMs = BEGIN + (n % 19) * 24 * HOUR_MS;
      const minutes = { leg: randomUUID(), day: new Date(atMs).toISOString().slice(0, 10), paid: 0, through: 1 };
      await buy(db, { exchangeId, month: "2026-03-01", minutePrice: 1, limit: null, minutes, call: { ...call, atMs } });
      if (n % 3 === 0) await spentSum(db, stretch);
    }),
  );
  expect(await spentSum(db, stretch)).toEqual({ calls: 60, minutes: 60, amount: 60 });
});
