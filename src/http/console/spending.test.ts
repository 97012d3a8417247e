import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../../test/ground/workbooks.ts";
import { consoleTown } from "../../../test/town/console-town.ts";
import { updateExchange } from "../../store/exchanges.ts";
import { buy, charge, type PaidBy } from "../../store/spending.ts";
import { noteSpendingAlarm, spendingAlarms } from "../../store/spent-lately.ts";

const { db, ours, theirs, member } = await consoleTown();
const accountant = await member("accountant");

/** In Istanbul, three hours ahead: three days of March, and the three before. */
const SPAN = { from: "2026-03-09T21:00:00Z", before: "2026-03-12T21:00:00Z" };
const BEFORE = { from: "2026-03-06T21:00:00Z", before: "2026-03-09T21:00:00Z" };
const page = { page: 1, limit: 200 };

type Bought = { at: string; price: number; minutes: number; number: string; prefix: string } & Partial<PaidBy>;

async function bought(exchangeId: number, { at, price, minutes: through, number, prefix, ...by }: Bought) {
  const local = new Date(Date.parse(at) + 3 * 3_600_000).toISOString();
  const known: PaidBy = { kind: "call", callUuid: randomUUID(), trunk: "Ana hat", extension: "", ...by };
  await buy(db, {
    ...{ exchangeId, month: `${local.slice(0, 7)}-01`, minutePrice: price, limit: null },
    minutes: { leg: randomUUID(), day: at.slice(0, 10), paid: 0, through },
    call: { ...known, number, prefix, atMs: Date.parse(at) },
  });
}

const mobile = { number: "905321234567", prefix: "905", price: 0.35 };
const abroad = { number: "0049301234567", prefix: "00", price: 3.1 };
const campaign = { id: 7, name: "Anket" };

beforeAll(async () => {
  const calls: Bought[] = [
    { at: "2026-03-09T21:00:00Z", minutes: 3, extension: "1000", ...mobile }, // the first moment of the 10th
    { at: "2026-03-10T10:00:00Z", minutes: 1, extension: "1000", ...abroad },
    { at: "2026-03-12T20:59:59Z", minutes: 2, trunk: "Yedek; hat", extension: "1001", ...mobile },
    { at: "2026-03-11T10:00:00Z", minutes: 1, campaign, ...mobile },
    { at: "2026-03-11T11:00:00Z", minutes: 4, kind: "fax", trunk: null, ...mobile, number: "902121234567", prefix: "" },
    { at: "2026-03-09T20:59:59Z", minutes: 5, extension: "1000", ...mobile }, // the day before
  ];
  for (const call of calls) await bought(ours.id, call);
  await bought(theirs.id, { at: "2026-03-10T10:00:00Z", minutes: 9, extension: "1000", ...abroad });
});

const breakdown = (by: Parameters<typeof accountant.ask<"spending.breakdown">>[1]["by"], span = SPAN) =>
  accountant.ask("spending.breakdown", { ...span, by });

test("what was spent is broken down by day, trunk, extension, price, campaign and kind, and adds up to the sum", async () => {
  const sum = { calls: 5, minutes: 11, amount: 6.6 };
  type Sums = [calls: number, minutes: number, amount: number];
  const of = (which: string, [calls, minutes, amount]: Sums, name = "") => ({ which, name, calls, minutes, amount });
  expect(await breakdown("day")).toEqual({
    sum: { ...sum, amount: expect.closeTo(6.6) },
    lines: [of("2026-03-10", [2, 4, 4.15]), of("2026-03-11", [2, 5, 1.75]), of("2026-03-12", [1, 2, 0.7])],
  });
  expect((await breakdown("trunk")).lines).toEqual([
    of("Ana hat", [3, 5, 4.5]),
    of("", [1, 4, 1.4]),
    of("Yedek; hat", [1, 2, 0.7]),
  ]);
  expect((await breakdown("extension")).lines).toEqual([
    of("1000", [2, 4, 4.15], "DAHİLİ-1000"),
    of("", [2, 5, 1.75]),
    of("1001", [1, 2, 0.7], "DAHİLİ-1001"),
  ]);
  expect((await breakdown("price")).lines).toEqual([
    of("00", [1, 1, 3.1]),
    of("905", [3, 6, 2.1]),
    of("", [1, 4, 1.4]),
  ]);
  expect((await breakdown("campaign")).lines).toEqual([of("", [4, 10, 6.25]), of("7", [1, 1, 0.35], "Anket")]);
  expect((await breakdown("kind")).lines).toEqual([of("call", [4, 7, 5.2]), of("fax", [1, 4, 1.4])]);
  expect((await breakdown("kind", BEFORE)).lines).toEqual([of("call", [1, 5, 1.75])]);
  const march = { from: "2026-02-28T21:00:00Z", before: "2026-03-31T21:00:00Z" };
  const { months } = await accountant.ask("spending.show", {});
  expect((await breakdown("kind", march)).sum.amount).toBeCloseTo(months.find((it) => it.month === "2026-03")!.amount);
});

test("behind each line are its calls", async () => {
  for (const by of ["day", "trunk", "extension", "price", "campaign", "kind"] as const)
    for (const { which, calls } of (await breakdown(by)).lines) {
      const { rows, total } = await accountant.ask("spending.legs", { ...SPAN, by, which: which ?? "", ...page });
      expect([by, which, rows.length, total]).toEqual([by, which, calls, calls]);
    }
  const { rows, total } = await accountant.ask("spending.legs", { ...SPAN, page: 2, limit: 2 });
  expect(total).toBe(5);
  expect(rows).toMatchObject([
    { number: "905321234567", prefix: "905", trunk: "Ana hat", campaign: "Anket", minutes: 1, amount: 0.35 },
    { number: "0049301234567", extension: "1000", extensionName: "DAHİLİ-1000", kind: "call", amount: 3.1 },
  ]);
});

test("what was spent before calls were noted is a line of its own, and is found by its kind", async () => {
  await charge(db, { exchangeId: ours.id, month: "2026-01-01", price: 12.5 });
  const january = { from: "2025-12-31T21:00:00Z", before: "2026-01-31T21:00:00Z" };
  const line = { which: null, name: "", calls: 0, minutes: 0, amount: 12.5 };
  expect((await breakdown("trunk", january)).lines).toEqual([line]);
  expect((await breakdown("kind", january)).lines).toEqual([{ ...line, which: "unnoted" }]);
  const { rows } = await accountant.ask("spending.legs", { ...january, by: "kind", which: "unnoted", ...page });
  expect(rows).toMatchObject([{ kind: "unnoted", callUuid: null, prefix: null, amount: 12.5 }]);
});

test("nonsense is refused, and what no line is called finds nothing", async () => {
  const nonsense = { ...SPAN, by: "leg; drop table paid_legs" } as never;
  expect(await accountant.refused("spending.breakdown", nonsense)).toMatchObject({ refused: "invalid" });
  const which = "Ana hat' or true --";
  expect(await accountant.ask("spending.legs", { ...SPAN, by: "trunk", which, ...page })).toEqual({
    rows: [],
    total: 0,
  });
  const asked = new URLSearchParams({ ...SPAN, by: "nothing" });
  expect((await accountant.get(`/console/spending.csv?${asked}`)).status).toBe(400);
});

test("both tables are carried away as CSV and as a workbook, in the reader's words", async () => {
  const asked = (more: Record<string, string>) => new URLSearchParams({ ...SPAN, ...more });
  const text = async (path: string) => (await (await accountant.get(path)).text()).trimEnd().split("\r\n");
  expect(await text(`/console/spending.csv?${asked({ by: "trunk", lang: "tr" })}`)).toEqual([
    "Hat;Çağrı;Dakika;Tutar",
    "Ana hat;3;5;4,5",
    "Kutudaki şebeke;1;4;1,4",
    '"Yedek; hat";1;2;0,7',
  ]);
  expect(await text(`/console/spending.csv?${asked({ by: "extension" })}`)).toEqual([
    "extension,name,calls,minutes,amount",
    "1000,DAHİLİ-1000,2,4,4.15",
    ",,2,5,1.75",
    "1001,DAHİLİ-1001,1,2,0.7",
  ]);
  const [heading, newest] = await text(
    `/console/spending-calls.csv?${asked({ by: "trunk", which: "Yedek; hat", lang: "en" })}`,
  );
  expect(heading).toBe("Began,Kind,Number,Destination,Trunk,Extension,Name,Campaign,Minutes,Amount,Call");
  expect(newest).toMatch(
    /^2026-03-12 23:59:59,Call,905321234567,905,"Yedek; hat",1001,DAHİLİ-1001,,2,0.7,[0-9a-f-]{36}$/,
  );
  const file = await accountant.get(`/console/spending-calls.xlsx?${asked({ lang: "tr" })}`);
  const rows = await rowsOf(Buffer.from(await file.arrayBuffer()));
  expect(rows).toHaveLength(6);
  expect(rows[0]).toContain("Aranan yer");
});

test("what was told of the last hour stands beside what it has cost, for accountants as well, and for no neighbour", async () => {
  const at = new Date();
  const alarm = { cause: "hourly-spending", extension: "1001", value: 12.5, threshold: 10, at } as const;
  await noteSpendingAlarm(db, { ...alarm, exchangeId: ours.id });
  await updateExchange(db, ours.id, { hourly_spending_limit: "40" });
  const { hour, hourlyLimit, alarms } = await accountant.ask("spending.show", {});
  expect({ hour, hourlyLimit }).toEqual({ hour: 0, hourlyLimit: 40 });
  expect(alarms).toEqual([{ ...alarm, at: at.toISOString() }]);
  expect(await spendingAlarms(db, theirs.id)).toEqual([]);
});
