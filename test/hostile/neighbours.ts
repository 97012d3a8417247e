// Two exchanges in one house: theirs, furnished once, and ours, furnished anew whenever somebody is about to misuse it.

import { afterAll, expect } from "vitest";
import { realClock } from "../../src/clock.ts";
import { type Database, openDatabase } from "../../src/store/db.ts";
import { createExchange } from "../../src/store/exchanges.ts";
import { sql } from "../../src/store/sql.ts";
import { freshDatabase } from "../ground/database.ts";
import { secrets } from "../ground/secrets.ts";
import { secretsIn } from "./candidates.ts";
import { openFingerprints } from "./fingerprint.ts";
import { furnish } from "./furnished.ts";
import type { Furnished } from "./handles.ts";

export const THEIR_MARKER = "GEHEIM-B";
export const OUR_MARKER = "EIGEN-A";

/**
 * As our own statements see it: the database's walls between exchanges stand for others to test, and would hide here a
 * statement that forgets whose rows it wants.
 */
export async function databaseWithoutWalls(): Promise<Database> {
  const { connection } = await freshDatabase();
  const db = openDatabase(connection, realClock, { connections: 5 });
  afterAll(() => db.close());
  return db;
}

export async function neighboursIn(db: Database) {
  let made = 0;
  async function newExchange(name: string): Promise<number> {
    const exchange = await createExchange(db, secrets, { name, sipDomain: `${name}.example.com` });
    if ("refused" in exchange) throw new Error(exchange.refused);
    return exchange.id;
  }
  // Its number is one that stands nowhere by accident.
  const exchangeId = 7_700_000;
  await db.query(
    sql`insert into exchanges (id, name, sip_domain, crm_secret) values ($1, 'theirs', 'theirs-b.example.com', 'theirs')`,
    [exchangeId],
  );
  const theirs = await furnish(db, { exchangeId, marker: THEIR_MARKER, id: 7_000_001, own: "9966" });
  // The second exchange of a house changes the first: its trunks keep the addresses that they have.
  await newExchange("second");
  const fingerprintOf = await openFingerprints(db);
  const untouched = await fingerprintOf(theirs.exchangeId);

  return {
    theirs,
    fingerprintOf,
    /** Ours, with the same numbers and names where an exchange has its own. */
    async ours(): Promise<Furnished> {
      const number = ++made; // several may be made at once
      const own = String(number).padStart(4, "0");
      const exchangeId = await newExchange(`ours-${own}`);
      return furnish(db, { exchangeId, marker: OUR_MARKER, id: 1_000_001 + number * 10, own });
    },
    /** What an answer must not do: break, or show something of theirs. */
    expectHarmless(asked: string, { status, text }: { status: number; text: string }): void {
      expect.soft(status, `${asked} breaks: ${text}`).not.toBe(500);
      expect.soft(secretsIn(text, theirs, asked), `${asked} shows something of theirs`).toEqual([]);
    },
    /** After whatever was asked: nothing of theirs has changed. */
    async expectUntouched(): Promise<void> {
      expect(await fingerprintOf(theirs.exchangeId), "it changes something of theirs").toEqual(untouched);
    },
  };
}
