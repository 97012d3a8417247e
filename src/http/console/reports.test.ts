import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { consoleTown } from "../../../test/town/console-town.ts";
import { sql } from "../../store/sql.ts";

const { db, ours, theirs, member } = await consoleTown();
const boss = await member("administrator");
const STRETCH = { from: "2026-05-03T21:00:00Z", before: "2026-05-10T21:00:00Z" }; // a week in Istanbul
const page = { page: 1, limit: 1 };

let campaign = 0;

beforeAll(async () => {
  const [made] = await db.query<{ id: number }>(
    sql`insert into call_campaigns (exchange_id, name, call_type, date_begin, date_end, created_at)
     values ($1, 'Bahar', 'ivr', now(), now(), now()) returning id`,
    [ours.id],
  );
  campaign = made!.id; // just made
  for (const exchangeId of [ours.id, theirs.id])
    for (let index = 0; index < (exchangeId === ours.id ? 70 : 7); index++) await keep(exchangeId, index);
});

/** A mixture in which no two figures are alike by necessity. */
async function keep(exchangeId: number, index: number): Promise<void> {
  const uuid = randomUUID();
  const begins = Date.parse("2026-05-03T21:00:00Z") + index * 139 * 60_000;
  const direction = index % 7 === 0 ? "internal" : index % 5 === 0 ? "outbound" : "inbound";
  const taken = index % 3 !== 0;
  const waited = [3, 5, 20, 21, 90][index % 5] ?? 0;
  const answer = taken ? new Date(begins + waited * 1_000) : null;
  const agents = [["1000"], ["1001", "1000"], ["1002"]][index % 3] ?? [];
  const queue = index % 2 === 0 ? "200" : null;
  const ends = new Date(begins + (waited + 60) * 1_000);
  for (const [position, number] of ["905321234567", ...agents].entries())
    await db.query(
      sql`insert into cdr_legs (call_uuid, position, destination_number, start_stamp, answer_stamp, end_stamp, hangup_cause)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        uuid,
        position,
        number,
        new Date(begins),
        number === agents.at(-1) ? answer : null,
        ends,
        index % 4 === 0 ? "ORIGINATOR_CANCEL" : "NO_ANSWER",
      ],
    );
  const isCampaign = exchangeId === ours.id && direction === "outbound" && index % 10 === 0;
  if (isCampaign) await attempt(uuid);
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, origin, start_stamp, answer_stamp, end_stamp, caller_id_number,
       destination_number, outbound_caller_id_number, dialed_user, connected_user, talk_seconds, queue,
       queue_wait_seconds, missed, hangup_cause)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '1002', $11, $12, $13, $14, $15, 'NORMAL_CLEARING')`,
    [
      ...[exchangeId, uuid, direction, isCampaign ? "campaign" : "phone", new Date(begins), answer, ends],
      ...[direction === "inbound" ? "05321234567" : "1001", index % 9 === 0 ? "908505320001" : "908505320000"],
      ...[direction === "outbound" ? "908505320000" : "", taken ? (agents.at(-1) ?? "") : "", taken ? 60 : 0, queue],
      ...[queue ? waited : 0, !taken],
    ],
  );
}

async function attempt(uuid: string): Promise<void> {
  await db.query(
    sql`with number as (insert into campaign_numbers (exchange_id, campaign_id, number) values ($1, $2, '905321234567')
       returning id)
     insert into campaign_attempts (exchange_id, campaign_id, number_id, attempt, call_uuid, started_at)
     select $1, $2, id, 1, $3, now() from number`,
    [ours.id, campaign, uuid],
  );
}

type Search = Parameters<typeof boss.ask<"calls.list">>[1];
type Figure = [what: string, figure: number, search: Partial<Search>];

async function behind(search: Partial<Search>): Promise<number> {
  return (await boss.ask("calls.list", { ...STRETCH, ...page, ...search })).total;
}

async function everyFigure(): Promise<Figure[]> {
  const ask = { summary: boss.ask("reports.summary", STRETCH), calls: boss.ask("reports.calls", STRETCH) };
  const { inbound, outbound, internal, answered, missed, abandoned } = await ask.summary;
  const { week, days } = await ask.calls;
  const { queues } = await boss.ask("reports.queues", STRETCH);
  const { agents } = await boss.ask("reports.agents", STRETCH);
  const numbers = await boss.ask("reports.numbers", STRETCH);
  const extensions = await boss.ask("reports.extensions", STRETCH);
  const campaigns = await boss.ask("reports.campaigns", STRETCH);
  const into = { direction: "inbound" as const };
  return [
    ["incoming", inbound, into],
    ["outgoing", outbound, { direction: "outbound" }],
    ["internal", internal, { direction: "internal" }],
    ["answered", answered, { ...into, taken: true }],
    ["missed", missed, { ...into, missed: true }],
    ["abandoned", abandoned, { queued: true, taken: false }],
    ...week.map((it): Figure => ["an hour of the week", it.inbound, { ...into, weekday: it.weekday, hour: it.hour }]),
    ...days.map(({ day, missed }): Figure => {
      const from = new Date(Date.parse(`${day}T00:00:00+03:00`));
      const before = new Date(from.getTime() + 86_400_000);
      return [
        "missed on a day",
        missed,
        { ...into, missed: true, from: from.toISOString(), before: before.toISOString() },
      ];
    }),
    ...queues.flatMap(({ queue, calls, answered, abandoned, inTime, promisedSeconds }): Figure[] => [
      ["calls of a queue", calls, { queue }],
      ["answered of a queue", answered, { queue, taken: true }],
      ["abandoned in a queue", abandoned, { queue, taken: false }],
      ["answered in time", inTime, { queue, taken: true, queueWaitedUpTo: promisedSeconds }],
    ]),
    ...agents.flatMap(({ extension, offered, answered, missed }): Figure[] => [
      ["offered to an agent", offered, { offeredTo: extension }],
      ["answered by an agent", answered, { answeredBy: extension }],
      ["let pass by an agent", missed, { letPassBy: extension }],
    ]),
    ...numbers.flatMap(({ number, incoming, answered, missed, outgoing }): Figure[] => [
      ["to a number", incoming, { ...into, ownNumber: number }],
      ["answered of a number", answered, { ...into, ownNumber: number, taken: true }],
      ["missed of a number", missed, { ...into, ownNumber: number, missed: true }],
      ["from a number", outgoing, { direction: "outbound", ownNumber: number }],
    ]),
    ...extensions.flatMap(({ extension, made, taken, missed }): Figure[] => [
      ["made by an extension", made, { madeBy: extension }],
      ["taken by an extension", taken, { takenBy: extension }],
      ["not answered by an extension", missed, { unansweredBy: extension }],
    ]),
    ...campaigns.flatMap(({ campaign, calls, answered }): Figure[] => [
      ["of a campaign", calls, { campaign }],
      ["answered of a campaign", answered, { campaign, taken: true }],
    ]),
  ];
}

test("as many calls are behind every figure of the reports as it says", async () => {
  const figures = await everyFigure();
  const found: Figure[] = [];
  for (const [what, , search] of figures) found.push([what, await behind(search), search]);
  expect(found).toEqual(figures);
  for (const what of new Set(figures.map(([name]) => name)))
    expect([what, figures.some(([name, figure]) => name === what && figure > 0)]).toEqual([what, true]);
});

test("the service level follows the queue's own promise, for calls that were as well", async () => {
  const inTime = async () => (await boss.ask("reports.queues", STRETCH)).queues.find(({ queue }) => queue === "200");
  const before = await inTime();
  await boss.ask("queues.update", { number: "200", changes: { promised_seconds: "5" } });
  const after = await inTime();
  expect([before?.promisedSeconds, after?.promisedSeconds]).toEqual([20, 5]);
  expect(after?.inTime).toBeLessThan(before?.inTime ?? 0);
  expect(after?.inTime).toBe(await behind({ queue: "200", taken: true, queueWaitedUpTo: 5 }));
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
