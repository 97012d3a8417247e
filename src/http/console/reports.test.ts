import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { consoleTown, type Visitor } from "../../../test/town/console-town.ts";
import { changeAgent } from "../../store/agents.ts";
import { sql } from "../../store/sql.ts";
import { answeredSinceLogIn, keepWrapUp, wrapUps } from "../../store/wrap-ups.ts";

const { db, ours, theirs, member } = await consoleTown();
const boss = await member("administrator");
const STRETCH = { from: "2026-05-03T21:00:00Z", before: "2026-05-10T21:00:00Z" }; // a week in Istanbul
const page = { page: 1, limit: 1 };

const lead = await member("supervisor");
let campaign = 0;

beforeAll(async () => {
  const [made] = await db.query<{ id: number }>(
    sql`with led as (insert into staff_queues (exchange_id, staff_id, queue_id)
       select $1, $2, id from queues where exchange_id = $1 and number = '200')
     insert into call_campaigns (exchange_id, name, call_type, date_begin, date_end, created_at)
     values ($1, 'Bahar', 'ivr', now(), now(), now()) returning id`,
    [ours.id, lead.id],
  );
  campaign = made!.id; // just made
  const some = (exchangeId: number, length: number) => Array.from({ length }, (_, index) => mixed(exchangeId, index));
  await keep([...some(ours.id, 70), ...some(theirs.id, 7)]);
  await db.query(
    sql`insert into call_notes (exchange_id, call_uuid, extension, at, tags, disposition)
     select exchange_id, call_uuid, agent, start_stamp, case when id % 2 = 0 then '{acil}'::text[] else '{acil,iade}' end,
       case when id % 3 = 0 then 'Satış' end
     from cdrs, unnest('{1000,1001}'::text[]) as agent where id % 4 < 3`,
  );
});

/** A mixture in which no two figures are alike by necessity. */
function mixed(exchangeId: number, index: number) {
  const begins = Date.parse("2026-05-03T21:00:00Z") + index * 139 * 60_000;
  const direction = index % 7 === 0 ? "internal" : index % 5 === 0 ? "outbound" : "inbound";
  const taken = index % 3 !== 0;
  const waited = [3, 5, 20, 21, 90][index % 5] ?? 0;
  const answer_stamp = taken ? new Date(begins + waited * 1_000) : null;
  const agents = [["1000"], ["1001", "1000"], ["1002"]][index % 3] ?? [];
  const queue = index % 2 === 0 ? "200" : index % 4 === 1 ? "201" : null;
  const moments = {
    call_uuid: randomUUID(),
    start_stamp: new Date(begins),
    end_stamp: new Date(begins + (waited + 60) * 1_000),
  };
  const legs = ["905321234567", ...agents].map((destination_number, position) => ({
    ...moments,
    ...{ position, destination_number, answer_stamp: destination_number === agents.at(-1) ? answer_stamp : null },
    hangup_cause: index % 4 === 0 ? "ORIGINATOR_CANCEL" : "NO_ANSWER",
  }));
  return {
    ...{ ...moments, answer_stamp, legs, exchange_id: exchangeId, direction, queue, missed: !taken },
    origin: exchangeId === ours.id && direction === "outbound" && index % 10 === 0 ? "campaign" : "phone",
    caller_id_number: direction === "inbound" ? "05321234567" : "1001",
    destination_number: index % 9 === 0 ? "908505320001" : "908505320000",
    outbound_caller_id_number: direction === "outbound" ? "908505320000" : "",
    ...{ connected_user: taken ? (agents.at(-1) ?? "") : "", talk_seconds: taken ? 60 : 0 },
    ...{ queue_wait_seconds: queue ? waited : 0, listening: index % 11 === 10 },
    queue_stay_seconds: queue && index % 8 === 0 ? 25 : null,
    queue_end: queue && index % 12 === 2 ? "passed-on" : queue && index % 12 === 4 ? "abandoned" : null,
    ...passesOf(index),
  };
}

/** Some came to the other queue before, or to a ring group that one of them sent on to. */
function passesOf(index: number) {
  const pass = (queue: string) => ({
    ...{ queue, wait_seconds: [4, 15, 120][index % 3], answered: index % 9 === 4, talk_seconds: 0 },
  });
  if (index % 2 === 1) return { queue: index % 6 === 1 ? "201" : null, passes: index % 6 === 1 ? [pass("200")] : [] };
  return { passes: index % 10 === 4 ? [pass("201"), pass("700")] : [] };
}

async function keep(calls: ReturnType<typeof mixed>[]): Promise<void> {
  await db.query(
    sql`insert into cdr_legs (call_uuid, position, destination_number, start_stamp, answer_stamp, end_stamp, hangup_cause)
     select call_uuid, position, destination_number, start_stamp, answer_stamp, end_stamp, hangup_cause
     from jsonb_populate_recordset(null::cdr_legs, $1)`,
    [JSON.stringify(calls.flatMap(({ legs }) => legs))],
  );
  await db.query(
    sql`with number as (insert into campaign_numbers (exchange_id, campaign_id, number) values ($1, $2, '905321234567')
       returning id)
     insert into campaign_attempts (exchange_id, campaign_id, number_id, attempt, call_uuid, started_at)
     select $1, $2, id, row_number() over (), call_uuid, now() from number, unnest($3::uuid[]) as call_uuid`,
    [ours.id, campaign, calls.filter(({ origin }) => origin === "campaign").map(({ call_uuid }) => call_uuid)],
  );
  await db.query(
    sql`with kept as (insert into cdrs (exchange_id, call_uuid, direction, origin, start_stamp, answer_stamp, end_stamp, caller_id_number,
       destination_number, outbound_caller_id_number, dialed_user, connected_user, talk_seconds, queue,
       queue_wait_seconds, queue_stay_seconds, queue_end, missed, listening, hangup_cause)
     select exchange_id, call_uuid, direction, origin, start_stamp, answer_stamp, end_stamp, caller_id_number,
       destination_number, outbound_caller_id_number, '1002', connected_user, talk_seconds, queue,
       queue_wait_seconds, queue_stay_seconds, queue_end, missed, listening, 'NORMAL_CLEARING' from jsonb_populate_recordset(null::cdrs, $1)
     returning id, call_uuid, exchange_id, start_stamp),
     passes as (insert into call_passes (call_id, exchange_id, queue, start_stamp, wait_seconds, answered, talk_seconds)
       select kept.id, kept.exchange_id, pass.queue, start_stamp, wait_seconds, answered, talk_seconds
       from kept join jsonb_array_elements($1::jsonb) as call on call ->> 'call_uuid' = kept.call_uuid::text
       cross join jsonb_to_recordset(call -> 'passes') as pass (queue text, wait_seconds int, answered boolean, talk_seconds int))
     select from kept`,
    [JSON.stringify(calls)],
  );
}

/** How many have waited longest in each. */
const LONGEST: Readonly<Record<string, number>> = { 200: 4, 201: 2, 700: 2 };

type Search = Parameters<typeof boss.ask<"calls.list">>[1];
type Figure = [what: string, figure: number, search: Partial<Search>];

async function behind(search: Partial<Search>, who: Visitor = boss): Promise<number> {
  return (await who.ask("calls.list", { ...STRETCH, ...page, ...search })).total;
}

async function everyFigure(who: Visitor): Promise<Figure[]> {
  const ask = { summary: who.ask("reports.summary", STRETCH), calls: who.ask("reports.calls", STRETCH) };
  const { inbound, outbound, internal, answered, missed, abandoned, talk } = await ask.summary;
  const { week, days } = await ask.calls;
  const { queues } = await who.ask("reports.queues", STRETCH);
  const { agents } = await who.ask("reports.agents", STRETCH);
  const numbers = await who.ask("reports.numbers", STRETCH);
  const extensions = await who.ask("reports.extensions", STRETCH);
  const campaigns = await who.ask("reports.campaigns", STRETCH);
  const tags = await who.ask("reports.tags", STRETCH);
  const dispositions = await who.ask("reports.dispositions", STRETCH);
  const into = { direction: "inbound" as const };
  return [
    ["incoming", inbound, into],
    ["outgoing", outbound, { direction: "outbound" }],
    ["internal", internal, { direction: "internal" }],
    ["answered", answered, { ...into, result: "answered" }],
    ["missed", missed, { ...into, result: "missed" }],
    ["answer rate", answered + missed, { ...into, result: "wanted-person" }],
    ["talk", talk / 60, { talked: true }], // a minute each
    ["abandoned", abandoned, { queued: true, became: "abandoned" }],
    ...week
      .filter((_, index) => index % 9 === 0) // one is as good as another, and each costs a question
      .map((it): Figure => ["an hour of the week", it.inbound, { ...into, weekday: it.weekday, hour: it.hour }]),
    ...days.map(({ day, missed }): Figure => {
      const from = new Date(Date.parse(`${day}T00:00:00+03:00`));
      const before = new Date(from.getTime() + 86_400_000);
      return [
        "missed on a day",
        missed,
        { ...into, result: "missed", from: from.toISOString(), before: before.toISOString() },
      ];
    }),
    ...queues.flatMap(
      ({ queue, calls, answered, abandoned, passedOn, inTime, promisedSeconds, longestWait }): Figure[] => [
        ["calls of a queue", calls, { queue }],
        ["answered of a queue", answered, { queue, became: "answered" }],
        ["abandoned in a queue", abandoned, { queue, became: "abandoned" }],
        ["passed on by a queue", passedOn, { queue, became: "passed-on" }],
        ["every call of a queue", answered + abandoned + passedOn, { queue }],
        ["longest wait", LONGEST[queue] ?? 0, { queue, queueWaitedOver: longestWait - 1 }],
        ["answered in time", inTime, { queue, became: "answered", queueWaitedUpTo: promisedSeconds }],
      ],
    ),
    ...agents.flatMap(({ extension, offered, answered, missed }): Figure[] => [
      ["offered to an agent", offered, { offeredTo: extension }],
      ["answered by an agent", answered, { answeredBy: extension }],
      ["let pass by an agent", missed, { letPassBy: extension }],
    ]),
    ...numbers.flatMap(({ number, incoming, answered, missed, outgoing }): Figure[] => [
      ["to a number", incoming, { ...into, ownNumber: number }],
      ["answered of a number", answered, { ...into, ownNumber: number, result: "answered" }],
      ["missed of a number", missed, { ...into, ownNumber: number, result: "missed" }],
      ["from a number", outgoing, { direction: "outbound", ownNumber: number }],
    ]),
    ...extensions.flatMap(({ extension, made, taken, missed }): Figure[] => [
      ["made by an extension", made, { madeBy: extension }],
      ["taken by an extension", taken, { takenBy: extension }],
      ["not answered by an extension", missed, { unansweredBy: extension }],
    ]),
    ...extensions.map(({ extension, talk }): Figure => ["talk of an extension", talk / 60, { talkedBy: extension }]),
    ...numbers.map(({ number, talk }): Figure => ["talk of a number", talk / 60, { ownNumber: number, talked: true }]),
    ...campaigns.map(({ campaign, talk }): Figure => ["talk of a campaign", talk / 60, { campaign, talked: true }]),
    ...tags.flatMap(({ which: tag, calls, answered }): Figure[] => [
      ["of a tag", calls, { tag }],
      ["answered of a tag", answered, { tag, result: "answered" }],
    ]),
    ...dispositions.flatMap(({ which: disposition, calls, answered }): Figure[] => [
      ["of a disposition", calls, { disposition }],
      ["answered of a disposition", answered, { disposition, result: "answered" }],
    ]),
    ...campaigns.flatMap(({ campaign, calls, answered }): Figure[] => [
      ["of a campaign", calls, { campaign }],
      ["answered of a campaign", answered, { campaign, result: "answered" }],
    ]),
  ];
}

/** The figures, and the same as their links find them. */
async function figuresAndCalls(who: Visitor): Promise<{ figures: Figure[]; found: Figure[] }> {
  const figures = await everyFigure(who);
  const found: Figure[] = [];
  for (const [what, , search] of figures) found.push([what, await behind(search, who), search]);
  return { figures, found };
}

test("as many calls are behind every figure of the reports as it says", async () => {
  const { figures, found } = await figuresAndCalls(boss);
  expect(found).toEqual(figures);
  for (const what of new Set(figures.map(([name]) => name)))
    expect([what, figures.some(([name, figure]) => name === what && figure > 0)]).toEqual([what, true]);
});

test("who leads a queue has his own calls counted, and finds as many", async () => {
  const { figures, found } = await figuresAndCalls(lead);
  expect(found).toEqual(figures);
  const all = async (who: Visitor) => (await who.ask("reports.summary", STRETCH)).inbound;
  expect(await all(lead)).toBeGreaterThan(0);
  expect(await all(lead)).toBeLessThan(await all(boss));
  expect(await behind({ queue: "201" }, lead)).toBeGreaterThan(0); // of his agents
  const nobody = await member("supervisor");
  expect(await nobody.ask("reports.summary", STRETCH)).toMatchObject({ inbound: 0, internal: 0, abandoned: 0 });
  for (const name of ["reports.numbers", "reports.campaigns", "reports.extensions", "reports.tags"] as const)
    expect([name, await nobody.ask(name, STRETCH)]).toEqual([name, []]);
});

test("the service level follows the queue's own promise, for calls that were as well", async () => {
  const inTime = async () => (await boss.ask("reports.queues", STRETCH)).queues.find(({ queue }) => queue === "200");
  const before = await inTime();
  await boss.ask("queues.update", { number: "200", changes: { promised_seconds: "5" } });
  const after = await inTime();
  expect([before?.promisedSeconds, after?.promisedSeconds]).toEqual([20, 5]);
  expect(after?.inTime).toBeLessThan(before?.inTime ?? 0);
  expect(after?.inTime).toBe(await behind({ queue: "200", became: "answered", queueWaitedUpTo: 5 }));
});

test("missed today are incoming calls alone", async () => {
  for (const direction of ["inbound", "outbound", "internal"])
    await db.query(
      sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, end_stamp, caller_id_number, destination_number,
         missed, hangup_cause) values ($1, gen_random_uuid(), $2, now(), now(), '1', '2', true, 'NO_ANSWER')`,
      [ours.id, direction],
    );
  expect(await boss.ask("reports.today", {})).toMatchObject({ calls: 3, inbound: 1, outbound: 1, missed: 1 });
});

test("a supervisor plans reports, if he may carry them away, and sees his own; who runs the staff sees all", async () => {
  const changes = { addresses: ["chief@example.com"] };
  const plan = (who: Visitor, name: string) => who.ask("reportPlans.create", { name, changes, filter: {} });
  const { id } = await plan(lead, "Hers").then((made) => made as { id: number });
  await plan(boss, "His");
  const names = async (who: Visitor) => (await who.ask("reportPlans.list", {})).map(({ name }) => name);
  expect([await names(lead), await names(boss)]).toEqual([["Hers"], ["Hers", "His"]]);
  const other = await member("supervisor");
  for (const name of ["reportPlans.send", "reportPlans.delete"] as const)
    expect(await other.refused(name, { id })).toMatchObject({ refused: "not-found" });
  expect(await other.refused("reportPlans.update", { id, changes: { name: "Mine" } })).toMatchObject({ status: 404 });
  const bad = { name: "Nobody", filter: {}, changes: { addresses: [] as string[] } };
  expect(await lead.refused("reportPlans.create", bad)).toMatchObject({ refused: "invalid", field: "addresses" });
  const header = { ...bad, changes: { addresses: ["a@example.com\r\nBcc: b@example.com"] } };
  expect(await lead.refused("reportPlans.create", header)).toMatchObject({ refused: "invalid" });
  expect(await lead.ask("reportPlans.send", { id })).toEqual({ letters: 1 });
  expect(await boss.ask("reportPlans.mails", page)).toMatchObject({ total: 1, sendsMail: false });
  await db.query(sql`update staff set exports = 'no' where id = $1`, [lead.id]);
  const again = { name: "More", filter: {}, changes };
  expect(await lead.refused("reportPlans.create", again)).toMatchObject({ refused: "not-your-role", needs: "exports" });
  await db.query(sql`update staff set exports = null where id = $1`, [lead.id]);
});

const query = `from=${STRETCH.from}&before=${STRETCH.before}`;

test("a table is written as its reader's spreadsheet wants it", async () => {
  const { queues } = await boss.ask("reports.queues", STRETCH);
  const tenths = (Math.round((queues[0]?.serviceLevel ?? 0) * 1_000) / 10).toString();
  expect(tenths).toContain(".");
  const line = async (lang: string) =>
    (await (await boss.get(`/console/report-queues.csv?${query}&lang=${lang}`)).text()).split("\r\n");
  const [heading, turkish] = await line("tr");
  expect(heading).toMatch(/^Kuyruk;/);
  expect(turkish?.split(";")).toContain(tenths.replace(".", ","));
  expect((await line("en"))[1]?.split(",")).toContain(tenths);
});

test("wrap-ups are kept once, count for their agent, and are seen by who sees him", async () => {
  const wrapUp = {
    callUuid: randomUUID(),
    extension: "1000",
    beganMs: Date.parse("2026-05-05T09:00:00Z"),
    seconds: 45,
  };
  await keepWrapUp(db, ours.id, wrapUp);
  await keepWrapUp(db, ours.id, { ...wrapUp, seconds: 46 });
  const stretch = {
    ...{ from: new Date(STRETCH.from), before: new Date(STRETCH.before) },
    exchangeId: ours.id,
    timeZone: "UTC",
  };
  expect(await wrapUps(db, stretch)).toEqual([{ extension: "1000", seconds: 45 }]);
  const within = { extensions: ["1001"], queues: ["200"], calledAt: ["200"] };
  expect(await wrapUps(db, { ...stretch, within })).toEqual([]);
  const { agents } = await boss.ask("reports.agents", STRETCH);
  expect(agents.find(({ extension }) => extension === "1000")).toMatchObject({ wrapUpSeconds: 45 });
});

test("what an agent has answered since he came is known after a restart", async () => {
  await db.query(sql`update extensions set is_agent = true where exchange_id = $1 and number = '1002'`, [ours.id]);
  const whose = { exchangeId: ours.id, extension: "1002", by: { doer: "extension", who: "1002" } as const };
  const move = (status: "AVAILABLE" | "ON_BREAK" | "LOGGED_OUT") =>
    changeAgent(db, { ...whose, change: () => ({ status, description: null }) });
  const answered = async () => (await answeredSinceLogIn(db, ours.id)).get("1002");
  await move("AVAILABLE");
  expect(await answered()).toBe(0);
  const taken = [2, 8, 14].map((index) => mixed(ours.id, index)); // calls of the queue that 1002 took
  const now = new Date(Date.now() + 1_000);
  const today = { start_stamp: now, answer_stamp: now, end_stamp: now };
  await keep(taken.map((call) => ({ ...call, ...today, legs: call.legs.map((leg) => ({ ...leg, ...today })) })));
  await move("ON_BREAK");
  await move("AVAILABLE");
  expect(await answered()).toBe(3);
  const days = sql`update audit_lines set at = at - interval '3 days' where exchange_id = $1 and agent = '1002'`;
  await db.query(days, [ours.id]);
  expect(await answered()).toBe(3);
  await move("LOGGED_OUT");
  expect(await answered()).toBeUndefined();
});
