import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { newDesk, openSmsServer } from "../../test/town/sms-desk.ts";
import { realClock } from "../clock.ts";
import { rates } from "../http/door/rate-limit.ts";
import { eachWithin } from "../store/limit.ts";
import { renewSmsPassword, type SmsAccount } from "../store/sms-accounts.ts";
import { sql } from "../store/sql.ts";
import { openOrderDesk } from "./order-desk.ts";

const { db } = await freshDatabase();
const limit = eachWithin(20);
const orders = openOrderDesk(db, realClock);

const to = (dest: string, text: string) => ({ messages: [{ dests: [dest], ids: [], text }] });

async function accountOf({ login }: Awaited<ReturnType<typeof newDesk>>): Promise<SmsAccount> {
  const account = await orders.logIn(login);
  if (!account) throw new Error("a new account that cannot log in");
  return account;
}

const messagesOf = (campaignId: number) =>
  db.query(sql`select dest, text, state from sms_messages where campaign_id = $1`, [campaignId]);

test("of orders that come at once each has its own campaign, and a text goes to a number once a day", async () => {
  const account = await accountOf(await newDesk(db));
  const given = [
    to("905320000001", "bir"),
    to("905320000002", "bir"),
    to("905320000001", "bir"),
    to("905320000001", "iki"),
  ];
  const sent = await Promise.all(given.map((order) => orders.send(account, order, limit)));
  const written = await Promise.all(sent.map((it) => ("campaignId" in it ? messagesOf(it.campaignId) : it)));
  expect(written).toEqual([
    [{ dest: "905320000001", text: "bir", state: "queued" }],
    [{ dest: "905320000002", text: "bir", state: "queued" }],
    [{ dest: "905320000001", text: "bir", state: "DOUBLE_SEND_ERROR" }],
    [{ dest: "905320000001", text: "iki", state: "queued" }],
  ]);
  const moves = sql`select campaign_id, credits from sms_credit_moves where account_id = $1 and why = 'reserved' order by 1`;
  const ids = sent.map((it) => ("campaignId" in it ? it.campaignId : 0));
  expect(await db.query(moves, [account.id])).toEqual(
    [0, 1, 3].map((place) => ({ campaign_id: ids[place], credits: -1 })),
  );
});

test("an order that is refused, or is more than the last credits, fails alone among others, and accounts are not mixed up", async () => {
  const [rich, poor] = [await accountOf(await newDesk(db)), await accountOf(await newDesk(db, { credits: 2 }))];
  const sent = await Promise.all([
    orders.send(rich, to("905320000011", "bir"), limit),
    orders.send(poor, to("905320000011", "bir"), limit),
    orders.send(rich, { ...to("905320000012", "bir"), source: "NOBODY" }, limit),
    orders.send(poor, to("905320000012", "bir"), limit),
    orders.send(poor, to("905320000013", "bir"), limit),
  ]);
  expect(sent.map((it) => ("refused" in it ? it.refused : "sent"))).toEqual([
    ...["sent", "sent", "INVALID_SOURCE_ADDRESS", "sent", "INSUFFICIENT_CREDITS"],
  ]);
  const whose = await db.query(
    sql`select account_id, count(*)::int as messages from sms_messages where account_id = any($1) group by 1 order by 1`,
    [[rich.id, poor.id]],
  );
  expect(whose).toEqual([
    { account_id: rich.id, messages: 1 },
    { account_id: poor.id, messages: 2 },
  ]);
});

test("a password that was renewed and an account that was closed are out with the commit, also in a crowd", async () => {
  const desk = await newDesk(db);
  const { login, exchangeId } = desk;
  const crowd = (password: string) =>
    Promise.all(Array.from({ length: 20 }, () => orders.logIn({ username: login.username, password })));
  const isIn = (found: (SmsAccount | undefined)[]) => [...new Set(found.map((account) => account !== undefined))];
  expect(isIn(await crowd(login.password))).toEqual([true]);
  const before = crowd(login.password);
  const renewed = await renewSmsPassword(db, exchangeId, login.username);
  expect([isIn(await crowd(login.password)), isIn(await crowd(renewed!))]).toEqual([[false], [true]]);
  await before;
  await db.query(sql`update sms_accounts set active = false where id = $1`, [desk.accountId]);
  expect(isIn(await crowd(renewed!))).toEqual([false]);
});

test("a login that the database cannot even read spoils nobody else's", async () => {
  const { login } = await newDesk(db);
  const [one, broken, other] = await Promise.allSettled([
    orders.logIn(login),
    orders.logIn({ username: "a\u0000b", password: "x" }),
    orders.logIn({ ...login, password: "wrong" }),
  ]);
  expect([one, broken, other]).toMatchObject([
    { value: { username: login.username } },
    { status: "rejected" },
    { status: "fulfilled", value: undefined },
  ]);
});

test("guesses that come at once are counted one by one, and the right password still passes", async () => {
  const { login } = await newDesk(db);
  const server = await openSmsServer(db, { table: rates });
  const ask = async (password: string) => {
    const query = new URLSearchParams({ username: login.username, password });
    return (await fetch(`${server.url}/v2/headers?${query}`)).status;
  };
  const guesses = await Promise.all(Array.from({ length: 160 }, () => ask("guess")));
  const right = await ask(login.password);
  await server.close();
  const count = (status: number) => guesses.filter((it) => it === status).length;
  const { burst } = rates.badLogin;
  expect(count(401)).toBeGreaterThanOrEqual(burst);
  expect([count(429) > 0, count(401) + count(429), right]).toEqual([true, 160, 200]);
});
