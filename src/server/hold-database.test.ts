import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { whenOver } from "../../test/ground/when-over.ts";
import { realClock } from "../clock.ts";
import { silentLog } from "../log.ts";
import type { Database } from "../store/db.ts";
import { literal, sql } from "../store/sql.ts";
import { type DatabaseHold, holdDatabase } from "./hold-database.ts";

async function openPlace() {
  const { db, owner, urls } = await freshDatabase();
  const hold = async (dataFolder = "/var/lib/first"): Promise<DatabaseHold> => {
    const held = await holdDatabase({ url: urls.server, dataFolder, clock: realClock, log: silentLog });
    whenOver(() => held.close());
    return held;
  };
  return { db, owner, hold };
}

const tookMs = async (work: () => Promise<unknown>) => {
  const beganMs = performance.now();
  await work();
  return performance.now() - beganMs;
};

/** Ends the connection that locks, as a restart of the database does. */
const cutOff = (db: Database) =>
  db.query(sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 7268740
    and database = (select oid from pg_database where datname = current_database())`);
const lockers = async (db: Database) => {
  const rows = await db.query<{ count: number }>(
    sql`select count(*) from pg_locks where locktype = 'advisory' and objid = 7268740 and granted
      and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows[0]!.count;
};
const rename = (db: Database, holder: object) =>
  db.query(sql`update server_lease set holder = holder || ${literal(JSON.stringify(holder))}::jsonb`);

test("a second server is refused with code 4 and told who has the database, since when, and what to do", async () => {
  const { hold } = await openPlace();
  const first = await hold();
  await first.take();
  const refused = await hold("/var/lib/second").catch((error: unknown) => error);
  expect(refused).toMatchObject({ exitCode: 4 });
  expect(String(refused)).toMatch(
    new RegExp(`process ${process.pid} on \\S+, data folder /var/lib/first, since 20\\d\\d-.*stop that one, or`),
  );
  await first.close();
  const next = await hold("/var/lib/second");
  expect(await next.take()).toBe(2);
});

test("one that is still at its schema is in the way as well", async () => {
  const { hold } = await openPlace();
  await hold();
  await expect(hold()).rejects.toThrow("just starting");
});

test("who was cut off takes it again under the same epoch, and one who knocks meanwhile does not get it", async () => {
  const { db, hold } = await openPlace();
  const first = await hold();
  expect(await first.take()).toBe(1);
  let isLost = false;
  void first.lost.then(() => {
    isLost = true;
  });
  for (let i = 0; i < 3; i++) {
    await cutOff(db);
    await expect.poll(() => lockers(db), { interval: 20 }).toBe(1);
  }
  const knocking = hold("/var/lib/second").catch((error: unknown) => error);
  await cutOff(db);
  expect(await knocking).toMatchObject({ exitCode: 4 });
  expect([isLost, await lockers(db)]).toEqual([false, 1]);
  const [lease] = await db.query(sql`select epoch from server_lease`);
  expect(lease).toEqual({ epoch: 1 });
});

test("who was cut off while another took it is told so, and writes nothing more", async () => {
  const { db, owner, hold } = await openPlace();
  const first = await hold();
  await first.take();
  await owner.transaction(async (db) => {
    await db.query(sql`update server_lease set epoch = 7, holder = holder || '{"host": "elsewhere", "pid": 12}'`);
  });
  expect(await first.lost).toMatch(/^process 12 on elsewhere, data folder/);
  const [lease] = await db.query(
    sql`select epoch, until < clock_timestamp() + interval '6 seconds' as old from server_lease`,
  );
  expect(lease).toEqual({ epoch: 7, old: true });
  await expect.poll(() => lockers(db)).toBe(0);
});

test("a dead server's lease is taken at once on its own machine, whatever that is called now; elsewhere it is waited for", async () => {
  const { db, hold } = await openPlace();
  const crash = async (holder: object) => {
    const server = await hold();
    await server.take();
    await rename(db, holder);
    await server.close();
    await db.query(sql`update server_lease set until = clock_timestamp() + interval '3 seconds'`);
  };
  await crash({ began: "another start", host: "before" });
  const here = await hold();
  expect(await tookMs(() => here.take())).toBeLessThan(2_000);
  await here.close();

  await crash({ system: "another machine" });
  let elsewhere: DatabaseHold | undefined;
  const waitedMs = await tookMs(async () => {
    elsewhere = await hold();
  });
  expect(waitedMs).toBeGreaterThan(2_000);
  expect(await elsewhere!.take()).toBe(4);
});
