import { expect, test } from "vitest";
import { cdrsOf, counts, desks, FAR, MUSIC, ringingTown, talkingTown, toldOf } from "../town/outlived.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

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

test("a phone that was ringing is rung again, and who answers it talks to the caller", async () => {
  const { town, ann, bob } = await ringingTown();
  bob.seen.length = 0;
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
