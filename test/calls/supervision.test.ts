import { expect, test } from "vitest";
import { recordOf } from "../../src/exchange/journal/call-record.ts";
import { Panel } from "../../src/exchange/panel.ts";
import { listAuditLines } from "../../src/store/audit.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

type Town = Awaited<ReturnType<typeof townWith>>;

const desks = { "1000": { maySupervise: true }, "1001": {}, "1002": {} };

async function talkOfTwo(maySupervise = true) {
  const town = await townWith({ desks: { ...desks, "1000": { maySupervise } }, target: "user/1001" });
  const [boss, bob, far] = [town.phone("1000"), town.phone("1001"), town.phone("905321234567")];
  await far.calls("08505320000");
  await bob.answers();
  await town.talksWith(far, bob);
  return { town, boss, bob, far };
}

const hears = (town: Town, phone: TownPhone, other: TownPhone) =>
  town.media.hears(phone.rtpPort()).includes(String(other.rtpPort()));

test.each([
  ["*301001", "listen", { agent: false, caller: false }],
  ["*311001", "whisper", { agent: true, caller: false }],
  ["*321001", "join", { agent: true, caller: true }],
])("%s: a supervisor hears both (%s)", async (code, mode, heardBy) => {
  const { town, boss, bob, far } = await talkOfTwo();
  await boss.calls(code);
  await town.until(
    "hears both",
    () => boss.seen.includes("answered") && hears(town, boss, bob) && hears(town, boss, far),
  );
  expect({ agent: hears(town, bob, boss), caller: hears(town, far, boss) }).toEqual(heardBy);
  expect(hears(town, bob, far) && hears(town, far, bob)).toBe(true);
  const [line] = await listAuditLines(town.db, town.exchangeId);
  expect(line).toMatchObject({
    doer: "extension",
    who: "1000",
    did: "call-supervised",
    details: { extension: "1001", mode },
  });
  await boss.hangsUp();
  await town.talksWith(far, bob);
  await far.hangsUp();
  await town.isQuiet();
});

test("a supervisor is let go when the colleague's call is over", async () => {
  const { town, boss, bob, far } = await talkOfTwo();
  await boss.calls("*301001");
  await town.until("hears", () => boss.seen.includes("answered") && hears(town, boss, far));
  await bob.hangsUp();
  await town.until("is let go", () => boss.seen.at(-1)?.startsWith("ended") ?? false);
  await town.isQuiet();
  expect(far.seen.at(-1)).toBe("ended NORMAL_CLEARING");
});

test("a supervisor is let go with a colleague who sends the call on, and the call goes on without both", async () => {
  const { town, boss, bob, far } = await talkOfTwo();
  const carl = town.phone("1002");
  await boss.calls("*301001");
  await town.until("hears", () => boss.seen.includes("answered") && hears(town, boss, far));
  const call = town.board.live.of(town.exchangeId, "1001")[0];
  expect(await town.exchange.transfer(town.exchangeId, call!.facts.uuid, "1002")).toBe("done");
  await town.until("is let go with the colleague", () => boss.seen.at(-1)?.startsWith("ended") ?? false);
  await carl.answers();
  await town.talksWith(far, carl);
  await far.hangsUp();
  await town.isQuiet();
  expect(bob.seen.at(-1)).toMatch(/^ended/);
});

test("whoever may not is refused, and that is written down", async () => {
  const { town, boss, far, bob } = await talkOfTwo(false);
  await boss.calls("*301001");
  await town.until("is refused", () => boss.seen.at(-1) === "ended USER_BUSY");
  expect(await listAuditLines(town.db, town.exchangeId)).toMatchObject([
    {
      doer: "extension",
      who: "1000",
      did: "supervision-refused",
      details: { extension: "1001", mode: "listen" },
    },
  ]);
  await town.talksWith(far, bob);
  await far.hangsUp();
  await town.isQuiet();
});

test("nobody can be supervised who talks with nobody", async () => {
  const town = await townWith({ desks });
  const boss = town.phone("1000");
  await boss.calls("*301001");
  await town.until("is refused", () => boss.seen.at(-1) === "ended USER_BUSY");
  await town.isQuiet();
});

const asked = { supervisor: "1000", extension: "1001", by: { doer: "staff", who: "boss@example.com" } } as const;

async function listened() {
  const talk = await talkOfTwo();
  const { town, boss, bob, far } = talk;
  await town.exchange.supervise(town.exchangeId, { ...asked, mode: "listen" });
  await boss.answers();
  await town.until("hears both", () => hears(town, boss, bob) && hears(town, boss, far));
  return talk;
}

test("who listens is heard by more or fewer without his phone being rung again, and takes the call over", async () => {
  const { town, boss, bob, far } = await listened();
  for (const [mode, ...heardBy] of [
    ["whisper", true, false],
    ["join", true, true],
    ["listen", false, false],
  ] as const) {
    await town.exchange.supervise(town.exchangeId, { ...asked, mode });
    await town.until(mode, () => hears(town, bob, boss) === heardBy[0] && hears(town, far, boss) === heardBy[1]);
    expect(hears(town, boss, bob) && hears(town, boss, far)).toBe(true);
  }
  await town.exchange.supervise(town.exchangeId, { ...asked, mode: "take-over" });
  await town.talksWith(far, boss);
  await town.until("is let go", () => bob.seen.at(-1)?.startsWith("ended") ?? false);
  await far.hangsUp();
  await town.isQuiet();
  const records = town.diary.records.map(({ facts, end }) => recordOf(facts, end, undefined).cdr);
  expect(records).toMatchObject([{ listening: true }, { listening: false, connectedUser: "1000" }]);
  const lines = await listAuditLines(town.db, town.exchangeId);
  expect(lines.map(({ details }) => details.mode)).toEqual(["take-over", "listen", "join", "whisper", "listen"]);
});

test("one who listens is a listener on the board, and no call of his own; who may not listen sees neither", async () => {
  const { town, far } = await listened();
  const panel = new Panel({
    clock: town.clock,
    ...town.board,
    settings: town.settings,
    registrar: { isRegistered: () => true, onChange: () => () => undefined },
  });
  const seenBy = async (listeners: boolean) => {
    const viewer = panel.watch(town.exchangeId, () => undefined);
    const changes = await viewer.take("everything", { listeners });
    viewer.stop();
    return changes.flatMap(({ what, now }) => (what === "call" && now ? [now] : []));
  };
  const boss = { extension: "1000", mode: "listen", watches: "1001" };
  expect(await seenBy(true)).toMatchObject([{ extensions: ["1001"], listeners: [boss] }]);
  expect(await seenBy(false)).toMatchObject([{ extensions: ["1001"], listeners: [] }]);
  panel.close();
  await far.hangsUp();
  await town.isQuiet();
});

test("through the exchange a supervisor's phone is rung and let in", async () => {
  const { town, boss, bob, far } = await talkOfTwo();
  const request = {
    supervisor: "1000",
    extension: "1001",
    mode: "whisper",
    by: { doer: "staff", who: "boss@example.com" },
  } as const;
  expect(await town.exchange.supervise(town.exchangeId, request)).toHaveProperty("callUuid");
  await boss.answers();
  await town.until("hears both", () => hears(town, boss, bob) && hears(town, boss, far));
  expect([hears(town, bob, boss), hears(town, far, boss)]).toEqual([true, false]);
  expect(await town.exchange.supervise(town.exchangeId, { ...request, extension: "1002" })).toEqual({
    refused: "no-such-call",
  });
  await far.hangsUp();
  await town.isQuiet();
  expect(boss.seen.at(-1)).toMatch(/^ended/);
});
