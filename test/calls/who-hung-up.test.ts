import { afterAll, beforeAll, expect, test } from "vitest";
import { openTrace, type Trace } from "../../src/exchange/signalling/trace/trace.ts";
import { silentLog } from "../../src/log.ts";
import type { Database } from "../../src/store/db.ts";
import { tracesOf } from "../../src/store/sip-traces.ts";
import { freshDatabase } from "../ground/database.ts";
import { testClock } from "../ground/test-clock.ts";
import { townWith } from "../town/town.ts";

// Who hung up is checked against what went over the wire: whose BYE, CANCEL or refusal was the first.

let db: Database;
let trace: Trace;
beforeAll(async () => {
  ({ db } = await freshDatabase());
  trace = openTrace({ db, clock: testClock(), log: silentLog });
});
afterAll(() => trace.close());

type Town = Awaited<ReturnType<typeof townWith>>;
type Phone = ReturnType<Town["phone"]>;
type Act = (town: Town, phones: { ann: Phone; bob: Phone; uuid: string }) => unknown;

const whileTalking: [how: string, act: Act, endedBy: string, disposition: string, first: string][] = [
  ["the caller", (_, { ann }) => ann.hangsUp(), "caller", "caller", "1000"],
  ["the called party", (_, { bob }) => bob.hangsUp(), "callee", "callee", "1001"],
  ["the interface", (town, { uuid }) => hangUpBy(town, uuid, "interface"), "interface", "caller", "us"],
  ["a supervisor", (town, { uuid }) => hangUpBy(town, uuid, "supervisor"), "supervisor", "caller", "us"],
  [
    "an operator",
    (town) => town.board.live.all()[0]?.hangUp("NORMAL_CLEARING", "operator"),
    "operator",
    "caller",
    "us",
  ],
  ["the longest call that may be", (town) => town.pass({ seconds: 61 }), "exchange", "caller", "us"],
  ["no voice any more", (town) => fallSilent(town), "exchange", "callee", "us"],
  ["the stop of the exchange", (town) => void town.board.close(), "exchange", "caller", "us"],
];

const hangUpBy = (town: Town, uuid: string, who: "interface" | "supervisor") =>
  town.exchange.hangUp(town.exchangeId, uuid, who);

function fallSilent(town: Town): void {
  const stream = town.board.live.all()[0]?.conversation.pair()?.b.stream();
  if (stream !== undefined) town.media.say({ is: "silent", stream, forMs: 30_000 });
}

test.each(whileTalking)("a talk that is ended by %s", async (_, act, ...ending) => {
  const { town, ann, bob, uuid } = await ringing();
  await bob.answers();
  await town.talksWith(ann, bob);
  await act(town, { ann, bob, uuid });
  await expectEnd(town, uuid, ending);
});

const whileRinging: [how: string, act: Act, endedBy: string, disposition: string, first: string][] = [
  ["the caller gives up", (_, { ann }) => ann.hangsUp(), "caller", "caller", "1000"],
  ["the called party is busy", (_, { bob }) => bob.refuses("busy"), "callee", "callee", "1001"],
  ["the called party rejects", (_, { bob }) => bob.refuses("rejects"), "callee", "callee", "1001"],
  ["nobody answers", (town) => town.pass({ seconds: 200 }), "exchange", "caller", "us"],
  ["the interface", (town, { uuid }) => hangUpBy(town, uuid, "interface"), "interface", "caller", "us"],
];

test.each(whileRinging)("a call that rings and is ended: %s", async (_, act, ...ending) => {
  const { town, ann, bob, uuid } = await ringing();
  await act(town, { ann, bob, uuid });
  await expectEnd(town, uuid, ending);
});

async function ringing() {
  const town = await townWith({ desks: { "1000": {}, "1001": {} }, exchange: { maxCallSeconds: 60 }, trace }, db);
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.rings();
  const [call] = town.board.live.all();
  return { town, ann, bob, uuid: call!.facts.uuid };
}

async function expectEnd(town: Town, uuid: string, [endedBy, by, first]: string[]): Promise<void> {
  await town.until("it has its record", () => town.diary.records.length === 1);
  const { facts, end } = town.diary.records[0]!;
  expect(end).toMatchObject({ endedBy, by });
  expect(facts.story.at(-1)).toMatchObject({ is: "over", by: endedBy });
  await town.pass({ seconds: 1 });
  await trace.flush();
  const ending = (await tracesOf(db, uuid)).find(({ text }) => /^(BYE|CANCEL|SIP\/2.0 [456])/.test(text));
  const from = ending?.direction === "out" ? "us" : /From:[^\r]*sip:(\d+)@/.exec(ending?.text ?? "")?.[1];
  // An answer has the From of who asked: whoever refuses stands in its To.
  const refuser = /^SIP/.test(ending?.text ?? "") ? /To:[^\r]*sip:(\d+)@/.exec(ending?.text ?? "")?.[1] : from;
  expect(ending?.direction === "out" ? "us" : refuser).toBe(first);
}
