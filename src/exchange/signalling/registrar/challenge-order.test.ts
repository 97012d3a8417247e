// Phones that understand only some challenges, and what is remembered of them.

import { beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { secrets } from "../../../../test/ground/secrets.ts";
import { silentLog } from "../../../log.ts";
import { createExchange } from "../../../store/exchanges.ts";
import { createExtension } from "../../../store/extensions.ts";
import { readPhoneDigests } from "../../../store/phone-digests.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { sql } from "../../../store/sql.ts";
import type { AskedPhone } from "./asked-phone.ts";
import { openChallengeOrders } from "./challenge-order.ts";

const { db } = await freshDatabase();
const exchange = await createExchange(db, secrets, { name: "A", sipDomain: "a.example" });
if (isRefusal(exchange)) throw new Error("a new exchange is refused");
const made = await createExtension(db, { exchangeId: exchange.id, number: "1000", password: "pw" });
if (isRefusal(made)) throw new Error("a new extension is refused");

const desk: AskedPhone = {
  exchangeId: exchange.id,
  user: "1000",
  userAgent: "Desk/1.0",
  sourceAddress: "192.0.2.10",
  extensionId: made.id,
};
const BOTH = ["SHA-256", "MD5"];
const MD5_FIRST = ["MD5", "SHA-256"];
const MD5_ALONE = ["MD5"];

beforeEach(async () => {
  await db.query(sql`delete from phone_digests`);
  await db.query(sql`delete from md5_phones`);
});

test("who does not answer is asked otherwise at its next attempt, and in the end again as at first", async () => {
  const orders = await openChallengeOrders(db, silentLog);
  const asked = ["1", "2", "3", "4"].map((attempt) => orders.orderFor(desk, attempt, false));
  expect(asked).toEqual([BOTH, MD5_FIRST, MD5_ALONE, BOTH]);
});

test("a wrong password is an answer all the same", async () => {
  const orders = await openChallengeOrders(db, silentLog);
  orders.orderFor(desk, "1", false);
  for (const attempt of ["2", "3", "4"]) {
    expect(orders.orderFor(desk, attempt, false)).toEqual(MD5_FIRST);
    orders.answered(desk);
  }
});

test("a request that is repeated, and one that begins no registration, are answered as before", async () => {
  const orders = await openChallengeOrders(db, silentLog);
  expect([1, 1, 1].map(() => orders.orderFor(desk, "1", false))).toEqual([BOTH, BOTH, BOTH]);
  expect(orders.orderFor(desk, undefined, false)).toEqual(BOTH);
  expect(orders.orderFor({ ...desk, sourceAddress: "192.0.2.66" }, "2", false)).toEqual(BOTH);
  expect(orders.orderFor(desk, "2", false)).toEqual(MD5_FIRST);
});

test("what a phone got in with is how it is asked from then on, after a restart too", async () => {
  const orders = await openChallengeOrders(db, silentLog);
  orders.orderFor(desk, "1", false);
  orders.orderFor(desk, "2", false);
  orders.gotIn(desk, "MD5", "1000");
  expect(orders.orderFor(desk, "3", false)).toEqual(MD5_FIRST);
  await orders.close();
  const later = await openChallengeOrders(db, silentLog);
  expect(later.orderFor(desk, "1", false)).toEqual(MD5_FIRST);
  expect(later.orderFor({ ...desk, userAgent: "Desk/2.0" }, "1", false)).toEqual(BOTH);
  later.orderFor(desk, "2", false);
  later.gotIn(desk, "SHA-256", "1000");
  expect(later.orderFor(desk, "3", false)).toEqual(BOTH);
});

test("a phone that has used SHA-256 is never asked for MD5 first, unless the exchange allows it", async () => {
  const orders = await openChallengeOrders(db, silentLog);
  orders.gotIn(desk, "SHA-256", "1000");
  orders.misunderstood(desk);
  const asked = (mayWeaken: boolean) => ["1", "2", "3"].map((attempt) => orders.orderFor(desk, attempt, mayWeaken));
  expect(asked(false)).toEqual([BOTH, BOTH, BOTH]);
  expect(asked(true)).toEqual([BOTH, MD5_FIRST, MD5_ALONE]);
});

test("a phone that calls itself something new every time does not fill the table, and web logins leave nothing", async () => {
  const orders = await openChallengeOrders(db, silentLog);
  for (let at = 0; at < 20; at++) orders.gotIn({ ...desk, userAgent: `Desk/${at}` }, "SHA-256", "1000");
  orders.gotIn({ ...desk, user: "w-1" }, "SHA-256", "1000");
  await orders.close();
  const kept = await readPhoneDigests(db);
  expect(kept).toHaveLength(16);
  expect(kept.at(-1)).toMatchObject({ number: "1000", userAgent: "Desk/19", strong: true, order: 0 });
});

test("an answer by MD5 is none of a phone that has used SHA-256, unless its exchange allows it", async () => {
  const orders = await openChallengeOrders(db, silentLog);
  expect(orders.wantsStrong(desk, false)).toBe(false);
  orders.gotIn(desk, "SHA-256", "1000");
  expect(orders.wantsStrong(desk, false)).toBe(true);
  expect(orders.wantsStrong(desk, true)).toBe(false);
  // What it calls itself is what somebody in between wrote: one that nobody knows has to answer SHA-256 as well.
  for (const userAgent of ["Old/1.0", "baresip v1.0.0", "SIPp", "", undefined])
    expect(orders.wantsStrong({ ...desk, userAgent }, false), userAgent).toBe(true);
  expect(orders.wantsStrong({ ...desk, isForHelp: true, userAgent: "Old/1.0" }, false)).toBe(false);
  expect(orders.wantsStrong({ ...desk, isWeb: true, userAgent: "Santral web phone" }, false)).toBe(false);
});

test("where SHA-256 is required every phone but web phones is asked for it alone, old ones too", async () => {
  const orders = await openChallengeOrders(db, silentLog, { sipDigests: "sha-256" });
  for (const userAgent of ["Desk/1.0", "baresip v1.0.0", undefined])
    for (const attempt of ["1", "2", "3"]) {
      expect(orders.orderFor({ ...desk, userAgent }, attempt, true)).toEqual(["SHA-256"]);
      expect(orders.wantsStrong({ ...desk, userAgent }, true)).toBe(true);
    }
  expect(orders.wantsStrong({ ...desk, isWeb: true }, true), "a browser knows no other").toBe(false);
});

test("an exchange that takes SHA-256 alone has its own phones asked for nothing else, whatever may be weakened", async () => {
  const orders = await openChallengeOrders(db, silentLog);
  for (const userAgent of ["Desk/1.0", "baresip v1.0.0", undefined]) {
    const strict = { ...desk, userAgent, strongOnly: true };
    expect(orders.orderFor(strict, "1", true)).toEqual(["SHA-256"]);
    expect(orders.wantsStrong(strict, true)).toBe(true);
    expect(orders.wantsStrong({ ...desk, userAgent }, true)).toBe(false);
  }
});

test("by which digest a phone got in last is known, of old ones by their names, and of nobody who has not come", async () => {
  const orders = await openChallengeOrders(db, silentLog);
  expect(orders.lastOf(desk)).toBe(undefined);
  orders.gotIn(desk, "MD5", "1000");
  expect(orders.lastOf(desk)).toBe("MD5");
  orders.gotIn(desk, "SHA-256", "1000");
  expect(orders.lastOf(desk)).toBe("SHA-256");
  expect(orders.lastOf({ ...desk, userAgent: "baresip v1.0.0" })).toBe("MD5");
  await orders.close();
  const later = await openChallengeOrders(db, silentLog);
  expect(later.lastOf(desk)).toBe("SHA-256");
});
