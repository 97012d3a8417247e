import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { createApiKey, exchangeOfKey, listApiKeys, revokeApiKey, revokeOtherApiKeys } from "./api-keys.ts";
import { listAuditLines, writeAuditLine } from "./audit.ts";
import type { Db } from "./db.ts";
import { createExchange, deleteExchange, listExchanges } from "./exchanges.ts";
import {
  createExtension,
  deleteExtension,
  listExtensions,
  setExtensionPassword,
  updateExtension,
} from "./extensions.ts";
import { createExternalNumber, deleteExternalNumber } from "./external-numbers.ts";
import { createMenu, deleteMenu } from "./menus.ts";
import { shadowedRules } from "./outbound-rules.ts";
import { createQueue, deleteQueue, listQueueMembers, setQueueMembers } from "./queues.ts";
import { isRefusal } from "./refusal.ts";
import { createRingGroup, listRingGroupMembers } from "./ring-groups.ts";
import { sql } from "./sql.ts";
import { createStaffAccount } from "./staff.ts";
import { hashPassword, isPasswordOf } from "./staff-password.ts";

async function twoExchanges() {
  const { db } = await freshDatabase();
  const [a, b] = await Promise.all(["a", "b"].map((name) => exchangeNamed(db, name)));
  return { db, a: a!, b: b! };
}

async function exchangeNamed(db: Db, name: string): Promise<number> {
  const made = await createExchange(db, secrets, { name, sipDomain: `${name}.example` });
  if (isRefusal(made)) throw new Error(JSON.stringify(made));
  return made.id;
}

test("a key opens its exchange until it is revoked, and the database never has the key", async () => {
  const { db, a, b } = await twoExchanges();
  const first = await createApiKey(db, a, { label: "crm" });
  const second = await createApiKey(db, a);
  expect(first.key).toMatch(/^K[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(await exchangeOfKey(db, first.key)).toBe(a);
  for (const wrong of ["", "K", first.key.toUpperCase(), `${first.key} `, first.key.slice(1), "K' or true --"])
    expect(await exchangeOfKey(db, wrong)).toBeUndefined();
  const stored = JSON.stringify(await db.query(sql`select *, encode(key_hash, 'escape') as text from api_keys`));
  expect(stored).not.toContain(first.key.slice(5, 30));

  expect(await revokeApiKey(db, b, first.id)).toBe(false); // another exchange's key is not ours to revoke
  expect(await exchangeOfKey(db, first.key)).toBe(a);
  expect(await revokeApiKey(db, a, first.id)).toBe(true);
  expect(await exchangeOfKey(db, first.key)).toBeUndefined();
  expect(await revokeApiKey(db, a, first.id)).toBe(false);
  const third = await createApiKey(db, a);
  expect(await revokeOtherApiKeys(db, a, third.id)).toBe(1);
  expect(await exchangeOfKey(db, second.key)).toBeUndefined();
  expect((await listApiKeys(db, a)).filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)).toEqual([
    third.id,
  ]);
  await deleteExchange(db, a);
  expect(await exchangeOfKey(db, third.key)).toBeUndefined();
  expect((await listExchanges(db)).map(({ id }) => id)).toEqual([b]);
});

test("a SIP password is kept only as the digests of number, domain and password", async () => {
  const { db, a } = await twoExchanges();
  await createExtension(db, { exchangeId: a, number: "1000", password: "correct horse" });
  const digest = (kind: string, password: string) =>
    createHash(kind).update(`1000:a.example:${password}`).digest("hex");
  const read = () => db.query(sql`select ha1_md5, ha1_sha256 from extensions where number = '1000'`);
  expect(await read()).toEqual([
    { ha1_md5: digest("md5", "correct horse"), ha1_sha256: digest("sha256", "correct horse") },
  ]);
  expect(await setExtensionPassword(db, { exchangeId: a, number: "1000", password: "another" })).toBe(true);
  expect(await read()).toEqual([{ ha1_md5: digest("md5", "another"), ha1_sha256: digest("sha256", "another") }]);
  expect(JSON.stringify(await listExtensions(db, a))).not.toMatch(/ha1|another/);
});

test("one number has one meaning, even when two ask for it at once", async () => {
  const { db, a, b } = await twoExchanges();
  const both = await Promise.all([
    createQueue(db, { exchangeId: a, number: "500", name: "one" }),
    createRingGroup(db, { exchangeId: a, number: "500", name: "two" }),
    createMenu(db, { exchangeId: a, number: "500", name: "three" }),
    createExtension(db, { exchangeId: a, number: "500", password: "secret" }),
  ]);
  expect(both.filter((it) => isRefusal(it))).toHaveLength(3);
  expect(both.filter((it) => isRefusal(it) && it.refused === "number-taken")).toHaveLength(3);
  expect(isRefusal(await createQueue(db, { exchangeId: b, number: "500", name: "elsewhere" }))).toBe(false);
  expect(await createExtension(db, { exchangeId: a, number: "1", password: "secret" })).toMatchObject({
    refused: "bad-number",
  });
  expect(await createExtension(db, { exchangeId: 999_999, number: "1000", password: "secret" })).toMatchObject({
    refused: "not-found",
  });
});

test("members of a queue and a group are extensions of the same exchange, all or none", async () => {
  const { db, a, b } = await twoExchanges();
  for (const number of ["1000", "1001"]) await createExtension(db, { exchangeId: a, number, password: "secret" });
  await createExtension(db, { exchangeId: b, number: "2000", password: "secret" });
  await createQueue(db, { exchangeId: a, number: "200", name: "q", members: ["1001", "1000"] });
  const members = async () => (await listQueueMembers(db, a, "200")).map(({ extension }) => extension);
  expect(await members()).toEqual(["1001", "1000"]);
  const set = (exchangeId: number, list: string[]) => setQueueMembers(db, { exchangeId, number: "200", members: list });
  expect(await set(a, ["1000", "2000"])).toEqual({ refused: "not-found", what: "extension", which: "2000" });
  expect(await set(a, ["1000", "1000"])).toEqual({ refused: "twice-in-list", number: "1000" });
  expect(await set(b, ["2000"])).toMatchObject({ refused: "not-found", what: "queue" });
  expect(await members()).toEqual(["1001", "1000"]);
  expect(await set(a, [])).toBeUndefined();
  expect(await members()).toEqual([]);
  const group = [{ extension: "1000" }, { external: "905321234567" }, { extension: "1001" }];
  await createRingGroup(db, { exchangeId: a, number: "700", name: "g", members: group });
  expect(await listRingGroupMembers(db, a, "700")).toEqual(group);
  expect(await listRingGroupMembers(db, b, "700")).toEqual([]);
});

test("what calls are sent to is not deleted under them, nor by another exchange", async () => {
  const { db, a, b } = await twoExchanges();
  await createExtension(db, { exchangeId: a, number: "1000", password: "secret" });
  await createQueue(db, { exchangeId: a, number: "200", name: "q" });
  await createMenu(db, {
    exchangeId: a,
    number: "10",
    name: "m",
    changes: { key_targets: { 1: "queue/200", 2: "user/1000" } },
  });
  await createExternalNumber(db, { exchangeId: a, number: "908505320000", target: "ivr/10" });
  expect(
    await createExternalNumber(db, { exchangeId: b, number: "908505320000", target: "hangup/busy" }),
  ).toMatchObject({
    refused: "number-taken",
  });
  expect(await deleteQueue(db, a, "200")).toMatchObject({ refused: "in-use", by: { noun: "menu", which: "10" } });
  expect(await deleteExtension(db, a, "1000")).toMatchObject({ refused: "in-use", by: { noun: "menu", which: "10" } });
  expect(await deleteMenu(db, a, "10")).toMatchObject({
    refused: "in-use",
    by: { noun: "number", which: "908505320000" },
  });
  expect(await deleteMenu(db, b, "10")).toMatchObject({ refused: "not-found" });
  expect(await updateExtension(db, { exchangeId: b, number: "1000", changes: { name: "stolen" } })).toBe(false);
  await updateExtension(db, { exchangeId: a, number: "1000", changes: { outbound_caller_id: "908505320000" } });
  expect(await deleteExternalNumber(db, a, "908505320000")).toMatchObject({
    refused: "in-use",
    by: { noun: "extension", which: "1000" },
  });
  await updateExtension(db, { exchangeId: a, number: "1000", changes: { outbound_caller_id: null } });
  for (const gone of [
    await deleteExternalNumber(db, a, "908505320000"),
    await deleteMenu(db, a, "10"),
    await deleteQueue(db, a, "200"),
  ])
    expect(gone).toBeUndefined();
});

test("a staff password is checked without being kept, and an address belongs to one account", async () => {
  const { db, a, b } = await twoExchanges();
  const hash = await hashPassword("açık kapı");
  expect(hash).not.toContain("kap");
  expect(await isPasswordOf(hash, "açık kapı".normalize("NFD"))).toBe(true); // however the keyboard composed it
  expect(await isPasswordOf(hash, "acik kapi")).toBe(false);
  expect(await isPasswordOf("nonsense", "x")).toBe(false);
  const password = await hashPassword("secret");
  const account = { name: "Deniz", email: "Deniz@Example.com", role: "standard", password } as const;
  expect(await createStaffAccount(db, { exchangeId: a, ...account })).toMatchObject({ email: "deniz@example.com" });
  expect(await createStaffAccount(db, { exchangeId: b, ...account })).toMatchObject({ refused: "name-taken" });
  const another = { ...account, email: "x@example.com", extension: "1000" };
  expect(await createStaffAccount(db, { exchangeId: b, ...another })).toMatchObject({ refused: "not-found" });
});

test("a rule behind a shorter prefix is known to get no call", () => {
  const rule = (name: string, prefix: string, priority: number) => ({
    id: 1,
    name,
    prefix,
    priority,
    trunk: null,
    callerId: null,
  });
  const rules = [rule("country", "90", 1), rule("mobiles", "905", 2), rule("abroad", "00", 3)];
  expect(shadowedRules(rules)).toEqual([{ rule: "mobiles", by: "country" }]);
});

test("what was done is written down, newest first, each exchange for itself", async () => {
  const { db, a, b } = await twoExchanges();
  await writeAuditLine(db, { exchangeId: a, doer: "staff", who: "x", did: "queues.create", details: {} });
  await writeAuditLine(db, {
    exchangeId: a,
    doer: "staff",
    who: "x",
    did: "queues.delete",
    details: { number: "1000" },
  });
  expect((await listAuditLines(db, a)).map(({ did }) => did)).toEqual(["queues.delete", "queues.create"]);
  expect(await listAuditLines(db, b)).toEqual([]);
});
