// Work of many exchanges in one table: none keeps another's waiting, however much it owes and however long it takes.

import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { eventually } from "../../test/ground/eventually.ts";
import { type TestClock, testClock } from "../../test/ground/test-clock.ts";
import { silentLog } from "../log.ts";
import type { Database } from "../store/db.ts";
import { sql } from "../store/sql.ts";
import type { Handlers } from "./handler.ts";
import { countJobs, deadJobs, enqueue, mailShare, retryDeadJobs } from "./jobs.ts";
import { freeLeases } from "./take-up.ts";
import { startWorkers, type WorkerOptions, type Workers } from "./workers.ts";

let db: Database;
let clock: TestClock;
let crews: { workers: Workers; clock: TestClock }[];

beforeAll(async () => {
  ({ db } = await freshDatabase());
});
beforeEach(async () => {
  await db.query(sql`delete from jobs`);
  clock = testClock();
  crews = [];
});
afterEach(async () => {
  const stopped = crews.map(({ workers }) => workers.stop({ drainMs: 0 }));
  for (const { clock } of crews) clock.pass(0);
  await Promise.all(stopped);
});

async function crew(handlers: Handlers, options: Partial<WorkerOptions> = {}): Promise<Workers> {
  const workers = await startWorkers({ db, clock, log: silentLog, handlers, ...options });
  crews.push({ workers, clock });
  return workers;
}

type Call = { to: string };

/** Whoever is called "a…" never answers. */
function receivers() {
  const begun: string[] = [];
  const call: Handlers[string] = {
    run: async ({ to }: Call) => {
      begun.push(to);
      if (to.startsWith("a")) await new Promise(() => undefined);
      return undefined;
    },
  };
  const count = (letter: string) => begun.filter((to) => to.startsWith(letter)).length;
  return { begun, count, handlers: { call } };
}

const owed = (to: string, share: string, count: number) =>
  Array.from({ length: count }, () => ({ kind: "call", payload: { to }, share }));

test("an exchange with a hundred receivers that never answer leaves room for another's one", async () => {
  const { count, handlers } = receivers();
  const workers = await crew(handlers, { concurrency: 40, perExchange: 10 });
  for (let account = 0; account < 100; account++) await enqueue(db, ...owed("a", `sms 1 ${account}`, 20));
  await eventually("the first has all that it may", async () => count("a") === 10);
  await enqueue(db, ...owed("b", "webhook 2", 1));
  await eventually("the other's is told", async () => count("b") === 1);
  expect(count("a")).toBe(10);
  expect(workers.running()).toBe(10);
});

test("10,000 webhooks into the void, and 200 letters, delay nobody else's", async () => {
  const { count, handlers } = receivers();
  for (let n = 0; n < 20; n++) await enqueue(db, ...owed("a", "webhook 1", 500));
  await enqueue(db, ...owed("a", mailShare(1), 200));
  await crew(handlers);
  await eventually("the first is at work", async () => count("a") === 16);
  await enqueue(db, ...owed("b", "webhook 2", 1), ...owed("b", mailShare(2), 1));
  await eventually("the other's are told", async () => count("b") === 2);
  expect(count("a")).toBe(16);
});

test("exchanges take turns, and not the shares that one of them has more of", async () => {
  const { begun, handlers } = receivers();
  for (let account = 0; account < 9; account++) await enqueue(db, ...owed("c", `sms 1 ${account}`, 3));
  await enqueue(db, ...owed("d", "webhook 2", 3));
  const workers = await crew(handlers, { concurrency: 2 });
  await workers.idle();
  expect(begun.slice(0, 6).filter((to) => to === "d")).toHaveLength(3);
});

test("a job that ends the server each time is given up, and what waits behind it goes on", async () => {
  await enqueue(
    db,
    { kind: "bomb", payload: {}, lane: "call", maxAttempts: 1_000 },
    { kind: "call", payload: { to: "b" }, lane: "call" },
  );
  let bombs = 0;
  const { count, handlers } = receivers();
  const all: Handlers = {
    ...handlers,
    bomb: {
      run: async () => {
        bombs++;
        return new Promise(() => undefined); // and nothing is heard of this server again
      },
    },
  };
  for (let epoch = 1; epoch <= 8; epoch++) {
    await freeLeases(db, epoch);
    clock = testClock(clock.wall() + 120_000); // each has a clock of its own, which stops with it
    await crew(all, { epoch });
    const [tried, dead] = [Math.min(epoch, 6), epoch > 6];
    await eventually("it was tried or given up", async () =>
      dead ? (await countJobs(db)).dead === 1 : bombs === tried,
    );
  }
  expect(bombs).toBe(6);
  await eventually("the next one of its lane is done", async () => count("b") === 1);
  expect(await deadJobs(db)).toMatchObject([{ kind: "bomb", lastError: expect.stringContaining("cut off 6 times") }]);
  await retryDeadJobs(db, "all");
  await eventually("it is tried again by hand", async () => bombs > 6);
});

test("a verdict, and an orderly stop, are no cut", async () => {
  await enqueue(db, { kind: "note", payload: {} });
  let tries = 0;
  const note: Handlers[string] = {
    run: async () => (++tries % 2 === 0 ? { retry: "not now" } : new Promise(() => undefined)),
    backOffMs: () => 0,
    exactBackOff: true,
  };
  for (let epoch = 1; epoch <= 5; epoch++) {
    const workers = await crew({ note }, { epoch });
    await eventually("it is tried", async () => workers.running() === 1 && tries % 2 === 1);
    const stopped = workers.stop({ drainMs: 0 });
    clock.pass(0);
    await stopped;
    tries++;
  }
  const [row] = await db.query<{ cut_off: number }>(sql`select cut_off from jobs`);
  expect(row).toEqual({ cut_off: 0 });
});
