import { expect, test } from "vitest";
import { cdrsOf, counts, toldOf } from "../town/outlived.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

const desks = { "1000": {}, "1001": {}, "1002": {} };
const MUSIC = JSON.stringify({ is: "file", path: "music" });
const FAR = "905321234567";

async function talkingTown() {
  const town = await townWith({ desks, keepsCalls: true });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  await town.pass({ seconds: 20 });
  return { town, ann, bob };
}

type Town = Awaited<ReturnType<typeof townWith>>;

/** What was said to it since then, by its first words. */
const saidSince = (town: Town, phone: TownPhone, before = 0) =>
  town
    .sentTo(phone)
    .slice(before)
    .map((text) =>
      text
        .split(" ")
        .slice(0, 2)
        .join(" ")
        .replace(/ sip:.*/, ""),
    );

test("who talks goes on talking on another machine, is told once, and either side can hang up", async () => {
  for (const who of ["ann", "bob"] as const) {
    const { town, ann, bob } = await talkingTown();
    const [before, beforeBob] = counts(town, ann, bob);
    await town.restarts({ elsewhere: true, afterSeconds: 3 });
    await town.talksWith(ann, bob);
    await town.pass({ seconds: 17 });
    expect(saidSince(town, ann, before)).toEqual(["INVITE", "ACK"]);
    expect(saidSince(town, bob, beforeBob)).toEqual(["INVITE", "ACK"]);
    const [hanger, other] = who === "ann" ? [ann, bob] : [bob, ann];
    await hanger.hangsUp();
    await town.until("the other is told", () => other.seen.includes("ended NORMAL_CLEARING"));
    await town.isQuiet();
    const by = who === "ann" ? "caller" : "callee";
    expect(await cdrsOf(town)).toEqual([{ seconds: 40, cause: "NORMAL_CLEARING", by }]);
    expect(toldOf(town)).toEqual(["dialled", "rings", "talk", "resumed", "gone", "over"]);
  }
});

test("a call goes on from machine to machine, and what is said counts up all the way", async () => {
  const { town, ann, bob } = await talkingTown();
  for (let times = 0; times < 3; times++) {
    await town.restarts({ elsewhere: true });
    await town.talksWith(ann, bob);
    await town.pass({ seconds: 25 });
  }
  await bob.hangsUp();
  await town.until("Ann is told", () => ann.seen.includes("ended NORMAL_CLEARING"));
  const requests = town.sentTo(ann).filter((text) => !text.startsWith("SIP") && !text.startsWith("ACK"));
  const numbers = requests.map((text) => Number(/CSeq: (\d+) /.exec(text)?.[1]));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(1);
});

test("however long it has talked on the other machine, it goes on when that one dies, too", async () => {
  const { town, ann, bob } = await talkingTown();
  await town.restarts({ elsewhere: true });
  await town.pass({ seconds: 300 });
  await town.restarts({ elsewhere: true });
  await town.talksWith(ann, bob);
  await town.pass({ seconds: 1 });
  await ann.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "NORMAL_CLEARING" }]);
});

test("who hung up while nobody was there has hung up, and the other side is told", async () => {
  const { town, ann, bob } = await talkingTown();
  await town.restarts({ elsewhere: true, meanwhile: () => ann.hangsUp() });
  await town.until("Bob is told", () => bob.seen.includes("ended NORMAL_CLEARING"));
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "NORMAL_CLEARING", by: "caller" }]);
});

test("signs of life go on to be given from the other machine", async () => {
  const { town, ann, bob } = await talkingTown();
  await town.pass({ seconds: 800 });
  await town.restarts({ elsewhere: true });
  await town.pass({ seconds: 1_800 });
  await town.talksWith(ann, bob);
  await town.unplug(bob);
  await town.pass({ seconds: 1_900 });
  await town.until("the call is over", () => town.board.live.size === 0);
  expect(town.diary.records[0]?.end.cause).toBe("RECOVERY_ON_TIMER_EXPIRE");
});

test("who was on hold hears the music again from the other machine, and the other side afterwards", async () => {
  const { town, ann, bob } = await talkingTown();
  const hearsMusic = (phone: TownPhone) => () => town.media.hears(phone.rtpPort()).includes(MUSIC);
  ann.holds(true);
  await town.until("Bob hears music", hearsMusic(bob));
  await town.pass({ seconds: 2 });
  await town.restarts({ elsewhere: true });
  await town.until("Bob hears music again", hearsMusic(bob));
  await town.pass({ seconds: 3 });
  expect(hearsMusic(bob)()).toBe(true);
  ann.holds(false);
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.isQuiet();
});

test("two who hold each other hear the music again, and each other once both have let go", async () => {
  const { town, ann, bob } = await talkingTown();
  const hearsMusic = (phone: TownPhone) => () => town.media.hears(phone.rtpPort()).includes(MUSIC);
  ann.holds(true);
  await town.until("Bob hears music", hearsMusic(bob));
  bob.holds(true);
  await town.pass({ seconds: 2 });
  await town.restarts({ elsewhere: true });
  await town.pass({ seconds: 3 });
  ann.holds(false);
  await town.until("Ann hears music", hearsMusic(ann));
  bob.holds(false);
  await town.talksWith(ann, bob);
  await bob.hangsUp();
  await town.isQuiet();
});

test("who was in a menu hears it again, and its keys lead on", async () => {
  const menus = { "10": { keyTargets: { "1": "user/1001" } } };
  const town = await townWith({ desks, keepsCalls: true, target: "ivr/10", menus });
  const [caller, bob] = [town.phone(FAR), town.phone("1001")];
  await caller.calls("08505320000");
  const hearsIt = () =>
    caller.seen.includes("answered") && town.media.hears(caller.rtpPort()).join().includes("/1.wav");
  await town.until("he hears the menu", hearsIt);
  await town.pass({ seconds: 2 });
  await town.restarts({ elsewhere: true });
  await town.until("he hears it again", hearsIt);
  await town.pass({ seconds: 1 });
  await caller.presses("1");
  await bob.answers();
  await town.talksWith(caller, bob);
  await caller.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(1);
});

test("a call to the outside is paid for minute by minute, and no minute twice", async () => {
  const rates = [{ prefix: "90", minutePrice: 100 }];
  const town = await townWith({ desks, keepsCalls: true, rates, exchange: { monthlySpendingLimit: 10_000 } });
  const [ann, out] = [town.phone("1000"), town.phone(FAR)];
  await ann.calls("05321234567");
  await out.answers();
  await town.talksWith(ann, out);
  await town.pass({ seconds: 50 });
  const paid = await town.spent();
  await town.restarts({ elsewhere: true, afterSeconds: 3 });
  await town.talksWith(ann, out);
  expect(await town.spent()).toBe(paid);
  await town.pass({ seconds: 10 });
  expect(await town.spent()).toBe(2 * paid);
  expect(town.board.live.outsideLegs(town.exchangeId)).toBe(1);
  await out.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(1);
});

test("who waited in a queue waits on with his place and his time, and the agents who talk are not rung", async () => {
  const queues = { "200": { members: ["1000"], maxWaitSeconds: 100 } };
  const town = await townWith({ desks, keepsCalls: true, target: "queue/200", queues });
  const ann = town.phone("1000");
  const callers = [town.phone(FAR), town.phone("905321234568"), town.phone("905321234569")] as const;
  await callers[0].calls("08505320000");
  await ann.answers();
  await town.talksWith(callers[0], ann);
  const hearsMusic = (phone: TownPhone) => () =>
    phone.seen.includes("answered") && town.media.hears(phone.rtpPort()).includes(MUSIC);
  for (const late of [callers[1], callers[2]]) {
    await late.calls("08505320000");
    await town.until("he waits", hearsMusic(late));
    await town.pass({ seconds: 5 });
  }
  await town.restarts({ elsewhere: true, afterSeconds: 5 });
  for (const late of [callers[1], callers[2]]) await town.until("he hears music again", hearsMusic(late));
  expect(town.board.queues.open(town.exchangeId)?.waiting("200")).toHaveLength(2);
  ann.seen.length = 0;
  await town.pass({ seconds: 5 });
  expect(ann.seen).not.toContain("is rung");
  await callers[0].hangsUp();
  await ann.answers();
  await town.talksWith(callers[1], ann);
  await callers[1].hangsUp();
  await town.until("his record is there", () => town.diary.records.length === 2);
  expect(town.diary.records[1]?.facts.queueWaitSeconds).toBeGreaterThanOrEqual(20);
  expect(toldOf(town).filter((fact) => fact === "comes-to-queue")).toHaveLength(2);
  await callers[2].hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(3);
});

test("an agent who was being rung is rung again for the same caller, who has his place and his time", async () => {
  const queues = { "200": { members: ["1000"], ringSeconds: 30 } };
  const town = await townWith({ desks, keepsCalls: true, target: "queue/200", queues });
  const ann = town.phone("1000");
  const [first, second] = [town.phone(FAR), town.phone("905321234568")];
  await first.calls("08505320000");
  await ann.rings();
  await second.calls("08505320000");
  await town.until("he waits", () => second.seen.includes("answered"));
  await town.pass({ seconds: 2 });
  ann.seen.length = 0;
  await town.restarts({ elsewhere: true });
  await ann.answers();
  await town.talksWith(first, ann);
  await first.hangsUp();
  await town.until("she is rung for the second", () => ann.seen.filter((it) => it === "is rung").length === 2);
  await ann.answers();
  await town.talksWith(second, ann);
  await second.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(2);
});

async function ringingTown() {
  const town = await townWith({ desks, keepsCalls: true });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.rings();
  await town.until("Ann hears it", () => ann.seen.includes("ringing"));
  await town.pass({ seconds: 3 });
  bob.seen.length = 0;
  return { town, ann, bob };
}

test("a phone that was ringing is rung again, and who answers it talks to the caller", async () => {
  const { town, ann, bob } = await ringingTown();
  await town.restarts({ elsewhere: true, afterSeconds: 3 });
  await bob.rings();
  expect(bob.seen).toEqual(["ended ORIGINATOR_CANCEL", "is rung"]);
  await bob.answers();
  await town.talksWith(ann, bob);
  await town.pass({ seconds: 10 });
  await ann.hangsUp();
  await town.until("Bob is told", () => bob.seen.includes("ended NORMAL_CLEARING"));
  await town.isQuiet();
  expect(await cdrsOf(town)).toEqual([{ seconds: 10, cause: "NORMAL_CLEARING", by: "caller" }]);
  expect(town.diary.lines).toEqual([
    "opened internal 1000 -> 1001",
    "ringing 1001",
    "resumed 1000 -> 1001",
    "answer 1001",
    "hangup NORMAL_CLEARING by caller",
  ]);
});

test("a supervisor hears those whom he listens to again", async () => {
  const town = await townWith({
    desks: { ...desks, "1000": { maySupervise: true } },
    keepsCalls: true,
    target: "user/1001",
  });
  const [boss, bob, far] = [town.phone("1000"), town.phone("1001"), town.phone(FAR)];
  const hears = (phone: TownPhone, other: TownPhone) =>
    town.media.hears(phone.rtpPort()).includes(String(other.rtpPort()));
  await far.calls("08505320000");
  await bob.answers();
  await town.talksWith(far, bob);
  await boss.calls("*301001");
  const listens = () => boss.seen.includes("answered") && hears(boss, bob) && hears(boss, far);
  await town.until("he listens", listens);
  await town.pass({ seconds: 2 });
  await town.restarts({ elsewhere: true });
  await town.until("he listens again", listens);
  expect([hears(bob, boss), hears(bob, far), hears(far, bob)]).toEqual([false, true, true]);
  await boss.hangsUp();
  await town.talksWith(far, bob);
  await far.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(2);
});

test("a call that went on can be sent on, and goes on once more", async () => {
  const { town, ann, bob } = await talkingTown();
  const carl = town.phone("1002");
  await town.restarts({ elsewhere: true });
  await town.pass({ seconds: 1 });
  bob.leg().ask("REFER", { headers: [{ name: "Refer-To", value: "<sip:1002@town.example>" }] });
  await carl.answers();
  await town.talksWith(ann, carl);
  await town.restarts({ elsewhere: true });
  await town.talksWith(ann, carl);
  await carl.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(1);
});
