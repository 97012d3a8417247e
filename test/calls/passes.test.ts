import { expect, test } from "vitest";
import { recordOf } from "../../src/exchange/journal/call-record.ts";
import { sql } from "../../src/store/sql.ts";
import { townWith } from "../town/town.ts";
import type { QueueSetup } from "../town/town-setup.ts";

type Town = Awaited<ReturnType<typeof townWith>>;
type Setup = Parameters<typeof townWith>[0];

const desks = { "1000": {}, "1001": {}, "1002": {} };
const first: QueueSetup = { members: ["1001"], maxWaitSeconds: 30, ringSeconds: 300 };
const group = { strategy: "simultaneous", members: [{ extension: "1002" }], ringSeconds: 60 };

const townOf = (queue: Partial<QueueSetup>, more: Setup = {}) =>
  townWith({
    desks,
    target: "queue/200",
    queues: { "200": { ...first, ...queue }, "201": { members: ["1002"], ringSeconds: 300 } },
    groups: { "700": group },
    ...more,
  });

async function callsIn(town: Town) {
  const far = town.phone("905321234567");
  const [ann, carl] = [town.phone("1000"), town.phone("1002")]; // 1001 has no phone: who waits for it waits on
  await far.calls("08505320000");
  return { far, ann, carl };
}

/** A second is heard as one that has just begun, or as one that is nearly over. */
const about = (seconds: number) => expect.toSatisfy((it: number) => Math.abs(it - seconds) <= 2);

function recorded(town: Town) {
  const { facts, end } = town.diary.records[0]!; // it is over
  const { cdr, passes } = recordOf(facts, end, undefined);
  const { queue, queueWaitSeconds: wait, queueStaySeconds: stay, queueEnd } = cdr;
  return { queue, wait, stay, queueEnd, passes };
}

const passedOn = (queue: string, waitSeconds: number) => ({
  ...{ queue, answered: false, talkSeconds: 0 },
  waitSeconds: about(waitSeconds),
});

test("a caller whom one queue passes on to another has waited in both", async () => {
  const town = await townOf({ overflowTarget: "queue/201" });
  const { far, carl } = await callsIn(town);
  await town.pass({ seconds: 31 });
  await carl.rings();
  await town.pass({ seconds: 5 });
  await carl.answers();
  await town.talksWith(far, carl);
  await far.hangsUp();
  await town.isQuiet();
  expect(recorded(town)).toEqual({
    ...{ queue: "201", wait: about(5), stay: null, queueEnd: null },
    passes: [passedOn("200", 30)],
  });
});

test("who gives up in a ring group to which a queue has sent him gave up there, after so long", async () => {
  const town = await townOf({ overflowTarget: "group/700" });
  const { far, carl } = await callsIn(town);
  await town.pass({ seconds: 31 });
  await carl.rings();
  await town.pass({ seconds: 12 });
  await far.hangsUp();
  await town.isQuiet();
  expect(recorded(town)).toEqual({
    ...{ queue: "700", wait: about(30), stay: about(12), queueEnd: null },
    passes: [passedOn("200", 30)],
  });
});

test("a ring group rings so long until somebody answers, whatever the interface has of it", async () => {
  const town = await townOf({}, { target: "group/700" });
  const { far, carl } = await callsIn(town);
  await carl.rings();
  await town.pass({ seconds: 25 });
  await carl.answers();
  await town.talksWith(far, carl);
  await town.pass({ seconds: 20 });
  await far.hangsUp();
  await town.isQuiet();
  expect(recorded(town)).toEqual({ queue: "700", wait: 0, stay: about(25), queueEnd: null, passes: [] });
});

test("whoever a queue sends to a person has been passed on, and has waited no longer than that", async () => {
  const town = await townOf({ overflowTarget: "user/1000" });
  const { far, ann } = await callsIn(town);
  await town.pass({ seconds: 31 });
  await ann.answers();
  await town.talksWith(far, ann);
  await town.pass({ seconds: 20 });
  await far.hangsUp();
  await town.isQuiet();
  expect(recorded(town)).toEqual({ queue: "200", wait: about(30), stay: null, queueEnd: "passed-on", passes: [] });
});

test("whoever waits and is sent elsewhere from the board has been passed on there and then", async () => {
  const town = await townOf({});
  const { far, ann } = await callsIn(town);
  await town.until("he waits", () => town.exchange.waiting(town.exchangeId).length === 1);
  await town.pass({ seconds: 10 });
  const [call] = town.board.live.all();
  const sent = await town.exchange.send(town.exchangeId, call!.facts.uuid, { to: "user", number: "1000" }, undefined);
  expect(sent).toBe("done");
  await ann.answers();
  await town.talksWith(far, ann);
  await town.pass({ seconds: 20 });
  await far.hangsUp();
  await town.isQuiet();
  expect(recorded(town)).toEqual({ queue: "200", wait: about(10), stay: null, queueEnd: "passed-on", passes: [] });
});

test("without a way out the caller was lost where he waited", async () => {
  const town = await townOf({});
  await callsIn(town);
  await town.pass({ seconds: 31 });
  await town.isQuiet();
  expect(recorded(town)).toEqual({ queue: "200", wait: about(30), stay: null, queueEnd: null, passes: [] });
});

test("an agent who takes a call and sends it to another queue has taken it in his own; there nobody has until somebody does", async () => {
  const town = await townOf({ members: ["1000"], ringSeconds: 300 });
  const { far, ann, carl } = await callsIn(town);
  await ann.answers();
  await town.talksWith(far, ann);
  await town.pass({ seconds: 20 });
  const [call] = town.board.live.all();
  await town.exchange.send(town.exchangeId, call!.facts.uuid, { to: "queue", number: "201" }, undefined);
  await carl.rings();
  await town.pass({ seconds: 8 });
  await far.hangsUp();
  await town.isQuiet();
  expect(recorded(town)).toEqual({
    ...{ queue: "201", wait: about(8), stay: null, queueEnd: "abandoned" },
    passes: [{ queue: "200", answered: true, waitSeconds: about(0), talkSeconds: about(20) }],
  });
});

test("where a caller has been is known after the exchange was killed, and his wait goes on", async () => {
  const town = await townOf({ overflowTarget: "group/700" }, { keepsCalls: true });
  const { far, carl } = await callsIn(town);
  await town.pass({ seconds: 10 });
  await town.restarts();
  await town.until("he waits again", () => town.exchange.waiting(town.exchangeId).length === 1);
  await town.pass({ seconds: 21 });
  await carl.rings();
  await town.pass({ seconds: 6 });
  await town.restarts({ afterSeconds: 5 });
  await town.pass({ seconds: 6 });
  await far.hangsUp();
  await town.isQuiet();
  const told = await town.db.query(
    sql`select cdrs.queue, queue_stay_seconds as stay, pass.queue as before, pass.wait_seconds as waited
     from cdrs join call_passes as pass on pass.call_id = cdrs.id where cdrs.exchange_id = $1`,
    [town.exchangeId],
  );
  const atLeast = (seconds: number) => expect.toSatisfy((it: number) => it >= seconds && it < seconds + 20); // it takes a while to begin anew
  expect(told).toEqual([{ queue: "700", stay: atLeast(12), before: "200", waited: about(30) }]);
});
