import { describe, expect, test } from "vitest";
import type { QueueSetup } from "../paper-queues.ts";
import { type TownPhone, townWith } from "../town.ts";

type Town = Awaited<ReturnType<typeof townWith>>;

const desks = { "1000": {}, "1001": {}, "1002": {}, "1003": {} };
const FAR = ["905321234567", "905321234568", "905321234569"] as const;
const OWN = "08505320000";

const townOf = (queue: Partial<QueueSetup>, more: Partial<Parameters<typeof townWith>[0]> = {}) =>
  townWith({ desks, target: "queue/200", queues: { "200": { members: ["1001", "1002", "1003"], ...queue } }, ...more });

const hears = (town: Town, phone: TownPhone) => town.media.hears(phone.rtpPort()).join();
const isRung = (phone: TownPhone) => phone.seen.filter((it) => it === "is rung").length;
const storyOf = (town: Town) => town.diary.records.flatMap(({ facts }) => facts.story.map(({ text }) => text));

async function callsIn(town: Town, number: string = FAR[0]): Promise<TownPhone> {
  const far = town.phone(number);
  await far.calls(OWN);
  await town.until("the queue takes the call", () => far.seen.includes("answered"));
  return far;
}

describe("a queue", () => {
  test("plays music until an agent answers, and then the two hear each other", async () => {
    const town = await townOf({ musicSound: 7 });
    const bob = town.phone("1001");
    const far = await callsIn(town);
    await town.until("music", () => hears(town, far).includes("/sounds/7.wav"));
    await town.pass({ seconds: 4 });
    await bob.answers();
    await town.talksWith(far, bob);
    await bob.hangsUp();
    await town.isQuiet();
    const [record] = town.diary.records;
    expect(record?.facts).toMatchObject({ queue: "200", dialedUser: "1001", connectedUser: "1001" });
    expect(record?.facts.queueWaitSeconds).toBeGreaterThanOrEqual(4);
    expect(storyOf(town)).toContain("is offered to 1001 of queue 200, sequential among 1001; not free: 2 unreachable");
  });
});
