import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { BEGINS, chanceOfCalls } from "../../test/ground/some-calls.ts";
import { writeCallNote } from "./call-notes.ts";
import type { CdrFilter } from "./cdr-filter.ts";
import { findCdr, hasCdr, listCdrs, walkCdrs } from "./cdrs.ts";
import { keepDaysForLeaders } from "./days-for-leaders.ts";
import { closeCalls } from "./live-calls.ts";
import { notedFigures } from "./noted-figures.ts";
import { callsByDay, callsByHour, directionCounts, numberFigures } from "./reports.ts";
import { responseTimes } from "./response-times.ts";
import type { Within } from "./scope.ts";
import { searchEverywhere } from "./search.ts";
import { type Sql, sql } from "./sql.ts";

const { db, owner } = await freshDatabase();
const { chance, oneOf, someCall } = chanceOfCalls(20_260_517);
const timeZone = "Europe/Istanbul";
let exchangeId = 0;
let neighbour = 0;

beforeAll(async () => {
  const made = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_secret) values ('ours', 'ours.test', 's'), ('theirs', 'theirs.test', 's') returning id`,
  );
  [exchangeId, neighbour] = made.map(({ id }) => id) as [number, number];
  for (const number of ["1000", "1001", "1002"])
    await db.query(
      sql`insert into extensions (exchange_id, number, name, ha1_md5, ha1_sha256)
       select id, $1, $1, '', '' from exchanges`,
      [number],
    );
});

const leader: Within = { extensions: ["1000"], queues: ["200"], calledAt: ["200"] };
const agent: Within = { extensions: ["1001"], queues: [], calledAt: [] };
const nobody: Within = { extensions: ["1003"], queues: [], calledAt: [] };

/** As it is meant, by whatever of a call there is; the statements under test have their own ways to it. */
const SEEN = sql`not listening and (queue = any($2) or exists (select from call_passes p where p.call_id = cdrs.id and p.queue = any($2))
  or connected_user = any($3) or dialed_user = any($3)
  or (direction <> 'inbound' and caller_id_number = any($3))
  or exists (select from cdr_legs l where l.call_uuid = cdrs.call_uuid and l.destination_number = any($3)))`;

async function plainly<Row>(within: Within, wanted: Sql): Promise<Row[]> {
  return db.query<Row>(sql`${wanted}`, [exchangeId, within.calledAt, within.extensions]);
}

const DAYS = { from: new Date("2026-05-01T21:00:00Z"), before: new Date("2026-05-08T21:00:00Z") };
const stretch = (within: Within) => ({ exchangeId, timeZone, within, ...DAYS });

async function expectTheSame(within: Within): Promise<void> {
  const sums = sql`from quarter_sums(array(select id from cdrs where exchange_id = $1 and ${SEEN}))`;
  const directions = await plainly<{ which: string; calls: number; answered: number; talk: number }>(
    within,
    sql`select which, sum(calls)::int as calls, sum(answered)::int as answered, sum(talk_seconds)::int as talk ${sums}
     where of = 'direction' group by which`,
  );
  const of = (which: string) => directions.find((row) => row.which === which);
  const counts = await directionCounts(db, stretch(within));
  expect(counts).toMatchObject({
    inbound: of("inbound")?.calls ?? 0,
    outbound: of("outbound")?.calls ?? 0,
    internal: of("internal")?.calls ?? 0,
    answered: of("inbound")?.answered ?? 0,
    talk: directions.reduce((sum, { talk }) => sum + talk, 0),
  });
  const added = (rows: { inbound: number }[]) => rows.reduce((sum, { inbound }) => sum + inbound, 0);
  expect(added(await callsByDay(db, stretch(within)))).toBe(counts.inbound);
  expect(added(await callsByHour(db, stretch(within)))).toBe(counts.inbound);
  for (const of of ["tag", "disposition"] as const)
    expect((await notedFigures(db, stretch(within), of)).map(({ which, calls }) => [which, calls]).sort()).toEqual(
      (
        await plainly<{ which: string; calls: number }>(
          within,
          sql`select which, sum(calls)::int as calls ${sums} where of = '${of === "tag" ? sql`tag` : sql`disposition`}' group by which`,
        )
      )
        .map(({ which, calls }) => [which, calls])
        .sort(),
    );
  const [numbers] = await plainly<{ calls: number }>(
    within,
    sql`select coalesce(sum(calls), 0)::int as calls ${sums} where of in ('number', 'shown-number')`,
  );
  const figures = await numberFigures(db, stretch(within));
  expect(figures.reduce((sum, { incoming, outgoing }) => sum + incoming + outgoing, 0)).toBe(numbers?.calls);
}

type Waits = { hour: number; day: string; taken: boolean; waited: number; calls: number };

/** Of a week, and of the month that it is in with some days around it. */
async function expectTheSameWaits(within: Within): Promise<void> {
  const waits = await plainly<Waits>(
    within,
    sql`select hour, to_char(at at time zone 'Europe/Istanbul', 'YYYY-MM-DD') as day, taken, waited, calls
     from hour_waits(array(select id from cdrs where exchange_id = $1 and ${SEEN})) where queue = '' and direction = 'inbound'`,
  );
  const months = { from: new Date("2026-04-27T21:00:00Z"), before: new Date("2026-06-03T21:00:00Z") };
  for (const { from, before } of [DAYS, months]) {
    const filter = { from, before, within, direction: "inbound", listening: false } as const;
    const found = await responseTimes(db, { exchangeId, timeZone, filter, promisedSeconds: 20 });
    expect(found.whole).toMatchObject(figures(waits));
    for (const { hour, ...one } of found.hours)
      expect(one).toMatchObject(figures(waits.filter((w) => w.hour === hour)));
    for (const { day, ...one } of found.days) expect(one).toMatchObject(figures(waits.filter((w) => w.day === day)));
  }
}

function figures(waits: Waits[]): object {
  const each = (taken: boolean) =>
    waits
      .flatMap((wait) => (wait.taken === taken ? Array<number>(wait.calls).fill(wait.waited) : []))
      .sort((a, b) => a - b);
  const [taken, gone] = [each(true), each(false)];
  return {
    answered: taken.length,
    unanswered: gone.length,
    inTime: taken.filter((waited) => waited <= 20).length,
    median: taken[Math.ceil(taken.length / 2) - 1] ?? null,
    longest: taken.at(-1) ?? null,
    longestGone: gone.at(-1) ?? null,
  };
}

async function expectTheSameList(within: Within, filter: CdrFilter, and: Sql): Promise<void> {
  const wanted = (
    await plainly<{ uuid: string }>(
      within,
      sql`select call_uuid as uuid from cdrs where exchange_id = $1 and ${SEEN} and ${and} order by start_stamp desc, id desc`,
    )
  ).map(({ uuid }) => uuid);
  const asked = { ...filter, within, listening: false };
  const listed: string[] = [];
  for (let page = 1; page === 1 || listed.length === (page - 1) * 7; page++) {
    const { rows, total } = await listCdrs(db, exchangeId, asked, { page, limit: 7 });
    expect(total).toBe(wanted.length);
    listed.push(...rows.map(({ callUuid }) => callUuid));
    if (rows.length === 0) break;
  }
  expect(listed).toEqual(wanted);
  const walked: string[] = [];
  for await (const rows of walkCdrs(db, exchangeId, asked, { atOnce: 9, most: 1_000 }))
    walked.push(...rows.map(({ callUuid }) => callUuid));
  expect(walked).toEqual(wanted);
}

async function somethingHappens(uuids: string[]): Promise<void> {
  const calls = Array.from({ length: 4 + chance(12) }, () => someCall(oneOf(exchangeId, exchangeId, neighbour)));
  await db.transaction((db) => closeCalls(db, calls));
  uuids.push(...calls.map(({ cdr }) => cdr.callUuid));
  const one = uuids[chance(uuids.length)]!; // there are some by now
  const what = chance(6);
  if (what === 0) await db.query(sql`delete from cdrs where call_uuid = $1`, [one]);
  // The sums of the day stay as they were.
  if (what === 1)
    await db.query(sql`update cdrs set connected_user = '1002', queue = null where call_uuid = $1`, [one]);
  if (what === 2) await db.query(sql`update cdrs set dialed_user = '1000' where call_uuid = $1`, [one]);
  if (what < 3) return;
  const about = { queue: null, peer: "", note: "", isOpen: false, by: "", at: new Date(BEGINS), disposition: "Satış" };
  const whose = { exchangeId, callUuid: one, extension: "1000" };
  await db.transaction((db) => writeCallNote(db, { ...whose, ...about, tags: [oneOf("acil", "iade")] }));
}

test("who sees some calls has those counted and listed, whatever is written, changed or taken away meanwhile", async () => {
  const uuids: string[] = [];
  for (let step = 0; step < 12; step++) {
    await somethingHappens(uuids);
    for (const within of [leader, agent]) {
      await expectTheSame(within);
      await expectTheSameWaits(within);
    }
  }
  await db.query(
    sql`delete from cdrs where date_trunc('day', start_stamp, $1) =
    (select date_trunc('day', start_stamp, $1) from cdrs order by start_stamp limit 1)`,
    [timeZone],
  );
  await expectTheSame(leader);
  await expectTheSameWaits(leader);
  await db.query(sql`update exchanges set time_zone = 'Asia/Kathmandu' where id = $1`, [exchangeId]);
  await db.query(sql`update exchanges set time_zone = $2 where id = $1`, [exchangeId, timeZone]);
  await expectTheSame(leader);
  await expectTheSameWaits(leader);
  for (const within of [leader, agent, nobody]) {
    await expectTheSameList(within, {}, sql`true`);
    await expectTheSameList(within, DAYS, sql`true`);
    await expectTheSameList(
      within,
      { ...DAYS, direction: "inbound", missed: true },
      sql`direction = 'inbound' and missed`,
    );
    await expectTheSameList(
      within,
      { ...DAYS, ownNumbers: ["908505320000"], hour: 10 },
      sql`date_part('hour', start_stamp at time zone 'Europe/Istanbul') = 10`,
    );
    const rang = sql`queue is not null and exists (select from cdr_legs l where l.call_uuid = cdrs.call_uuid
      and l.position > 0 and l.destination_number = '1000')`;
    await expectTheSameList(within, { ...DAYS, offeredTo: "1000" }, rang);
    await expectTheSameList(
      within,
      { ...DAYS, offeredTo: "1000", direction: "inbound" },
      sql`${rang} and direction = 'inbound'`,
    );
    await expectTheSameList(
      within,
      { ...DAYS, tag: "acil" },
      sql`call_uuid in (select call_uuid from call_notes where 'acil' = any(tags))`,
    );
    await expectTheSameList(within, { madeBy: "1000" }, sql`direction <> 'inbound' and caller_id_number = '1000'`);
  }
});

test("one call is there for who sees it, and is found by a part of its number", async () => {
  const [other] = await db.query<{ uuid: string }>(
    sql`select call_uuid as uuid from cdrs join call_others on call_id = id where cdrs.exchange_id = $1 and extension = '1001'
     and not listening and queue is null limit 1`,
    [exchangeId],
  );
  const uuid = other!.uuid; // chance has made some
  expect(await hasCdr(db, exchangeId, uuid, agent)).toBe(true);
  expect(await findCdr(db, exchangeId, uuid, nobody)).toBeUndefined();
  const may = { setup: false, queues: false, people: false, calls: true };
  const found = await searchEverywhere(db, exchangeId, {
    about: "5320000",
    most: 8,
    language: "tr",
    may: { ...may, scope: agent },
  });
  expect(found.calls).toHaveLength(8);
  const none = await searchEverywhere(db, exchangeId, {
    about: "5320000",
    most: 8,
    language: "tr",
    may: { ...may, scope: nobody },
  });
  expect(none.calls).toEqual([]);
});

test("what somebody sees is asked for with a plan of its own each time, and compiled by nobody", async () => {
  await db.transaction(async (db) => {
    for (let time = 0; time < 2; time++) await listCdrs(db, exchangeId, { within: leader }, { page: 1, limit: 7 });
    expect(
      await db.query(sql`select name from pg_prepared_statements where statement like '%call_others as other%'`),
    ).toEqual([]);
    expect(await db.query(sql`show jit`)).toEqual([{ jit: "off" }]);
  });
});

test("days are counted before who leads a queue asks, and forgotten with his queue", async () => {
  const kept = () => owner.query<{ days: number }>(sql`select count(*) as days from seen_days`);
  expect(await keepDaysForLeaders(db)).toBe(false);
  expect(await kept()).toEqual([{ days: 0 }]);
  await db.query(
    sql`update cdrs set start_stamp = start_stamp + (date_trunc('day', now()) - interval '3 days' - '2026-05-03') where true`,
  );
  await db.query(sql`insert into queues (exchange_id, number, name) values ($1, '200', 'Sales')`, [exchangeId]);
  await db.query(
    sql`with leader as (insert into staff (exchange_id, email, name, role, password_hash)
         values ($1, 'leader@ours.test', 'Leader', 'supervisor', '') returning id)
     insert into staff_queues (exchange_id, staff_id, queue_id) select $1, leader.id, queues.id from leader, queues
     where queues.exchange_id = $1`,
    [exchangeId],
  );
  while (await keepDaysForLeaders(db));
  // Whatever time it is now, and whatever day there.
  const over = await owner.query<{ days: number }>(
    sql`select count(distinct at) as days from call_sums where exchange_id = $1 and span = 'day'
       and at < date_trunc('day', now(), 'Europe/Istanbul')`,
    [exchangeId],
  );
  expect(over[0]?.days).toBeGreaterThan(1);
  expect(await kept()).toEqual(over);
  await db.query(sql`delete from staff_queues`);
  expect(await keepDaysForLeaders(db)).toBe(false);
  expect(await kept()).toEqual([{ days: 0 }]);
});
