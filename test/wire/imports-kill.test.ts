// The program is killed in the middle of a portion of an import: it goes on where it was, no row is lost, none comes twice.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { realClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { sql } from "../../src/store/sql.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import { visitorAt } from "../town/console-town.ts";
import { realTown } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 });

// SANTRAL_TEST_ROWS=100000 is as large as people bring.
const ROWS = Number(process.env.SANTRAL_TEST_ROWS ?? 3_000);
const KILLS = 2;
const PATIENCE_SECONDS = 120 + ROWS / 200;
/** Rows of a portion. */
const AT_ONCE = 500;

/** Where the file names a group: joining one waits for whoever has the exchange's row, in the middle of a portion. */
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

/** Has the exchange's row until it is let go. */
function hold(db: Db, exchangeId: number): Promise<() => Promise<void>> {
  return new Promise((had, failed) => {
    const holding: Promise<void> = db.transaction(async (db) => {
      await db.query(sql`select 1 from exchanges where id = $1 for no key update`, [exchangeId]);
      await new Promise<void>((over) =>
        had(() => {
          over();
          return holding;
        }),
      );
    });
    holding.catch(failed);
  });
}

const areWaiting = async (db: Db) =>
  (
    await db.query(sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'
     and query like 'select 1 from exchanges where id = $1 for no key update%'`)
  ).length > 0;

test("kill -9 in the middle of an import", async () => {
  const town = await realTown({ SANTRAL_LOG: "warn" });
  const [email, password] = ["ayse@example.com", "ten letters, and more"];
  await town.command("staff", "create", email, "Ayşe", "--role", "standard", "--password", password);
  const db = openDatabase(connectionTo(join(town.data, "pg"), "postgres"), realClock, { connections: 2 });
  whenOver(() => db.close());
  const worker = visitorAt(`http://${town.santral.run.http}`);
  await worker.signIn({ email, password });
  const content = Buffer.from(fileOfRows()).toString("base64");
  const { id, fields } = await worker.ask("imports.upload", { kind: "contacts", fileName: "liste.csv", content });
  const stateOf = async () =>
    (await worker.ask("imports.list", { page: 1, limit: 10 })).rows.find((it) => it.id === id);
  const begun = realClock.ticks();
  let letGo = await hold(db, town.firstRun.exchange.id);
  await worker.ask("imports.begin", { id, fields, settings: {} });
  for (let kill = 1; kill <= KILLS; kill++) {
    await eventually("it waits in the middle of a portion", () => areWaiting(db), PATIENCE_SECONDS);
    const rowsDone = Math.floor((placeOf(kill) + 1) / AT_ONCE) * AT_ONCE;
    expect(await stateOf()).toMatchObject({ state: "waiting", rowsDone, good: rowsDone - 1, bad: 1 });
    await town.restart(async () => {
      if (kill === KILLS) return; // the next server finds the portion of the dead one still open
      await letGo();
      await eventually("the portion is taken back", async () => !(await areWaiting(db)));
      letGo = await hold(db, town.firstRun.exchange.id);
    });
  }
  await letGo();
  await eventually("it is done", async () => (await stateOf())?.state !== "waiting", PATIENCE_SECONDS);
  const took = (realClock.ticks() - begun) / 1_000;
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
