// What becomes of calls is the same whether a new process goes on with them on their machine or another node takes them over.
// Where the two differ, resume.test.ts and taken-over.test.ts say so.

import { describe, expect, test } from "vitest";
import { cdrsOf, desks, FAR, MUSIC, talkingTown, toldOf } from "../town/outlived.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

type Town = Awaited<ReturnType<typeof townWith>>;

const hearsMusic = (town: Town, phone: TownPhone) => () =>
  phone.seen.includes("answered") && town.media.hears(phone.rtpPort()).includes(MUSIC);

describe.each([
  ["in a new process", { elsewhere: false }],
  ["on another machine", { elsewhere: true }],
])("%s", (_, where) => {
  test("who was on hold hears the music again, and the other side afterwards", async () => {
    const { town, ann, bob } = await talkingTown();
    const hears = (phone: TownPhone) => town.media.hears(phone.rtpPort()).includes(MUSIC);
    ann.holds(true);
    await town.until("Bob hears music", () => hears(bob));
    await town.pass({ seconds: 2 });
    await town.restarts(where);
    await town.until("Bob hears music again", () => hears(bob));
    await town.pass({ seconds: 3 });
    expect(hears(bob)).toBe(true);
    ann.holds(false);
    await town.talksWith(ann, bob);
    bob.holds(true);
    await town.until("Ann hears music", () => hears(ann));
    await ann.hangsUp();
    await town.isQuiet();
  });

  test("a call that went on can be sent on, and goes on once more", async () => {
    const { town, ann, bob } = await talkingTown();
    const carl = town.phone("1002");
    await town.restarts(where);
    await town.pass({ seconds: 1 });
    bob.leg().ask("REFER", { headers: [{ name: "Refer-To", value: "<sip:1002@town.example>" }] });
    await carl.answers();
    await town.talksWith(ann, carl);
    await town.restarts(where);
    await town.talksWith(ann, carl);
    await carl.hangsUp();
    await town.isQuiet();
    expect(await cdrsOf(town)).toHaveLength(1);
    expect(town.diary.records[0]?.end.legs.map(({ number }) => number).toSorted()).toEqual(["1000", "1001", "1002"]);
  });

  test("signs of life go on to be given, and whoever is unplugged is found out", async () => {
    const { town, ann, bob } = await talkingTown();
    await town.pass({ seconds: 800 });
    await town.restarts(where);
    await town.pass({ seconds: 1_800 });
    await town.talksWith(ann, bob);
    await town.restarts(where);
    await town.pass({ seconds: 1 }); // on another machine he is told of it
    await town.unplug(bob);
    await town.pass({ seconds: 1_900 });
    await town.until("the call is over", () => town.board.live.size === 0);
    expect(town.diary.records[0]?.end.cause).toBe("RECOVERY_ON_TIMER_EXPIRE");
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
    await town.restarts(where);
    await town.until("he hears it again", hearsIt);
    await town.pass({ seconds: 1 });
    await caller.presses("1");
    await bob.answers();
    await town.talksWith(caller, bob);
    await caller.hangsUp();
    await town.isQuiet();
    expect(await cdrsOf(town)).toHaveLength(1);
  });

  test("a call to the outside goes on, is paid for minute by minute and no minute twice, and the carrier's question is answered", async () => {
    const rates = [{ prefix: "90", minutePrice: 100 }];
    const town = await townWith({ desks, keepsCalls: true, rates, exchange: { monthlySpendingLimit: 10_000 } });
    const [ann, out] = [town.phone("1000"), town.phone(FAR)];
    await ann.calls("05321234567");
    await out.answers();
    await town.talksWith(ann, out);
    await town.pass({ seconds: 50 });
    const paid = await town.spent();
    await town.restarts({ ...where, afterSeconds: 3 });
    await town.talksWith(ann, out);
    expect(await town.spent()).toBe(paid);
    await town.pass({ seconds: 10 });
    expect(await town.spent()).toBe(2 * paid);
    expect(town.board.live.outsideLegs(town.exchangeId)).toBe(1);
    await town.restarts({ ...where, afterSeconds: 70 });
    await town.pass({ seconds: 1 });
    expect(await town.spent()).toBe(3 * paid);
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
    for (const late of [callers[1], callers[2]]) {
      await late.calls("08505320000");
      await town.until("he waits", hearsMusic(town, late));
      await town.pass({ seconds: 5 });
    }
    await town.restarts({ ...where, afterSeconds: 5 });
    for (const late of [callers[1], callers[2]]) await town.until("he hears music again", hearsMusic(town, late));
    expect(town.board.queues.open(town.exchangeId)?.waiting("200")).toHaveLength(2);
    ann.seen.length = 0;
    await town.pass({ seconds: 5 });
    expect(ann.seen).not.toContain("is rung");
    await callers[0].hangsUp();
    await ann.answers();
    await town.talksWith(callers[1], ann);
    await callers[1].hangsUp();
    await town.until("his record is there", () => town.diary.records.length === 2);
    const { queueWaitSeconds, story } = town.diary.records[1]!.facts; // there are two
    expect(queueWaitSeconds).toBeGreaterThanOrEqual(20);
    expect(story.filter((line) => "is" in line && line.is === "comes-to-queue")).toHaveLength(1);
    expect(toldOf(town).filter((fact) => fact === "comes-to-queue")).toHaveLength(2);
    await callers[2].hangsUp();
    await town.isQuiet();
    expect(await cdrsOf(town)).toHaveLength(3);
  });

  test("a supervisor hears those whom he listens to again", async () => {
    const supervised = { ...desks, "1000": { maySupervise: true } };
    const town = await townWith({ desks: supervised, keepsCalls: true, target: "user/1001" });
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
    await town.restarts(where);
    await town.until("he listens again", listens);
    expect([hears(bob, boss), hears(bob, far), hears(far, bob)]).toEqual([false, true, true]);
    await boss.hangsUp();
    await town.talksWith(far, bob);
    await far.hangsUp();
    await town.isQuiet();
    expect(await cdrsOf(town)).toHaveLength(2);
  });
});
