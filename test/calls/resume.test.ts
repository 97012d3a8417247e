import { expect, test } from "vitest";
import { cdrsOf, counts, desks, MUSIC, talkingTown, toldOf } from "../town/outlived.ts";
import { townWith } from "../town/town.ts";

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
