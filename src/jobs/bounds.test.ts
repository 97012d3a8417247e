import { beforeAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { soon } from "../../test/ground/eventually.ts";
import { type TestClock, testClock } from "../../test/ground/test-clock.ts";
import { whenOver } from "../../test/ground/when-over.ts";
import { silentLog } from "../log.ts";
import type { Database } from "../store/db.ts";
import { sql } from "../store/sql.ts";
import { boundJobs, TOO_MANY_OWED } from "./bounds.ts";
import { deadJobs, enqueue } from "./jobs.ts";

let db: Database;
let clock: TestClock;

beforeAll(async () => {
  ({ db } = await freshDatabase());
});
beforeEach(async () => {
  await db.query(sql`delete from jobs`);
  clock = testClock();
});

const bounds = { owed: 10, dead: 5, deadDays: 30 };

function bounded() {
  const told: object[] = [];
  const log = { ...silentLog, error: (details: object) => void told.push(details) };
  whenOver(boundJobs({ db, clock, log, kinds: ["webhook", "push"], bounds }));
  return told;
}

const owe = (kind: string, share: string, count: number) =>
  enqueue(
    db,
    ...Array.from({ length: count }, (_, n) => ({ kind, share, payload: { n }, lane: `${kind} ${share} ${n}` })),
  );

const owedOf = async (share: string) =>
  (
    await db.query<{ n: number }>(
      sql`select (payload ->> 'n')::int as n from jobs where share = $1 and dead_at is null order by id`,
      [share],
    )
  ).map(({ n }) => n);

test("of what one exchange has put in without end the newest is given up, loudly, and of others nothing", async () => {
  await owe("letter", "mail 1", 3);
  await owe("webhook", "webhook 1", 15);
  await owe("push", "sms 1 7", 2);
  await owe("webhook", "webhook 2", 10);
  await owe("letter", "mail 3", 12);
  const told = bounded();
  clock.pass(60_000);
  await soon("somebody has looked", async () => told.length > 0);
  expect(told).toEqual([{ exchange: "1", jobs: 10 }]);
  expect(await owedOf("mail 1")).toHaveLength(3);
  expect(await owedOf("webhook 1")).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(await owedOf("sms 1 7")).toEqual([]);
  expect(await owedOf("webhook 2")).toHaveLength(10);
  expect(await owedOf("mail 3")).toHaveLength(12);
  for (const { lastError } of await deadJobs(db)) expect(lastError).toBe(TOO_MANY_OWED);
});

test("what was given up is dropped after a month, and the oldest before where there is too much of one exchange", async () => {
  await owe("webhook", "webhook 1", 8);
  await owe("letter", "mail 2", 2);
  await db.query(sql`update jobs set dead_at = $1::timestamptz + id * interval '1 second'`, [new Date(clock.wall())]);
  await db.query(
    sql`update jobs set dead_at = $1::timestamptz - interval '31 days' where share = 'mail 2'
    and (payload ->> 'n')::int = 0`,
    [new Date(clock.wall())],
  );
  await enqueue(db, { kind: "letter", share: "mail 2", payload: { n: 9 }, lane: "letter mail 2 0" });
  await db.query(sql`update jobs set held = true, run_at = 'infinity' where dead_at is null`);
  bounded();
  clock.pass(60_000);
  await soon("somebody has looked", async () => (await deadJobs(db)).length === 6);
  const left = (await deadJobs(db)).map(({ share, payload }) => ({ share, ...payload }));
  expect(left.filter(({ share }) => share === "webhook 1")).toMatchObject([3, 4, 5, 6, 7].map((n) => ({ n })));
  expect(left.filter(({ share }) => share === "mail 2")).toMatchObject([{ n: 1 }]);
  const [behind] = await db.query<{ held: boolean }>(sql`select held from jobs where dead_at is null`);
  expect(behind).toEqual({ held: false });
});
