import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

const { db } = await freshDatabase();
const write = (db: Db, kind: string) => db.query(sql`insert into jobs (kind, payload) values ($1, '{}')`, [kind]);
const written = () => db.query(sql`select kind from jobs`);

test("of several statements the one that failed is told, and not that the others could not follow it", async () => {
  const writing = db.transaction(async (db) => {
    db.query(sql`select 1 / 0`).catch(() => undefined);
    await db.query(sql`select 2`);
  });
  await expect(writing).rejects.toMatchObject({ code: "22012" });
});

test("what nobody waited for undoes everything when it fails", async () => {
  const writing = db.transaction(async (db) => {
    await write(db, "first");
    db.query(sql`select 1 / 0`).catch(() => undefined);
  });
  await expect(writing).rejects.toMatchObject({ code: "22012" });
  expect(await written()).toEqual([]);
});

test("a transaction that has ended takes nothing more, or it would be said in somebody else's", async () => {
  let kept: Db | undefined;
  await db.transaction(async (db) => {
    kept = db;
    await db.query(sql`select 1`);
  });
  expect(() => kept?.query(sql`select 2`)).toThrow("has ended");
});

test("a nested transaction that is undone leaves the rest", async () => {
  await db.transaction(async (db) => {
    await write(db, "outer");
    const nested = db.transaction(async (db) => {
      await write(db, "inner");
      await db.query(sql`select 1 / 0`);
    });
    await nested.catch(() => undefined);
  });
  expect(await written()).toEqual([{ kind: "outer" }]);
});
