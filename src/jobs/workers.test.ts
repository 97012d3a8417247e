import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { type TestClock, testClock } from "../../test/ground/test-clock.ts";
import { silentLog } from "../log.ts";
import type { Database } from "../store/db.ts";
import { type Sql, sql } from "../store/sql.ts";
import { type Claimed, claim, comeForward, fail, finish } from "./claim.ts";
import type { Handlers, Outcome, RunningJob } from "./handler.ts";
import { countJobs, deadJobs, discardDeadJobs, enqueue, retryDeadJobs } from "./jobs.ts";
import { freeLeases } from "./take-up.ts";
import { startWorkers, type WorkerOptions, type Workers } from "./workers.ts";

let db: Database;
let clock: TestClock;
let crews: Workers[];

beforeAll(async () => {
  ({ db } = await freshDatabase());
});
beforeEach(async () => {
  await db.query(sql`delete from jobs`);
  clock = testClock();
  crews = [];
});
afterEach(async () => {
  const stopped = crews.map((crew) => crew.stop({ drainMs: 0 }));
  clock.pass(0);
  await Promise.all(stopped);
  expect(clock.waiting()).toBe(0);
});

const HALF = () => 0.5; // no jitter
const HOUR = 3_600_000;

async function crew(handlers: Handlers, options: Partial<WorkerOptions> = {}): Promise<Workers> {
  const workers = await startWorkers({ db, clock, log: silentLog, handlers, random: HALF, ...options });
  crews.push(workers);
  return workers;
}

type Note = { n: number };

function notebook(answer: (note: Note, job: RunningJob) => Promise<Outcome> | Outcome = () => undefined) {
  const notes: number[] = [];
  const handlers: Handlers = {
    note: {
      run: async (note: Note, job) => {
        notes.push(note.n);
        return answer(note, job);
      },
    },
  };
  return { notes, handlers };
}

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error("it never came to that");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function waitsForLock(): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

test("a job runs when the transaction that owes it is committed, and not before", async () => {
  const { notes, handlers } = notebook();
  const workers = await crew(handlers);
  await db.transaction(async (db) => {
    await enqueue(db, { kind: "note", payload: { n: 1 } });
    await workers.idle();
    expect(notes).toEqual([]);
  });
  await until(() => notes.length === 1);
  await workers.idle();
  expect(await countJobs(db)).toEqual({ waiting: 0, dead: 0 });
});

test("a transaction that is rolled back owes nothing", async () => {
  const { notes, handlers } = notebook();
  const workers = await crew(handlers);
  const broken = db.transaction(async (db) => {
    await enqueue(db, { kind: "note", payload: { n: 1 } });
    throw new Error("no call after all");
  });
  await expect(broken).rejects.toThrow("no call after all");
  await workers.idle();
  expect(notes).toEqual([]);
});

test("of one lane only the oldest runs, and each waits for the one before", async () => {
  const order: string[] = [];
  const workers = await crew({
    note: {
      run: async ({ n }: Note) => {
        order.push(`begin ${n}`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`end ${n}`);
        return undefined;
      },
    },
  });
  await enqueue(db, ...[1, 2, 3, 4].map((n) => ({ kind: "note", payload: { n }, lane: "call" })));
  await until(() => order.length === 8);
  await workers.idle();
  expect(order).toEqual([1, 2, 3, 4].flatMap((n) => [`begin ${n}`, `end ${n}`]));
});

test("a retrying head holds its lane and no other", async () => {
  let down = true;
  const { notes, handlers } = notebook(({ n }) => (n === 1 && down ? { retry: "down" } : undefined));
  const workers = await crew(handlers);
  await enqueue(
    db,
    { kind: "note", payload: { n: 1 }, lane: "a" },
    { kind: "note", payload: { n: 2 }, lane: "a" },
    { kind: "note", payload: { n: 3 }, lane: "b" },
    { kind: "note", payload: { n: 4 } },
  );
  await workers.idle();
  expect(notes.toSorted()).toEqual([1, 3, 4]);
  await enqueue(db, { kind: "note", payload: { n: 5 }, lane: "a" });
  await workers.idle();
  expect(notes).toHaveLength(3);
  down = false;
  clock.pass(2_000);
  await workers.idle();
  expect(notes.slice(3)).toEqual([1, 2, 5]);
});

test("failures are tried again later and later, then the job is dead and can be revived", async () => {
  const tried: number[] = [];
  let works = false;
  const start = clock.wall();
  const workers = await crew({
    note: {
      run: async () => {
        tried.push((clock.wall() - start) / 1_000);
        return works ? undefined : { retry: "still down" };
      },
    },
  });
  await enqueue(db, { kind: "note", payload: {}, maxAttempts: 5 });
  await workers.idle();
  for (let second = 0; second < 40; second++) {
    clock.pass(1_000);
    await workers.idle();
  }
  expect(tried).toEqual([0, 2, 6, 14, 30]);
  const dead = await deadJobs(db);
  expect(dead).toMatchObject([{ kind: "note", attempts: 5, lastError: "still down" }]);
  works = true;
  expect(await retryDeadJobs(db, { id: dead[0]!.id + 1 })).toBe(0);
  expect(await retryDeadJobs(db, { id: dead[0]!.id })).toBe(1);
  await workers.idle();
  expect(tried).toHaveLength(6);
  expect(await countJobs(db)).toEqual({ waiting: 0, dead: 0 });
});

test("back-off is spread by a quarter and ends at six hours", async () => {
  for (const [random, seconds] of [
    [0, 1.5],
    [1, 2.5],
  ] as const) {
    const { handlers } = notebook(() => ({ retry: "down" }));
    const workers = await crew(handlers, { random: () => random });
    await enqueue(db, { kind: "note", payload: { n: 1 } });
    await workers.idle();
    const [row] = await db.query<{ run_at: Date }>(sql`select run_at from jobs`);
    expect(row!.run_at.getTime() - clock.wall()).toBe(seconds * 1_000);
    await db.query(sql`update jobs set attempts = 30, max_attempts = 99, run_at = 'epoch'`);
    await workers.idle();
    const [later] = await db.query<{ run_at: Date }>(sql`select run_at from jobs`);
    expect(later!.run_at.getTime() - clock.wall()).toBe(6 * 3_600_000 * (0.75 + random / 2));
    await workers.stop();
    crews = [];
    await db.query(sql`delete from jobs`);
  }
});

test("a kind may have its own schedule, and may give up at once", async () => {
  const tried: string[] = [];
  const workers = await crew({
    patient: {
      backOffMs: () => 5 * 60_000,
      run: async () => {
        tried.push("patient");
        return { retry: "later" };
      },
    },
    hopeless: {
      run: async () => {
        tried.push("hopeless");
        return { giveUp: "gone for good" };
      },
    },
  });
  await enqueue(db, { kind: "patient", payload: {}, maxAttempts: 4 }, { kind: "hopeless", payload: {} });
  await workers.idle();
  clock.pass(299_000);
  await workers.idle();
  expect(tried.toSorted()).toEqual(["hopeless", "patient"]);
  clock.pass(1_000);
  await workers.idle();
  expect(tried.at(-1)).toBe("patient");
  expect(await deadJobs(db)).toMatchObject([{ kind: "hopeless", attempts: 1, lastError: "gone for good" }]);
});

test("a dead head frees its lane unless its kind says otherwise", async () => {
  const ran: string[] = [];
  const run =
    (name: string) =>
    async ({ n }: Note) => {
      ran.push(`${name} ${n}`);
      return n === 1 ? { giveUp: "no" } : undefined;
    };
  const workers = await crew({ open: { run: run("open") }, strict: { run: run("strict"), deadHoldsLane: true } });
  for (const kind of ["open", "strict"])
    await enqueue(db, ...[1, 2].map((n) => ({ kind, payload: { n }, lane: kind })));
  await workers.idle();
  clock.pass(3_600_000);
  await workers.idle();
  expect(ran.toSorted()).toEqual(["open 1", "open 2", "strict 1"]);
  const held = (await deadJobs(db)).find(({ kind }) => kind === "strict");
  expect(await discardDeadJobs(db, { id: held!.id })).toBe(1);
  await workers.idle();
  expect(ran).toContain("strict 2");
});

test("a handler that throws poisons only its own job", async () => {
  const { notes, handlers } = notebook(({ n }) => {
    if (n === 13) throw new Error("our own mistake");
    return undefined;
  });
  const workers = await crew(handlers);
  await enqueue(db, ...[12, 13, 14].map((n) => ({ kind: "note", payload: { n }, maxAttempts: 2 })));
  await workers.idle();
  clock.pass(2_000);
  await workers.idle();
  expect(notes.toSorted()).toEqual([12, 13, 13, 14]);
  expect(await deadJobs(db)).toMatchObject([{ payload: { n: 13 }, lastError: "Error: our own mistake" }]);
});

test("a job with a unique key is owed once", async () => {
  const { notes, handlers } = notebook();
  const job = { kind: "note", payload: { n: 1 }, uniqueKey: "bday:7:2026" };
  expect(await enqueue(db, job)).toHaveLength(1);
  expect(await enqueue(db, job)).toHaveLength(0);
  expect(await enqueue(db, { ...job, uniqueKey: "bday:8:2026" })).toHaveLength(1);
  const workers = await crew(handlers);
  await workers.idle();
  expect(notes).toHaveLength(2);
  expect(await enqueue(db, job)).toHaveLength(1);
});

test("a stop that overtakes a claim under way gives back what the claim brings", async () => {
  const { notes, handlers } = notebook(() => new Promise(() => undefined));
  const slow = gate();
  const claimed = gate();
  const slowDb: Database = {
    ...db,
    query: async <Row>(text: Sql, values?: readonly unknown[]) => {
      const rows = await db.query<Row>(text, values);
      if (rows.length === 0) return rows;
      claimed.open();
      await slow.opened;
      return rows;
    },
  };
  await enqueue(db, { kind: "note", payload: { n: 1 } });
  const workers = await crew(handlers, { db: slowDb });
  await claimed.opened;
  const stopped = workers.stop({ drainMs: 0 });
  clock.pass(0);
  slow.open();
  await stopped;
  expect(notes).toEqual([]);
  expect(await countJobs(db)).toEqual({ waiting: 1, dead: 0 });
});

test("a job for later waits for its time", async () => {
  const { notes, handlers } = notebook();
  const workers = await crew(handlers);
  await enqueue(db, { kind: "note", payload: { n: 1 }, runAt: clock.wall() + 60_000 });
  await workers.idle();
  clock.pass(59_000);
  await workers.idle();
  expect(notes).toEqual([]);
  clock.pass(1_000);
  await workers.idle();
  expect(notes).toEqual([1]);
});

test("what a crashed worker held is run again once its lease is over, and says it is the second try", async () => {
  await enqueue(
    db,
    { kind: "note", payload: { n: 1 }, lane: "call" },
    { kind: "note", payload: { n: 2 }, lane: "call" },
  );
  const wanted = {
    nowMs: clock.wall(),
    leaseMs: 5_000,
    epoch: 0,
    most: 9,
    kinds: ["note"],
    freeing: [],
    inHand: [],
    room: new Map(),
    perShare: 9,
    exchangeRoom: new Map(),
    perExchange: 9,
  };
  expect((await claim(db, wanted)).jobs).toMatchObject([{ payload: { n: 1 } }]); // and is never heard of again
  const attempts: number[] = [];
  const { notes, handlers } = notebook((_note, { attempt }) => {
    attempts.push(attempt);
    return undefined;
  });
  const workers = await crew(handlers, { leaseMs: 5_000 });
  await workers.idle();
  expect(notes).toEqual([]);
  clock.pass(5_000);
  await workers.idle();
  expect({ notes, attempts }).toEqual({ notes: [1, 2], attempts: [2, 1] });
});

test("what an earlier server was in the middle of is run by the next one at once, unless it may be what ended it", async () => {
  await enqueue(db, { kind: "note", payload: { n: 1 } }, { kind: "note", payload: { n: 2 }, lane: "call" });
  await enqueue(db, { kind: "note", payload: { n: 3 }, lane: "call" }, { kind: "note", payload: { n: 4 } });
  await db.query(sql`update jobs set attempts = 3 where payload = '{"n": 4}'`);
  const never = gate();
  const { notes: begun, handlers: hanging } = notebook(() => never.opened as Promise<undefined>);
  await crew(hanging, { epoch: 1 });
  await expect.poll(() => begun.length).toBe(3);

  expect(await freeLeases(db, 1), "its own").toBe(0);
  expect(await freeLeases(db, 2)).toBe(2);
  const { notes, handlers } = notebook();
  const workers = await crew(handlers, { epoch: 2 });
  await workers.idle();
  clock.pass(2_000); // who waits in a lane looks again after a second
  await workers.idle();
  expect(notes.sort()).toEqual([1, 2, 3]);
  expect(await countJobs(db)).toEqual({ waiting: 1, dead: 0 });
  never.open(); // one that was thought dead finishes nothing but what is still its own
  await until(async () => (await countJobs(db)).waiting === 0);
});

test("work that is given back is due at once, however the clock is set until somebody takes it", async () => {
  const { notes: begun, handlers: hanging } = notebook(() => new Promise(() => undefined));
  await enqueue(db, { kind: "note", payload: { n: 1 } });
  const first = await crew(hanging);
  await until(() => begun.length === 1);
  const stopped = first.stop({ drainMs: 0 });
  clock.pass(0);
  await stopped;
  clock.setWall(clock.wall() - HOUR);
  const { notes, handlers } = notebook();
  await (await crew(handlers)).idle();
  expect(notes).toEqual([1]);
});

test("work that waited for another is due at once when that one is done, however the clock is set then", async () => {
  const first = gate();
  const slow: Handlers = { slow: { run: () => first.opened as Promise<undefined> } };
  await enqueue(db, { kind: "slow", payload: {}, lane: "call" }, { kind: "note", payload: { n: 2 }, lane: "call" });
  const ahead = testClock(clock.wall() + HOUR);
  const workers = await crew(slow, { clock: ahead });
  await until(() => workers.running() === 1);
  const { notes, handlers } = notebook();
  const others = await crew(handlers);
  await others.idle();
  first.open();
  await workers.idle();
  await others.idle();
  expect(notes).toEqual([2]);
  const stopped = workers.stop({ drainMs: 0 });
  ahead.pass(0);
  await stopped;
});

test("a clock that is set forward makes nobody begin again what he is at work on", async () => {
  const long = gate();
  const { notes, handlers } = notebook(() => long.opened as Promise<undefined>);
  await enqueue(db, { kind: "note", payload: { n: 1 } });
  const workers = await crew(handlers);
  await until(() => notes.length === 1);
  clock.setWall(clock.wall() + HOUR);
  await enqueue(db, { kind: "note", payload: { n: 2 } });
  await until(() => notes.length > 1);
  clock.pass(1_000);
  long.open();
  await workers.idle();
  expect(notes).toEqual([1, 2]);
});

test("a worker that lost its lease cannot finish the other's try", async () => {
  const slow = gate();
  const slowClock = testClock(clock.wall());
  let told = false;
  const first = await crew(
    {
      note: {
        run: async (_note, { signal }) => {
          signal.addEventListener("abort", () => {
            told = true;
          });
          await slow.opened;
          return undefined;
        },
      },
    },
    { clock: slowClock, leaseMs: 6_000 },
  );
  await enqueue(db, { kind: "note", payload: { n: 1 } });
  await until(() => first.running() === 1);
  const second = gate();
  const workers = await crew({ note: { run: () => second.opened as Promise<undefined> } }, { leaseMs: 6_000 });
  clock.pass(6_000);
  await until(() => workers.running() === 1);
  slowClock.pass(2_000);
  await until(() => told);
  slow.open();
  await first.idle();
  expect(await countJobs(db)).toEqual({ waiting: 1, dead: 0 });
  second.open();
  await workers.idle();
  expect(await countJobs(db)).toEqual({ waiting: 0, dead: 0 });
});

test("a long job keeps its lease as long as it runs", async () => {
  const long = gate();
  const { notes, handlers } = notebook(async () => {
    await long.opened;
    return undefined;
  });
  const workers = await crew(handlers, { leaseMs: 6_000 });
  const others = await crew(handlers, { leaseMs: 6_000 });
  await enqueue(db, { kind: "note", payload: { n: 1 } });
  await until(() => notes.length === 1);
  for (let turn = 0; turn < 10; turn++) {
    await until(() => clock.waiting() === 4); // each crew polls and renews
    clock.pass(2_000);
    const [row] = await renewed(clock.wall());
    expect(row!.leased_until.getTime()).toBeGreaterThan(clock.wall() + 3_999);
  }
  long.open();
  await Promise.all([workers.idle(), others.idle()]);
  expect(notes).toEqual([1]);

  async function renewed(nowMs: number): Promise<{ leased_until: Date }[]> {
    for (const giveUpAt = performance.now() + 60_000; ; ) {
      const rows = await db.query<{ leased_until: Date }>(sql`select leased_until from jobs`);
      if (performance.now() > giveUpAt || rows[0]!.leased_until.getTime() >= nowMs + 4_000) return rows;
    }
  }
});

test("two crews share the work, and no job is done twice", async () => {
  const { notes, handlers } = notebook();
  const both = [await crew(handlers, { perShare: 5 }), await crew(handlers, { perShare: 5 })];
  await enqueue(
    db,
    ...Array.from({ length: 500 }, (_, n) => ({ kind: "note", payload: { n }, lane: `lane ${n % 50}` })),
  );
  await until(() => notes.length >= 500);
  await Promise.all(both.map((workers) => workers.idle()));
  expect(new Set(notes).size).toBe(500);
  expect(notes).toHaveLength(500);
  for (let lane = 0; lane < 50; lane++) {
    const ofLane = notes.filter((n) => n % 50 === lane);
    expect(ofLane).toEqual(ofLane.toSorted((a, b) => a - b));
  }
});

test("a job is never left waiting for one that another crew finishes at the same moment", async () => {
  const { notes, handlers } = notebook();
  for (let crews = 0; crews < 3; crews++) await crew(handlers, { perShare: 5 });
  for (let round = 1; round <= 40; round++) {
    const owed = Array.from({ length: 200 }, (_, n) => ({ kind: "note", payload: { n }, lane: `lane ${n % 7}` }));
    await enqueue(db, ...owed);
    await until(() => notes.length >= 200 * round); // the clock stands still: nobody comes by to look once more
  }
});

test("a job is never left waiting for one that another crew gives up at the same moment", async () => {
  const { notes, handlers } = notebook(({ n }) => (n % 2 === 0 ? { giveUp: "no" } : undefined));
  for (let crews = 0; crews < 3; crews++) await crew(handlers, { perShare: 5 });
  for (let round = 1; round <= 4; round++) {
    const owed = Array.from({ length: 200 }, (_, n) => ({ kind: "note", payload: { n }, lane: `lane ${n % 7}` }));
    await enqueue(db, ...owed);
    await until(() => notes.length >= 200 * round); // the clock stands still, as above
  }
});

const wanted = {
  leaseMs: 60_000,
  epoch: 0,
  most: 5,
  kinds: ["note"],
  freeing: ["note"],
  inHand: [],
  room: new Map(),
  perShare: 5,
  exchangeRoom: new Map(),
  perExchange: 5,
};

test.each<[string, (job: Claimed) => Promise<void>]>([
  ["finished", (job) => finish(db, [job], wanted)],
  ["given up", (job) => fail(db, { ...job, error: "no", retryAtMs: "never" }, { ...wanted, nowMs: clock.wall() })],
])("what is owed and put aside while the job before it is just being %s comes forward at once", async (_, write) => {
  const nowMs = clock.wall();
  await enqueue(db, { kind: "note", payload: { n: 1 }, lane: "lane" });
  const { jobs } = await claim(db, { ...wanted, nowMs });
  const locked = gate();
  const over = gate();
  const holding = db.transaction(async (db) => {
    await db.query(sql`select from jobs for update`);
    locked.open();
    await over.opened;
  });
  await locked.opened;
  const writing = write(jobs[0]!);
  await until(waitsForLock);
  await enqueue(db, { kind: "note", payload: { n: 2 }, lane: "lane" });
  const { aside } = await claim(db, { ...wanted, nowMs });
  await comeForward(db, aside, wanted);
  over.open();
  await Promise.all([holding, writing]);
  expect(aside).toHaveLength(1);
  expect((await claim(db, { ...wanted, nowMs })).jobs).toMatchObject([{ payload: { n: 2 } }]);
});

test("who is put aside behind a job while that job is given up comes forward at once", async () => {
  const owed = [1, 2].map((n) => ({ kind: "note", payload: { n }, lane: "lane" }));
  await enqueue(db, ...owed);
  const nowMs = clock.wall();
  const { jobs } = await claim(db, { ...wanted, most: 1, nowMs });
  const [head] = jobs;
  const putAside = gate();
  const failing = gate();
  const claiming = db.transaction(async (db) => {
    expect((await claim(db, { ...wanted, nowMs })).aside).toHaveLength(1);
    putAside.open();
    await failing.opened;
  });
  await putAside.opened;
  let isWritten = false;
  const failed = fail(
    db,
    { id: head!.id, lease: head!.lease, error: "no", retryAtMs: "never" },
    { ...wanted, nowMs },
  ).then(() => {
    isWritten = true;
  });
  await until(async () => isWritten || (await waitsForLock()));
  failing.open();
  await Promise.all([claiming, failed]);
  expect((await claim(db, { ...wanted, nowMs })).jobs).toMatchObject([{ payload: { n: 2 } }]);
});

test("who was put aside comes forward though one who looked at him and let him be has him locked, for however long", async () => {
  const owed = ["one", "two"].map((lane) => ({ kind: "note", payload: {}, lane }));
  await enqueue(db, ...owed);
  await db.query(sql`update jobs set held = true, run_at = 'infinity'`);
  const [first, second] = (await db.query<{ id: number }>(sql`select id from jobs order by id`)).map(({ id }) => id);
  const locked = gate();
  const over = gate();
  const looking = db.transaction(async (db) => {
    await db.query(sql`select from jobs where id = $1 for update`, [first]);
    locked.open();
    await over.opened;
  });
  await locked.opened;
  let isDone = false;
  const forward = comeForward(db, [first!, second!], { freeing: [] }).then(() => {
    isDone = true;
  });
  await until(async () => isDone || (await waitsForLock()));
  const meanwhile = await forwardBy();
  over.open();
  await Promise.all([looking, forward]);
  expect(meanwhile).toEqual([second]);
  expect(await forwardBy()).toEqual([first, second]);

  async function forwardBy() {
    const rows = await db.query<{ id: number }>(sql`select id from jobs where not held order by id`);
    return rows.map(({ id }) => id);
  }
});

test("a share that hangs takes only its own places, and fewer once it fails", async () => {
  const hang = gate();
  const began: string[] = [];
  const workers = await crew(
    {
      call: {
        run: async ({ to }: { to: string }) => {
          began.push(to);
          if (to === "hanging") await hang.opened;
          return to === "hanging" ? { retry: "timed out" } : undefined;
        },
      },
    },
    { concurrency: 10, perShare: 4 },
  );
  const owed = (to: string) => ({ kind: "call", payload: { to }, share: to });
  await enqueue(
    db,
    ...Array.from({ length: 200 }, () => owed("hanging")),
    ...Array.from({ length: 20 }, () => owed("well")),
  );
  await until(() => began.filter((to) => to === "well").length === 20);
  expect(began.filter((to) => to === "hanging")).toHaveLength(4);
  await enqueue(db, owed("well"));
  await until(() => began.filter((to) => to === "well").length === 21);
  expect(began.filter((to) => to === "hanging")).toHaveLength(4);
  expect(workers.running()).toBe(4);
  hang.open();
  await workers.idle();
});

test("a named limit holds for its share", async () => {
  const door = gate();
  const { notes, handlers } = notebook(async () => {
    await door.opened;
    return undefined;
  });
  const workers = await crew(handlers, { limits: { converting: 1 } });
  await enqueue(db, ...[1, 2, 3].map((n) => ({ kind: "note", payload: { n }, share: "converting" })));
  await until(() => notes.length === 1);
  await enqueue(db, { kind: "note", payload: { n: 4 }, share: "other" });
  await until(() => notes.length === 2);
  expect(notes).toEqual([1, 4]);
  door.open();
  await workers.idle();
  expect(notes).toEqual([1, 4, 2, 3]);
});

test("a stop waits for what runs and hands back the rest untried", async () => {
  const quick = gate();
  const { notes, handlers } = notebook(({ n }) =>
    n === 1 ? quick.opened.then(() => undefined) : new Promise(() => undefined),
  );
  const workers = await crew(handlers);
  await enqueue(db, ...[1, 2].map((n) => ({ kind: "note", payload: { n } })));
  await until(() => notes.length === 2);
  const stopped = workers.stop({ drainMs: 3_000 });
  quick.open();
  await until(() => workers.running() === 1);
  await until(() => clock.waiting() === 1);
  clock.pass(3_000);
  await stopped;
  const rows = await db.query(sql`select payload, attempts, lease from jobs`);
  expect(rows).toEqual([{ payload: { n: 2 }, attempts: 0, lease: null }]);
});

test("a kind nobody here handles is left for those who do", async () => {
  const { notes, handlers } = notebook();
  const workers = await crew(handlers);
  await enqueue(db, { kind: "foreign", payload: {} }, { kind: "note", payload: { n: 1 } });
  await workers.idle();
  expect(notes).toEqual([1]);
  expect(await countJobs(db)).toEqual({ waiting: 1, dead: 0 });
});
