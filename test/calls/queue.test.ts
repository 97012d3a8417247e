import { describe, expect, test } from "vitest";
import { readFloorPlan } from "../../src/store/agents.ts";
import { listAuditLines } from "../../src/store/audit.ts";
import { listOwedCallbacks } from "../../src/store/callbacks.ts";
import { sql } from "../../src/store/sql.ts";
import { storyInWords } from "../../src/words/story/story.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";
import type { QueueSetup } from "../town/town-setup.ts";

type Town = Awaited<ReturnType<typeof townWith>>;
type Setup = Parameters<typeof townWith>[0];

const desks = { "1000": {}, "1001": {}, "1002": {}, "1003": {} };
const FAR = "905321234567";
const OWN = "08505320000";
const members = ["1001", "1002", "1003"];

const townOf = (queue: Partial<QueueSetup>, more: Setup = {}) =>
  townWith({ desks, target: "queue/200", queues: { "200": { members, ...queue } }, ...more });

const phonesOf = (town: Town, numbers = members) => numbers.map((number) => town.phone(number)) as Three;
type Three = [TownPhone, TownPhone, TownPhone];

const hears = (town: Town, phone: TownPhone) => town.media.hears(phone.rtpPort()).join();
const timesRung = (phone: TownPhone) => phone.seen.filter((it) => it === "is rung").length;
const storyOf = (town: Town) =>
  [...town.diary.records.map(({ facts }) => facts), ...town.board.live.all().map(({ facts }) => facts)].flatMap(
    ({ story }) => story.map((line) => storyInWords(line, "en")),
  );

async function callsIn(town: Town, number = FAR): Promise<TownPhone> {
  const far = town.phone(number);
  await far.calls(OWN);
  await town.until("the queue takes the call", () => far.seen.includes("answered"));
  return far;
}

const storedAgent = async (town: Town, agent: string) =>
  (await readFloorPlan(town.db, town.exchangeId)).agents.find(({ number }) => number === agent);
const endedCallbacks = (town: Town) =>
  town.db.query(sql`select outcome from queue_callbacks where exchange_id = $1 and ended_at is not null`, [
    town.exchangeId,
  ]);
const surveyAnswers = (town: Town) =>
  town.db.query(
    sql`select call_uuid as "callUuid", queue, extension, score from survey_answers where exchange_id = $1`,
    [town.exchangeId],
  );
const statusOf = (town: Town, agent: string) => town.board.queues.open(town.exchangeId)?.roster.get(agent)?.status;
const rungAgain = (town: Town, phone: TownPhone, times: number) =>
  town.until(`${phone.number} rings for the ${times}. time`, () => timesRung(phone) >= times, 20_000);

describe("a caller in a queue", () => {
  test("hears music until an agent answers, and then the two hear each other", async () => {
    const town = await townOf({ musicSound: 7 });
    const bob = town.phone("1001");
    const far = await callsIn(town);
    await town.until("music", () => hears(town, far).includes("/sounds/7.wav"));
    await town.pass({ seconds: 4 });
    expect(hears(town, far)).toContain("/sounds/7.wav");
    await bob.answers();
    await town.talksWith(far, bob);
    expect(statusOf(town, "1001")).toBe("talking");
    await bob.hangsUp();
    await town.isQuiet();
    const [record] = town.diary.records;
    expect(record?.facts).toMatchObject({ queue: "200", dialedUser: "1001", connectedUser: "1001" });
    const { startMs = 0, answerMs = 0, queueWaitSeconds } = record?.facts ?? {};
    expect(queueWaitSeconds).toBeGreaterThanOrEqual(4);
    expect(answerMs - startMs).toBeGreaterThanOrEqual(4_000); // music is no answer
    expect(town.diary.lines.filter((line) => line.startsWith("answer"))).toEqual(["answer 1001"]);
    expect(storyOf(town)).toContain("is offered to 1001 of queue 200, sequential among 1001; not free: 2 unreachable");
  });

  test("is told where he stands, and the agent what kind of call it is before they are joined", async () => {
    const town = await townOf({ announceSeconds: 20, agentSound: 9, members: ["1001"] });
    const first = await callsIn(town);
    const second = await callsIn(town, "905321234568");
    await town.pass({ seconds: 20 });
    await town.until("the place", () => hears(town, second).includes("You are number 2 in line."));
    expect(hears(town, first)).toContain("You are next in line.");
    town.media.finish(second.rtpPort());
    await town.until("music again", () => hears(town, second).includes("music"));
    const bob = town.phone("1001");
    await bob.answers();
    await town.until("the announcement", () => hears(town, bob).includes("/sounds/9.wav"));
    expect(hears(town, first)).not.toContain(String(bob.rtpPort()));
    town.media.finish(bob.rtpPort());
    await town.talksWith(first, bob);
    await first.hangsUp();
    await second.hangsUp();
    await town.isQuiet();
  });

  test("who hangs up leaves nobody ringing", async () => {
    const town = await townOf({ strategy: "simultaneous" });
    const [bob, carl, dora] = phonesOf(town);
    const far = await callsIn(town);
    await Promise.all([bob.rings(), carl.rings(), dora.rings()]);
    await far.hangsUp();
    await town.isQuiet();
    for (const phone of [bob, carl, dora]) expect(phone.seen.at(-1)).toBe("ended ORIGINATOR_CANCEL");
    expect(statusOf(town, "1001")).toBe("available");
    expect(town.diary.lines.at(-1)).toBe("hangup NORMAL_CLEARING by caller");
    const { facts } = town.diary.records[0]!;
    expect(facts.answerMs).toBeUndefined();
    expect(facts.queuedMs).toBeGreaterThanOrEqual(facts.startMs);
  });

  test("who was sent here by a menu and hangs up was answered by nobody either", async () => {
    const town = await townOf(
      { members: [] },
      { target: "ivr/10", menus: { "10": { keyTargets: { "1": "queue/200" } } } },
    );
    const far = await callsIn(town);
    await far.presses("1");
    await town.until("he waits", () => storyOf(town).some((text) => text.startsWith("comes to queue")));
    await town.pass({ seconds: 3 });
    await far.hangsUp();
    await town.isQuiet();
    expect(town.diary.lines.filter((line) => line.startsWith("answer"))).toEqual([]); // a menu is nobody
    expect(town.diary.records[0]!.facts.answerMs).toBeUndefined();
  });
});

describe("the strategies", () => {
  test("sequential: the first in order, and after a miss the next", async () => {
    const town = await townOf({ strategy: "sequential", ringSeconds: 10 });
    const [bob, carl, dora] = phonesOf(town);
    const far = await callsIn(town);
    await bob.rings();
    expect(timesRung(carl)).toBe(0);
    await town.pass({ seconds: 11 });
    await carl.refuses("rejects");
    await dora.answers();
    await town.talksWith(far, dora);
    await far.hangsUp();
    await town.isQuiet();
    expect(timesRung(bob)).toBe(1);
  });

  test("simultaneous: all at once, and the first to answer has the call", async () => {
    const town = await townOf({ strategy: "simultaneous" });
    const [bob, carl, dora] = phonesOf(town);
    const far = await callsIn(town);
    await Promise.all([bob.rings(), dora.rings()]);
    await carl.answers();
    await town.talksWith(far, carl);
    await town.until("bob is left alone", () => bob.seen.includes("ended ORIGINATOR_CANCEL"));
    expect(town.board.queues.open(town.exchangeId)?.roster.get("1001")?.misses).toBe(0);
    await carl.hangsUp();
    await town.isQuiet();
  });

  test("least-busy: whoever has answered the fewest", async () => {
    const town = await townOf({ strategy: "least-busy", members: ["1001", "1002"] });
    const [bob, carl] = phonesOf(town, ["1001", "1002"]);
    for (const agent of [bob, carl, bob]) {
      const far = await callsIn(town, `9053212345${town.diary.records.length}0`);
      await rungAgain(town, agent, timesRung(agent) + 1);
      await agent.answers();
      await town.talksWith(far, agent);
      await agent.hangsUp();
      await town.until("over", () => town.board.live.size === 0);
    }
    expect(town.diary.records.map(({ facts }) => facts.connectedUser)).toEqual(["1001", "1002", "1001"]);
    await town.isQuiet();
  });

  test("longest-idle: whoever has had no call for longest", async () => {
    const town = await townOf({ strategy: "longest-idle", members: ["1001", "1002"] });
    const [bob, carl, ann] = phonesOf(town, ["1001", "1002", "1000"]);
    const far = await callsIn(town);
    await bob.answers();
    await town.talksWith(far, bob);
    await far.hangsUp();
    await town.pass({ seconds: 2 });
    const other = await callsIn(town, "905321234568");
    await carl.answers();
    await town.talksWith(other, carl);
    await other.hangsUp();
    expect(ann.seen).toEqual([]);
    await town.isQuiet();
  });

  test("random: begins with whomever chance names", async () => {
    const town = await townOf({ strategy: "random" });
    const [bob] = phonesOf(town);
    const far = await callsIn(town);
    await bob.answers();
    await town.talksWith(far, bob);
    await far.hangsUp();
    await town.isQuiet();
    expect(storyOf(town).join()).toContain("random among 1001, 1002, 1003");
  });
});

describe("the way out of a queue", () => {
  const overflowTarget = "user/1000";

  test("after the longest wait", async () => {
    const town = await townOf({ overflowTarget, maxWaitSeconds: 30, ringSeconds: 300, members: ["1001"] });
    const ann = town.phone("1000");
    const far = await callsIn(town);
    await town.pass({ seconds: 29 });
    expect(timesRung(ann)).toBe(0);
    await ann.answers();
    await town.talksWith(far, ann);
    await far.hangsUp();
    await town.isQuiet();
    expect(storyOf(town)).toContain("leaves queue 200: waited too long");
  });

  test("without a way out the longest wait ends the call", async () => {
    const town = await townOf({ maxWaitSeconds: 30 });
    const far = await callsIn(town);
    await town.pass({ seconds: 31 });
    await town.isQuiet();
    expect(far.seen.at(-1)).toMatch(/^ended/);
    expect(town.diary.lines.at(-1)).toBe("hangup NO_ANSWER by caller");
  });

  test("when as many wait as may", async () => {
    const town = await townOf({ overflowTarget, maxWaiting: 1 });
    const ann = town.phone("1000");
    const first = await callsIn(town);
    const second = town.phone("905321234568");
    await second.calls(OWN);
    await ann.answers();
    await town.talksWith(second, ann);
    await first.hangsUp();
    await second.hangsUp();
    await town.isQuiet();
    expect(storyOf(town)).toContain("leaves queue 200: full");
  });

  test("when nobody is logged in, at once and for those who wait already", async () => {
    const town = await townOf({ overflowTarget, members: ["1001"] });
    const ann = town.phone("1000");
    const far = await callsIn(town);
    await town.exchange.moveAgent({
      exchangeId: town.exchangeId,
      extension: "1001",
      request: "logOut",
      by: { doer: "staff", who: "a test" },
    });
    await ann.answers();
    await town.talksWith(far, ann);
    await far.hangsUp();
    const second = town.phone("905321234568");
    await second.calls(OWN);
    await rungAgain(town, ann, 2);
    await ann.answers();
    await town.talksWith(second, ann);
    await ann.hangsUp();
    await town.isQuiet();
    expect(storyOf(town).filter((text) => text === "leaves queue 200: empty")).toHaveLength(2);
  });

  test("when the queue is taken away under those who wait", async () => {
    const town = await townOf({ overflowTarget });
    const ann = town.phone("1000");
    const far = await callsIn(town);
    await town.db.query(sql`delete from queues where exchange_id = $1 and number = '200'`, [town.exchangeId]);
    await ann.answers();
    await town.talksWith(far, ann);
    await far.hangsUp();
    await town.isQuiet();
  });
});

describe("an agent", () => {
  test("who misses three calls is on a break until he comes back by *23", async () => {
    const town = await townOf({ members: ["1001"], ringSeconds: 5 });
    const bob = town.phone("1001");
    const far = await callsIn(town);
    for (let misses = 1; misses <= 3; misses++) {
      await rungAgain(town, bob, misses);
      await bob.refuses("busy");
    }
    await town.until("his break", () => statusOf(town, "1001") === "on-break");
    expect(await storedAgent(town, "1001")).toMatchObject({ status: "ON_BREAK", description: "missed calls" });
    await town.pass({ seconds: 30 });
    expect(timesRung(bob)).toBe(3);
    await bob.calls("*23");
    await town.until("back", () => statusOf(town, "1001") === "available");
    await town.until("the tone", () => hears(town, bob).includes("600/150"));
    town.media.finish(bob.rtpPort());
    await rungAgain(town, bob, 4);
    await bob.answers();
    await town.talksWith(far, bob);
    await far.hangsUp();
    await town.isQuiet();
  });

  test("logs in, takes a break and logs out by code, and hears whether it worked", async () => {
    const town = await townOf({ members: ["1001"] });
    const bob = town.phone("1001");
    const dials = async (code: string, tone: string) => {
      await bob.calls(code);
      await town.until(code, () => bob.leg().isAnswered() && hears(town, bob).includes(tone));
      town.media.finish(bob.rtpPort());
      await town.until("hung up", () => bob.seen.at(-1) === "ended NORMAL_CLEARING");
    };
    const [done, refused] = ["600/150", "400/200"];
    await dials("*20", done); // he is already
    await dials("*221", done);
    expect(await storedAgent(town, "1001")).toMatchObject({ status: "ON_BREAK", description: "Kahve" });
    await dials("*23", done);
    await dials("*21", done);
    await dials("*221", refused);
    expect((await storedAgent(town, "1001"))?.status).toBe("LOGGED_OUT");
    await dials("*20", done);
    expect((await storedAgent(town, "1001"))?.status).toBe("AVAILABLE");
    expect(await listAuditLines(town.db, town.exchangeId)).toHaveLength(4);
    await town.isQuiet();
  });

  test("on a break gets nothing; whose phone rings when it begins is left alone", async () => {
    const town = await townOf({ members: ["1001", "1002"] });
    const [bob, carl] = phonesOf(town, ["1001", "1002"]);
    const far = await callsIn(town);
    await bob.rings();
    const pause = {
      exchangeId: town.exchangeId,
      extension: "1001",
      request: "pause",
      by: { doer: "staff", who: "a test" },
    } as const;
    await town.exchange.moveAgent(pause);
    await carl.answers();
    await town.talksWith(far, carl);
    expect(bob.seen).toContain("ended ORIGINATOR_CANCEL");
    await far.hangsUp();
    await town.isQuiet();
  });

  test("has time for his notes before the next call", async () => {
    const town = await townOf({ members: ["1001"], wrapUpSeconds: 30 });
    const bob = town.phone("1001");
    const first = await callsIn(town);
    const second = await callsIn(town, "905321234568");
    await bob.answers();
    await town.talksWith(first, bob);
    await bob.hangsUp();
    await town.until("wraps up", () => statusOf(town, "1001") === "wrapping-up");
    await town.pass({ seconds: 28 });
    expect(timesRung(bob)).toBe(1);
    await rungAgain(town, bob, 2);
    await bob.answers();
    await town.talksWith(second, bob);
    await second.hangsUp();
    await town.isQuiet();
  });

  test("who is on another call is not rung, and gets the caller the moment he hangs up", async () => {
    const town = await townOf({ members: ["1001"] });
    const [bob, ann] = [town.phone("1001"), town.phone("1000")];
    await bob.calls("1000");
    await ann.answers();
    await town.talksWith(bob, ann);
    const far = await callsIn(town);
    await town.pass({ seconds: 20 });
    expect(timesRung(bob)).toBe(0);
    await ann.hangsUp();
    await bob.answers();
    await town.talksWith(far, bob);
    await far.hangsUp();
    await town.isQuiet();
  });

  test("in two queues gets whoever has waited longest, unless a queue is more urgent", async () => {
    for (const [priority, firstServed] of [
      [0, "early"],
      [5, "late"],
    ] as const) {
      const queues = { "200": { members: ["1001"] }, "201": { members: ["1001"], priority } };
      const town = await townWith({ desks, target: "queue/200", queues });
      const early = await callsIn(town);
      await town.pass({ seconds: 1 });
      const ann = town.phone("1000");
      await ann.calls("201");
      await town.until("both wait", () => town.exchange.waiting(town.exchangeId).length === 2);
      const bob = town.phone("1001");
      await bob.answers();
      await town.talksWith(firstServed === "early" ? early : ann, bob);
      await bob.hangsUp();
      await rungAgain(town, bob, 2);
      await bob.answers();
      await town.talksWith(firstServed === "early" ? ann : early, bob);
      await bob.hangsUp();
      await town.isQuiet();
    }
  });

  test("whose phone rings may be helped by a colleague's *8", async () => {
    const town = await townOf({ members: ["1001"] });
    const [bob, ann] = [town.phone("1001"), town.phone("1000")];
    const far = await callsIn(town);
    await bob.rings();
    await ann.calls("*8");
    await town.talksWith(far, ann);
    expect(statusOf(town, "1001")).toBe("available");
    await ann.hangsUp();
    await town.isQuiet();
    expect(town.diary.records[0]?.facts).toMatchObject({ dialedUser: "1001", connectedUser: "1000" });
  });
});

describe("a callback", () => {
  test("keeps the place: the agent is rung in its turn, then the caller is dialled", async () => {
    const town = await townOf({ callbackKey: "5", members: ["1001"] });
    const first = await callsIn(town);
    await town.until("is offered one", () => hears(town, first).includes("press 5"));
    await first.presses("5");
    await town.until("is told", () => hears(town, first).includes("Your place is kept."));
    const second = await callsIn(town, "905321234568");
    await first.hangsUp();
    await town.until("has left", () => town.diary.records.length === 1);
    expect(town.exchange.waiting(town.exchangeId).map(({ caller }) => caller)).toEqual(["05321234567", "05321234568"]);
    const bob = town.phone("1001");
    await bob.answers();
    await first.answers();
    await town.talksWith(bob, first);
    expect(timesRung(bob)).toBe(1);
    await first.hangsUp();
    await rungAgain(town, bob, 2);
    await bob.answers();
    await town.talksWith(second, bob);
    await bob.hangsUp();
    await town.isQuiet();
    expect(await listOwedCallbacks(town.db, town.exchangeId)).toEqual([]);
    expect(await endedCallbacks(town)).toMatchObject([{ outcome: "talked" }]);
    expect(town.diary.records[1]?.facts).toMatchObject({ queue: "200", direction: "outbound", callerNumber: "1001" });
  });

  test("is tried again later when nobody answers, and given up in the end", async () => {
    const town = await townOf({ callbackKey: "5", members: ["1001"] });
    const far = await callsIn(town);
    await far.presses("5");
    await far.hangsUp();
    const bob = town.phone("1001");
    for (let attempt = 1; attempt <= 3; attempt++) {
      await town.until("bob", () => timesRung(bob) === attempt, 320_000);
      await bob.answers();
      await rungAgain(town, far, attempt);
      await far.refuses("busy");
      await town.until("over", () => town.board.live.size === 0);
      expect(timesRung(bob)).toBe(attempt);
    }
    await town.pass({ seconds: 400 });
    expect(timesRung(bob)).toBe(3);
    expect(await endedCallbacks(town)).toMatchObject([{ outcome: "not-reached" }]);
    await town.isQuiet();
  });

  test("that an agent misses is still owed", async () => {
    const town = await townOf({ callbackKey: "5", members: ["1001", "1002"], ringSeconds: 5 });
    const far = await callsIn(town);
    await far.presses("5");
    await far.hangsUp();
    const [bob, carl] = phonesOf(town, ["1001", "1002"]);
    await bob.refuses("rejects");
    await carl.answers();
    await far.answers();
    await town.talksWith(carl, far);
    await carl.hangsUp();
    await town.isQuiet();
    expect(await endedCallbacks(town)).toMatchObject([{ outcome: "talked" }]);
  });
});

describe("the survey", () => {
  test("asks the caller when the agent hangs up first, and keeps the score", async () => {
    const town = await townOf({ survey: true, members: ["1001"] });
    const bob = town.phone("1001");
    const far = await callsIn(town);
    await bob.answers();
    await town.talksWith(far, bob);
    await bob.hangsUp();
    await town.until("the question", () => hears(town, far).includes("How was our call?"));
    expect(town.diary.lines).toContain("user_hangup 1001");
    await far.presses("9");
    await town.until("no score", () => storyOf(town).includes("presses 9, which is no score"));
    await town.until("asked again", () => hears(town, far).includes("How was our call?"));
    await far.presses("4");
    await town.until("thanks", () => hears(town, far).includes("Thank you."));
    town.media.finish(far.rtpPort());
    await town.isQuiet();
    const callUuid = town.diary.records[0]?.facts.uuid;
    expect(await surveyAnswers(town)).toEqual([{ callUuid, queue: "200", extension: "1001", score: 4 }]);
  });

  test("asks nobody who hung up himself", async () => {
    const town = await townOf({ survey: true, members: ["1001"] });
    const bob = town.phone("1001");
    const far = await callsIn(town);
    await bob.answers();
    await town.talksWith(far, bob);
    await far.hangsUp();
    await town.isQuiet();
    expect(await surveyAnswers(town)).toEqual([]);
  });
});
