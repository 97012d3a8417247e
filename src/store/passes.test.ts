import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { BEGINS, chanceOfCalls } from "../../test/ground/some-calls.ts";
import { BECAME } from "../nouns/became.ts";
import { bySums, countBySums } from "./call-counts.ts";
import { checkSums } from "./call-sums.ts";
import type { CdrFilter } from "./cdr-filter.ts";
import { findCdr, listCdrs, walkCdrs } from "./cdrs.ts";
import type { Db } from "./db.ts";
import { type ClosedCall, closeCalls } from "./live-calls.ts";
import { queueFigures } from "./reports.ts";
import { queuesOfLate } from "./reports-now.ts";
import { responseTimes } from "./response-times.ts";
import type { Within } from "./scope.ts";
import { sql } from "./sql.ts";

const { db } = await freshDatabase();
const timeZone = "Europe/Istanbul";
const { someCall } = chanceOfCalls(20_261_118);
let exchangeId = 0;
let busy = 0;

beforeAll(async () => {
  const made = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_secret) values ('ours', 'ours.test', 's'), ('busy', 'busy.test', 's') returning id`,
  );
  [exchangeId, busy] = made.map(({ id }) => id) as [number, number];
});

const DAYS = { from: new Date("2026-05-01T21:00:00Z"), before: new Date("2026-05-08T21:00:00Z") };
const stretch = (within?: Within) => ({ exchangeId, timeZone, within, ...DAYS });
const page = { page: 1, limit: 100 };
const leads = (queue: string): Within => ({ extensions: [], queues: [queue], calledAt: [queue] });

type Came = Pick<ClosedCall, "passes"> & Partial<ClosedCall["cdr"]> & { answeredAfter?: number };

/** Whoever calls hangs up a minute after he was taken, or two minutes after he came. */
function came({ passes = [], answeredAfter, ...cdr }: Came): ClosedCall {
  const { cdr: some } = someCall(exchangeId);
  const startStamp = cdr.startStamp ?? new Date(BEGINS);
  const at = (seconds: number) => new Date(startStamp.getTime() + seconds * 1_000);
  return {
    cdr: {
      ...{ ...some, callUuid: randomUUID(), direction: "inbound", startStamp, listening: false, queue: "201" },
      ...{ queueStaySeconds: null, queueEnd: null, queueWaitSeconds: 5 },
      ...(answeredAfter === undefined
        ? { answerStamp: null, endStamp: at(120), connectedUser: "", missed: true, talkSeconds: 0 }
        : { answerStamp: at(answeredAfter), endStamp: at(answeredAfter + 60), connectedUser: "1001" }),
      ...(answeredAfter === undefined ? {} : { missed: false, talkSeconds: 60 }),
      ...cdr,
    },
    legs: [],
    story: [],
    passes,
  };
}

const passed = (queue: string, waitSeconds: number) => ({ queue, waitSeconds, answered: false, talkSeconds: 0 });
const write = (...calls: ClosedCall[]) => db.transaction((db: Db) => closeCalls(db, calls));

test("each queue has what came to it, with the wait there and what became of it there", async () => {
  const calls = [
    came({ answeredAfter: 125, passes: [passed("200", 120)] }),
    came({ queueWaitSeconds: 0, passes: [passed("200", 10)] }), // gives up in the second
    came({ answeredAfter: 5, queue: "200" }),
    came({ answeredAfter: 130, queue: "200", queueWaitSeconds: 120, queueEnd: "passed-on" }), // to somebody's phone
    came({
      answeredAfter: 145,
      queue: "700",
      queueWaitSeconds: 120,
      queueStaySeconds: 25,
      passes: [passed("200", 120)],
    }),
    came({
      queueEnd: "abandoned",
      answeredAfter: 3,
      passes: [{ ...passed("200", 3), answered: true, talkSeconds: 40 }],
    }),
  ];
  await write(...calls);
  const figures = await queueFigures(db, stretch());
  expect(figures).toMatchObject([
    {
      ...{ queue: "200", calls: 6, answered: 2, abandoned: 0, passedOn: 4, inTime: 2 },
      ...{ averageWait: Math.round((120 + 10 + 5 + 120 + 120 + 3) / 6), longestWait: 120, averageTalk: 50 },
    },
    { queue: "201", calls: 3, answered: 1, abandoned: 2, passedOn: 0, inTime: 1, longestWait: 5 },
    { queue: "700", calls: 1, answered: 1, abandoned: 0, passedOn: 0, inTime: 0, longestWait: 25 },
  ]);
  expect(await queueFigures(db, stretch(leads("200")))).toEqual(figures.slice(0, 1));
  for (const { queue, ...figure } of figures)
    for (const within of [undefined, leads(queue)]) {
      const behind = async (became?: CdrFilter["became"]) =>
        (await listCdrs(db, exchangeId, { ...DAYS, listening: false, queues: [queue], became, within }, page)).total;
      const found = [await behind(), ...(await Promise.all(BECAME.map((it) => behind(it))))];
      expect([queue, ...found]).toEqual([queue, figure.calls, figure.answered, figure.abandoned, figure.passedOn]);
    }
  const { callUuid } = calls[0]!.cdr; // written above
  expect(await findCdr(db, exchangeId, callUuid, leads("200"))).toMatchObject({ cdr: { queue: "201" } });
  expect(await findCdr(db, exchangeId, callUuid, leads("700"))).toBeUndefined();
  // As the interface has it, a call is of its last queue alone.
  expect((await listCdrs(db, exchangeId, { lastQueues: ["200"] }, page)).total).toBe(2);
});

test("what a queue passes on after its promise counts against its service level at once, where alarms look", async () => {
  const nowMs = Date.now();
  const late = { exchangeId, timeZone, over: "half-hour" as const, nowMs };
  const startStamp = new Date(nowMs - 300_000);
  await write(came({ startStamp, answeredAfter: 5, queue: "200" }));
  expect(await queuesOfLate(db, late)).toMatchObject([{ queue: "200", calls: 1, inTime: 1 }]);
  await write(came({ startStamp, answeredAfter: 125, passes: [passed("200", 120)] }));
  expect(await queuesOfLate(db, late)).toMatchObject([
    { queue: "200", calls: 2, inTime: 1, passedOn: 1 },
    { queue: "201", calls: 1, inTime: 1 },
  ]);
});

test("lists, counts and heaps of a queue tell the same, whatever the calls are and whoever asks", async () => {
  const calls = Array.from({ length: 250 }, () => someCall(busy));
  await write(...calls);
  const wrong = [];
  for await (const day of checkSums(db, busy, { mend: false })) wrong.push(day);
  expect(wrong).toEqual([]);
  const known = new Map(calls.map((call) => [call.cdr.callUuid, call]));
  for (const queue of ["200", "201", "700"]) {
    const here = calls.filter(
      ({ cdr, passes }) => !cdr.listening && [cdr.queue, ...(passes ?? []).map((pass) => pass.queue)].includes(queue),
    );
    for (const within of [undefined, leads(queue), { ...leads("202"), extensions: ["1000"] }])
      for (const became of [undefined, ...BECAME]) {
        const filter: CdrFilter = { ...DAYS, listening: false, queues: [queue], became, within };
        const { rows, total } = await listCdrs(db, busy, filter, { page: 1, limit: 1_000 });
        expect(total).toBe(rows.length);
        const sums = bySums(filter);
        const counted = sums && (await countBySums(db, busy, sums));
        expect(counted).toBe(within?.extensions.length ? undefined : total);
        const walked = [];
        for await (const some of walkCdrs(db, busy, filter, { atOnce: 7, most: 1_000 })) walked.push(...some);
        expect(walked.map(({ callUuid }) => callUuid)).toEqual(rows.map(({ callUuid }) => callUuid));
        for (const { callUuid } of rows) expect(here).toContain(known.get(callUuid));
        if (!within && !became) expect(total).toBe(here.length);
      }
    const times = { exchangeId: busy, timeZone, promisedSeconds: 20 };
    const filter = { ...DAYS, direction: "inbound" as const, listening: false, queues: [queue] };
    const kept = await responseTimes(db, { ...times, filter });
    expect(kept.whole.answered).toBeGreaterThan(0);
    expect(await responseTimes(db, { ...times, filter: { ...filter, recording: ["none"] } })).toEqual(kept);
  }
});

test("what is said of a call at its queue goes with its record", async () => {
  const call = came({ passes: [passed("200", 120)] });
  await write(call);
  await write(call); // its answer was lost
  const left = () =>
    db.query(sql`select queue from call_passes where exchange_id = $1 and start_stamp = $2`, [exchangeId, moved]);
  const moved = new Date("2026-05-07T10:00:00Z");
  await db.query(sql`update cdrs set start_stamp = $2, end_stamp = $2 where call_uuid = $1`, [
    call.cdr.callUuid,
    moved,
  ]);
  expect(await left()).toEqual([{ queue: "200" }]);
  await db.query(sql`delete from cdrs where call_uuid = $1`, [call.cdr.callUuid]);
  expect(await left()).toEqual([]);
});
