// Installations of earlier versions: archives that they made, kept for ever, are put back and brought up to date.
//
// SANTRAL_KEEP_ARCHIVE=yes makes one of today's schema, with a row in every table, and notes the migrations it has.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { backUp } from "../../src/backup/backup.ts";
import { restore } from "../../src/backup/restore.ts";
import { tablesOf } from "../../src/backup/rows.ts";
import { realClock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { migrationsFolder, programVersion } from "../../src/places.ts";
import { bringUpToDate } from "../../src/server/database-server.ts";
import type { Db } from "../../src/store/db.ts";
import { quoted, sql } from "../../src/store/sql.ts";
import { freshDatabase } from "../ground/database.ts";
import { temporaryFolder } from "../ground/santral-process.ts";
import { furnish } from "../hostile/furnished.ts";
import { handlesOf } from "../hostile/handles.ts";
import { type Call, result } from "../hostile/store-call.ts";
import { messageCalls } from "../hostile/store-calls-messages.ts";
import { setupCalls } from "../hostile/store-calls-setup.ts";
import { trafficCalls } from "../hostile/store-calls-traffic.ts";

const ARCHIVES = "test/upgrade/archives";
const SHIPPED = join(ARCHIVES, "migrations.json");

/** Whoever lives in every archive. */
const place = { exchangeId: 7_700_000, marker: "GEHEIM-B", id: 7_000_001, own: "9966" };

const migrationFiles = () => readdirSync(migrationsFolder).sort();
const archives = () => readdirSync(ARCHIVES).filter((name) => name.endsWith(".tar.gz"));
const sumOf = (name: string) =>
  createHash("sha256")
    .update(readFileSync(join(migrationsFolder, name)))
    .digest("hex");

test.skipIf(process.env.SANTRAL_KEEP_ARCHIVE === undefined)("an archive of today's schema is kept", async () => {
  const { db } = await freshDatabase();
  const objectsFolder = temporaryFolder();
  await db.query(
    sql`insert into exchanges (id, name, sip_domain, crm_secret) values ($1, 'lived in', 'lived-in.example.com', 'x')`,
    [place.exchangeId],
  );
  await furnish(db, place);
  const file = join(ARCHIVES, `${migrationFiles().at(-1)!.replace(".sql", "")}.tar.gz`);
  await backUp({ db, objectsFolder, file, version: programVersion(), clock: realClock, keyFile: undefined });
  const sums = Object.fromEntries(migrationFiles().map((name) => [name, sumOf(name)]));
  writeFileSync(SHIPPED, `${JSON.stringify(sums, null, 2)}\n`);
});

test("a migration that was shipped never changes", () => {
  const shipped = JSON.parse(readFileSync(SHIPPED, "utf8")) as Record<string, string>;
  for (const [name, sum] of Object.entries(shipped)) expect(sumOf(name), name).toBe(sum);
});

test.each(archives())(
  "%s is brought up to date with every row, and everything asked of it is answered",
  async (name) => {
    const { db, owner, urls } = await freshDatabase();
    const folder = temporaryFolder();
    const needs = { db: owner, objectsFolder: join(folder, "objects"), keyFile: join(folder, "secret.keys") };
    const file = join(ARCHIVES, name);
    const restored = await restore({ ...needs, file, migrationsFolder, withoutKeys: true });
    expect(restored).toMatchObject({ rows: expect.any(Number) });
    const before = await rowsByTable(owner);
    expect(before).toMatchObject({ exchanges: 1, cdrs: expect.any(Number), live_calls: expect.any(Number) });

    const last = name.replace(".tar.gz", ".sql");
    expect(await bringUpToDate(urls, realClock, silentLog)).toEqual(migrationFiles().filter((it) => it > last));
    const after = await rowsByTable(owner);
    for (const [table, rows] of Object.entries(before)) expect(after[table], table).toBe(rows);

    // What months had cost is told of one leg a month, though nobody knows whose it was.
    expect(
      await owner.query(sql`select to_char(month, 'YYYY-MM') as month, leg, kind, amount::int from paid_legs`),
    ).toEqual([{ month: "2031-01", leg: "", kind: "unnoted", amount: 12 }]);

    const them = { ...place, ...handlesOf(place) };
    const both = { us: them, them };
    for (const asked of [...setupCalls(both), ...trafficCalls(both), ...messageCalls(both)])
      expect.soft(await askedInVain(db, asked), asked.asked.name).toBe("answered");
  },
);

/** Whatever it changes is taken back, so that each is asked of the same. */
async function askedInVain(db: Db, asked: Call): Promise<unknown> {
  let answer: unknown;
  const takenBack = new Error("taken back");
  await db
    .transaction(async (db) => {
      answer = await result(db, asked).then(
        () => "answered",
        // What is there already (class 23) is an answer too.
        (error: unknown) => (/^23/.test((error as { code?: string }).code ?? "") ? "answered" : error),
      );
      throw takenBack;
    })
    .catch((error: unknown) => {
      if (error !== takenBack) throw error;
    });
  return answer;
}

/** Of all that holds what people have; what migrations note is theirs. */
async function rowsByTable(db: Db): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tablesOf(db))
    if (table !== "migrations") {
      const [row] = await db.query<{ count: number }>(sql`select count(*) from ${quoted(table)}`);
      counts[table] = row!.count; // an aggregate has one row
    }
  return counts;
}
