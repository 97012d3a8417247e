import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Registry } from "prom-client";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { type TestClock, testClock } from "../../test/ground/test-clock.ts";
import { asTicks, type Clock, since } from "../clock.ts";
import type { CallFacts } from "../exchange/calls/call-facts.ts";
import { openJournal } from "../exchange/journal/journal.ts";
import { recoverCalls } from "../exchange/journal/recovery.ts";
import { enqueue } from "../jobs/jobs.ts";
import { startWorkers, type Workers } from "../jobs/workers.ts";
import { silentLog } from "../log.ts";
import type { Database } from "../store/db.ts";
import { createFaxOrder, dueFaxOrders, settleFaxOrder } from "../store/fax-orders.ts";
import { giveSignOfLife } from "../store/live-calls.ts";
import { sql } from "../store/sql.ts";
import { beginSession, findSession } from "../store/staff-sessions.ts";
import { issueTicket, openWithTicket } from "../store/tickets.ts";
import { type ClockWatch, openClockWatch } from "./clock-watch.ts";

const HOUR = 3_600_000;
const LONG_BEFORE = asTicks(0);
const node = "main";

let db: Database;
let clock: TestClock;
let registry: Registry;
let exchangeId: number;
let staffId: number;
let opened: ClockWatch[];
/** How many looks watches have planned. */
let planned = 0;
let workers: Workers | undefined;

beforeAll(async () => {
  ({ db } = await freshDatabase());
});
beforeEach(async () => {
  for (const table of [sql`jobs`, sql`nodes`, sql`exchanges`]) await db.query(sql`delete from ${table}`);
  clock = testClock();
  registry = new Registry();
  opened = [];
  workers = undefined;
  const [made] = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_secret) values ('Test', 'test.example', '') returning id`,
  );
  exchangeId = made!.id;
  const [person] = await db.query<{ id: number }>(
    sql`insert into staff (exchange_id, name, email, password_hash, role)
     values ($1, 'Ann', 'ann@example.org', '', 'administrator') returning id`,
    [exchangeId],
  );
  staffId = person!.id;
});
afterEach(async () => {
  const stopped = workers?.stop({ drainMs: 0 });
  clock.pass(0);
  await stopped;
  await Promise.all(opened.map((watch) => watch.close()));
  expect(clock.waiting()).toBe(0);
});

async function watching(using = saysTime(db)): Promise<ClockWatch> {
  const looking: Clock = {
    ...clock,
    after(ms, act) {
      planned += 1;
      return clock.after(ms, act);
    },
  };
  const watch = await openClockWatch({ registry, db: using, clock: looking, log: silentLog, node });
  opened.push(watch);
  await lookOnce();
  return { ...watch, due: { ...watch.due, after: clock.after } };
}

/** The database's clock is wound, too. */
function saysTime(using: Database, aheadMs = () => 0): Database {
  const query: Database["query"] = async <Row>(text: Parameters<Database["query"]>[0], values?: readonly unknown[]) =>
    String(text).includes("clock_timestamp")
      ? ([{ ms: since(clock, LONG_BEFORE) + aheadMs() }] as Row[])
      : using.query<Row>(text, values);
  const wound: Database = { ...using, query, within: () => wound };
  return wound;
}

/** One look, until it is over and the next one is due. */
async function lookOnce(): Promise<void> {
  const before = planned;
  clock.pass(1_000);
  await expect.poll(() => planned, { timeout: 30_000, interval: 5 }).toBeGreaterThan(before);
}

async function setClock(stepMs: number): Promise<void> {
  clock.setWall(clock.wall() + stepMs);
  await lookOnce();
}

const counted = async () => (await registry.getSingleMetric("santral_clock_steps_total")!.get()).values;

describe.each([
  ["back by an hour", -HOUR],
  ["forward by an hour", HOUR],
])("the clock is set %s", (_, stepMs) => {
  test("it is counted, and the doctor hears of it", async () => {
    const watch = await watching();
    await lookOnce();
    expect(watch.view()).toEqual({ steps: 0 });
    await setClock(stepMs);
    const at = new Date(clock.wall()).toISOString();
    expect(watch.view()).toEqual({ steps: 1, last: { whose: "server", seconds: stepMs / 1_000, at } });
    await lookOnce();
    expect(await counted()).toMatchObject([
      { value: 1, labels: { clock: "server", direction: stepMs < 0 ? "back" : "forward" } },
    ]);
    expect(watch.due.wall()).toBe(clock.wall());
  });

  test("a job that failed is tried again when it would have been", async () => {
    const watch = await watching();
    const tried: number[] = [];
    const run = async (_: object, { attempt }: { attempt: number }) => {
      tried.push(attempt);
      return attempt === 1 ? { retry: "not now" } : undefined;
    };
    const handlers = { hook: { run, backOffMs: () => 20_000, exactBackOff: true } };
    workers = await startWorkers({ db, clock: watch.due, log: silentLog, handlers });
    await enqueue(db, { kind: "hook", payload: {} });
    await workers.idle();
    await setClock(stepMs);
    clock.pass(15_000);
    await workers.idle();
    expect(tried).toEqual([1]);
    clock.pass(6_000);
    await workers.idle();
    expect(tried).toEqual([1, 2]);
  });

  test("what is due at a time that somebody named is due then", async () => {
    await watching();
    const runAt = clock.wall() + 2 * HOUR;
    await enqueue(db, { kind: "upkeep", payload: {}, runAt });
    await setClock(stepMs);
    expect(await db.query(sql`select run_at as "runAt" from jobs`)).toEqual([{ runAt: new Date(runAt) }]);
  });

  test("tickets, sessions and locks last as long as they should", async () => {
    await watching();
    const { ticket } = await issueTicket(db, { exchangeId, opens: "fax", subject: randomUUID(), now: clock.wall() });
    const { token } = await beginSession(db, { staffId, nowMs: clock.wall(), address: "192.0.2.1", browser: "" });
    await db.query(sql`update staff set locked_until = $1`, [new Date(clock.wall() + 60_000)]);
    const [before] = await expiries();
    await setClock(stepMs);
    const [after] = await expiries();
    for (const what of ["ticket", "lock", "session", "seen"] as const)
      expect(after![what].getTime() - before![what].getTime(), what).toBe(stepMs);
    expect(await findSession(db, token, clock.wall())).toBeDefined();
    expect(ticket).toBeDefined();
  });

  test("a fax waits for its next call as long as before", async () => {
    await watching();
    const order = { exchangeId, localStationId: "1", localStationHeader: "", remoteStationId: "2", objectKey: "a.tif" };
    const id = await createFaxOrder(db, { ...order, pages: 1, createdAt: new Date(clock.wall()) });
    const outcome = { is: "again", atMs: clock.wall() + 60_000, failures: 1, result: "busy" } as const;
    await settleFaxOrder(db, { id, nowMs: clock.wall(), outcome });
    await setClock(stepMs);
    expect(await dueFaxOrders(db, clock.wall() + 50_000)).toEqual([]);
    expect(await dueFaxOrders(db, clock.wall() + 60_000)).toHaveLength(1);
  });

  test("a call that a crash cuts off has talked for as long as it has", async () => {
    await watching();
    const ended: number[] = [];
    const parts = {
      ...{ db, clock, log: silentLog, node, gatherMs: 0 },
      keepRecording: async () => undefined,
      oweRecordingWork: async () => undefined,
    };
    const journal = openJournal({ ...parts, signsOfLife: false });
    const facts = upSince(clock.wall());
    journal.opened(facts);
    journal.answered({ ...facts, answerMs: clock.wall() });
    await journal.kept(facts.uuid);
    for (let second = 0; second < 4; second++) await lookOnce();
    await setClock(stepMs);
    clock.pass(5_000);
    await giveSignOfLife(db, node, clock.wall());
    await journal.close();
    await recoverCalls(parts);
    for (const { talk } of await db.query<{ talk: number }>(sql`select talk_seconds as talk from cdrs`))
      ended.push(talk);
    expect(ended).toEqual([10]);
  });
});

const expiries = () =>
  db.query<Record<"ticket" | "lock" | "session" | "seen", Date>>(
    sql`select tickets.expires_at as ticket, staff.locked_until as lock, s.expires_at as session, s.last_seen_at as seen
     from tickets, staff, staff_sessions s`,
  );

const upSince = (startMs: number): CallFacts => ({
  ...{ uuid: randomUUID(), exchangeId, direction: "inbound", origin: "phone", startMs, callerNumber: "902123205062" },
  ...{ callerName: "", outboundCallerId: "", destinationNumber: "1001", destinationName: "", dialedUser: "1001" },
  ...{ connectedUser: "1001", queueWaitSeconds: 0, story: [] },
});

test("a clock that a time server leads home little by little is no news", async () => {
  const watch = await watching();
  for (let look = 0; look < 20; look++) await setClock(400);
  expect(watch.view()).toEqual({ steps: 0 });
  expect(watch.due.wall()).toBe(clock.wall());
});

test("while the database is away rows keep their time, and are moved when it is back, by all that was set meanwhile", async () => {
  let isAway = false;
  const transaction: Database["transaction"] = (work) =>
    isAway ? Promise.reject(new Error("away")) : db.transaction(work);
  const watch = await watching({ ...saysTime(db), transaction });
  await enqueue(db, { kind: "hook", payload: {} });
  const due = () => db.query<{ at: Date }>(sql`select run_at as at from jobs`).then(([row]) => row!.at.getTime());
  await db.query(sql`update jobs set attempts = 1, run_at = $1`, [new Date(clock.wall() + 60_000)]);
  const before = await due();
  isAway = true;
  await setClock(-HOUR);
  await setClock(-HOUR);
  expect(watch.due.wall()).toBe(clock.wall() + 2 * HOUR);
  expect(await due()).toBe(before);
  isAway = false;
  await lookOnce();
  expect(watch.due.wall()).toBe(clock.wall());
  expect(await due()).toBe(before - 2 * HOUR);
});

test("a clock that was set back while no server ran is noticed at the start", async () => {
  await enqueue(db, { kind: "hook", payload: {} });
  await db.query(sql`update jobs set attempts = 1, run_at = $1`, [new Date(clock.wall() + 60_000)]);
  await giveSignOfLife(db, node, clock.wall());
  clock.setWall(clock.wall() - HOUR);
  await watching();
  const [job] = await db.query<{ at: Date }>(sql`select run_at as at from jobs`);
  expect(job!.at.getTime()).toBeLessThanOrEqual(clock.wall() + 60_000);
});

test("the clock of a database on another machine is watched, too; nothing is moved for it", async () => {
  let aheadMs = 0;
  const watch = await watching(saysTime(db, () => aheadMs));
  aheadMs = -HOUR;
  for (let look = 0; look < 6; look++) await lookOnce();
  expect(watch.view()).toMatchObject({ steps: 1, last: { whose: "database", seconds: -3_600 } });
  expect(watch.due.wall()).toBe(clock.wall());
  expect(await counted()).toMatchObject([{ value: 1, labels: { clock: "database", direction: "back" } }]);
});

test("a ticket that is over stays over when the clock is set back", async () => {
  await watching();
  const { ticket } = await issueTicket(db, {
    exchangeId,
    opens: "fax",
    subject: randomUUID(),
    now: clock.wall() - HOUR,
  });
  await setClock(-HOUR + 1_000);
  expect(await openWithTicket(db, ticket, clock.wall())).toBeUndefined();
});

/** Times that somebody named, or that nobody waits for. */
const WALLS_OWN = [
  "sms_campaigns.expires_at",
  "sms_campaigns.send_at",
  "sms_messages.expires_at",
  "trunk_states.next_try_at", // shown
];

test("every column that something waits for is moved, unless it holds a time that somebody named", async () => {
  const source = await readFile("src/store/clock-steps.ts", "utf8");
  const moved = [...source.matchAll(/update (\w+) set ([^`]*?)\bwhere/g)].flatMap(([, table, changes]) =>
    [...changes!.matchAll(/(\w+) = \1 \+/g)].map(([, column]) => `${table}.${column}`),
  );
  const columns = await db.query<{ name: string }>(
    sql`select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = current_schema() and data_type like 'timestamp%'
       and column_name ~ '(_until|^expires_at|^next_.*_at|^run_at|^send_at)$' order by 1`,
  );
  const names = columns.map(({ name }) => name);
  expect(names.filter((name) => !moved.includes(name))).toEqual(WALLS_OWN);
  expect(names).toContain("jobs.run_at");
});
