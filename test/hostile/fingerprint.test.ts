// Whether the fingerprint sees all there is: every table is somebody's, and a furnished exchange has rows in each.

import { expect, test } from "vitest";
import { createExchange } from "../../src/store/exchanges.ts";
import { quoted, sql } from "../../src/store/sql.ts";
import { freshDatabase } from "../database.ts";
import { belongingsIn, openFingerprints } from "./fingerprint.ts";
import { furnish } from "./furnished.ts";

const { db } = await freshDatabase();

async function exchange(name: string): Promise<number> {
  const made = await createExchange(db, { name, sipDomain: `${name}.example.com` });
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

test("a change in any table shows, and in the fingerprint of its own exchange alone", async () => {
  const fingerprintOf = await openFingerprints(db);
  const ours = await furnish(db, { exchangeId: await exchange("ours"), marker: "EIGEN-A", id: 5_000_001, own: "0055" });
  const { belongings } = await belongingsIn(db);
  const before = { theirs: await fingerprintOf(theirs.exchangeId), ours: await fingerprintOf(ours.exchangeId) };
  for (const [table, condition] of belongings)
    await db
      .transaction(async (inner) => {
        // A foreign key or a cascade may forbid or spread the deletion; only what it does to the other exchange counts.
        await inner.query(sql`set local session_replication_role = replica`);
        await inner.query(sql`delete from ${quoted(table)} t where ${condition}`, [theirs.exchangeId]);
        const inside = await openFingerprints(inner);
        expect((await inside(theirs.exchangeId))[table]).not.toBe(before.theirs[table]);
        expect(await inside(ours.exchangeId)).toEqual(before.ours);
        throw new Error("undone");
      })
      .catch((error: Error) => expect(error.message).toBe("undone"));
});
