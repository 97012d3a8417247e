// The program is killed in the middle of a portion of an import: it goes on where it was, no row is lost, none comes twice.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { realClock, since } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { sql } from "../../src/store/sql.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import { visitorAt } from "../town/console-town.ts";
import { realTown } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 });

// SANTRAL_TEST_ROWS=100000 is as large as people bring.
const LONG = process.env.SANTRAL_TEST_ROWS;
const ROWS = Number(LONG ?? 3_000);
const KILLS = LONG === undefined ? 1 : 2;
const PATIENCE_SECONDS = 120 + ROWS / 200;
/** Rows of a portion. */
const AT_ONCE = 500;

/** Where the file names a group: who joins it is held back, so that the portion stays half-written. */
const placeOf = (kill: number) => (kill * ROWS) / (KILLS + 1);
const places = new Set(Array.from({ length: KILLS }, (_, n) => placeOf(n + 1)));

function fileOfRows(): string {
  const rows = Array.from(
    { length: ROWS },
    (_, n) => `0532${String(1_000_000 + n)};Kişi ${n};${places.has(n) ? `Grup ${n}` : ""}`,
  );
  // One that cannot be taken before the first kill, and one after the last that was there before it.
  return ["numara;ad;grup", "abc;Kötü;", ...rows, rows[0]].join("\n");
}

type Db = ReturnType<typeof openDatabase>;

/** Whoever is called so joins no group: the server that wants it waits until it is killed. */
async function holdBack(db: Db, name: string): Promise<void> {
  await db.query(sql`create schema if not exists held`);
  await db.query(sql`create table if not exists held.back (name text)`);
  await db.query(sql`delete from held.back`);
  await db.query(sql`insert into held.back values ($1)`, [name]);
  await db.query(sql`create or replace function held.wait() returns trigger language plpgsql security definer as $$
    begin
      if exists (select from public.contacts c join held.back b on b.name = c.name where c.id = new.contact_id) then
        perform pg_sleep(3600);
      end if;
      return new;
    end $$`);
  await db.query(sql`create or replace trigger held before insert on contact_group_members
    for each row execute function held.wait()`);
}

const sleepers = (db: Db) => db.query(sql`select pid from pg_stat_activity where wait_event = 'PgSleep'`);

test("kill -9 in the middle of an import", async () => {
  const town = await realTown({ SANTRAL_LOG: "warn" });
  const [email, password] = ["ayse@example.com", "ten letters, and more"];
  await town.command("staff", "create", email, "Ayşe", "--role", "standard", "--password", password);
  const open = () => openDatabase(connectionTo(join(town.data, "pg"), "postgres"), realClock, { connections: 2 });
  let db = open();
  whenOver(() => db.close());
  const worker = visitorAt(`http://${town.santral.run.http}`);
  await worker.signIn({ email, password });
  const content = Buffer.from(fileOfRows()).toString("base64");
  const { id, fields } = await worker.ask("imports.upload", { kind: "contacts", fileName: "liste.csv", content });
  const stateOf = async () =>
    (await worker.ask("imports.list", { page: 1, limit: 10 })).rows.find((it) => it.id === id);
  const begun = realClock.ticks();
  await holdBack(db, `Kişi ${placeOf(1)}`);
  await worker.ask("imports.begin", { id, fields, settings: {} });
  for (let kill = 1; kill <= KILLS; kill++) {
    await eventually(
      "it waits in the middle of a portion",
      async () => (await sleepers(db)).length > 0,
      PATIENCE_SECONDS,
    );
    const rowsDone = Math.floor((placeOf(kill) + 1) / AT_ONCE) * AT_ONCE;
    expect(await stateOf()).toMatchObject({ state: "waiting", rowsDone, good: rowsDone - 1, bad: 1 });
    // Who waits now waits on; the next server meets the next name.
    await holdBack(db, kill < KILLS ? `Kişi ${placeOf(kill + 1)}` : "nobody");
    await db.close(); // the database ends with its server
    await town.restart();
    db = open();
  }
  await eventually("it is done", async () => (await stateOf())?.state !== "waiting", PATIENCE_SECONDS);
  const took = since(realClock, begun) / 1_000;
  expect(await stateOf()).toMatchObject({ state: "done", rowsDone: ROWS + 2, good: ROWS, bad: 2 });
  const { rows: faults } = await worker.ask("imports.faults", { id, after: 0 });
  expect(faults.map(({ row, why }) => [row, why])).toEqual([
    [2, "bad-phone"],
    [ROWS + 3, "twice"],
  ]);
  const counted = await db.query(
    sql`select count(*)::int as rows, count(distinct phone)::int as phones, count(distinct name)::int as names
     from contacts where name like 'Kişi %'`,
  );
  expect(counted).toEqual([{ rows: ROWS, phones: ROWS, names: ROWS }]);
  const grouped = await db.query(sql`select c.name as contact, g.name from contact_groups g
    join contact_group_members m on m.group_id = g.id join contacts c on c.id = m.contact_id
    where g.name like 'Grup %' order by c.id`);
  expect(grouped).toEqual([...places].map((n) => ({ contact: `Kişi ${n}`, name: `Grup ${n}` })));
  const status = readFileSync(`/proc/${town.santral.run.pid}/status`, "utf8");
  const peak = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
  console.log(`${ROWS} rows and ${KILLS} kills in ${took.toFixed(1)} s, ${peak} MiB at most`);
});
