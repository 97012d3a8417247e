import { randomUUID } from "node:crypto";
import { expect, inject, onTestFinished, test } from "vitest";
import { secrets } from "../../test/ground/secrets.ts";
import { realClock } from "../clock.ts";
import { openDatabase } from "./db.ts";
import { connectionTo } from "./embedded.ts";
import { embeddedUrls, OWNER, prepareRoles, SERVER, TENANT } from "./embedded-roles.ts";
import { createExchange, listExchanges } from "./exchanges.ts";
import { migrate } from "./migrate.ts";
import { quoted, sql } from "./sql.ts";
import { raiseWalls } from "./walls.ts";

test("a database in which the superuser did everything is handed over with all that is in it", async () => {
  const folder = inject("databaseFolder");
  const name = `old_${randomUUID().replaceAll("-", "")}`;
  const root = openDatabase(connectionTo(folder, "postgres"), realClock, { connections: 1 });
  await root.query(sql`create database ${quoted(name)}`);
  onTestFinished(async () => {
    await root.query(sql`drop database ${quoted(name)} with (force)`);
    await root.close();
  });
  const superuser = connectionTo(folder, name);
  const before = openDatabase(superuser, realClock, { connections: 1 });
  await migrate(before, "src/store/migrations");
  await createExchange(before, secrets, { name: "kept", sipDomain: "kept.example.com" });
  await before.close();

  for (let start = 0; start < 2; start++) await prepareRoles(superuser, realClock);
  const urls = embeddedUrls(folder, name);
  const owner = openDatabase(urls.owner, realClock, { connections: 1 });
  const db = openDatabase(urls, realClock, { connections: 1 });
  onTestFinished(async () => void (await Promise.all([owner.close(), db.close()])));
  expect(await migrate(owner, "src/store/migrations")).toEqual({ applied: [] });
  expect(await raiseWalls(owner, { server: SERVER, tenant: TENANT })).toBe("raised");
  const others = await owner.query(
    sql`select relname from pg_class where relnamespace = 'public'::regnamespace and pg_get_userbyid(relowner) <> $1
     union all select proname from pg_proc where pronamespace = 'public'::regnamespace and pg_get_userbyid(proowner) <> $1`,
    [OWNER],
  );
  expect(others).toEqual([]);
  // Later migrations change what is there: only its owner may.
  await owner.query(sql`alter table extensions add column novelty text`);
  const [kept] = await listExchanges(db);
  expect(kept).toMatchObject({ name: "kept" });
  expect(await db.forExchange(kept!.id).query(sql`select name from exchanges`)).toEqual([{ name: "kept" }]);
});
