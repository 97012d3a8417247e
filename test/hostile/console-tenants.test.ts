// Every operation of the console, asked by an administrator of one exchange with all he might know of another one.

import { expect, test } from "vitest";
import { consoleApi } from "../../src/http/console/api.ts";
import { sql } from "../../src/store/sql.ts";
import { hashPassword } from "../../src/store/staff-password.ts";
import { consoleTown, PASSWORD, type Visitor } from "../console-town.ts";
import { candidatesFrom } from "./candidates.ts";
import { everyWayOfAsking, type Parameters, parametersFor, withExtraKeys } from "./from-schema.ts";
import type { Furnished } from "./handles.ts";
import { neighboursIn, notingExchange, OUR_MARKER } from "./neighbours.ts";

const { running, faxes, askedFor } = notingExchange();
const town = await consoleTown({ console: { from: [], pages: undefined, running }, faxes });
const { db } = town;
const { theirs, ours, fingerprintOf, expectUnharmed } = await neighboursIn(db);
const hash = await hashPassword(PASSWORD);
const operations = Object.entries(consoleApi);
const secrets = { "*assword": [PASSWORD], newPassword: ["another long password"], secret: ["A".repeat(32)] };
const candidates = { ...candidatesFrom(theirs), ...secrets };

/** An administrator of an exchange of its own, with a session. */
async function administrator(): Promise<{ us: Furnished; visitor: Visitor }> {
  const us = await ours();
  await db.query(sql`update staff set password_hash = $2, totp_secret = null where exchange_id = $1`, [
    us.exchangeId,
    hash,
  ]);
  return { us, visitor: town.visitor(`santral_session=${us.sessionToken}`) };
}

async function call(visitor: Visitor, name: string, parameters: Parameters) {
  const response = await visitor.post(`/console/api/${name}`, parameters);
  return { status: response.status, text: await response.text() };
}

test.each(operations)("%s reaches nothing of another exchange", async (name, { parameters: schema }) => {
  const { us, visitor } = await administrator();
  askedFor.length = 0;
  for (const parameters of everyWayOfAsking(schema, candidates)) {
    const reply = await call(visitor, name, parameters);
    await expectUnharmed(`${name} ${JSON.stringify(parameters)}`, reply);
    expect(reply.text).not.toMatch(/"refused":"(not-your-role|password-must-change)"/);
  }
  expect(askedFor.filter((exchangeId) => exchangeId !== us.exchangeId)).toEqual([]);
});

test("asked for what is theirs own, the same words do find and change it", async () => {
  const { us, visitor } = await administrator();
  const before = await fingerprintOf(us.exchangeId);
  const own = { ...candidatesFrom(us), ...secrets };
  let shown = 0;
  for (const [name, { parameters, role }] of operations) {
    if (role !== "read-only" || name.startsWith("session.") || name.startsWith("totp.")) continue;
    const { text } = await call(visitor, name, parametersFor(parameters, { candidates: own, optional: false }));
    if (text.includes(OUR_MARKER)) shown++;
  }
  expect(shown).toBeGreaterThan(20);
  const changes = { name: "renamed" };
  expect(await call(visitor, "staff.update", { id: us.id, changes })).toMatchObject({ status: 200 });
  expect((await fingerprintOf(us.exchangeId)).staff).not.toBe(before.staff);
});

/** Keys that no operation has: other owners, other rights, what lies behind objects, and SQL. */
const extra: [key: string, value: unknown][] = [
  ["exchangeId", theirs.exchangeId],
  ["exchange_id", theirs.exchangeId],
  ["id", theirs.id],
  ["staffId", theirs.id],
  ["role", "administrator"],
  ["password_hash", hash],
  ["ha1_md5", "0".repeat(32)],
  ["__proto__", { exchangeId: theirs.exchangeId }],
  ["constructor", { prototype: { exchangeId: theirs.exchangeId } }],
  ["toString", "x"],
  ["name = (select string_agg(encode(key_hash, 'hex'), ',') from api_keys), name", "x"],
  ["name\" = 'x', \"name", "x"],
];

test.each(operations)("%s takes no key that its schema does not name", async (name, { parameters: schema }) => {
  const { us, visitor } = await administrator();
  const before = { ours: await fingerprintOf(us.exchangeId), theirs: await fingerprintOf(theirs.exchangeId) };
  const valid = parametersFor(schema, { candidates: { ...candidatesFrom(us), ...secrets } });
  const taken: string[] = [];
  for (const { where, key, parameters } of withExtraKeys(schema, valid, extra)) {
    const { status, text } = await call(visitor, name, parameters);
    if (status !== 400 || !text.includes('"refused":"invalid"')) taken.push(`${where}/${key}: ${status} ${text}`);
  }
  expect.soft(taken.map((it) => it.slice(0, 150))).toEqual([]);
  expect.soft(await fingerprintOf(us.exchangeId)).toEqual(before.ours);
  expect(await fingerprintOf(theirs.exchangeId)).toEqual(before.theirs);
});
