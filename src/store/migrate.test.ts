import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { migrate } from "./migrate.ts";
import { sql } from "./sql.ts";

test("a migrated database needs nothing more", async () => {
  const { owner: db } = await freshDatabase();
  expect(await migrate(db, "src/store/migrations")).toEqual({ applied: [] });
});

test("a schema from a newer version is refused and left alone", async () => {
  const { owner: db } = await freshDatabase();
  await db.query(sql`insert into migrations (name) values ('9999-from-the-future.sql')`);
  expect(await migrate(db, "src/store/migrations")).toEqual({
    refused: "newer-schema",
    unknown: ["9999-from-the-future.sql"],
  });
});

test("two nodes that start at once migrate once, and a broken file changes nothing", async () => {
  const { owner: db } = await freshDatabase();
  const folder = await mkdtemp(join(tmpdir(), "santral-migrations-"));
  try {
    for (const { name } of await db.query<{ name: string }>(sql`select name from migrations`))
      await writeFile(join(folder, name), "");
    await writeFile(join(folder, "9000-one.sql"), "create table once_only (id int)");
    const both = await Promise.all([migrate(db, folder), migrate(db, folder)]);
    expect(both.map((it) => ("applied" in it ? it.applied.length : -1)).sort()).toEqual([0, 1]);
    await writeFile(join(folder, "9001-two.sql"), "create table half_done (id int); select broken");
    await expect(migrate(db, folder)).rejects.toThrow(/broken/);
    expect(await db.query(sql`select to_regclass('half_done') as found`)).toEqual([{ found: null }]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
