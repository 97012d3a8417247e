import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { consoleTown } from "../../../test/town/console-town.ts";
import { OUTCOMES, outcomesOf, RESULTS } from "../../nouns/outcome.ts";
import { bySums, countBySums } from "../../store/call-counts.ts";
import { sql } from "../../store/sql.ts";

const { db, ours, member } = await consoleTown();
const boss = await member("administrator");
const STRETCH = { from: "2026-05-03T21:00:00Z", before: "2026-07-10T21:00:00Z" };

type Kept = [direction: string, how: "person" | "outside" | "machine" | "nobody" | "blocked", outcome: string];
const calls: Kept[] = [
  ["inbound", "person", "answered"],
  ["inbound", "outside", "answered"],
  ["inbound", "machine", "system"],
  ["inbound", "nobody", "missed"],
  ["inbound", "blocked", "refused"],
  ["outbound", "outside", "answered"],
  ["outbound", "machine", "system"],
  ["outbound", "nobody", "unanswered"],
  ["internal", "person", "answered"],
  ["internal", "machine", "system"],
  ["internal", "nobody", "unanswered"],
];

beforeAll(async () => {
  for (const [index, [direction, how]] of calls.entries()) {
    const [uuid, at] = [randomUUID(), "2026-05-05T10:00:00Z"];
    const answer = how === "nobody" || how === "blocked" ? null : at;
    // Those on the line: the caller alone, or somebody else with him.
    await db.query(
      sql`insert into cdr_legs (call_uuid, position, destination_number, start_stamp, answer_stamp, end_stamp, hangup_cause)
       select $1, position, '2', $2::timestamptz, $3, $2::timestamptz, '' from generate_series(0, $4::int) as position`,
      [uuid, at, answer, how === "machine" ? 0 : 1],
    );
    await db.query(
      sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, answer_stamp, end_stamp, caller_id_number,
         destination_number, connected_user, missed, hangup_cause)
       values ($1, $2, $3, $4, $5, $4, $6, '2', $7, $8, 'NORMAL_CLEARING')`,
      [ours.id, uuid, direction, at, answer, `call ${index}`, how === "person" ? "1000" : "", how === "nobody"],
    );
  }
});

const told = (rows: { callerIdNumber: string; outcome: string }[]) =>
  Object.fromEntries(rows.map(({ callerIdNumber, outcome }) => [callerIdNumber, outcome]));
const expected = (fits: (call: Kept) => boolean = () => true) =>
  Object.fromEntries(calls.flatMap((call, index) => (fits(call) ? [[`call ${index}`, call[2]]] : [])));
const list = (search: object) => boss.ask("calls.list", { ...STRETCH, page: 1, limit: 50, ...search });

test("what became of a call is told alike in the list, its filter and its table", async () => {
  expect(told((await list({})).rows)).toEqual(expected());
  for (const result of RESULTS) {
    const found = await list({ result });
    expect([result, told(found.rows)]).toEqual([result, expected(([, , it]) => isOf(result, it))]);
    expect(found.total).toBe(found.rows.length);
  }
  const table = await (await boss.get(`/console/calls.csv?from=${STRETCH.from}&before=${STRETCH.before}`)).text();
  const [heading = [], ...lines] = table
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  const cells = (name: string) => lines.map((line) => line[heading.indexOf(name)]);
  const rows = lines.map((line) => ({ callerIdNumber: line[2] ?? "", outcome: line[heading.indexOf("result")] ?? "" }));
  expect(told(rows)).toEqual(expected());
  expect(cells("missed")).toEqual(rows.map(({ outcome }) => String(outcome === "missed")));
});

const isOf = (result: (typeof RESULTS)[number], outcome: string) =>
  (outcomesOf(result) as readonly string[]).includes(outcome);

test("answered is who a person took, and missed are callers from outside, also in the report", async () => {
  const { answered, missed, inbound } = await boss.ask("reports.summary", STRETCH);
  const inside = { direction: "inbound" };
  expect({ answered, missed, inbound }).toEqual({ answered: 2, missed: 1, inbound: 5 });
  expect((await list({ ...inside, result: "answered" })).total).toBe(answered);
  expect((await list({ missed: true })).total).toBe(missed);
  expect((await list({ missed: false })).total).toBe(calls.length - missed);
});

test("long lists are counted from sums, to the same number", async () => {
  const stretch = { from: new Date(STRETCH.from), before: new Date(STRETCH.before), listening: false };
  let summed = 0;
  for (const direction of [undefined, "inbound", "outbound", "internal"])
    for (const result of RESULTS) {
      const outcomes = outcomesOf(result);
      const sums = bySums({ ...stretch, direction, outcomes });
      if (!sums) continue;
      const count = await countBySums(db, ours.id, sums);
      summed += 1;
      const those = calls.filter(([which, , it]) => (direction ?? which) === which && isOf(result, it));
      expect([direction, result, count]).toEqual([direction, result, those.length]);
    }
  expect(summed).toBeGreaterThan(OUTCOMES.length);
});
