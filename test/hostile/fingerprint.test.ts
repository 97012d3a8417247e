// Whether the fingerprint sees all there is: every table is somebody's, and a furnished exchange has rows in each.

import { expect, test } from "vitest";
import { createExchange, deleteExchange } from "../../src/store/exchanges.ts";
import { sql } from "../../src/store/sql.ts";
import { freshDatabase } from "../ground/database.ts";
import { secrets } from "../ground/secrets.ts";
import { belongingsIn, openFingerprints } from "./fingerprint.ts";
import { furnish } from "./furnished.ts";

const { db } = await freshDatabase();

async function exchange(name: string): Promise<number> {
  const made = await createExchange(db, secrets, { name, sipDomain: `${name}.example.com` });
  if ("refused" in made) throw new Error(made.refused);
  return made.id;
}

const place = { exchangeId: await exchange("theirs"), marker: "GEHEIM-B", id: 7_000_001, own: "9966" };
const theirs = await furnish(db, place);

test("every table belongs to exchanges, or is known to belong to nobody", async () => {
  const { unclaimed } = await belongingsIn(db);
  expect(unclaimed).toEqual([]);
});

test("a furnished exchange has a row in every table", async () => {
  const fingerprintOf = await openFingerprints(db);
  const sums = await fingerprintOf(theirs.exchangeId);
  expect(Object.keys(sums).filter((table) => sums[table]?.startsWith("0 rows"))).toEqual([]);
});

test("who goes leaves nothing but work that nobody waits for, and takes nothing of his neighbour along", async () => {
  const fingerprintOf = await openFingerprints(db);
  const ours = await furnish(db, { exchangeId: await exchange("ours"), marker: "EIGEN-A", id: 5_000_001, own: "0055" });
  const before = await fingerprintOf(ours.exchangeId);
  expect(await deleteExchange(db, theirs.exchangeId)).toBe(true);
  const left = Object.entries(await fingerprintOf(theirs.exchangeId)).filter(([, sum]) => !sum.startsWith("0 rows"));
  expect(left.map(([table]) => table)).toEqual(["jobs"]);
  expect(await fingerprintOf(ours.exchangeId)).toEqual(before);
});

test("a single letter that changes shows", async () => {
  const fingerprintOf = await openFingerprints(db);
  const ours = await furnish(db, {
    exchangeId: await exchange("others"),
    marker: "EIGEN-A",
    id: 5_000_101,
    own: "0056",
  });
  const before = await fingerprintOf(ours.exchangeId);
  await db.query(sql`update staff_sessions set browser = browser || 'x' where staff_id = $1`, [ours.id]);
  await db.query(sql`update sms_parts set state = 'x' where carrier_id = $1`, [ours.id]);
  const after = await fingerprintOf(ours.exchangeId);
  expect(Object.keys(after).filter((table) => after[table] !== before[table])).toEqual(["sms_parts", "staff_sessions"]);
});
