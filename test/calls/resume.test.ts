import { expect, test } from "vitest";
import { cdrsOf, counts, toldOf } from "../town/outlived.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

const desks = { "1000": {}, "1001": {}, "1002": {} };

async function talkingTown() {
  const town = await townWith({ desks, keepsCalls: true });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  await town.pass({ seconds: 20 });
  return { town, ann, bob };
}

const isInvite = (message: string) => message.startsWith("INVITE ");

test("who talks goes on talking after the exchange was killed, and hears nothing of it", async () => {
  const { town, ann, bob } = await talkingTown();
  const before = counts(town, ann, bob);
  await town.restarts({ afterSeconds: 3 });
  await town.talksWith(ann, bob);
  await town.pass({ seconds: 17 });
  expect(counts(town, ann, bob)).toEqual(before);
  expect(town.board.live.size).toBe(1);
  await ann.hangsUp();
  await town.until("Bob is told", () => bob.seen.includes("ended NORMAL_CLEARING"));
  await town.isQuiet();
  expect(await cdrsOf(town)).toEqual([{ seconds: 40, cause: "NORMAL_CLEARING", by: "caller" }]);
  expect(town.diary.lines).toEqual([
    "opened internal 1000 -> 1001",
    "ringing 1001",
    "answer 1001",
    "resumed 1000 -> 1001",
    "hangup NORMAL_CLEARING by caller",
  ]);
  expect(toldOf(town)).toEqual(["dialled", "rings", "talk", "resumed", "gone", "over"]);
});

test("a stop that hands over says no word to those who talk, and the next exchange goes on with them", async () => {
  const { town, ann, bob } = await talkingTown();
  const before = counts(town, ann, bob);
  await town.restarts({ handsOver: true });
  await town.talksWith(ann, bob);
  expect(counts(town, ann, bob)).toEqual(before);
  await bob.hangsUp();
  await town.until("Ann is told", () => ann.seen.includes("ended NORMAL_CLEARING"));
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "NORMAL_CLEARING", by: "callee" }]);
});

test("stops in order may follow each other as fast as anybody likes", async () => {
  const { town, ann, bob } = await talkingTown();
  for (let times = 0; times < 5; times++) await town.restarts({ handsOver: true });
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "NORMAL_CLEARING" }]);
});

test("what we say in a call that goes on counts above all that was said before", async () => {
  const { town, ann, bob } = await talkingTown();
  for (const key of "123456789") await ann.presses(key);
  await town.restarts();
  await town.board.live.all()[0]?.legs()[0]?.press("5");
  await town.restarts();
  await bob.hangsUp();
  await town.until("Ann is told", () => ann.seen.includes("ended NORMAL_CLEARING"));
  const requests = town.sentTo(ann).filter((text) => !text.startsWith("SIP"));
  const numbers = requests.map((text) => Number(/CSeq: (\d+) /.exec(text)?.[1]));
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect(numbers.at(-1)).toBeGreaterThan(200);
  await town.isQuiet();
});

test("who hung up while nobody was there is found out soon, and the other one does not sit in silence", async () => {
  const { town, ann, bob } = await talkingTown();
  const port = ann.rtpPort();
  await town.restarts({ afterSeconds: 40, meanwhile: () => ann.hangsUp() });
  town.media.hush(port);
  await town.pass({ seconds: 6 });
  await town.until("Bob is told", () => bob.seen.includes("ended NORMAL_CLEARING"));
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "NORMAL_CLEARING" }]);
});

test("who says nothing and is there is asked once, and talks on", async () => {
  const { town, ann, bob } = await talkingTown();
  const before = town.sentTo(ann).length;
  await town.restarts();
  town.media.hush(ann.rtpPort());
  await town.pass({ seconds: 30 });
  expect(
    town
      .sentTo(ann)
      .slice(before)
      .map((text) => text.split(" ")[0]),
  ).toEqual(["UPDATE"]);
  await town.talksWith(ann, bob);
  await bob.hangsUp();
  await town.isQuiet();
});

test("who holds the other says nothing and is left in peace, but not for ever", async () => {
  const { town, ann } = await talkingTown();
  ann.holds(true);
  await town.pass({ seconds: 1 });
  const before = town.sentTo(ann).length;
  await town.restarts();
  town.media.hush(ann.rtpPort());
  const asked = () => town.sentTo(ann).slice(before).length;
  await town.pass({ seconds: 10 });
  expect(asked()).toBe(0);
  await town.pass({ seconds: 10 });
  expect(asked()).toBe(1);
});

const MUSIC = JSON.stringify({ is: "file", path: "music" });

test("who was on hold hears the music again, and the other side afterwards", async () => {
  const { town, ann, bob } = await talkingTown();
  ann.holds(true);
  await town.until("Bob hears music", () => town.media.hears(bob.rtpPort()).includes(MUSIC));
  await town.pass({ seconds: 2 });
  await town.restarts();
  await town.until("Bob hears music again", () => town.media.hears(bob.rtpPort()).includes(MUSIC));
  ann.holds(false);
  await town.talksWith(ann, bob);
  bob.holds(true);
  await town.until("Ann hears music", () => town.media.hears(ann.rtpPort()).includes(MUSIC));
  await ann.hangsUp();
  await town.isQuiet();
});

test("a call that went on can be sent on, and taken back", async () => {
  const { town, ann, bob } = await talkingTown();
  const carl = town.phone("1002");
  await town.restarts();
  bob.leg().ask("REFER", { headers: [{ name: "Refer-To", value: "<sip:1002@town.example>" }] });
  await carl.answers();
  await town.talksWith(ann, carl);
  await town.restarts();
  await town.talksWith(ann, carl);
  await carl.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(1);
  expect(town.diary.records[0]?.end.legs.map(({ number }) => number).toSorted()).toEqual(["1000", "1001", "1002"]);
});

test("signs of life go on to be given, and whoever is unplugged is found out", async () => {
  const { town, ann, bob } = await talkingTown();
  await town.pass({ seconds: 800 });
  await town.restarts();
  await town.pass({ seconds: 1_800 });
  await town.talksWith(ann, bob);
  await town.restarts();
  await town.unplug(bob);
  await town.pass({ seconds: 1_900 });
  await town.until("the call is over", () => town.board.live.size === 0);
  expect(town.diary.records[0]?.end.cause).toBe("RECOVERY_ON_TIMER_EXPIRE");
});

test("a call may last no longer than it might have without the crash", async () => {
  const town = await townWith({ desks, keepsCalls: true, exchange: { maxCallSeconds: 60 } });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.answers();
  await town.pass({ seconds: 30 });
  await town.restarts({ afterSeconds: 10 });
  await town.pass({ seconds: 25 });
  expect(await cdrsOf(town)).toMatchObject([{ cause: "ALLOTTED_TIMEOUT" }]);
  await town.isQuiet();
});

test.each([
  ["an exchange that comes back too late", { afterSeconds: 150 }, "too-late"],
  ["one that stops again and again", {}, "too-often"],
])("%s hangs up those who talked, and the record says why", async (_, how, why) => {
  const { town, ann, bob } = await talkingTown();
  for (let times = why === "too-often" ? 3 : 0; times > 0; times--) await town.restarts();
  await town.restarts(how);
  for (const phone of [ann, bob])
    await town.until("both are hung up", () => phone.seen.some((line) => line.startsWith("ended")));
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "SYSTEM_SHUTDOWN" }]);
  expect(town.diary.records[0]?.facts.story.at(-1)).toMatchObject({ is: "not-resumed", why });
});

test("a call whose voice cannot be opened again where it was goes on elsewhere, and both are told", async () => {
  const { town, ann, bob } = await talkingTown();
  const before = counts(town, ann, bob);
  await town.restarts({ losesVoice: true });
  await town.talksWith(ann, bob);
  const invites = [ann, bob].map((phone, at) => town.sentTo(phone).slice(before[at]).filter(isInvite));
  expect(invites.map((sent) => sent.length)).toEqual([1, 1]);
  await town.pass({ seconds: 17 });
  // The place it has now is where the next process looks for it.
  await town.restarts({ afterSeconds: 3 });
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.until("Bob is told", () => bob.seen.includes("ended NORMAL_CLEARING"));
  await town.isQuiet();
  expect(await cdrsOf(town)).toEqual([{ seconds: 42, cause: "NORMAL_CLEARING", by: "caller" }]);
});

test("who cannot be told where it is now is let go, and the other hung up", async () => {
  const { town, ann, bob } = await talkingTown();
  await town.unplug(bob);
  await town.restarts({ losesVoice: true });
  await town.pass({ seconds: 40 });
  await town.until("Ann is hung up", () => ann.seen.some((line) => line.startsWith("ended")));
  await town.isQuiet();
  expect(await cdrsOf(town)).toMatchObject([{ cause: "NORMAL_TEMPORARY_FAILURE" }]);
});

test("who was in a menu hears it again, and its keys lead on", async () => {
  const town = await townWith({
    desks,
    keepsCalls: true,
    target: "ivr/10",
    menus: { "10": { keyTargets: { "1": "user/1001" } } },
  });
  const [caller, bob] = [town.phone("905321234567"), town.phone("1001")];
  await caller.calls("08505320000");
  const hearsIt = () =>
    caller.seen.includes("answered") && town.media.hears(caller.rtpPort()).join().includes("/1.wav");
  await town.until("he hears the menu", hearsIt);
  await town.pass({ seconds: 2 });
  await town.restarts();
  await town.until("he hears it again", hearsIt);
  await caller.presses("1");
  await bob.answers();
  await town.talksWith(caller, bob);
  await caller.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(1);
});

const FAR = "905321234567";

test("a call to the outside goes on, is paid for minute by minute, and the carrier's question is answered", async () => {
  const town = await townWith({
    desks,
    keepsCalls: true,
    rates: [{ prefix: "90", minutePrice: 100 }],
    exchange: { monthlySpendingLimit: 10_000 },
  });
  const [ann, out] = [town.phone("1000"), town.phone(FAR)];
  await ann.calls("05321234567");
  await out.answers();
  await town.talksWith(ann, out);
  await town.pass({ seconds: 50 });
  const paid = await town.spent();
  await town.restarts({ afterSeconds: 3 });
  await town.talksWith(ann, out);
  expect(await town.spent()).toBe(paid);
  await town.pass({ seconds: 10 });
  expect(await town.spent()).toBe(2 * paid);
  expect(town.board.live.outsideLegs(town.exchangeId)).toBe(1);
  await town.restarts({ afterSeconds: 70 });
  await town.pass({ seconds: 1 });
  expect(await town.spent()).toBe(3 * paid);
  await out.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(1);
});

test("who waited in a queue waits on with his place and his time, and the agents who talk are not rung", async () => {
  const town = await townWith({
    desks,
    keepsCalls: true,
    target: "queue/200",
    queues: { "200": { members: ["1000"], maxWaitSeconds: 100 } },
  });
  const ann = town.phone("1000");
  const callers = [town.phone("905321234567"), town.phone("905321234568"), town.phone("905321234569")] as const;
  await callers[0].calls("08505320000");
  await ann.answers();
  await town.talksWith(callers[0], ann);
  for (const late of [callers[1], callers[2]]) {
    await late.calls("08505320000");
    await town.until(
      "he waits",
      () => late.seen.includes("answered") && town.media.hears(late.rtpPort()).includes(MUSIC),
    );
    await town.pass({ seconds: 5 });
  }
  await town.restarts({ afterSeconds: 5 });
  for (const late of [callers[1], callers[2]])
    await town.until("he hears music again", () => town.media.hears(late.rtpPort()).includes(MUSIC));
  expect(
    town.board.queues
      .open(town.exchangeId)
      ?.waiting("200")
      .map(({ caller }) => caller),
  ).toHaveLength(2);
  ann.seen.length = 0;
  await town.pass({ seconds: 5 });
  expect(ann.seen).not.toContain("is rung");
  await callers[0].hangsUp();
  await ann.answers();
  await town.talksWith(callers[1], ann);
  await callers[1].hangsUp();
  await town.until("his record is there", () => town.diary.records.length === 2);
  expect(town.diary.records[1]?.facts.queueWaitSeconds).toBeGreaterThanOrEqual(20);
  expect(
    town.diary.records[1]?.facts.story.filter((line) => "is" in line && line.is === "comes-to-queue"),
  ).toHaveLength(1);
  await callers[2].hangsUp();
  await town.isQuiet();
});

test("an agent whose call went on has the time for his notes when it is over", async () => {
  const town = await townWith({
    desks,
    keepsCalls: true,
    target: "queue/200",
    queues: { "200": { members: ["1000"], wrapUpSeconds: 30 } },
  });
  const ann = town.phone("1000");
  const [first, second] = [town.phone("905321234567"), town.phone("905321234568")];
  await first.calls("08505320000");
  await ann.answers();
  await town.talksWith(first, ann);
  await town.restarts();
  await town.talksWith(first, ann);
  await second.calls("08505320000");
  await town.until("he waits", () => town.media.hears(second.rtpPort()).includes(MUSIC));
  ann.seen.length = 0;
  await first.hangsUp();
  await town.pass({ seconds: 20 });
  expect(ann.seen).not.toContain("is rung");
  await town.pass({ seconds: 15 });
  await ann.answers();
  await town.talksWith(second, ann);
  await second.hangsUp();
  await town.isQuiet();
});

test("a supervisor hears those whom he listens to again", async () => {
  const town = await townWith({
    desks: { "1000": { maySupervise: true }, "1001": {}, "1002": {} },
    keepsCalls: true,
    target: "user/1001",
  });
  const [boss, bob, far] = [town.phone("1000"), town.phone("1001"), town.phone("905321234567")];
  const hears = (phone: TownPhone, other: TownPhone) =>
    town.media.hears(phone.rtpPort()).includes(String(other.rtpPort()));
  await far.calls("08505320000");
  await bob.answers();
  await town.talksWith(far, bob);
  await boss.calls("*301001");
  const listens = () => boss.seen.includes("answered") && hears(boss, bob) && hears(boss, far);
  await town.until("he listens", listens);
  await town.pass({ seconds: 2 });
  await town.restarts();
  await town.until("he listens again", listens);
  expect([hears(bob, boss), hears(bob, far), hears(far, bob)]).toEqual([false, true, true]);
  await boss.hangsUp();
  await town.talksWith(far, bob);
  await far.hangsUp();
  await town.isQuiet();
  expect(await cdrsOf(town)).toHaveLength(2);
});
