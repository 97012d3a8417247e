// Calls that cost the exchange more than it wants: each way around by which somebody has them made.

import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { FaxOrder } from "../../src/store/fax-orders.ts";
import { sql } from "../../src/store/sql.ts";
import { storyInWords } from "../../src/words/story/story.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";
import type { TownSetup } from "../town/town-setup.ts";

type Town = Awaited<ReturnType<typeof townWith>>;

const PREMIUM = "909001234567";
const OWN = "08505320000";
const desks = { "1000": {}, "1001": {}, "1002": {} };

const storyOf = (town: Town) =>
  [...town.diary.records.map(({ facts }) => facts), ...town.board.live.all().map(({ facts }) => facts)].flatMap(
    ({ story }) => story.map((line) => storyInWords(line, "en")),
  );

const barred = (number: string, why: string) => `${number} may not be called: ${why}`;
const NO_PREMIUM = barred("09001234567", "calls to premium and satellite numbers are switched off");

const originate = (town: Town, destination: string, extension = "1000") =>
  town.exchange.originate(town.exchangeId, {
    extension,
    destination,
    manualAnswer: true,
    seconds: 30,
    announcements: {},
  });

async function isTurnedAway(town: Town, phone: TownPhone, dialled: string) {
  phone.seen.length = 0;
  await phone.calls(dialled);
  await town.until(`${dialled} is refused`, () => phone.seen.includes("ended INCOMING_CALL_BARRED"));
}

async function talking(town: Town) {
  const [ann, bob] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  return { ann, bob };
}

/** By whatever way, a premium number is not rung. */
const ways: Record<string, { setup?: TownSetup; goes(town: Town): Promise<unknown> }> = {
  "an extension that dials it": {
    goes: (town) => isTurnedAway(town, town.phone("1000"), "09001234567"),
  },
  "an extension that dials it as a number abroad": {
    goes: (town) => isTurnedAway(town, town.phone("1000"), "00909001234567"),
  },
  "an extension that forwards all its calls": {
    setup: { desks: { ...desks, "1001": { forwardAlways: "09001234567" } } },
    goes: (town) => isTurnedAway(town, town.phone("1000"), "1001"),
  },
  "a caller from outside to an extension that is forwarded": {
    setup: { desks: { ...desks, "1001": { forwardAlways: "external/09001234567" } }, target: "user/1001" },
    goes: (town) => isTurnedAway(town, town.phone("902121234567"), OWN),
  },
  "a phone that forwards by its own key": {
    async goes(town) {
      town.phone("1001").forwards(302, "<sip:09001234567@town.example>");
      await isTurnedAway(town, town.phone("1000"), "1001");
    },
  },
  "a transfer by the phone": {
    async goes(town) {
      const { ann, bob } = await talking(town);
      bob.leg().ask("REFER", { headers: [{ name: "Refer-To", value: "<sip:09001234567@town.example>" }] });
      await town.until("refused", () => storyOf(town).includes(NO_PREMIUM));
      await ann.hangsUp();
    },
  },
  "a number of ours that leads there": {
    setup: { target: "external/09001234567" },
    goes: (town) => isTurnedAway(town, town.phone("902121234567"), OWN),
  },
  "a member of a ring group": {
    setup: { groups: { "300": { strategy: "simultaneous", members: [{ external: PREMIUM }] } } },
    async goes(town) {
      const ann = town.phone("1000");
      await ann.calls("300");
      await town.until("refused", () => storyOf(town).includes(NO_PREMIUM));
    },
  },
  "a fax": {
    async goes(town) {
      const order = {
        ...{ id: 1, exchangeId: town.exchangeId, localStationId: "908505320000", remoteStationId: PREMIUM },
        ...{ localStationHeader: "", confirmedPages: 0, pages: 1 },
      } as FaxOrder; // what a call of it is begun with
      const sending = { order, tiff: "", confirmed: () => undefined, faxing: () => undefined };
      await town.board.placeFaxCall(randomUUID(), sending);
      await town.until("refused", () => storyOf(town).includes(NO_PREMIUM));
    },
  },
};

describe("a premium number is not rung, as long as the exchange does not allow such calls, by", () => {
  test.each(Object.entries(ways))("%s", async (_, { setup, goes }) => {
    const town = await townWith({ desks, ...setup });
    const far = town.phone(PREMIUM);
    await goes(town);
    await town.isQuiet();
    expect(far.seen).toEqual([]);
    expect(storyOf(town)).toContain(NO_PREMIUM);
  });

  test("the interface, which says so before anybody's phone rings", async () => {
    const town = await townWith({ desks });
    const [ann, far] = [town.phone("1000"), town.phone(PREMIUM)];
    const refused = { refused: "destination-barred", destination: PREMIUM, why: "premium" };
    expect(await originate(town, "0900 123 45 67")).toEqual(refused);
    const bridge = { seconds: 30, announcements: {}, recordingEnabled: false };
    for (const [source, destination] of [
      ["02121234567", PREMIUM],
      [PREMIUM, "02121234567"],
    ] as const)
      expect(await town.exchange.bridge(town.exchangeId, { ...bridge, source, destination })).toEqual(refused);
    expect(
      await town.exchange.testTrunk(town.exchangeId, {
        ...{ trunk: "carrier", number: PREMIUM, extension: undefined, language: "en" },
      }),
    ).toEqual(refused);
    await town.isQuiet();
    expect([ann.seen, far.seen]).toEqual([[], []]);
  });

  test("an exchange that calls abroad, to a satellite", async () => {
    const town = await townWith({ desks, exchange: { internationalCalls: true } });
    const [ann, far] = [town.phone("1000"), town.phone("00870773111222")];
    await isTurnedAway(town, ann, "00870773111222");
    expect(far.seen).toEqual([]);
    await town.isQuiet();
  });
});

test("an exchange that allows premium numbers calls them", async () => {
  const town = await townWith({ desks, exchange: { premiumCalls: true } });
  const [ann, far] = [town.phone("1000"), town.phone(PREMIUM)];
  await ann.calls("09001234567");
  await far.answers();
  await town.talksWith(ann, far);
  await ann.hangsUp();
  await town.isQuiet();
});

describe("the class of an extension", () => {
  const NOT_HIS = "the extension may not call such numbers";

  test.each([
    ["internal", "02121234567"],
    ["national", "05321234567"],
    ["mobile", "0049301234567"],
    ["international", "09001234567"],
  ] as const)("of class %s it does not call %s, and is told why", async (calls, dialled) => {
    const exchange = { internationalCalls: true, premiumCalls: true };
    const town = await townWith({ desks: { "1000": { mayCall: calls }, "1001": {} }, exchange });
    const [ann, far] = [town.phone("1000"), town.phone(dialled.replace(/^0(?=[1-9])/, "90"))];
    await isTurnedAway(town, ann, dialled);
    expect(await originate(town, dialled)).toMatchObject({ refused: "destination-barred", why: "class" });
    await town.isQuiet();
    expect(far.seen).toEqual([]);
    expect(storyOf(town)).toContain(barred(dialled, NOT_HIS));
  });

  test("holds for where its calls are forwarded, and not for who calls it", async () => {
    const town = await townWith({
      desks: { "1000": {}, "1001": { mayCall: "internal", forwardAlways: "05321234567" }, "1002": {} },
    });
    const far = town.phone("905321234567");
    await isTurnedAway(town, town.phone("1000"), "1001");
    await town.isQuiet();
    expect(far.seen).toEqual([]);
  });

  test("holds for its transfers, and leaves its colleagues and calls for help to it", async () => {
    const town = await townWith({ desks: { ...desks, "1001": { mayCall: "internal" } } });
    const [far, help] = [town.phone("905321234567"), town.phone("112")];
    const { ann, bob } = await talking(town);
    bob.leg().ask("REFER", { headers: [{ name: "Refer-To", value: "<sip:05321234567@town.example>" }] });
    await town.until("refused", () => storyOf(town).includes(barred("05321234567", NOT_HIS)));
    await town.talksWith(ann, bob);
    await ann.hangsUp();
    await town.until("over", () => town.board.live.size === 0);
    await bob.calls("112");
    await help.answers();
    await town.talksWith(bob, help);
    await bob.hangsUp();
    await town.isQuiet();
    expect(far.seen).toEqual([]);
  });

  test("is not asked where the exchange itself is set up to send a call outside", async () => {
    const town = await townWith({
      desks: { ...desks, "1001": { mayCall: "internal", noAnswerSeconds: 5 } },
      groups: {
        "300": {
          ...{ strategy: "simultaneous", members: [{ extension: "1001" }], ringSeconds: 5 },
          noAnswerTarget: "external/05321234567",
        },
      },
    });
    const [ann, far] = [town.phone("1000"), town.phone("905321234567")];
    town.phone("1001");
    await ann.calls("300");
    await town.pass({ seconds: 6 });
    await far.answers();
    await town.talksWith(ann, far);
    await ann.hangsUp();
    await town.isQuiet();
  });
});

describe("a number that is left to be called back at", () => {
  const queue = { members: ["1001"], callbackKey: "5" };
  const queues = { "200": queue };
  const hears = (town: Town, phone: TownPhone) => town.media.hears(phone.rtpPort()).join();
  const owed = (town: Town) =>
    town.db.query(sql`select caller, outcome from queue_callbacks where exchange_id = $1`, [town.exchangeId]);

  test.each([
    ["a code of the exchange", "*2405321234567", "it is no number of the telephone network"],
    ["a ring group", "300", "it is no number of the telephone network"],
    ["a number for help", "112", "it is no number of the telephone network"],
    ["a directory", "11880", "it is no number of the telephone network"],
    ["a premium number", PREMIUM, "calls to premium and satellite numbers are switched off"],
    ["a number abroad", "0049301234567", "calls abroad are switched off"],
  ])("is not kept where it is %s: nobody is promised a call", async (_, shown, why) => {
    const town = await townWith({
      ...{ desks, target: "queue/200", queues, exchange: { premiumCalls: shown === PREMIUM } },
      groups: { "300": { strategy: "simultaneous", members: [{ extension: "1002" }] } },
    });
    const far = town.phone("905321234567");
    far.from = `<sip:${shown}@town.example>`;
    await far.calls(OWN);
    await town.until("waits", () => hears(town, far) !== "");
    await far.presses("5");
    await town.pass({ seconds: 5 });
    expect(hears(town, far)).not.toContain("press 5");
    expect(await owed(town)).toEqual([]);
    expect(storyOf(town).filter((line) => line.includes("no callback"))).toEqual([expect.stringContaining(why)]);
    await far.hangsUp();
    await town.isQuiet();
  });

  test("and is barred afterwards is not dialled, and no agent's phone rings for it", async () => {
    const town = await townWith({ desks, target: "queue/200", queues, keepsCalls: true });
    const far = town.phone("905321234567");
    await far.calls(OWN);
    await town.until("waits", () => hears(town, far).includes("press 5"));
    await far.presses("5");
    await town.until("is kept", () => hears(town, far).includes("Your place is kept."));
    await far.hangsUp();
    far.seen.length = 0;
    await town.until("over", () => town.board.live.size === 0);
    await town.db.query(sql`update queue_callbacks set caller = '09001234567' where exchange_id = $1`, [
      town.exchangeId,
    ]);
    await town.restarts({ elsewhere: false, afterSeconds: 3 });
    const bob = town.phone("1001");
    await town.board.queues.recall();
    await town.pass({ seconds: 320 });
    expect(bob.seen).toEqual([]);
    expect(await owed(town)).toEqual([{ caller: "09001234567", outcome: "not-reached" }]);
    await town.isQuiet();
  });

  test("is called by the right of the exchange: an agent who may call nobody outside still calls customers back", async () => {
    const town = await townWith({ desks: { ...desks, "1001": { mayCall: "internal" } }, target: "queue/200", queues });
    const far = town.phone("905321234567");
    await far.calls(OWN);
    await town.until("waits", () => hears(town, far).includes("press 5"));
    await far.presses("5");
    await far.hangsUp();
    const bob = town.phone("1001");
    await bob.answers();
    await far.answers();
    await town.talksWith(bob, far);
    await bob.hangsUp();
    await town.isQuiet();
  });

  test("is a colleague's own extension, where he has called from it", async () => {
    const town = await townWith({ desks, queues });
    const ann = town.phone("1000");
    await ann.calls("200");
    await town.until("waits", () => hears(town, ann).includes("press 5"));
    await ann.presses("5");
    await ann.hangsUp();
    const bob = town.phone("1001");
    await bob.answers();
    await ann.answers();
    await town.talksWith(bob, ann);
    await bob.hangsUp();
    await town.isQuiet();
  });
});
