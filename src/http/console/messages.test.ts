import { expect, test } from "vitest";
import { consoleTown } from "../../../test/town/console-town.ts";
import { sure } from "../../../test/town/sms-desk.ts";
import { addCredits, createSmsAccount } from "../../store/sms-accounts.ts";
import { sql } from "../../store/sql.ts";

const { db, ours, theirs, member } = await consoleTown();
const boss = await member("administrator");
const MESSAGES = 230;
const DAY_MS = 86_400_000;
const began = Date.UTC(2026, 4, 1, 9);

/** Ten a day; every hundredth wants no more messages. */
async function come(exchangeId: number, count: number): Promise<void> {
  await db.query(
    sql`insert into sms_inbound (exchange_id, created_at, received_at, source_addr, destination_addr, content)
     select $1, at, at, '9053212' || lpad(index::text, 5, '0'), '3333', case index % 100 when 7 then 'DUR' else 'merhaba' end
     from generate_series(0, $2 - 1) as index, lateral (select $3::timestamptz + index * interval '144 minutes' as at) as times
     order by index`,
    [exchangeId, count, new Date(began)],
  );
}

test("the inbox shows the newest first and goes on to the last page, by text, number and day", async () => {
  await come(ours.id, MESSAGES);
  await come(theirs.id, 1);
  const first = await boss.ask("sms.inbox", { page: 1, limit: 25, about: "" });
  expect(first.total).toBe(MESSAGES);
  expect(first.rows[0]).toMatchObject({ sourceAddr: "905321200229" });
  const last = await boss.ask("sms.inbox", { page: 10, limit: 25, about: "" });
  expect(last.rows.map(({ sourceAddr }) => sourceAddr)).toEqual([
    ...["905321200004", "905321200003", "905321200002", "905321200001", "905321200000"],
  ]);
  expect((await boss.ask("sms.inbox", { page: 1, limit: 25, about: "dur" })).total).toBe(3);
  expect((await boss.ask("sms.inbox", { page: 1, limit: 25, about: "00229" })).total).toBe(1);
  const day = { from: new Date(began).toISOString(), before: new Date(began + DAY_MS).toISOString() };
  expect((await boss.ask("sms.inbox", { page: 1, limit: 25, about: "", ...day })).total).toBe(10);
});

test("what was sent is looked through by title and day, and its messages by number and state", async () => {
  const { id: accountId } = sure(await createSmsAccount(db, ours.id, { username: "ours" }));
  await addCredits(db, { exchangeId: ours.id, accountId, credits: 10_000, at: new Date(began) });
  for (const name of ["SANTRAL", "OTHER"]) await boss.ask("sms.createTitle", { name });
  const phones = Array.from({ length: 60 }, (_, index) => `905321234${String(index).padStart(3, "0")}`);
  const order = { phones, text: "Merhaba", coding: "auto", commercial: false, recipientType: "BIREYSEL" } as const;
  const { campaignId } = await boss.ask("sms.send", { ...order, title: "SANTRAL" });
  await boss.ask("sms.send", { ...order, title: "OTHER", phones: phones.slice(0, 1) });
  const page = { page: 1, limit: 25 };
  expect(await boss.ask("sms.campaigns", { ...page, title: "" })).toMatchObject({ total: 2 });
  expect(await boss.ask("sms.campaigns", { ...page, title: "SANTRAL" })).toMatchObject({
    total: 1,
    rows: [{ id: campaignId, title: "SANTRAL", counts: { ROUTE_NOT_AVAILABLE: 60 } }],
  });
  expect(await boss.ask("sms.campaigns", { ...page, title: "", before: "2020-01-01T00:00Z" })).toMatchObject({
    total: 0,
  });
  const wanted = { id: campaignId, limit: 25, dest: "", status: "" };
  const last = await boss.ask("sms.campaign", { ...wanted, page: 3 });
  expect([last.total, last.rows.length]).toEqual([60, 10]);
  expect((await boss.ask("sms.campaign", { ...wanted, page: 1, dest: "1234059" })).rows).toMatchObject([
    { dest: "905321234059", status: "ROUTE_NOT_AVAILABLE" },
  ]);
  expect((await boss.ask("sms.campaign", { ...wanted, page: 1, status: "DELIVERED" })).total).toBe(0);
  const stranger = await member("administrator", theirs.id);
  expect(await stranger.refused("sms.campaign", { ...wanted, page: 1 })).toMatchObject({ refused: "no-sms-account" });
});
