// What is agreed on about voice: offers that nobody can take, encryption by settings, and keys in a form the other side has.

import { expect, test } from "vitest";
import { townWith } from "../town/town.ts";
import { OWN_NUMBER } from "../town/town-setup.ts";

const desks = { "1000": {}, "1001": {} };
const FAR = "905321234567";
type Town = Awaited<ReturnType<typeof townWith>>;

const storyOf = (town: Town) => town.diary.records.at(-1)?.facts.story ?? [];
const lastCause = (town: Town) => town.diary.lines.at(-1);

test("a caller whose phone speaks nothing that we speak is refused before anybody rings, and the record says why", async () => {
  const town = await townWith({ desks });
  const [ann, bob] = [town.phone("1000", { codecs: ["opus"] }), town.phone("1001")];
  await ann.calls("1001");
  await town.until("she is refused", () => ann.seen.includes("ended INCOMPATIBLE_DESTINATION"));
  await town.isQuiet();
  expect(bob.seen).toEqual([]);
  expect(ann.seen).toEqual(["ended INCOMPATIBLE_DESTINATION"]);
  expect(storyOf(town)).toContainEqual(expect.objectContaining({ is: "offer-refused", why: "no-common-codec" }));
  expect(lastCause(town)).toContain("INCOMPATIBLE_DESTINATION");
});

test("a call that comes by a trunk is judged as well", async () => {
  const trunk = { srtp: "required", keys: "auto", hearsInband: false } as const;
  const town = await townWith({ desks, target: "user/1001", trunk });
  const [bob, plain, safe] = [
    town.phone("1001"),
    town.phone(FAR),
    town.phone("905329999999", { terms: { srtp: "required" } }),
  ];
  await plain.calls(OWN_NUMBER);
  await town.until("it is refused", () => plain.seen.includes("ended INCOMPATIBLE_DESTINATION"));
  expect(bob.seen).toEqual([]);
  await safe.calls(OWN_NUMBER);
  await bob.answers();
  await town.talksWith(safe, bob);
  expect(town.media.agreedWith(safe.rtpPort())?.srtp?.suite).toBe("AES_CM_128_HMAC_SHA1_80");
  expect(town.media.agreedWith(bob.rtpPort())?.srtp).toBeUndefined();
  await safe.hangsUp();
  await town.isQuiet();
});

test.each([
  ["off", "off", "talks in clear"],
  ["off", "answered", "talks in clear"],
  ["off", "required", "is not reached"],
  ["answered", "answered", "talks in clear"],
  ["answered", "required", "talks encrypted"],
  ["allowed", "off", "talks in clear"],
  ["allowed", "answered", "talks encrypted"],
  ["allowed", "required", "talks encrypted"],
  ["required", "off", "is not reached"],
  ["required", "answered", "talks encrypted"],
  ["required", "required", "talks encrypted"],
] as const)("with encryption %s, a phone whose own setting is %s %s when it is called", async (ours, its, ending) => {
  const town = await townWith({ desks: { "1000": {}, "1001": { srtp: ours } } });
  const [ann, bob] = [town.phone("1000"), town.phone("1001", { terms: { srtp: its } })];
  await ann.calls("1001");
  if (ending === "is not reached") {
    await town.until("she is told", () => ann.seen.includes("ended INCOMPATIBLE_DESTINATION"));
    await town.isQuiet();
    const told = storyOf(town).some((line) => "is" in line && line.is === "not-encrypted");
    expect(told).toBe(ours === "required");
    return;
  }
  await bob.answers();
  await town.talksWith(ann, bob);
  expect(town.media.agreedWith(bob.rtpPort())?.srtp !== undefined).toBe(ending === "talks encrypted");
  await ann.hangsUp();
  await town.isQuiet();
});

test.each([
  ["off", "required", "is refused"],
  ["answered", "required", "talks encrypted"],
  ["allowed", "off", "talks in clear"],
  ["required", "off", "is refused"],
  ["required", "allowed", "talks encrypted"],
] as const)("with encryption %s, a phone whose own setting is %s %s when it calls", async (ours, its, ending) => {
  const town = await townWith({ desks: { "1000": { srtp: ours }, "1001": {} } });
  const [ann, bob] = [town.phone("1000", { terms: { srtp: its } }), town.phone("1001")];
  await ann.calls("1001");
  if (ending === "is refused") {
    await town.until("she is told", () => ann.seen.includes("ended INCOMPATIBLE_DESTINATION"));
    expect(bob.seen).toEqual([]);
    await town.isQuiet();
    expect(storyOf(town).some((line) => "is" in line && line.is === "offer-refused")).toBe(true);
    return;
  }
  await bob.answers();
  await town.talksWith(ann, bob);
  expect(town.media.agreedWith(ann.rtpPort())?.srtp !== undefined).toBe(ending === "talks encrypted");
  await ann.hangsUp();
  await town.isQuiet();
});

test("a trunk that is set to INFO gets keys by INFO, those of the voice and those of signalling alike", async () => {
  const town = await townWith({ desks, trunk: { srtp: "answered", dtmf: "info", hearsInband: true } });
  const [ann, far] = [town.phone("1000"), town.phone(FAR)];
  await ann.calls(FAR);
  await far.answers();
  await town.talksWith(ann, far);
  expect(town.media.agreedWith(far.rtpPort())).toMatchObject({ keysAside: true, hearsInband: true });
  const digits = () => far.seen.filter((what) => what === "digit").length;
  await ann.presses("7");
  await town.until("the key of her INFO arrives", () => digits() === 1);
  const stream =
    town.board.live
      .of(town.exchangeId, "1000")[0]
      ?.legs()
      .find(({ party }) => party.number === "1000")
      ?.stream() ?? "";
  town.media.say({ is: "digit", stream, digit: "8", durationMs: 100 });
  await town.until("the key of her voice arrives", () => digits() === 2);
  expect(town.media.keysSent(far.rtpPort())).toBe("");
  await ann.hangsUp();
  await town.isQuiet();
});

test("a party that knows no telephone-event but INFO gets keys by INFO of itself; with tones alone it gets tones", async () => {
  for (const keys of ["auto", "inband"] as const) {
    const town = await townWith({ desks, trunk: { srtp: "answered", dtmf: keys, hearsInband: false } });
    const [ann, far] = [town.phone("1000"), town.phone(FAR, { terms: { keys: "inband" } })];
    await ann.calls(FAR);
    await far.answers();
    await town.talksWith(ann, far);
    expect(town.media.agreedWith(far.rtpPort())?.telephoneEvent).toBeUndefined();
    await ann.presses("5");
    if (keys === "auto") await town.until("the key arrives by INFO", () => far.seen.includes("digit"));
    else await town.until("the key is played", () => town.media.keysSent(far.rtpPort()) === "5");
    expect(town.media.keysSent(far.rtpPort())).toBe(keys === "auto" ? "" : "5");
    await ann.hangsUp();
    await town.isQuiet();
  }
});

test("each side's voice is sent on the word of its own, and the story says where it is held back and what mends that", async () => {
  const town = await townWith({ desks });
  const [ann, far] = [town.phone("1000"), town.phone(FAR)];
  await ann.calls(FAR);
  await far.answers();
  await town.talksWith(ann, far);
  const [hers, theirs] = [ann, far].map((phone) => town.media.agreedWith(phone.rtpPort())?.source);
  expect(hers).toMatchObject({ is: "address", exchange: town.exchangeId });
  expect(theirs).toMatchObject({ is: "trunk", exchange: town.exchangeId });
  const legs = town.board.live.of(town.exchangeId, "1000")[0]?.legs() ?? [];
  for (const leg of legs) {
    const why = leg.party.is === "outside" ? "silent" : "many";
    town.media.say({ is: "held-back", stream: leg.stream() ?? "", address: "203.0.113.9", why });
  }
  await ann.hangsUp();
  await town.isQuiet();
  const told = storyOf(town).flatMap((line) => ("is" in line && line.is === "voice-held-back" ? [line] : []));
  expect(told.map(({ party, trunk, why }) => [party.is, trunk, why])).toEqual([
    ["extension", undefined, "many"],
    ["outside", expect.any(String), "silent"],
  ]);
});

test("whom we call lets us hear something before the answer, and is known to be early until then", async () => {
  const town = await townWith({ desks });
  const [ann, far] = [town.phone("1000"), town.phone(FAR)];
  await ann.calls(FAR);
  await far.rings();
  await far.leg().letHear();
  await town.until("they have agreed", () => town.media.agreedWith(far.rtpPort()) !== undefined);
  expect(town.media.agreedWith(far.rtpPort())?.isEarly).toBe(true);
  await far.answers();
  await town.talksWith(ann, far);
  expect(town.media.agreedWith(far.rtpPort())?.isEarly).toBeUndefined();
  expect(town.media.agreedWith(ann.rtpPort())?.isEarly).toBeUndefined();
  await ann.hangsUp();
  await town.isQuiet();
});

test("a key told by INFO ends the message that is spoken into a mailbox", async () => {
  const town = await townWith({ desks: { "1000": {}, "1001": { hasMailbox: true } } });
  const ann = town.phone("1000");
  await ann.calls("1001");
  await town.until("she is asked for a message", () => town.media.hears(ann.rtpPort()).length > 0);
  town.media.finish(ann.rtpPort());
  for (let sounds = 0; sounds < 5 && !town.media.recorded(ann.rtpPort()); sounds++) {
    await town.pass({ seconds: 1 });
    town.media.finish(ann.rtpPort());
  }
  await town.until("she is recorded", () => town.media.recorded(ann.rtpPort()) !== undefined);
  await ann.presses("#");
  await town.until("the recording has ended", () => town.media.recorded(ann.rtpPort()) === undefined);
  await ann.hangsUp();
  await town.isQuiet();
});
