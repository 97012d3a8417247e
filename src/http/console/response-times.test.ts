import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { rowsOf } from "../../../test/ground/workbooks.ts";
import { consoleTown } from "../../../test/town/console-town.ts";
import { sql } from "../../store/sql.ts";

const { db, ours, theirs, member } = await consoleTown();
const boss = await member("read-only");

type Kept = {
  /** In Istanbul, three hours ahead of the stamps. */
  at: string;
  direction: "inbound" | "outbound" | "internal";
  waited: number;
  outcome: "taken" | "taken outside" | "missed" | "blocked" | "fax";
  queue: string | null;
  extension: string;
  number: string;
};

const STRETCH = { from: "2026-05-03T21:00:00Z", before: "2026-05-06T21:00:00Z" }; // three days in Istanbul
const page = { page: 1, limit: 1 };
const WAITS = [0, 3, 4.6, 5, 5.4, 5.6, 9, 10, 11, 19, 20, 20.4, 21, 30, 31, 45, 60, 61, 119, 120, 121, 400];

const kept: Kept[] = [];

const theirCall: Kept = {
  at: "2026-05-04T20:30:00+03:00",
  direction: "inbound",
  waited: 7,
  outcome: "taken",
  queue: "200",
  extension: "1000",
  number: "908505320000",
};

beforeAll(async () => {
  const outcomes = ["taken", "taken", "missed", "taken", "blocked", "taken outside", "fax"] as const;
  const hours = ["00:00:00", "08:59:59", "09:00:00", "13:30:00", "23:59:59"];
  for (let index = 0; index < 330; index++)
    kept.push({
      at: `2026-05-0${4 + (index % 3)}T${hours[Math.floor(index / 2) % hours.length]}+03:00`,
      direction: index % 11 === 0 ? "internal" : index % 13 === 0 ? "outbound" : "inbound",
      waited: WAITS[(index * 5) % WAITS.length] ?? 0,
      outcome: outcomes[(index * 3) % outcomes.length] ?? "taken",
      queue: index % 2 === 0 ? null : index % 4 === 1 ? "200" : "201",
      extension: `100${index % 4}`,
      number: index % 5 === 0 ? "908505320001" : "908505320000",
    });
  for (const call of kept) await keep(ours.id, call);
  // The last moment before, the first after, and a neighbour's.
  await keep(ours.id, { ...theirCall, at: "2026-05-03T23:59:59.999+03:00" });
  await keep(ours.id, { ...theirCall, at: "2026-05-07T00:00:00+03:00" });
  await keep(theirs.id, theirCall);
});

async function keep(exchangeId: number, call: Kept): Promise<void> {
  const uuid = randomUUID();
  const begins = Date.parse(call.at);
  const waitedUntil = new Date(begins + call.waited * 1_000);
  const answered = ["taken", "taken outside", "fax"].includes(call.outcome);
  const ends = answered ? new Date(waitedUntil.getTime() + 30_000) : waitedUntil;
  // Before their record: what it counts for is worked out when it is written.
  const legs = call.outcome === "taken outside" ? 2 : 1; // the caller's own, and that of whoever took it outside
  for (let position = 0; position < legs; position++)
    await db.query(
      sql`insert into cdr_legs (call_uuid, position, destination_number, start_stamp, answer_stamp, end_stamp,
         hangup_cause) values ($1, $2, '1', $3, $4, $5, 'NORMAL_CLEARING')`,
      [uuid, position, new Date(begins), answered ? waitedUntil : null, ends],
    );
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, answer_stamp, end_stamp, caller_id_number,
       destination_number, dialed_user, connected_user, queue, missed, hangup_cause)
     values ($1, $2, $3, $4, $5, $6, '05321234567', $7, $8, $9, $10, $11, 'NORMAL_CLEARING')`,
    [
      ...[exchangeId, uuid, call.direction, new Date(begins), answered ? waitedUntil : null, ends, call.number],
      ...[call.extension, call.outcome === "taken" ? call.extension : "", call.queue, call.outcome === "missed"],
    ],
  );
}

type Wanted = { direction?: "inbound" | "internal"; queue?: string; extension?: string; ownNumber?: string };

/** Counted call by call, from what was kept and not from the database. */
function counted(which: (call: Kept) => boolean, promised = 20) {
  const mine = kept.filter(which);
  const seconds = (outcomes: string[]) =>
    mine
      .filter(({ outcome }) => outcomes.includes(outcome))
      .map(({ waited }) => Math.round(waited))
      .sort((a, b) => a - b);
  const [taken, gone] = [seconds(["taken", "taken outside"]), seconds(["missed"])];
  const average = (some: number[]) =>
    some.length === 0 ? null : expect.closeTo(some.reduce((sum, it) => sum + it, 0) / some.length, 6);
  const share = (some: number[], of: number) => some[Math.ceil(some.length * of) - 1] ?? null;
  return {
    answered: taken.length,
    inTime: taken.filter((it) => it <= promised).length,
    average: average(taken),
    median: share(taken, 0.5),
    ninetieth: share(taken, 0.9),
    longest: taken.at(-1) ?? null,
    unanswered: gone.length,
    averageGone: average(gone),
    medianGone: share(gone, 0.5),
    longestGone: gone.at(-1) ?? null,
  };
}

const wanting = ({ direction = "inbound", queue, extension, ownNumber }: Wanted) => {
  const national = ownNumber && `90${ownNumber.replaceAll(" ", "").slice(1)}`;
  return (call: Kept) =>
    call.direction === direction &&
    (queue === undefined || call.queue === queue) &&
    // Whoever took it, or rang last; outside it was no extension.
    (extension === undefined || (call.extension === extension && ["taken", "missed"].includes(call.outcome))) &&
    (national === undefined || call.number === national);
};

describe.each<Wanted>([
  {},
  { direction: "internal" },
  { queue: "200" },
  { extension: "1002" },
  { ownNumber: "0850 532 00 01" },
  { queue: "201", extension: "1003" },
  { queue: "999" },
])("response times of %j", (wanted) => {
  test("are those that the calls themselves add up to, by hour and by day in the exchange's time zone", async () => {
    const mine = wanting(wanted);
    const report = await boss.ask("reports.responseTimes", { ...STRETCH, ...wanted });
    expect(report.promisedSeconds).toBe(20);
    expect(report.whole).toEqual(counted(mine));
    expect(report.hours).toHaveLength(24);
    for (const { hour, ...figures } of report.hours)
      expect(figures).toEqual(counted((call) => mine(call) && Number(call.at.slice(11, 13)) === hour));
    expect(report.days.map(({ day }) => day)).toEqual(["2026-05-04", "2026-05-05", "2026-05-06"]);
    for (const { day, ...figures } of report.days)
      expect(figures).toEqual(counted((call) => mine(call) && call.at.startsWith(day)));
  });

  test("lead to the calls behind each of them", async () => {
    const search = { ...STRETCH, direction: "inbound" as const, ...wanted, ...page };
    const behind = async (more: object) => (await boss.ask("calls.list", { ...search, ...more })).total;
    const { whole, bands, hours, promisedSeconds } = await boss.ask("reports.responseTimes", { ...STRETCH, ...wanted });
    const gone = { result: search.direction === "inbound" ? "missed" : "unanswered" };
    const figures: [more: object, said: number][] = [
      [{ result: "answered" }, whole.answered],
      [gone, whole.unanswered],
      [{ result: "answered", waitedUpTo: promisedSeconds }, whole.inTime],
      ...bands.flatMap(({ over, upTo, answered, unanswered }): [object, number][] => {
        const band = { waitedOver: over ?? undefined, waitedUpTo: upTo ?? undefined };
        return [
          [{ ...band, result: "answered" }, answered],
          [{ ...band, ...gone }, unanswered],
        ];
      }),
      ...hours.map(({ hour, answered }): [object, number] => [{ hour, result: "answered" }, answered]),
    ];
    expect(await Promise.all(figures.map(([more]) => behind(more)))).toEqual(figures.map(([, said]) => said));
  });
});

test("the bands hold every call once, each its upper bound included", async () => {
  const { bands, whole } = await boss.ask("reports.responseTimes", STRETCH);
  expect(bands.map(({ over, upTo }) => [over, upTo])).toEqual([
    ...[[null, 5] as const, [5, 10] as const, [10, 20] as const, [20, 30] as const, [30, 60] as const],
    ...[[60, 120] as const, [120, null] as const],
  ]);
  for (const { over, upTo, answered } of bands)
    expect(answered).toBe(
      kept.filter(({ direction, outcome, waited }) => {
        const seconds = Math.round(waited);
        const inside = seconds > (over ?? -1) && seconds <= (upTo ?? Number.POSITIVE_INFINITY);
        return direction === "inbound" && outcome.startsWith("taken") && inside;
      }).length,
    );
  const sum = (of: "answered" | "unanswered") => bands.reduce((all, band) => all + band[of], 0);
  expect([sum("answered"), sum("unanswered")]).toEqual([whole.answered, whole.unanswered]);
  const within20 = bands.slice(0, 3).reduce((all, { answered }) => all + answered, 0);
  expect(within20).toBe(whole.inTime);
});

test("the figures of queues count an answer in the same way, somebody outside included", async () => {
  const { queues } = await boss.ask("reports.queues", STRETCH);
  const ofQueue = kept.filter(({ queue }) => queue === "200");
  const answered = ofQueue.filter(({ outcome }) => outcome.startsWith("taken")).length;
  expect(queues.find(({ queue }) => queue === "200")).toMatchObject({ calls: ofQueue.length, answered });
});

test("the promise can be chosen", async () => {
  const { whole } = await boss.ask("reports.responseTimes", { ...STRETCH, promisedSeconds: 60 });
  expect(whole).toEqual(counted(wanting({}), 60));
});

test("half a day of an exchange elsewhere has its own hours, and a stretch is a year at most", async () => {
  await db.query(sql`update exchanges set time_zone = 'Asia/Kathmandu' where id = $1`, [theirs.id]);
  const neighbour = await member("read-only", theirs.id);
  const { hours, days } = await neighbour.ask("reports.responseTimes", {
    from: "2026-05-03T18:15:00Z",
    before: "2026-05-04T18:15:00Z",
  });
  const there = new Date(theirCall.at).toLocaleString("sv-SE", { timeZone: "Asia/Kathmandu" });
  expect(days.map(({ day }) => day)).toEqual(["2026-05-04"]);
  expect(hours.filter(({ answered }) => answered > 0).map(({ hour }) => hour)).toEqual([Number(there.slice(11, 13))]);
  const hour = Number(there.slice(11, 13));
  expect((await neighbour.ask("calls.list", { ...page, hour })).total).toBe(1);
  const century = { from: "1999-12-31T22:00:00Z", before: "2099-01-01T00:00:00Z" };
  expect((await boss.ask("reports.responseTimes", century)).days.length).toBeLessThan(368);
  const backwards = { from: STRETCH.before, before: STRETCH.from };
  expect(await boss.ask("reports.responseTimes", backwards)).toMatchObject({ days: [], whole: { answered: 0 } });
});

test("what makes no sense is refused, and nothing that somebody writes becomes SQL", async () => {
  const refused = (more: object) => boss.refused("reports.responseTimes", { ...STRETCH, ...more } as never);
  for (const more of [
    ...[{ promisedSeconds: 0 }, { promisedSeconds: 1e9 }, { promisedSeconds: "20" }, { direction: "outbound" }],
    ...[{ exchangeId: theirs.id }, { from: "2026-13-45T99:99Z" }, { before: "tomorrow" }, { queue: 200 }],
    ...[{ extension: "1000 or true" }, { ownNumber: "9".repeat(65) }, { queue: ["200"] }],
  ])
    expect(await refused(more), JSON.stringify(more)).toMatchObject({ status: 400 });
  const injected = { ...STRETCH, queue: "' or true --", ownNumber: "%", extension: "';--" };
  expect(await boss.ask("reports.responseTimes", injected)).toMatchObject({ whole: { answered: 0, unanswered: 0 } });
  for (const more of [{ hour: 24 }, { waitedOver: -1 }, { waitedUpTo: 1e12 }, { waitedOver: 0.5 }, { taken: "yes" }])
    expect(await boss.refused("calls.list", { ...page, ...more } as never)).toMatchObject({ status: 400 });
  for (const query of ["hour=24", "hour=x", "waitedOver=-1", "waitedUpTo=1e12", "from=2026-02-30T24:00Z"])
    expect((await boss.get(`/console/calls.csv?${query}`)).status, query).toBe(400);
});

test("the table to download has the same figures, and is only for who is signed in", async () => {
  const query = `from=${STRETCH.from}&before=${STRETCH.before}&promisedSeconds=30&queue=200`;
  const csv = await boss.get(`/console/response-times.csv?${query}`);
  expect(csv.headers.get("content-disposition")).toContain("response-times.csv");
  const lines = (await csv.text()).trim().split("\r\n");
  expect(lines[0]).toContain("by,which,answered,in_time");
  const mine = counted(wanting({ queue: "200" }), 30);
  expect(lines[1]?.split(",").slice(0, 4)).toEqual(["all", "", String(mine.answered), String(mine.inTime)]);
  expect(lines).toHaveLength(2 + 7 + 24 + 3);
  expect(lines[3]).toMatch(/^band,> 5 <= 10,\d+,,/);
  const excel = await boss.get(`/console/response-times.xlsx?${query}`);
  expect(await rowsOf(Buffer.from(await excel.arrayBuffer()))).toHaveLength(lines.length);
  for (const wrong of ["", "from=yesterday", `${query}&promisedSeconds=x`, `${query}&exchangeId=${theirs.id}`])
    expect((await boss.get(`/console/response-times.csv?${wrong}`)).status, wrong).toBe(400);
  const stranger = await boss.get(`/console/response-times.csv?${query}`, { cookie: "" });
  expect(stranger.status).toBe(401);
});
