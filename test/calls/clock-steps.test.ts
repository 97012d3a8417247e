// Somebody sets the machine's clock while calls are up: they go on, and their records tell how long they took.

import { describe, expect, test } from "vitest";
import { recordOf } from "../../src/exchange/journal/call-record.ts";
import { townWith } from "../town/town.ts";

const steps = [
  ["back by an hour", -3_600_000],
  ["back by half a minute", -30_000],
  ["forward by an hour", 3_600_000],
] as const;

const desks = { "1000": {}, "1001": { noAnswerSeconds: 20 } };
type Town = Awaited<ReturnType<typeof townWith>>;

function recordedIn({ diary }: Town) {
  const [{ facts, end }] = diary.records as [(typeof diary.records)[number]];
  return { facts, ...recordOf(facts, end, undefined) };
}

function expectInOrder(stamps: (Date | null)[]): void {
  const known = stamps.flatMap((stamp) => stamp?.getTime() ?? []);
  expect(known).toEqual(known.toSorted((one, other) => one - other));
}

describe.each(steps)("the clock is set %s", (_, stepMs) => {
  test("in the middle of a talk, which lasts as long as it lasts", async () => {
    const town = await townWith({ desks });
    const [ann, bob] = [town.phone("1000"), town.phone("1001")];
    await ann.calls("1001");
    await bob.rings();
    await bob.answers();
    await town.talksWith(ann, bob);
    await town.pass({ seconds: 4 });
    const [call] = town.board.live.all(town.exchangeId);
    const before = call!.clock.wall();
    town.clock.setWall(town.clock.wall() + stepMs);
    expect(call!.clock.wall()).toBe(before);
    await town.pass({ seconds: 6 });
    expect(town.board.live.size).toBe(1);
    await ann.hangsUp();
    await town.isQuiet();
    const { cdr, legs } = recordedIn(town);
    expect(cdr.talkSeconds).toBe(10);
    expect(cdr.durationSeconds).toBeLessThan(15);
    for (const leg of legs) {
      expectInOrder([leg.startStamp, leg.answerStamp, leg.endStamp]);
      expect(Math.abs(leg.startStamp.getTime() - cdr.startStamp.getTime())).toBeLessThan(1_000);
      expect(leg.endStamp.getTime()).toBeLessThanOrEqual(cdr.endStamp.getTime());
    }
  });

  test("between the ringing of one phone and of the next: all stamps of the call fit together", async () => {
    const town = await townWith({ desks });
    const [ann, bob] = [town.phone("1000"), town.phone("1001")];
    const wanted = { extension: "1000", destination: "1001", manualAnswer: true, seconds: 20, announcements: {} };
    expect(await town.exchange.originate(town.exchangeId, wanted)).toHaveProperty("callUuid");
    await ann.rings();
    town.clock.setWall(town.clock.wall() + stepMs);
    await ann.answers();
    await bob.rings();
    await town.pass({ seconds: 2 });
    await bob.answers();
    await town.talksWith(ann, bob);
    await town.pass({ seconds: 5 });
    await bob.hangsUp();
    await town.isQuiet();
    const { cdr, legs, facts } = recordedIn(town);
    expect(cdr.talkSeconds).toBe(5);
    expect(cdr.durationSeconds).toBeLessThan(15);
    expectInOrder(facts.story.map(({ atMs }) => new Date(atMs)));
    expect(legs).toHaveLength(2);
    for (const leg of legs)
      expectInOrder([cdr.startStamp, leg.startStamp, leg.answerStamp, leg.endStamp, cdr.endStamp]);
  });

  test("and what rings rings for as long as it was asked to", async () => {
    const town = await townWith({ desks });
    const [ann, bob] = [town.phone("1000"), town.phone("1001")];
    await ann.calls("1001");
    await bob.rings();
    await town.pass({ seconds: 10 });
    town.clock.setWall(town.clock.wall() + stepMs);
    await town.pass({ seconds: 8 });
    expect(bob.seen.some((line) => line.startsWith("ended"))).toBe(false);
    await town.pass({ seconds: 4 });
    expect(bob.seen.some((line) => line.startsWith("ended"))).toBe(true);
    await town.isQuiet();
  });
});
