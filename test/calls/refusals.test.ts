// What the interface refuses before a phone rings, and what a record says of those who were not let through.

import { describe, expect, test } from "vitest";
import { resultLabel } from "../../src/exchange/calls/causes.ts";
import { recordOf, userHangupEvent } from "../../src/exchange/journal/call-record.ts";
import { blockNumber } from "../../src/store/blocked-numbers.ts";
import { townWith } from "../town/town.ts";
import type { TownSetup } from "../town/town-setup.ts";

const desks = { "1000": {}, "1001": {}, "1002": {} };
type Town = Awaited<ReturnType<typeof townWith>>;

const originate = (town: Town, destination: string) =>
  town.exchange.originate(town.exchangeId, {
    extension: "1000",
    destination,
    manualAnswer: true,
    seconds: 30,
    announcements: {},
  });

const bridge = (town: Town, source: string, destination: string) =>
  town.exchange.bridge(town.exchangeId, {
    source,
    destination,
    seconds: 30,
    announcements: {},
    recordingEnabled: false,
  });

describe("a call that the interface asks for", () => {
  test("is refused to an extension that does not want to be disturbed", async () => {
    const town = await townWith({ desks: { ...desks, "1000": { dnd: true } } });
    const ann = town.phone("1000");
    town.phone("1001");
    expect(await originate(town, "1001")).toEqual({ refused: "do-not-disturb", extension: "1000" });
    await town.isQuiet();
    expect(ann.seen).toEqual([]);
    expect(town.diary.lines).toEqual([]);
  });

  const bars: [string, TownSetup, string][] = [
    ["a number that is blocked", { blocked: ["905321234567"] }, "blocked"],
    [
      "a number that cannot be paid for",
      { rates: [{ prefix: "905", minutePrice: 2 }], exchange: { monthlySpendingLimit: 1 } },
      "spending-limit",
    ],
  ];

  test.each(bars)("is refused to %s before a phone rings", async (_, setup, why) => {
    const town = await townWith({ desks, ...setup });
    const [ann, far, other] = [town.phone("1000"), town.phone("905321234567"), town.phone("902121234567")];
    const refused = { refused: "destination-barred", destination: "905321234567", why };
    expect(await originate(town, "05321234567")).toEqual(refused);
    expect(await bridge(town, "02121234567", "05321234567")).toEqual(refused);
    expect(await bridge(town, "05321234567", "02121234567")).toEqual(refused);
    await town.isQuiet();
    expect([ann.seen, far.seen, other.seen]).toEqual([[], [], []]);
    expect(town.diary.lines).toEqual([]);
  });

  test("abroad is refused where the exchange does not call abroad", async () => {
    const town = await townWith({ desks, exchange: { internationalCalls: false } });
    const ann = town.phone("1000");
    const why = "international";
    expect(await originate(town, "+49 30 1234567")).toEqual({
      refused: "destination-barred",
      destination: "0049301234567",
      why,
    });
    await town.isQuiet();
    expect(ann.seen).toEqual([]);
  });

  test("is refused while every channel is taken, and then no more", async () => {
    const town = await townWith({ desks, exchange: { channelLimit: 1 } });
    const [ann, bob] = [town.phone("1000"), town.phone("1001")];
    const [far, other] = [town.phone("905321234567"), town.phone("902121234567")];
    await bob.calls("05321234567");
    await far.answers();
    await town.talksWith(bob, far);
    expect(await originate(town, "02121234567")).toEqual({ refused: "no-free-channel" });
    await bob.hangsUp();
    await town.until("over", () => town.board.live.size === 0);
    expect(await originate(town, "02121234567")).toHaveProperty("callUuid");
    await ann.answers();
    await other.answers();
    await town.talksWith(ann, other);
    await ann.hangsUp();
    await town.isQuiet();
  });
});

describe("a transfer to an extension that nobody would answer", () => {
  async function talking(town: Town) {
    const [ann, bob] = [town.phone("1000"), town.phone("1001")];
    await ann.calls("1001");
    await bob.answers();
    await town.talksWith(ann, bob);
    const [call] = town.board.live.all(town.exchangeId);
    return { ann, bob, uuid: call!.facts.uuid };
  }

  test.each([
    ["has no phone", {}, { refused: "extension-not-reachable", extension: "1002" }],
    ["does not want to be disturbed", { dnd: true }, { refused: "call-failed", cause: "USER_BUSY" }],
  ])("because it %s is refused, and the call stays", async (_, desk, refused) => {
    const town = await townWith({ desks: { ...desks, "1002": desk } });
    const { ann, bob, uuid } = await talking(town);
    expect(await town.exchange.transfer(town.exchangeId, uuid, "1002")).toEqual(refused);
    await town.pass({ seconds: 5 });
    await town.talksWith(ann, bob);
    await ann.hangsUp();
    await town.isQuiet();
    expect(town.diary.records[0]?.facts.story).not.toContainEqual(
      expect.objectContaining({ is: "interface-sends-on" }),
    );
  });

  test("is done where the extension says who takes its calls", async () => {
    const town = await townWith({ desks: { ...desks, "1002": { forwardUnreachable: "1003" }, "1003": {} } });
    const { ann, uuid } = await talking(town);
    const dan = town.phone("1003");
    expect(await town.exchange.transfer(town.exchangeId, uuid, "1002")).toBe("done");
    await dan.answers();
    await town.talksWith(ann, dan);
    await dan.hangsUp();
    await town.isQuiet();
  });
});

test("a call that was hung up is there no more, though its record is not written yet", async () => {
  const town = await townWith({ desks });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  const [call] = town.board.live.all(town.exchangeId);
  const { uuid } = call!.facts;
  expect(town.exchange.hangUp(town.exchangeId, uuid, "interface")).toBe("done");
  expect(town.exchange.hangUp(town.exchangeId, uuid, "interface")).toEqual({ refused: "no-such-call" });
  expect(await town.exchange.mute(town.exchangeId, uuid, true)).toEqual({ refused: "no-such-call" });
  expect(await town.exchange.transfer(town.exchangeId, uuid, "1000")).toEqual({ refused: "no-such-call" });
  await town.isQuiet();
  expect(town.diary.records).toHaveLength(1);
});

test("a blocked caller is turned away, and nobody missed his call", async () => {
  const town = await townWith({ desks, target: "user/1000" });
  const [ann, stranger] = [town.phone("1000"), town.phone("905321234567")];
  await blockNumber(town.db, { exchangeId: town.exchangeId, number: "905321234567", direction: "inbound" });
  await stranger.calls("08505320000");
  await town.until("turned away", () => stranger.seen.includes("ended CALL_REJECTED"));
  await town.isQuiet();
  expect(ann.seen).toEqual([]);
  const { facts, end } = town.diary.records[0]!;
  const { cdr } = recordOf(facts, end, undefined);
  expect(cdr).toMatchObject({ missed: false, answerStamp: null, hangupCause: "CALL_REJECTED" });
  expect(resultLabel({ answered: false, cause: end.cause })).toBe("Reddedildi");
  expect(facts.story).toContainEqual(expect.objectContaining({ is: "blocked" }));
});

test("numbers of people outside stand in one notation, in the record and in the legs of it", async () => {
  const town = await townWith({ desks });
  const [one, other] = [town.phone("905321234567"), town.phone("902121234567")];
  const started = bridge(town, "+90 532 123 45 67", "902121234567");
  await one.answers();
  await other.answers();
  await town.talksWith(one, other);
  await started;
  await other.hangsUp();
  await town.isQuiet();
  const { facts, end } = town.diary.records[0]!;
  const { cdr, legs } = recordOf(facts, end, undefined);
  expect(cdr).toMatchObject({
    callerIdNumber: "05321234567",
    destinationNumber: "02121234567",
    outboundCallerIdNumber: "908505320000", // a number of ours
  });
  expect(legs.map(({ destinationNumber }) => destinationNumber).sort()).toEqual(["02121234567", "05321234567"]);
});

test("whoever leaves a call is told of truly, recording included", async () => {
  const town = await townWith({ desks });
  const left: boolean[] = [];
  const [ann, bob, carl] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
  await ann.calls("1001");
  await bob.rings();
  const [call] = town.board.live.all(town.exchangeId);
  const leaves = () => {
    const about = { extension: "1001", cause: "NORMAL_CLEARING", endMs: town.clock.wall() } as const;
    left.push(userHangupEvent(call!.facts, about).recordingPresent);
  };
  leaves();
  await bob.answers();
  await town.talksWith(ann, bob);
  await town.exchange.transfer(town.exchangeId, call!.facts.uuid, "1002");
  await carl.answers();
  leaves();
  await ann.hangsUp();
  await town.isQuiet();
  expect(town.media.recordings).toHaveLength(1);
  expect(left).toEqual([false, true]);
});
