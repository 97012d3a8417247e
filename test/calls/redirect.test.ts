// A phone's own forward key: its 3xx is followed within the rights of its extension.

import { describe, expect, test } from "vitest";
import type { StoryFact } from "../../src/exchange/calls/story.ts";
import { townWith } from "../town/town.ts";

const desks = { "1000": {}, "1001": {}, "1002": {} };
const FAR = "905321234567";

type Town = Awaited<ReturnType<typeof townWith>>;

const told = (town: Town, is: StoryFact["is"]) =>
  town.diary.records.at(-1)?.facts.story.filter((line) => "is" in line && line.is === is) ?? [];

test.each([
  ["another extension", 302, "<sip:1002@town.example>", "1002"],
  ["an outside number", 302, "<sip:05321234567@town.example;user=phone>", FAR],
  ["a telephone address, for good", 301, "<tel:+905321234567>", FAR],
])("a phone forwards by its own key to %s", async (_, status, contact, to) => {
  const town = await townWith({ desks });
  const [ann, bob, other] = [town.phone("1000"), town.phone("1001"), town.phone(to)];
  bob.forwards(status, contact);
  await ann.calls("1001");
  await other.answers();
  await town.talksWith(ann, other);
  await ann.hangsUp();
  await town.isQuiet();
  expect(told(town, "phone-forwards")).toMatchObject([{ extension: "1001", followed: true }]);
  expect(told(town, "forwards")).toMatchObject([{ extension: "1001" }]);
  expect(town.diary.records[0]?.facts).toMatchObject({ callerNumber: "1000" });
});

test("the extension whose phone forwards is the one whose rights count", async () => {
  const town = await townWith({
    desks: { ...desks, "1001": { hasMailbox: false } },
    exchange: { internationalCalls: false },
  });
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  bob.forwards(302, "<sip:0033123456789@town.example>");
  await ann.calls("1001");
  await town.isQuiet();
  expect(ann.seen).toContain("ended INCOMING_CALL_BARRED");
  expect(told(town, "barred")).toMatchObject([{ why: "international" }]);
});

test("two phones that forward to each other end in a circle, or with the extension's fallback", async () => {
  for (const fallback of [false, true]) {
    const town = await townWith({
      desks: { ...desks, "1001": fallback ? { forwardUnreachable: "1003" } : {}, "1003": {} },
    });
    const [ann, bob, carl, dora] = ["1000", "1001", "1002", "1003"].map((number) => town.phone(number)) as ReturnType<
      Town["phone"]
    >[];
    bob!.forwards(302, "<sip:1002@town.example>");
    carl!.forwards(302, "<sip:1001@town.example>");
    await ann!.calls("1001");
    if (fallback) {
      await dora!.answers();
      await town.talksWith(ann!, dora!);
      await ann!.hangsUp();
    }
    await town.isQuiet();
    expect(told(town, "circle")).toHaveLength(1);
    if (!fallback) expect(ann!.seen).toContain("ended EXCHANGE_ROUTING_ERROR");
  }
});

test("several choices are tried, the preferred first, until one can be reached", async () => {
  const town = await townWith({ desks });
  const [ann, bob, carl] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
  bob.forwards(300, "<sip:1002@town.example>;q=0.2", "<sip:9999@town.example>;q=0.9");
  await ann.calls("1001");
  await carl.answers();
  await town.talksWith(ann, carl);
  await ann.hangsUp();
  await town.isQuiet();
  expect(told(town, "phone-forwards")).toMatchObject([{ to: "9999" }, { to: "1002" }]);
});

test.each([
  ["a proxy", 305, "<sip:1002@town.example>"],
  ["another service", 380, "<sip:1002@town.example>"],
  ["a code of the exchange", 302, "<sip:*97@town.example>"],
  ["a place of the exchange", 302, "<sip:voicemail%2F1002@town.example>"],
  ["nowhere", 302, undefined],
])("what names %s is not followed, and the extension's own forwarding takes the call", async (_, status, contact) => {
  const town = await townWith({ desks: { ...desks, "1001": { forwardUnreachable: "1002" } } });
  const [ann, bob, carl] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
  bob.forwards(status, ...(contact === undefined ? [] : [contact]));
  await ann.calls("1001");
  await carl.answers();
  await town.talksWith(ann, carl);
  await ann.hangsUp();
  await town.isQuiet();
  expect(told(town, "phone-forwards").every((line) => "followed" in line && !line.followed)).toBe(true);
});

describe("a member of a group whose phone forwards by its own key", () => {
  const groupOf = (members: string[], more: object = {}) => ({
    desks: { ...desks, "1003": {} },
    groups: {
      "300": { strategy: "sequential", members: members.map((extension) => ({ extension })), ...more },
    },
    target: "group/300",
  });

  test("does not take the call, and the next one rings at once", async () => {
    const town = await townWith(groupOf(["1001", "1002"]));
    const [far, bob, carl] = [town.phone(FAR), town.phone("1001"), town.phone("1002")];
    bob.forwards(302, "<sip:1000@town.example>");
    const beganMs = town.clock.wall();
    await far.calls("08505320000");
    await carl.answers();
    expect(town.clock.wall() - beganMs).toBeLessThan(2_000);
    await town.talksWith(far, carl);
    await far.hangsUp();
    await town.isQuiet();
    expect(told(town, "forwards")).toEqual([]);
    expect(told(town, "phone-forwards")).toMatchObject([{ extension: "1001", to: "1000", followed: false }]);
  });

  test("is all that the group has: the caller is told so", async () => {
    const town = await townWith(groupOf(["1001"]));
    const [far, bob] = [town.phone(FAR), town.phone("1001")];
    bob.forwards(302, "<sip:1000@town.example>");
    await far.calls("08505320000");
    await town.isQuiet();
    expect(town.diary.records[0]?.end).toMatchObject({ cause: "REDIRECTION_TO_NEW_DESTINATION" });
  });

  test.each([
    ["a colleague", "1000", "1000"],
    ["the outside", "05321234568", "905321234568"],
  ])("is followed to %s where the group says so", async (_, to, number) => {
    const town = await townWith(groupOf(["1001", "1002"], { followsForwards: true, strategy: "simultaneous" }));
    const [far, bob, there] = [town.phone(FAR), town.phone("1001"), town.phone(number)];
    bob.forwards(302, `<sip:${to}@town.example>`);
    await far.calls("08505320000");
    await there.answers();
    await town.talksWith(far, there);
    await far.hangsUp();
    await town.isQuiet();
    expect(told(town, "phone-forwards")).toMatchObject([{ extension: "1001", followed: true }]);
    expect(told(town, "forwards")).toMatchObject([{ extension: "1001", to }]);
  });

  test("is followed once: nobody there sends the call on, and no mailbox takes it", async () => {
    const setup = groupOf(["1001", "1003"], { followsForwards: true });
    const town = await townWith({
      ...setup,
      desks: { ...setup.desks, "1002": { hasMailbox: true, forwardNoAnswer: "group/300" } },
    });
    const [far, bob, carl, dora] = [town.phone(FAR), town.phone("1001"), town.phone("1002"), town.phone("1003")];
    bob.forwards(302, "<sip:1002@town.example>");
    carl.forwards(302, "<sip:1001@town.example>");
    await far.calls("08505320000");
    await dora.answers();
    await town.talksWith(far, dora);
    await far.hangsUp();
    await town.isQuiet();
    expect(told(town, "phone-forwards")).toMatchObject([
      { extension: "1001", followed: true },
      { extension: "1002", followed: false },
    ]);
  });

  test("is followed where the exchange itself forwards him, too, and only to a number", async () => {
    for (const forwardAlways of ["1000", "voicemail/1001"]) {
      const setup = groupOf(["1001", "1002"], { followsForwards: true });
      const town = await townWith({ ...setup, desks: { ...setup.desks, "1001": { forwardAlways } } });
      const taker = town.phone(forwardAlways === "1000" ? "1000" : "1002");
      const far = town.phone(FAR);
      await far.calls("08505320000");
      await taker.answers();
      await town.talksWith(far, taker);
      await far.hangsUp();
      await town.isQuiet();
    }
  });
});

describe("an agent whose phone forwards by its own key", () => {
  const queueOf = (more: object = {}) => ({
    desks,
    target: "queue/200",
    queues: { "200": { members: ["1001", "1002"], ...more } },
  });

  test("has missed the call, and the next agent is offered it at once", async () => {
    const town = await townWith(queueOf());
    const [far, bob, carl] = [town.phone(FAR), town.phone("1001"), town.phone("1002")];
    bob.forwards(302, "<sip:1000@town.example>");
    await far.calls("08505320000");
    await carl.answers();
    await town.talksWith(far, carl);
    expect(town.board.queues.open(town.exchangeId)?.roster.get("1001")?.misses).toBe(1);
    await far.hangsUp();
    await town.isQuiet();
    expect(told(town, "phone-forwards")).toMatchObject([{ extension: "1001", followed: false }]);
    expect(told(town, "agent-declines")).toMatchObject([{ agent: "1001", cause: "REDIRECTION_TO_NEW_DESTINATION" }]);
  });

  test("is followed to his mobile where the queue says so, and talks there as at his desk", async () => {
    const town = await townWith(queueOf({ followsForwards: true }));
    const [far, bob, mobile] = [town.phone(FAR), town.phone("1001"), town.phone("905321234568")];
    bob.forwards(302, "<sip:05321234568@town.example>");
    await far.calls("08505320000");
    await mobile.answers();
    await town.talksWith(far, mobile);
    const status = () => town.board.queues.open(town.exchangeId)?.roster.get("1001")?.status;
    expect(status()).toBe("talking");
    await far.hangsUp();
    await town.isQuiet();
    expect(status()).toBe("available");
  });
});

test.each([
  ["its one phone", false],
  ["one of its phones, and the other is gone", true],
])("a call that the interface asks for ends at once when %s forwards by its own key", async (_, second) => {
  const town = await townWith({ desks });
  const bob = town.phone("1001");
  town.phone("1000");
  if (second) await town.unplug(town.another("1001"));
  bob.forwards(302, "<sip:1002@town.example>");
  const beganMs = town.clock.wall();
  await town.exchange.originate(town.exchangeId, {
    extension: "1001",
    destination: "1000",
    manualAnswer: true,
    seconds: 30,
    announcements: { toCaller: undefined, toCallee: undefined },
  });
  await town.until("it is over", () => town.diary.records.length === 1);
  expect(town.clock.wall() - beganMs).toBeLessThan(5_000);
  await town.isQuiet();
  expect(town.diary.records[0]?.end).toMatchObject({ cause: "REDIRECTION_TO_NEW_DESTINATION" });
  expect(told(town, "phone-forwards")).toMatchObject([{ extension: "1001", to: "1002", followed: false }]);
});
