import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { eventually } from "../../../test/ground/eventually.ts";
import { consoleTown } from "../../../test/town/console-town.ts";
import { mainFigures } from "../../reports/mailed-reports.ts";
import { sql } from "../../store/sql.ts";

const { db, ours, member } = await consoleTown();
const boss = await member("administrator");
const STRETCH = { from: "2026-05-03T21:00:00Z", before: "2026-05-10T21:00:00Z" }; // a week in Istanbul
const TAGS = 502;

beforeAll(async () => {
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, end_stamp, caller_id_number, destination_number,
       talk_seconds, hangup_cause)
     values ($1, gen_random_uuid(), 'inbound', '2026-05-04 09:00Z', '2026-05-04 09:01Z', '1', '2', 60, 'NORMAL_CLEARING')`,
    [ours.id],
  );
  await db.query(
    sql`insert into call_notes (exchange_id, call_uuid, extension, at, tags, disposition)
     select exchange_id, call_uuid, '1000', start_stamp, array(select 'tag ' || n from generate_series(1, $2::int) as n), 'Sold'
     from cdrs where exchange_id = $1`,
    [ours.id, TAGS],
  );
});

test("tables and letters have every line, and a page can tell that there are more than it shows", async () => {
  const shown = await boss.ask("reports.tags", STRETCH);
  expect(shown).toHaveLength(501);
  const table = await (await boss.get(`/console/report-tags.csv?${new URLSearchParams(STRETCH)}`)).text();
  expect(table.trim().split("\r\n")).toHaveLength(TAGS + 1);
  const days = { from: new Date(STRETCH.from), before: new Date(STRETCH.before) };
  const stretch = { ...days, exchangeId: ours.id, timeZone: "Europe/Istanbul" };
  const asked = { db, stretch, nowMs: Date.parse(STRETCH.before), filter: { direction: "inbound" as const } };
  expect(await mainFigures.tags(asked as Parameters<typeof mainFigures.tags>[0])).toEqual({ tags: TAGS });
});

test("every table of the reports has beside it what its lines had in another stretch", async () => {
  const before = await boss.ask("reports.before", STRETCH);
  expect(before.tags).toHaveLength(TAGS);
  for (const name of ["numbers", "campaigns", "dispositions", "extensions"] as const)
    expect([name, before[name]]).toEqual([name, await boss.ask(`reports.${name}`, STRETCH)]);
  expect(before.dispositions).toMatchObject([{ which: "Sold", calls: 1 }]);
  expect(before.numbers).toMatchObject([{ number: "2", incoming: 1 }]);
});

test("scores are those of calls that began in the stretch, lead to these calls, and stand in the table", async () => {
  const scores = [
    { extension: "1000", score: 5, began: "2026-05-04 10:00Z" },
    { extension: "1000", score: 2, began: "2026-05-10 20:59Z" }, // answered on the next day
    { extension: "1000", score: 1, began: "2026-05-10 21:00Z" },
    { extension: "1000", score: 1, began: "2026-05-03 20:59Z" }, // answered on the first day
    { extension: "1001", score: 4, began: "2026-05-04 11:00Z" },
  ];
  for (const { extension, score, began } of scores) {
    const uuid = randomUUID();
    // Before its record, which is counted by them.
    await db.query(
      sql`insert into cdr_legs (call_uuid, position, destination_number, start_stamp, answer_stamp, end_stamp, hangup_cause)
       values ($1, 1, $2, $3, $3, $3::timestamptz + '1 min', 'NORMAL_CLEARING')`,
      [uuid, extension, began],
    );
    await db.query(
      sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, end_stamp, caller_id_number, destination_number,
           connected_user, talk_seconds, queue, hangup_cause)
         values ($1, $2, 'inbound', $3, $3::timestamptz + '2 min', '1', '3', $4, 60, '200', 'NORMAL_CLEARING')`,
      [ours.id, uuid, began, extension],
    );
    await db.query(
      sql`insert into survey_answers (exchange_id, call_uuid, queue, extension, score, answered_at)
       values ($1, $2, '200', $3, $4, $5::timestamptz + '2 min')`,
      [ours.id, uuid, extension, score, began],
    );
  }
  const { survey } = await boss.ask("reports.agents", STRETCH);
  expect(survey).toMatchObject([
    { extension: "1000", answers: 2, average: 3.5 },
    { extension: "1001", answers: 1, average: 4 },
  ]);
  for (const { extension, answers } of survey) {
    const { total } = await boss.ask("calls.list", { ...STRETCH, page: 1, limit: 1, surveyOf: extension });
    expect([extension, total]).toEqual([extension, answers]);
  }
  const wanted = new URLSearchParams({ ...STRETCH, surveyOf: "1000" });
  expect((await (await boss.get(`/console/calls.csv?${wanted}`)).text()).trim().split("\r\n")).toHaveLength(3);
  const table = await (await boss.get(`/console/report-agents.csv?${new URLSearchParams(STRETCH)}`)).text();
  const [heading, line] = table.trim().split("\r\n");
  expect(heading).toMatch(/,survey_answers,survey_score$/);
  expect(line).toMatch(/^1000,.*,2,3\.5$/);
});

test("who stops a download ends what the database does for it, and everybody else goes on", async () => {
  const waits = async () => {
    const [row] = await db.query<{ found: number }>(
      sql`select count(*)::int as found from pg_locks
       where not granted and database = (select oid from pg_database where datname = current_database())`,
    );
    return row?.found;
  };
  const query = new URLSearchParams(STRETCH);
  await db.transaction(async (locking) => {
    await locking.query(sql`lock table cdrs in access exclusive mode`);
    for (const table of ["calls.csv", "calls.xlsx"]) {
      const stop = new AbortController();
      const coming = boss.get(`/console/${table}?${query}`, {}, stop.signal).then((it) => it.text());
      coming.catch(() => undefined); // stopped below
      await eventually(`${table} is asked for`, async () => (await waits()) !== 0);
      stop.abort();
      await expect(coming).rejects.toThrow("aborted");
      await eventually(`nothing is asked for ${table} any more`, async () => (await waits()) === 0, 8);
    }
  });
  const table = await (await boss.get(`/console/calls.csv?${query}`)).text();
  expect(table.trim().split("\r\n").length).toBeGreaterThan(1);
});
