import { describe, expect, test } from "vitest";
import type { Campaign, CampaignNumber } from "../../src/exchange/features/campaigns/campaign.ts";
import { eventually } from "../ground/eventually.ts";
import { plainCampaign } from "../town/plain-campaign.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

const AYSE = "905321234567";
const desks = { "1000": {}, "1001": {}, "1002": {} };

const campaign: Omit<Campaign, "exchangeId"> = {
  id: 131,
  ...plainCampaign,
  name: "Anket",
  isOn: true,
  createdMs: 0,
};
const number: CampaignNumber = {
  id: 1878,
  number: AYSE,
  phrase: null,
  language: "tr-TR",
  attempts: 1,
  state: "dialling",
};

/** One call of a campaign to Ayşe, who picks up; and what was told of her. */
async function calledBy(
  request: Partial<Campaign>,
  setup: Parameters<typeof townWith>[0] = {},
  to: Partial<CampaignNumber> = {},
) {
  const town = await townWith({ desks, ...setup });
  const ayse = town.phone(AYSE);
  const told: string[] = [];
  const placed = await town.board.placeCampaignCall({
    callUuid: "9d8b4d5e-0000-4000-8000-000000000001",
    journey: {
      campaign: { ...campaign, ...request, exchangeId: town.exchangeId },
      number: { ...number, ...to },
      mayRing: async () => true,
      left: () => undefined,
      answered: async () => void told.push("answered"),
      pressed: (digit) => void told.push(`pressed ${digit}`),
      reached: (target) => void told.push(`reached ${target}`),
      heardMachine: () => void told.push("machine"),
      optOut: async () => void told.push("opted out"),
    },
  });
  if (!placed) throw new Error("no call left");
  await ayse.answers();
  const hears = (who: TownPhone = ayse) => town.media.hears(who.rtpPort()).join();
  return {
    ...town,
    town,
    ayse,
    told,
    hears,
    welcomed: (what = "/sounds/7.wav") => town.until(`hears ${what}`, () => hears().includes(what)),
    /** Whatever is played has been heard. */
    heardOut: () => town.media.finish(ayse.rtpPort()),
    tells: (what: string) => town.until(what, () => told.includes(what)),
  };
}

describe("the welcome", () => {
  test("is a sound, and a key may come before it is over", async () => {
    const story = await calledBy({ targets: { "1": "user/1001" } });
    const bob = story.phone("1001");
    await story.welcomed();
    await story.ayse.presses("1");
    await bob.answers();
    await story.town.talksWith(story.ayse, bob);
    expect(story.told).toEqual(["answered", "pressed 1", "reached user/1001"]);
    await story.ayse.hangsUp();
    await story.town.isQuiet();
    expect(story.diary.records[0]?.facts).toMatchObject({ origin: "campaign", connectedUser: "1001" });
  });

  test.each([
    ["tr-TR", "#12 15/11/2017 73.56", "/speech/tr-TR/on beş Kasım iki bin on yedi yetmiş üç lira elli altı kuruş.wav"],
    ["en-US", "#12 You owe 73.56", "/speech/en-US/You owe seventy-three lira and fifty-six kurush.wav"],
    ["ar-XA", "#12 مرحبا", "/speech/ar-XA/مرحبا.wav"],
  ] as const)("is the person's own phrase in %s", async (language, phrase, heard) => {
    const story = await calledBy({ targets: { "1": "hangup/hangup" } }, {}, { phrase, language });
    await story.welcomed(heard);
    expect(story.hears()).toContain("/sounds/12.wav");
    expect(story.hears()).not.toContain("/sounds/7.wav");
    await story.ayse.presses("1");
    await story.town.isQuiet();
  });

  test("is the sound where nothing of the phrase can be said", async () => {
    const story = await calledBy({ targets: { "1": "hangup/hangup" } }, {}, { phrase: "#4711" });
    await story.welcomed();
    await story.ayse.hangsUp();
    await story.town.isQuiet();
  });

  test("is heard again after `restart`, but not for ever", async () => {
    const story = await calledBy({ targets: { "9": "restart", "1": "user/1001" } });
    for (let times = 1; times <= 11; times++) {
      await story.welcomed();
      await story.ayse.presses("9");
      await story.until("the key", () => story.told.filter((it) => it === "pressed 9").length === times);
    }
    await story.town.isQuiet();
    expect(story.told).not.toContain("reached restart");
    expect(story.ayse.seen.at(-1)).toBe("ended NORMAL_CLEARING");
  });
});

describe("keys", () => {
  test("that lead nowhere are told at once; after the retries the invalid target takes over", async () => {
    const story = await calledBy({
      targets: { "1": "hangup/hangup", invalid: "user/1002", timeout: "user/1001" },
      digitRetries: 1,
    });
    const carl = story.phone("1002");
    await story.welcomed();
    await story.ayse.presses("4");
    await story.tells("pressed !4");
    await story.welcomed();
    await story.ayse.presses("#");
    await carl.answers();
    await story.town.talksWith(story.ayse, carl);
    expect(story.told).toEqual(["answered", "pressed !4", "pressed !#", "reached user/1002"]);
    await carl.hangsUp();
    await story.town.isQuiet();
  });

  test("that do not come within the time: again, then the timeout target, told once", async () => {
    const story = await calledBy({
      targets: { "1": "hangup/hangup", timeout: "user/1001" },
      digitRetries: 1,
      digitTimeoutSeconds: 3,
    });
    const bob = story.phone("1001");
    await story.welcomed();
    story.heardOut();
    await story.pass({ seconds: 2.5 });
    expect(story.hears()).toBe("");
    await story.welcomed();
    story.heardOut();
    await bob.answers();
    await story.town.talksWith(story.ayse, bob);
    expect(story.told).toEqual(["answered", "pressed -", "reached user/1001"]);
    await bob.hangsUp();
    await story.town.isQuiet();
  });

  test("that do not come, and nowhere to go: the call ends", async () => {
    const story = await calledBy({ targets: { "1": "user/1001" }, digitTimeoutSeconds: 1 });
    await story.welcomed();
    story.heardOut();
    await story.town.isQuiet();
    expect(story.told).toEqual(["answered", "pressed -"]);
    expect(story.ayse.seen.at(-1)).toBe("ended NORMAL_CLEARING");
  });

  test("star and hash are keys like others", async () => {
    const story = await calledBy({ targets: { "*": "announcement/8" } });
    await story.welcomed();
    await story.ayse.presses("*");
    await story.welcomed("/sounds/8.wav");
    story.heardOut();
    await story.town.isQuiet();
    expect(story.told).toEqual(["answered", "pressed *", "reached announcement/8"]);
  });

  test("a person who hangs up in the middle has told what she told, and leaves nothing behind", async () => {
    const story = await calledBy({ targets: { "1": "hangup/hangup" }, digitRetries: 3 });
    await story.welcomed();
    await story.ayse.presses("5");
    await story.tells("pressed !5");
    await story.ayse.hangsUp();
    await story.town.isQuiet();
    expect(story.told).toEqual(["answered", "pressed !5"]);
  });
});

describe("targets", () => {
  const menus = { "10": { keyTargets: { "1": "user/1001" }, welcomeAnnouncementId: 2 } };
  const groups = { "700": { strategy: "simultaneous", members: [{ extension: "1001" }] } };

  test.each([
    ["group/700", "1001"],
    ["external/05329999999", "905329999999"],
  ])("%s: %s answers and talks", async (target, answers) => {
    const story = await calledBy({ targets: { "1": target } }, { groups });
    const other = story.phone(answers);
    await story.welcomed();
    await story.ayse.presses("1");
    await other.answers();
    await story.town.talksWith(story.ayse, other);
    await other.hangsUp();
    await story.town.isQuiet();
  });

  test("ivr/10: a voice menu goes on from there", async () => {
    const story = await calledBy({ targets: { "1": "ivr/10" } }, { menus });
    const bob = story.phone("1001");
    await story.welcomed();
    await story.ayse.presses("1");
    await story.welcomed("/sounds/2.wav");
    await story.ayse.presses("1");
    await bob.answers();
    await story.town.talksWith(story.ayse, bob);
    expect(story.told).toEqual(["answered", "pressed 1", "reached ivr/10"]);
    await bob.hangsUp();
    await story.town.isQuiet();
  });

  test.each([
    ["tts/tr-TR/Güle güle", "/speech/tr-TR/Güle güle.wav"],
    ["announcement/9", "/sounds/9.wav"],
  ])("%s is heard, and the call ends", async (target, heard) => {
    const story = await calledBy({ targets: { "1": target } });
    await story.welcomed();
    await story.ayse.presses("1");
    await story.welcomed(heard);
    story.heardOut();
    await story.town.isQuiet();
    expect(story.ayse.seen.at(-1)).toBe("ended NORMAL_CLEARING");
  });

  test("voicemail/1000: a message is left", async () => {
    const story = await calledBy({ targets: { "1": "voicemail/1000" } });
    await story.welcomed();
    await story.ayse.presses("1");
    await story.until("a greeting", () => story.hears().includes("1000/400"));
    story.heardOut();
    await story.until("the recorder", () => story.media.recorded(story.ayse.rtpPort()) !== undefined);
    story.media.recorded(story.ayse.rtpPort())?.(4_000);
    await story.town.isQuiet();
    expect(story.diary.lines).toContain("message for 1000 of 4000 ms");
  });

  test("optout: it is written down, she is told so, and the call ends", async () => {
    const story = await calledBy({ targets: { "0": "optout" } });
    await story.welcomed();
    await story.ayse.presses("0");
    await story.welcomed("bir daha aranmayacaksınız");
    story.heardOut();
    await story.town.isQuiet();
    expect(story.told).toEqual(["answered", "pressed 0", "reached optout", "opted out"]);
  });
});

describe("a queue campaign", () => {
  const queues = { "200": { members: ["1000"] } };
  const request: Partial<Campaign> = { callType: "queue", queueNumber: "200" };

  test("welcomes and leads to the queue by itself; the agent sees who was called", async () => {
    const story = await calledBy(request, { queues });
    const ann = story.phone("1000");
    await story.welcomed();
    story.heardOut();
    await ann.answers();
    await story.town.talksWith(story.ayse, ann);
    expect(ann.lastInvite.find(({ name }) => name === "From")?.value).toContain(AYSE);
    expect(story.told).toEqual(["answered", "reached queue/200"]);
    await ann.hangsUp();
    await story.town.isQuiet();
    expect(story.diary.records[0]?.facts).toMatchObject({ queue: "200", connectedUser: "1000" });
  });

  test("without a welcome goes there at once", async () => {
    const story = await calledBy({ ...request, welcomeAnnouncementId: null }, { queues });
    const ann = story.phone("1000");
    await ann.answers();
    await story.town.talksWith(story.ayse, ann);
    await story.ayse.hangsUp();
    await story.town.isQuiet();
  });

  test("takes a key while it welcomes, and a wrong one leads to the queue", async () => {
    const story = await calledBy({ ...request, targets: { "9": "optout" } }, { queues });
    await story.welcomed();
    await story.ayse.presses("9");
    await story.tells("opted out");
    await story.ayse.hangsUp();
    await story.town.isQuiet();
    const other = await calledBy({ ...request, targets: { "9": "optout" } }, { queues });
    const ann = other.phone("1000");
    await other.welcomed();
    await other.ayse.presses("3");
    await ann.answers();
    await other.town.talksWith(other.ayse, ann);
    expect(other.told).toEqual(["answered", "pressed !3", "reached queue/200"]);
    await other.ayse.hangsUp();
    await other.town.isQuiet();
  });
});

test("with recording on, the call is recorded from the answer, first alone and then with whom she talks", async () => {
  const story = await calledBy({ targets: { "1": "user/1001" }, recordingEnabled: true });
  const bob = story.phone("1001");
  await story.welcomed();
  const [recording] = story.media.recordings;
  expect(recording?.sides[0]).toBe(String(story.ayse.rtpPort()));
  await story.ayse.presses("1");
  await bob.answers();
  await story.town.talksWith(story.ayse, bob);
  await story.until("both are recorded", () => recording?.sides[1] === String(bob.rtpPort()));
  expect(story.media.recordings).toHaveLength(1);
  await bob.hangsUp();
  await story.town.isQuiet();
  expect(recording?.stopped).toBe(true);
  expect(story.diary.records[0]?.facts.recordingPath).toContain(".wav");
});

test("with recording off nothing is recorded", async () => {
  const story = await calledBy({ targets: { "1": "user/1001" } });
  const bob = story.phone("1001");
  await story.welcomed();
  await story.ayse.presses("1");
  await bob.answers();
  await story.town.talksWith(story.ayse, bob);
  await bob.hangsUp();
  await story.town.isQuiet();
  expect(story.media.recordings).toEqual([]);
});

test("where machines are looked for, the welcome waits until she has said her word", async () => {
  const story = await calledBy({ targets: { "1": "hangup/hangup" }, detectsMachines: true });
  await story.until("somebody listens", () => story.media.recorded(story.ayse.rtpPort()) !== undefined);
  expect(story.hears()).toBe("");
  story.media.recorded(story.ayse.rtpPort())?.(1_300);
  // What was heard is read from a file: that takes real time, which no clock can be wound to.
  await eventually("the welcome", async () => story.hears().includes("/sounds/7.wav"));
  await story.ayse.presses("1");
  await story.town.isQuiet();
  expect(story.told).not.toContain("machine");
});
