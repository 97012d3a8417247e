// Jobs a second and how soon a worker wakes, against the bare database doing the same rows in the same run.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "../src/clock.ts";
import { enqueue } from "../src/jobs/jobs.ts";
import { startWorkers } from "../src/jobs/workers.ts";
import { silentLog } from "../src/log.ts";
import { type Database, openDatabase } from "../src/store/db.ts";
import { startEmbeddedServer } from "../src/store/embedded.ts";
import { migrate } from "../src/store/migrate.ts";
import { sql } from "../src/store/sql.ts";
import { figure } from "./figure.ts";

const JOBS = 10_000;
const ONE_BY_ONE = 1_000;

const folder = await mkdtemp(join(tmpdir(), "santral-bench-"));
const server = await startEmbeddedServer(join(folder, "pg"), realClock);
const db = openDatabase(server.connection, realClock);
try {
  await migrate(db, "src/store/migrations");
  const baseline = await insertsASecond(db);
  console.log(`bare single-row inserts, one by one   ${baseline.toFixed(0)}/s   ratio 1.00`);
  const report = (name: string, what: string, perSecond: number) => {
    console.log(`${what.padEnd(38)}${perSecond.toFixed(0)}/s   ratio ${(perSecond / baseline).toFixed(2)}`);
    const beside = { yardstick: "bare inserts, one by one", ratio: perSecond / baseline };
    figure({ name, value: perSecond, unit: "/s", better: "more", ...beside, with: what });
  };
  report("jobs-enqueued", "enqueue, one by one", await enqueuesASecond(db));
  report("jobs-enqueued-in-bulk", "enqueue, 500 at once", await bulkEnqueuesASecond(db));
  report("jobs-worked", "work, no lanes, one share", await worksASecond(db, () => ({})));
  report(
    "jobs-worked-in-lanes",
    "work, lanes of 3, 20 shares",
    await worksASecond(db, (n) => ({ lane: `l${n % Math.ceil(JOBS / 3)}`, share: `s${n % 20}` })),
  );
  const latencies = await wakeUps(db);
  const at = (part: number) => latencies[Math.floor(latencies.length * part)]!.toFixed(2);
  console.log(
    `wake-up from commit to handler: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${latencies.at(-1)!.toFixed(2)} ms`,
  );
} finally {
  await db.close();
  await server.stop();
  await rm(folder, { recursive: true });
}

async function insertsASecond(db: Database): Promise<number> {
  await db.query(sql`create table bare (id bigint generated always as identity primary key, payload jsonb)`);
  return rate(ONE_BY_ONE, async () => {
    for (let n = 0; n < ONE_BY_ONE; n++) await db.query(sql`insert into bare (payload) values ($1)`, [{ n }]);
  });
}

async function enqueuesASecond(db: Database): Promise<number> {
  return rate(ONE_BY_ONE, async () => {
    for (let n = 0; n < ONE_BY_ONE; n++) await enqueue(db, { kind: "bench", payload: { n } });
  });
}

async function bulkEnqueuesASecond(db: Database): Promise<number> {
  return rate(JOBS, () => fill(db, () => ({})));
}

async function fill(db: Database, of: (n: number) => { lane?: string; share?: string }): Promise<void> {
  for (let from = 0; from < JOBS; from += 500)
    await enqueue(db, ...Array.from({ length: 500 }, (_, n) => ({ kind: "bench", payload: { n }, ...of(from + n) })));
}

async function worksASecond(db: Database, of: (n: number) => { lane?: string; share?: string }): Promise<number> {
  await db.query(sql`delete from jobs`);
  await fill(db, of);
  let done = 0;
  let finished = () => {};
  const all = new Promise<void>((resolve) => {
    finished = resolve;
  });
  const handlers = {
    bench: {
      run: async () => {
        if (++done === JOBS) finished();
        return undefined;
      },
    },
  };
  const started = performance.now();
  const workers = await startWorkers({
    db,
    clock: realClock,
    log: silentLog,
    handlers,
    concurrency: 200,
    perShare: 200,
    perExchange: 200,
  });
  await all;
  await workers.stop();
  return JOBS / ((performance.now() - started) / 1_000);
}

async function wakeUps(db: Database): Promise<number[]> {
  await db.query(sql`delete from jobs`);
  const latencies: number[] = [];
  let woken = () => {};
  const handlers = {
    bench: {
      run: async ({ at }: { at: number }) => {
        latencies.push(performance.now() - at);
        woken();
        return undefined;
      },
    },
  };
  const workers = await startWorkers({ db, clock: realClock, log: silentLog, handlers });
  for (let n = 0; n < 300; n++) {
    const heard = new Promise<void>((resolve) => {
      woken = resolve;
    });
    await enqueue(db, { kind: "bench", payload: { at: performance.now() } });
    await heard;
    await workers.idle();
  }
  await workers.stop();
  return latencies.sort((a, b) => a - b);
}

async function rate(count: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return count / ((performance.now() - started) / 1_000);
}
