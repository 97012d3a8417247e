import { describe, expect, test } from "vitest";
import { storyInWords } from "../../src/words/story/story.ts";
import { townWith } from "../town/town.ts";

const desks = { "1000": {}, "1001": {}, "1002": {} };
const hears = (town: Awaited<ReturnType<typeof townWith>>, phone: { rtpPort(): number }) =>
  town.media.hears(phone.rtpPort()).join();

describe("a voice menu", () => {
  const menus = {
    "10": { keyTargets: { "1": "user/1001", "2": "ivr/11", "9": "hangup/hangup" }, timeoutTarget: "user/1002" },
    "11": { keyTargets: { "1": "user/1002", "0": "ivr/10" }, welcomeAnnouncementId: 2 },
  };

  test("welcomes, takes a key and leads on; the key may come before the welcome is over", async () => {
    const town = await townWith({ desks, menus, target: "ivr/10" });
    const [far, bob] = [town.phone("905321234567"), town.phone("1001")];
    await far.calls("08505320000");
    await town.until("the welcome", () => far.seen.includes("answered") && hears(town, far).includes("/sounds/1.wav"));
    await far.presses("1");
    await bob.answers();
    await town.talksWith(far, bob);
    await bob.hangsUp();
    await town.isQuiet();
    expect(town.diary.records[0]?.facts.connectedUser).toBe("1001");
  });

  test("leads into another menu and back", async () => {
    const town = await townWith({ desks, menus, target: "ivr/10" });
    const [far, carl] = [town.phone("905321234567"), town.phone("1002")];
    await far.calls("08505320000");
    for (const [key, sound] of [
      ["2", "/sounds/1.wav"],
      ["0", "/sounds/2.wav"],
      ["2", "/sounds/1.wav"],
      ["1", "/sounds/2.wav"],
    ] as const) {
      await town.until(sound, () => far.seen.includes("answered") && hears(town, far).includes(sound));
      await far.presses(key);
    }
    await carl.answers();
    await town.talksWith(far, carl);
    await far.hangsUp();
    await town.isQuiet();
  });

  test("asks again after silence and wrong keys, then gives up as it was told", async () => {
    const town = await townWith({ desks, menus, target: "ivr/10" });
    const [far, carl] = [town.phone("905321234567"), town.phone("1002")];
    await far.calls("08505320000");
    await town.until("the welcome", () => far.seen.includes("answered") && hears(town, far).includes("/sounds/1.wav"));
    await far.presses("7");
    await town.until("the wrong key is noted", () => story(town).some((text) => text.includes("leads nowhere")));
    await town.until("the welcome again", () => hears(town, far).includes("/sounds/1.wav"));
    await far.presses("8");
    await carl.answers();
    await town.talksWith(far, carl);
    await far.hangsUp();
    await town.isQuiet();
  });

  test.each([..."0123456789*#"])("key %s leads where it was told", async (key) => {
    const town = await townWith({ desks, menus: { "10": { keyTargets: { [key]: "user/1001" } } }, target: "ivr/10" });
    const [far, bob] = [town.phone("905321234567"), town.phone("1001")];
    await far.calls("08505320000");
    await town.until("the welcome", () => far.seen.includes("answered") && hears(town, far).includes("/sounds/1.wav"));
    await far.presses(key);
    await bob.answers();
    await far.hangsUp();
    await town.isQuiet();
  });

  test.each([
    ["no key at all", [], "1001"],
    ["wrong keys only", ["7", "7", "7"], "1002"],
    ["a wrong key and then none", ["7"], "1001"],
    ["a key that plays the welcome again, and then the right one", ["*", "1"], "1000"],
  ])("%s", async (_, keys, answers) => {
    const keyTargets = { "1": "user/1000", "*": "restart" };
    const menu = { keyTargets, retries: 2, timeoutTarget: "user/1001", invalidTarget: "user/1002" };
    const town = await townWith({ desks, menus: { "10": menu }, target: "ivr/10" });
    const phones = Object.fromEntries(Object.keys(desks).map((number) => [number, town.phone(number)]));
    const far = town.phone("905321234567");
    const welcome = () => far.seen.includes("answered") && hears(town, far).includes("/sounds/1.wav");
    await far.calls("08505320000");
    const heard = () => story(town).filter((text) => text.startsWith("presses ")).length;
    for (const [before, key] of keys.entries()) {
      await town.until("the welcome", welcome);
      await far.presses(key);
      await town.until("the key is heard", () => heard() > before);
    }
    // Silence: each welcome is heard to its end, and then the time for a key runs out.
    for (let silent = keys.length; silent < 3 && keys.at(-1) !== "1"; silent++) {
      await town.until("the welcome", welcome);
      town.media.finish(far.rtpPort());
      await town.pass({ seconds: 6 });
    }
    await phones[answers]!.answers();
    await town.talksWith(far, phones[answers]!);
    await far.hangsUp();
    await town.isQuiet();
  });

  test.each([
    ["hangup/hangup", "ended NORMAL_CLEARING"],
    ["hangup/busy", "ended USER_BUSY"],
    ["announcement/5", "hears /sounds/5.wav"],
    ["tts/en-US/Good night", "hears /speech/en-US/Good night.wav"],
    ["voicemail/1000", "hears mesajınızı bırakabilirsiniz"],
    ["queue/200", "hears music"],
    ["group/700", "1002 rings"],
    ["external/05559876543", "905559876543 rings"],
  ])("a key leads to %s", async (target, happens) => {
    const town = await townWith({
      desks,
      menus: { "10": { keyTargets: { "1": target } } },
      target: "ivr/10",
      queues: { "200": { members: ["1001"] } },
      groups: { "700": { strategy: "sequential", members: [{ extension: "1002" }] } },
    });
    const others = ["1002", "905559876543"].map((number) => town.phone(number));
    const far = town.phone("905321234567");
    await far.calls("08505320000");
    await town.until("the welcome", () => far.seen.includes("answered") && hears(town, far).includes("/sounds/1.wav"));
    await far.presses("1");
    await town.until(happens, () => {
      if (happens.startsWith("ended")) return far.seen.includes(happens);
      if (happens.startsWith("hears")) return hears(town, far).includes(happens.slice("hears ".length));
      return others.some(({ number, seen }) => happens === `${number} rings` && seen.includes("is rung"));
    });
    await far.hangsUp();
    await town.isQuiet();
  });

  test("transferred out of a menu: the voice stops, and the caller is rung through", async () => {
    const town = await townWith({ desks, menus, target: "ivr/10" });
    const [far, carl] = [town.phone("905321234567"), town.phone("1002")];
    await far.calls("08505320000");
    await town.until("the welcome", () => far.seen.includes("answered") && hears(town, far).includes("/sounds/1.wav"));
    const [call] = town.board.live.all();
    expect(await town.exchange.transfer(town.exchangeId, call!.facts.uuid, "1002")).toBe("done");
    await carl.answers();
    await town.talksWith(far, carl);
    await town.pass({ seconds: 30 });
    await town.talksWith(far, carl);
    await carl.hangsUp();
    await town.isQuiet();
  });

  test("a caller who hangs up in the middle leaves nothing behind", async () => {
    const town = await townWith({ desks, menus, target: "ivr/10" });
    const far = town.phone("905321234567");
    await far.calls("08505320000");
    await town.until("the welcome", () => far.seen.includes("answered") && hears(town, far).includes("/sounds/1.wav"));
    await far.hangsUp();
    await town.isQuiet();
    expect(town.diary.lines.at(-1)).toBe("hangup NORMAL_CLEARING by caller");
  });

  function story(town: Awaited<ReturnType<typeof townWith>>): string[] {
    return town.board.live.all().flatMap(({ facts }) => facts.story.map((line) => storyInWords(line, "en")));
  }
});

describe("a ring group", () => {
  const members = [{ extension: "1001" }, { extension: "1002" }];

  test("rings everybody at once; who answers first has the call", async () => {
    const town = await townWith({
      desks,
      groups: { "700": { strategy: "simultaneous", members } },
      target: "group/700",
    });
    const [far, bob, carl] = [town.phone("905321234567"), town.phone("1001"), town.phone("1002")];
    await far.calls("08505320000");
    await bob.rings();
    await carl.answers();
    await town.talksWith(far, carl);
    expect(bob.seen).toContain("ended ORIGINATOR_CANCEL");
    await far.hangsUp();
    await town.isQuiet();
    expect(town.diary.records[0]?.facts).toMatchObject({ queue: "700", connectedUser: "1002" });
  });

  test("rings one after the other, then goes where it was told", async () => {
    const groups = { "700": { strategy: "sequential", members, ringSeconds: 5, noAnswerTarget: "user/1000" } };
    const town = await townWith({ desks, groups, target: "group/700" });
    const [far, bob, carl, ann] = ["905321234567", "1001", "1002", "1000"].map((number) => town.phone(number));
    await far!.calls("08505320000");
    await bob!.rings();
    expect(carl!.seen).toEqual([]);
    await town.pass({ seconds: 6 });
    await carl!.rings();
    await town.pass({ seconds: 6 });
    await ann!.answers();
    await town.talksWith(far!, ann!);
    await far!.hangsUp();
    await town.isQuiet();
  });

  test("has members outside, and is dialled from inside by its number", async () => {
    const groups = { "700": { strategy: "simultaneous", members: [{ external: "05321234567" }] } };
    const town = await townWith({ desks, groups });
    const [ann, mobile] = [town.phone("1000"), town.phone("905321234567")];
    await ann.calls("700");
    await mobile.answers();
    await town.talksWith(ann, mobile);
    await mobile.hangsUp();
    await town.isQuiet();
  });

  test("random begins somewhere else each time, least busy with whoever is free", async () => {
    const groups = { "700": { strategy: "least-busy", members, ringSeconds: 5 } };
    const town = await townWith({ desks, groups, target: "group/700" });
    const [far, bob, carl, ann] = ["905321234567", "1001", "1002", "1000"].map((number) => town.phone(number));
    await ann!.calls("1001");
    await bob!.answers();
    await town.talksWith(ann!, bob!);
    await far!.calls("08505320000");
    await carl!.answers();
    await town.talksWith(far!, carl!);
    await far!.hangsUp();
    await ann!.hangsUp();
    await town.isQuiet();
  });
});

test("an announcement or a sentence is heard, and the call ends", async () => {
  for (const [target, heard] of [
    ["announcement/7", "/sounds/7.wav"],
    ["tts/tr-TR/Merhaba", "/speech/tr-TR/Merhaba.wav"],
  ] as const) {
    const town = await townWith({ desks, target });
    const far = town.phone("905321234567");
    await far.calls("08505320000");
    await town.until(heard, () => far.seen.includes("answered") && hears(town, far).includes(heard));
    town.media.finish(far.rtpPort());
    await town.isQuiet();
    expect(far.seen.at(-1)).toBe("ended NORMAL_CLEARING");
  }
});
