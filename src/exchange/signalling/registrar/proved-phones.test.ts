// Which phones may answer by MD5 where another of their extension has answered SHA-256, over restarts and upgrades.

import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { emptyDatabase } from "../../../../test/ground/empty-database.ts";
import { temporaryFolder } from "../../../../test/ground/santral-process.ts";
import { secrets } from "../../../../test/ground/secrets.ts";
import { realClock } from "../../../clock.ts";
import { silentLog } from "../../../log.ts";
import { migrationsFolder } from "../../../places.ts";
import { bringUpToDate } from "../../../server/database-server.ts";
import { type Db, openDatabase } from "../../../store/db.ts";
import { createExchange } from "../../../store/exchanges.ts";
import { createExtension } from "../../../store/extensions.ts";
import { readMd5Phones } from "../../../store/md5-phones.ts";
import { migrate } from "../../../store/migrate.ts";
import { savePhoneDigest } from "../../../store/phone-digests.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { sql } from "../../../store/sql.ts";
import type { AskedPhone } from "./asked-phone.ts";
import { openProvedPhones } from "./proved-phones.ts";

const { db } = await freshDatabase();
const exchange = await createExchange(db, secrets, { name: "A", sipDomain: "a.example" });
if (isRefusal(exchange)) throw new Error("a new exchange is refused");
const made = await createExtension(db, { exchangeId: exchange.id, number: "1000", password: "pw" });
if (isRefusal(made)) throw new Error("a new extension is refused");

const old: AskedPhone = {
  exchangeId: exchange.id,
  user: "1000",
  userAgent: "Old/1.0",
  sourceAddress: "192.0.2.10",
  extensionId: made.id,
};
const mobile: AskedPhone = { ...old, userAgent: "Mobile/1.0", instance: "<urn:uuid:m>" };
const desk: AskedPhone = { ...old, userAgent: "Desk/1.0" };

beforeEach(async () => {
  await db.query(sql`delete from md5_phones`);
  await db.query(sql`delete from phone_digests`);
});

test("who got in by MD5 before is known after a restart, by his address and name or by the phone's own", async () => {
  const before = await openProvedPhones(db, silentLog);
  for (const phone of [old, mobile]) before.gotIn(phone, "MD5");
  before.gotIn({ ...old, sourceAddress: "2001:db8::1" }, "MD5");
  await before.close();
  await savePhoneDigest(db, exchange.id, { number: "1000", userAgent: "Desk/1.0", order: 0, strong: true });

  const phones = await openProvedPhones(db, silentLog);
  const elsewhere = { sourceAddress: "198.51.100.7" };
  const taken = [
    old,
    mobile,
    { ...mobile, ...elsewhere, userAgent: "Mobile/2.0" },
    { ...old, sourceAddress: "2001:db8::2" },
  ];
  for (const phone of taken) expect(phones.mayUseMd5(phone), JSON.stringify(phone)).toBe(true);
  const others = [
    desk,
    { ...old, ...elsewhere },
    { ...old, userAgent: undefined },
    { ...old, userAgent: "instance <urn:uuid:m>" },
  ];
  for (const phone of others) expect(phones.mayUseMd5(phone), JSON.stringify(phone)).toBe(false);
  expect(phones.mayUseMd5({ ...desk, extensionId: made.id + 1 }), "another extension").toBe(true);
});

test("a phone that answers SHA-256 with newer firmware has answered MD5 for the last time, whatever it calls itself", async () => {
  const phones = await openProvedPhones(db, silentLog);
  for (const phone of [old, mobile, { ...old, userAgent: undefined }]) phones.gotIn(phone, "MD5");
  phones.gotIn({ ...mobile, userAgent: "Mobile/2.0" }, "SHA-256");
  phones.gotIn({ ...old, userAgent: undefined }, "SHA-256");
  expect(phones.mayUseMd5({ ...mobile, userAgent: "Mobile/3.0" })).toBe(false);
  expect(phones.mayUseMd5({ ...old, userAgent: undefined })).toBe(false);
  expect(phones.mayUseMd5(old), "the one beside it goes on").toBe(true);
});

test("nobody becomes known by a call for help, nor by what a web phone is given", async () => {
  const phones = await openProvedPhones(db, silentLog);
  phones.gotIn(desk, "SHA-256");
  phones.gotIn({ ...old, isForHelp: true }, "MD5");
  phones.gotIn({ ...old, isWeb: true }, "MD5");
  expect(phones.mayUseMd5(old)).toBe(false);
  await phones.close();
  expect(await readMd5Phones(db)).toEqual([]);
});

test("a phone that moves all day pushes out its own old places, and not the phone that stays", async () => {
  const phones = await openProvedPhones(db, silentLog);
  phones.gotIn(desk, "SHA-256");
  for (let day = 0; day < 200; day++) {
    phones.gotIn(old, "MD5");
    phones.gotIn({ ...mobile, sourceAddress: `198.51.100.${day}` }, "MD5");
  }
  await phones.close();
  expect(await readMd5Phones(db)).toHaveLength(64);
  await savePhoneDigest(db, exchange.id, { number: "1000", userAgent: "Desk/1.0", order: 0, strong: true });
  const later = await openProvedPhones(db, silentLog);
  for (const phone of [old, mobile]) expect(later.mayUseMd5(phone)).toBe(true);
});

/** All that there were before it was remembered from where a phone gets in by MD5. */
function earlierMigrations(): string {
  const folder = temporaryFolder();
  for (const name of readdirSync(migrationsFolder))
    if (name < "0598") copyFileSync(join(migrationsFolder, name), join(folder, name));
  return folder;
}

test("an upgrade shuts nobody out who is registered by MD5, nor whoever has said who he is and comes back", async () => {
  const url = await emptyDatabase();
  const db = openDatabase(url, realClock, { connections: 2 });
  await migrate(db, earlierMigrations());
  const extensionId = await extensionWithPhones(db);
  await bringUpToDate({ owner: url, server: url, tenants: undefined }, realClock, silentLog);
  const phones = await openProvedPhones(db, silentLog);
  const phone = { ...old, extensionId };
  expect(phones.mayUseMd5({ ...phone, userAgent: "" }), "registered, and says nothing").toBe(true);
  expect(phones.mayUseMd5({ ...phone, sourceAddress: "203.0.113.9", instance: "<urn:uuid:m>" }), "moved").toBe(true);
  expect(phones.mayUseMd5({ ...phone, sourceAddress: "203.0.113.9", userAgent: "Off/1.0" }), "switched off").toBe(true);
  expect(phones.mayUseMd5({ ...phone, userAgent: "Desk/1.0" }), "has used SHA-256").toBe(false);
  expect(phones.mayUseMd5({ ...phone, sourceAddress: "203.0.113.9", userAgent: "" })).toBe(false);
  await db.close();
});

async function extensionWithPhones(db: Db): Promise<number> {
  const [made] = await db.query<{ exchangeId: number; id: number }>(
    sql`with made as (insert into exchanges (name, sip_domain, crm_secret) values ('a', 'a.example', 'x') returning id)
     insert into extensions (exchange_id, number, ha1_md5, ha1_sha256) select id, '1000', 'x', 'y' from made
     returning exchange_id as "exchangeId", id`,
  );
  const { exchangeId, id } = made!; // just made
  for (const [userAgent, strong] of [
    ["Desk/1.0", true],
    ["Off/1.0", false],
  ] as const)
    await db.query(
      sql`insert into phone_digests (exchange_id, extension_id, user_agent, challenge_order, strong) values ($1, $2, $3, 0, $4)`,
      [exchangeId, id, userAgent, strong],
    );
  for (const [key, address, client, userAgent] of [
    ["sip:1000@192.0.2.10", "192.0.2.10", null, ""],
    ["sip:d@192.0.2.10", "192.0.2.10", null, "Desk/1.0"],
    ["<urn:uuid:m>;1", "192.0.2.1", "198.51.100.7", "Mobile/1.0"],
  ])
    await db.query(
      sql`insert into registrations (exchange_id, extension_id, key, contact, path, call_id, cseq, preference, transport,
         source_address, source_port, listener, client_address, client_port, user_agent, registered_at, expires_at)
       values ($1, $2, $3, $3, '[]', 'c', 1, 1, 'udp', $4, 5060, 'udp', $5, 5060, $6, now(), now() + interval '1 hour')`,
      [exchangeId, id, key, address, client, userAgent],
    );
  return id;
}
