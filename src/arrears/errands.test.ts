import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { temporaryFolder } from "../../test/ground/santral-process.ts";
import { realClock } from "../clock.ts";
import { silentLog } from "../log.ts";
import type { Database, Db } from "../store/db.ts";
import { sql } from "../store/sql.ts";
import { openArrears } from "./arrears.ts";
import { atOnce, openErrands } from "./errands.ts";

let db: Database;
let isAway = false;
let folder: string;
const away = () => Promise.reject(new Error("away"));
const faulty: Db = {
  query: (text, values) => (isAway ? away() : db.query(text, values)),
  transaction: (work) => (isAway ? away() : db.transaction(work)),
};
const kinds = {
  "month.charge": async (db: Db, { name, cents }: { name: string; cents: number }) =>
    void (await db.query(
      sql`insert into sums (name, cents) values ($1, $2) on conflict (name) do update set cents = sums.cents + $2`,
      [name, cents],
    )),
  "month.forget": async (db: Db, { name }: { name: string }) =>
    void (await db.query(sql`delete from sums where name = $1`, [name])),
};

beforeAll(async () => {
  const fresh = await freshDatabase();
  db = fresh.db;
  await fresh.owner.query(sql`create table sums (name text primary key, cents integer not null check (cents < 1000))`);
  await fresh.owner.query(sql`grant all on sums to public`);
});

beforeEach(async () => {
  await db.query(sql`delete from sums`);
  await db.query(sql`delete from written_batches`);
  folder = join(temporaryFolder(), "arrears");
  isAway = false;
});

async function open(known: typeof kinds | Record<string, never> = kinds) {
  const arrears = openArrears({ folder, clock: realClock, node: "here" });
  const stream = await arrears.stream("errands");
  const errands = openErrands({
    db: faulty,
    clock: realClock,
    log: silentLog,
    kinds: known as typeof kinds,
    arrears: stream,
  });
  return { arrears, errands };
}

const sums = () => db.query(sql`select name, cents from sums order by name`);

test("what adds up is added once, though it was asked for without a database and the process was killed", async () => {
  const { arrears, errands } = await open();
  await errands.run("month.charge", { name: "may", cents: 10 });
  isAway = true;
  await errands.run("month.charge", { name: "may", cents: 5 });
  await errands.run("month.charge", { name: "june", cents: 7 });
  await arrears.close(); // killed
  const second = await open();
  await second.errands.run("month.charge", { name: "may", cents: 100 }); // behind what the first life left
  await second.arrears.close(); // killed
  isAway = false;
  for (let start = 0; start < 2; start++) {
    const next = await open();
    await next.errands.caughtUp();
    await next.errands.close();
  }
  expect(await sums()).toEqual([
    { name: "june", cents: 7 },
    { name: "may", cents: 115 },
  ]);
  await Promise.all([errands.close(), second.errands.close()]);
});

test("whoever asks for what cannot be is told, and others that came with it are not held up", async () => {
  const { errands } = await open();
  const asked = [2_000, 3].map((cents) => errands.run("month.charge", { name: `of ${cents}`, cents }));
  await expect(asked[0]).rejects.toThrow("violates check constraint");
  await asked[1];
  expect(await sums()).toEqual([{ name: "of 3", cents: 3 }]);
  await errands.close();
});

test("what an older or a newer program has left and this one does not know is kept for people to look at", async () => {
  const { arrears, errands } = await open();
  isAway = true;
  await errands.run("month.forget", { name: "may" });
  await arrears.close();
  isAway = false;
  const next = await open({});
  await next.errands.caughtUp();
  expect(readFileSync(join(folder, "errands.arrears.refused"), "utf8")).toContain("month.forget");
  await Promise.all([next.errands.close(), errands.close()]);
});

test("without a disk it is done at once, or fails", async () => {
  await atOnce(faulty, kinds).run("month.charge", { name: "may", cents: 1 });
  isAway = true;
  await expect(atOnce(faulty, kinds).run("month.charge", { name: "may", cents: 1 })).rejects.toThrow("away");
  expect(await sums()).toEqual([{ name: "may", cents: 1 }]);
});
