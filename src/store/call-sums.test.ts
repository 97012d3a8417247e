import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { eventually } from "../../test/ground/eventually.ts";
import { BEGINS, chanceOfCalls } from "../../test/ground/some-calls.ts";
import { writeCallNote } from "./call-notes.ts";
import { checkSums, countOwedDay, type WrongDay } from "./call-sums.ts";
import type { Db } from "./db.ts";
import { closeCalls } from "./live-calls.ts";
import { notedFigures } from "./noted-figures.ts";
import { callsByDay, queueFigures } from "./reports.ts";
import { responseTimes } from "./response-times.ts";
import { sql } from "./sql.ts";

const { db, owner } = await freshDatabase();
let exchangeId = 0;
let neighbour = 0;

beforeAll(async () => {
  const made = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_secret) values ('ours', 'ours.test', 's'), ('theirs', 'theirs.test', 's') returning id`,
  );
  [exchangeId, neighbour] = made.map(({ id }) => id) as [number, number];
});

const { chance, oneOf, someCall } = chanceOfCalls(20_260_504);

/** Before the record is there, or after; again, and differently; or he takes it back. */
async function somebodyWrites(callUuid: string, extension: string): Promise<void> {
  const tags = oneOf([], ["acil"], ["acil", "iade"], ["iade"]);
  const about = { queue: null, peer: "", note: "", isOpen: false, by: "", at: new Date(BEGINS) };
  const [call] = await db.query<{ exchangeId: number }>(
    sql`select exchange_id as "exchangeId" from cdrs where call_uuid = $1`,
    [callUuid],
  );
  const whose = { exchangeId: call?.exchangeId ?? exchangeId, callUuid, extension };
  await db.transaction((db) =>
    writeCallNote(db, { ...whose, ...about, tags, disposition: oneOf(null, "Satış", "İade") }),
  );
  if (chance(5) === 0) await db.query(sql`delete from call_notes where call_uuid = $1`, [callUuid]);
}

async function wrongDays(mend = false): Promise<WrongDay[]> {
  const found: WrongDay[] = [];
  for (const id of [exchangeId, neighbour]) for await (const day of checkSums(db, id, { mend })) found.push(day);
  return found;
}

test("sums are what the records say, whatever is written, written twice, changed or taken away", async () => {
  const uuids: string[] = [];
  for (let step = 0; step < 40; step++) {
    const calls = Array.from({ length: 1 + chance(12) }, () => someCall(oneOf(exchangeId, exchangeId, neighbour)));
    uuids.push(...calls.map(({ cdr }) => cdr.callUuid));
    if (chance(2) === 0 && calls[0]?.cdr.exchangeId === exchangeId) await somebodyWrites(calls[0].cdr.callUuid, "1000");
    await db.transaction((db) => closeCalls(db, calls));
    if (chance(4) === 0) await db.transaction((db) => closeCalls(db, calls)); // its answer was lost
    if (chance(4) === 0)
      await expect(
        db.transaction(async (db) => {
          await closeCalls(db, [someCall(exchangeId)]);
          throw new Error("killed before the commit");
        }),
      ).rejects.toThrow("killed");
    const one = uuids[chance(uuids.length)];
    if (chance(6) === 0) await db.query(sql`delete from cdrs where call_uuid = $1`, [one]);
    if (chance(6) === 0) await db.query(sql`update cdrs set listening = not listening where call_uuid = $1`, [one]);
    if (chance(2) === 0) await somebodyWrites(one ?? "", oneOf("1000", "1001"));
    if (chance(6) === 0) await db.query(sql`update cdrs set queue = '202', missed = true where call_uuid = $1`, [one]);
  }
  expect(await wrongDays()).toEqual([]);
  const [counted] = await db.query<{ calls: number }>(
    sql`select (select count(*) from cdrs where not listening) as calls, count(*) filter (where listening) > 0 as listeners,
       (select sum(calls) from call_sums where of = 'direction' and span = 'day')::int as summed from cdrs`,
  );
  expect(counted).toEqual({ calls: expect.any(Number), listeners: true, summed: counted?.calls });
  const noted = await notedFigures(db, stretch(), "tag");
  expect(noted.map(({ which }) => which).sort()).toEqual(["acil", "iade"]);
  await db.query(sql`update exchanges set time_zone = 'Asia/Kathmandu' where id = $1`, [exchangeId]);
  while (await countOwedDay(db));
  expect(await wrongDays()).toEqual([]);
});

test("two who write at once lose nothing", async () => {
  const batches = Array.from({ length: 8 }, () => Array.from({ length: 20 }, () => someCall(exchangeId)));
  await Promise.all(batches.map((calls) => db.transaction((db) => closeCalls(db, calls))));
  expect(await wrongDays()).toEqual([]);
});

test.each(["record", "note"])(
  "a call's record and a note about it are written at once, the %s first",
  async (first) => {
    const call = someCall(exchangeId);
    call.cdr.listening = false;
    const { callUuid } = call.cdr;
    const about = { queue: null, peer: "", note: "", isOpen: false, by: "", at: new Date(BEGINS), disposition: null };
    const record = async (db: Db) => {
      await closeCalls(db, [call]);
    };
    const note = async (db: Db) => {
      await writeCallNote(db, { exchangeId, callUuid, extension: "1000", ...about, tags: ["at once"] });
    };
    const [one, other] = first === "record" ? [record, note] : [note, record];
    let later: Promise<void> = Promise.resolve();
    await db.transaction(async (within) => {
      await one(within);
      later = db.transaction(other);
      await Promise.race([later, eventually("the other waits", somebodyWaits)]);
    });
    await later;
    expect(await wrongDays()).toEqual([]);
  },
);

async function somebodyWaits(): Promise<boolean> {
  const waiting = await owner.query(
    sql`select from pg_locks where not granted and locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return waiting.length > 0;
}

const stretch = () => ({
  exchangeId,
  timeZone: "Europe/Istanbul",
  from: new Date("2026-05-03T21:00:00Z"),
  before: new Date("2026-05-06T21:00:00Z"),
});

test("what was there before sums were kept is read from the records until it is counted, day by day", async () => {
  const read = async () => [await callsByDay(db, stretch()), await queueFigures(db, stretch())];
  await db.query(sql`update exchanges set time_zone = 'Europe/Istanbul' where id = $1`, [exchangeId]);
  while (await countOwedDay(db)); // hours of another zone
  const before = await read();
  await owner.query(sql`delete from call_sums`);
  await owner.query(
    sql`insert into call_sums_owed select id, generate_series('2026-05-03'::date, '2026-05-08', '1 day')::date from exchanges
     where id = any($1)`,
    [[exchangeId, neighbour]],
  );
  expect(await read()).toEqual(before);
  let days = 0;
  while (await countOwedDay(db)) days++;
  expect(days).toBe(12);
  expect(await read()).toEqual(before);
  expect(await wrongDays()).toEqual([]);
});

test("sums that went wrong are found by their day, and mended", async () => {
  await owner.query(
    sql`update call_sums set calls = calls + 1 where exchange_id = $1 and of = 'direction'
    and at >= '2026-05-05T00:00:00Z' and at < '2026-05-06T00:00:00Z'`,
    [exchangeId],
  );
  // A day of the exchange begins on the day before in Greenwich.
  expect((await wrongDays(true)).map(({ day }) => day)).toEqual(["2026-05-04", "2026-05-05"]);
  expect(await wrongDays()).toEqual([]);
});

test("waits are the same out of their heaps as out of the records, for days, months and a queue", async () => {
  const months = { from: new Date("2026-03-16T21:00:00Z"), before: new Date("2026-06-20T21:00:00Z") };
  const read = (filter: object) =>
    responseTimes(db, {
      ...{ exchangeId, timeZone: "Europe/Istanbul", promisedSeconds: 20 },
      filter: { from: stretch().from, before: stretch().before, direction: "inbound", listening: false, ...filter },
    });
  for (const filter of [
    {},
    months,
    { queues: ["200"] },
    { ...months, queues: ["200", "201"] },
    { direction: "internal" },
  ]) {
    const kept = await read(filter);
    expect(kept.whole.answered).toBeGreaterThan(0);
    expect(kept).toEqual(await read({ ...filter, missed: undefined, recording: ["none", "present", "deleted"] }));
  }
});

test("with an exchange go its sums", async () => {
  await db.query(sql`delete from exchanges where id = $1`, [neighbour]);
  expect(await db.query(sql`select from call_sums where exchange_id = $1`, [neighbour])).toEqual([]);
});
