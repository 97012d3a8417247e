// A phone's own forward key: its 3xx is followed within the rights of its extension.

import { expect, test } from "vitest";
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
  ["a telephone address, for good", 301, "<tel:+90-532-123-45-67>", FAR],
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
  expect(town.diary.records[0]?.facts).toMatchObject({ destinationNumber: "1001", callerNumber: "1000" });
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
    const [ann, bob, carl, dora] = ["1000", "1001", "1002", "1003"].map(town.phone) as ReturnType<Town["phone"]>[];
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

test("a group does not follow the forwarding of a member's phone", async () => {
  const members = [{ extension: "1001" }, { extension: "1002" }];
  const town = await townWith({ desks, groups: { "300": { strategy: "simultaneous", members } }, target: "group/300" });
  const [far, bob, carl] = [town.phone(FAR), town.phone("1001"), town.phone("1002")];
  bob.forwards(302, "<sip:1000@town.example>");
  await far.calls("08505320000");
  await carl.answers();
  await town.talksWith(far, carl);
  await far.hangsUp();
  await town.isQuiet();
  expect(told(town, "forwards")).toEqual([]);
});
