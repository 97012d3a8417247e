import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { realClock } from "../clock.ts";
import { makeFirstRun } from "../first-run/first-run.ts";
import { openObjects } from "../objects/objects.ts";
import type { Db } from "../store/db.ts";
import { createQueue } from "../store/queues.ts";
import { quoted, sql } from "../store/sql.ts";
import { backUp } from "./backup.ts";
import { restore } from "./restore.ts";
import { tablesOf } from "./rows.ts";
import { endOfArchive, header, padding } from "./tar.ts";

const migrationsFolder = "src/store/migrations";
let folder: string;
let keyFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "santral-backup-"));
  keyFile = join(folder, "secret.keys");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a backup taken while others write comes back whole, and as of one moment", async () => {
  const { db } = await freshDatabase();
  const objectsFolder = join(folder, "objects");
  const objects = await openObjects(objectsFolder);
  const made = await makeFirstRun({ db, secrets, objects, file: join(folder, "first-run.json") });
  const exchangeId = made!.exchange.id;
  await fillWithOddities(db, exchangeId);

  const file = join(folder, "whole.tar.gz");
  let writing = true;
  const writer = (async () => {
    for (let i = 0; writing; i++) await addPair(db, exchangeId, i);
  })();
  const done = await backUp({ db, objectsFolder, file, version: "0.0.0", clock: realClock, keyFile: undefined });
  writing = false;
  await writer;
  expect(done).toMatchObject({ files: 4, missing: 0 });

  const { owner: other } = await freshDatabase();
  const otherObjects = join(folder, "other-objects");
  const restored = await restore({
    db: other,
    objectsFolder: otherObjects,
    file,
    migrationsFolder,
    keyFile,
    withoutKeys: true,
  });
  expect(restored).toMatchObject({ files: 4 });

  // Each pair was written in one transaction: a torn snapshot would hold half of one.
  const [torn] = await other.query<{ count: number }>(
    sql`select count(*) from contact_groups where name like 'pair %' and not exists (select 1 from contacts where note1 = contact_groups.name)`,
  );
  expect(torn?.count).toBe(0);
  for (const table of (await tablesOf(db)).filter((it) => !["migrations", "contacts", "contact_groups"].includes(it)))
    expect(await rowsOf(other, table), table).toEqual(await rowsOf(db, table));
  const triggers = sql`select tgname, tgenabled from pg_trigger where not tgisinternal order by tgname, tgrelid::regclass`;
  expect(await other.query(triggers)).toEqual(await db.query(triggers));
  const [contact] = await other.query<{ name: string; note2: string }>(
    sql`select name, note2 from contacts where note3 = 'odd'`,
  );
  expect(contact).toEqual({ name: 'Zoë "\\ , (x) \u{1F4DE}', note2: "line\nbreak\tand {braces}" });
  const [sound] = await other.query<{ key: string }>(
    sql`select object_key as key from announcements order by id limit 1`,
  );
  const copied = await openObjects(otherObjects);
  expect(await readFile(copied.path(sound!.key))).toEqual(await readFile(objects.path(sound!.key)));

  // Numbers go on where they were, so nothing new takes the place of something old.
  const next = await createQueue(other, { exchangeId, number: "299", name: "new" });
  expect("id" in next && next.id).toBeGreaterThan(1);

  expect(
    await restore({ db: other, objectsFolder: otherObjects, file, migrationsFolder, keyFile, withoutKeys: true }),
  ).toMatchObject({
    refused: "not-empty",
  });
});

test("a damaged, a cut-off, a hostile and a newer backup are refused and change nothing", async () => {
  const { db } = await freshDatabase();
  const objectsFolder = join(folder, "objects-2");
  const objects = await openObjects(objectsFolder);
  await makeFirstRun({ db, secrets, objects, file: join(folder, "first-run-2.json") });
  const file = join(folder, "good.tar.gz");
  await backUp({ db, objectsFolder, file, version: "0.0.0", clock: realClock, keyFile: undefined });
  const tar = gunzipSync(await readFile(file));

  const { owner: empty } = await freshDatabase();
  const restoreFrom = async (bytes: Buffer) => {
    const bad = join(folder, "bad.tar.gz");
    await writeFile(bad, bytes);
    return restore({
      db: empty,
      objectsFolder: join(folder, "nowhere"),
      file: bad,
      migrationsFolder,
      keyFile,
      withoutKeys: true,
    });
  };
  const changed = Buffer.from(tar);
  changed[tar.indexOf("demo.localhost")] = "X".charCodeAt(0);
  expect(await restoreFrom(gzipSync(changed))).toMatchObject({
    refused: "damaged",
    entry: "tables/exchanges/000000.rows",
  });
  expect(await restoreFrom(gzipSync(tar.subarray(0, tar.length - 4096)))).toMatchObject({ refused: "not-a-backup" });
  expect(await restoreFrom((await readFile(file)).subarray(0, 5_000))).toMatchObject({ refused: "not-a-backup" });
  expect(await restoreFrom(Buffer.from("no archive at all"))).toMatchObject({ refused: "not-a-backup" });
  for (const name of [
    "../../etc/passwd",
    "objects/../../x",
    "objects/.hidden",
    "/etc/passwd",
    "tables/x;drop/0.rows",
  ]) {
    const hostile = Buffer.concat([header(name, 2), Buffer.from("hi"), padding(2), endOfArchive]);
    expect(await restoreFrom(gzipSync(hostile)), name).toMatchObject({ refused: "not-a-backup" });
  }
  await db.query(sql`insert into migrations (name) values ('9999-later.sql')`);
  await backUp({ db, objectsFolder, file, version: "9.0.0", clock: realClock, keyFile: undefined });
  expect(await restoreFrom(await readFile(file))).toEqual({ refused: "newer", migrations: ["9999-later.sql"] });
  expect(await empty.query(sql`select id from exchanges`)).toEqual([]);
});

async function fillWithOddities(db: Db, exchangeId: number): Promise<void> {
  await db.query(
    sql`insert into contacts (exchange_id, name, surname, phone, note2, note3, birthday)
     values ($1, $2, '', '0', $3, 'odd', '1980-02-29')`,
    [exchangeId, 'Zoë "\\ , (x) \u{1F4DE}', "line\nbreak\tand {braces}"],
  );
  await db.query(
    sql`insert into trunks (exchange_id, name, host, source_addresses, codecs)
     values ($1, 'carrier', 'sip.example', '{192.0.2.0/24,2001:db8::/32}', '{PCMA}')`,
    [exchangeId],
  );
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, end_stamp, caller_id_number, destination_number, hangup_cause)
     select $1, gen_random_uuid(), 'inbound', now() - n * interval '1.234567 s', now(), '0', '1', 'NORMAL_CLEARING'
     from generate_series(1, 5000) as n`,
    [exchangeId],
  );
}

async function addPair(db: Db, exchangeId: number, i: number): Promise<void> {
  await db.transaction(async (db) => {
    await db.query(sql`insert into contact_groups (exchange_id, name) values ($1, $2)`, [exchangeId, `pair ${i}`]);
    await db.query(
      sql`insert into contacts (exchange_id, name, surname, phone, note1) values ($1, 'a', 'b', '0', $2)`,
      [exchangeId, `pair ${i}`],
    );
  });
}

async function rowsOf(db: Db, table: string): Promise<string[]> {
  const rows = await db.query<{ row: string }>(sql`select t::text as row from ${quoted(table)} as t order by 1`);
  return rows.map(({ row }) => row);
}
