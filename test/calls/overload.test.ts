import { expect, test } from "vitest";
import { rungTimes } from "../town/campaign-town.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

const BY_INTERFACE = {
  source: "905321112233",
  destination: "905321112244",
  seconds: 30,
  recordingEnabled: true,
  announcements: {},
};

const ended = ({ seen }: TownPhone) => seen.filter((event) => event.startsWith("ended")).length;

test("when the machine cannot keep up new calls are refused at the door, and those that are up go on", async () => {
  const town = await townWith({ desks: { "1000": {}, "1001": {}, "1002": {} } });
  const [ann, bob, carl] = ["1000", "1001", "1002"].map((number) => town.phone(number));
  await ann!.calls("1001");
  await bob!.answers();
  await town.talksWith(ann!, bob!);
  await town.pass({ seconds: 1 });
  const asleep: (() => void)[] = [];
  town.media.pulse = () => new Promise((resolve) => asleep.push(resolve));

  for (let calls = 0; calls < 200; calls++) await carl!.calls("1999");
  await town.until("some of them were answered, and the others wait", () => ended(carl!) === 100);
  expect(town.board.gate()).toMatchObject({ refusing: false, refused: 0, waiting: 100 });
  await town.pass({ seconds: 4 });
  const openedBefore = town.diary.lines.length;
  await carl!.calls("1001");
  await town.until("he is turned away", () => carl!.seen.includes("ended NORMAL_TEMPORARY_FAILURE"));
  expect(town.diary.lines.slice(openedBefore).filter((line) => line.includes("1001"))).toEqual([]);
  expect(await town.exchange.bridge(town.exchangeId, BY_INTERFACE)).toEqual({ refused: "overloaded" });
  expect(town.board.gate()).toMatchObject({ refusing: true, refused: 2 });

  await town.talksWith(ann!, bob!);
  await ann!.hangsUp();
  const isTheirs = ({ facts }: (typeof town.diary.records)[number]) => facts.callerNumber === "1000";
  await town.until("their call has its record", () => town.diary.records.some(isTheirs));

  town.media.pulse = async () => undefined;
  for (const wake of asleep) wake();
  await town.until("all who waited were answered", () => ended(carl!) === 201);
  await town.pass({ seconds: 1 });
  await carl!.calls("1001");
  await town.until("Bob is rung again", () => rungTimes(bob!) === 2);
  await bob!.answers();
  await town.talksWith(carl!, bob!);
  await carl!.hangsUp();
  await town.isQuiet();
  expect(town.board.gate().refusing).toBe(false);
});

test("a caller who gives up while he waits for his turn is gone, and a machine that stops for a moment refuses nobody", async () => {
  const town = await townWith({ desks: { "1000": {}, "1001": {}, "1002": {} } });
  const [ann, bob, carl] = ["1000", "1001", "1002"].map((number) => town.phone(number));
  let wake = () => {};
  const asleep = new Promise<void>((resolve) => {
    wake = resolve;
  });
  town.media.pulse = () => asleep;
  for (let calls = 0; calls < 100; calls++) await carl!.calls("1999");
  await town.until("they were answered", () => ended(carl!) === 100);
  await ann!.calls("1001");
  await carl!.calls("1001");
  await town.until("both wait", () => town.board.gate().waiting === 2);
  await ann!.hangsUp();
  await town.until("one is left", () => town.board.gate().waiting === 1);
  const { place } = await bridged(town);
  expect(town.board.gate()).toMatchObject({ waiting: 2, refused: 0 });

  town.media.pulse = async () => undefined;
  wake();
  await bob!.answers();
  await town.talksWith(carl!, bob!);
  expect(await place).toEqual({ refused: "call-failed", cause: "NO_ROUTE_DESTINATION" });
  expect(town.diary.lines.filter((line) => line.includes("1000"))).toEqual([]);
  expect(town.board.gate()).toMatchObject({ waiting: 0, refused: 0, refusing: false });
  await carl!.hangsUp();
  await town.isQuiet();
});

/** A call begun by the interface, as far as it gets at once. */
async function bridged(town: Awaited<ReturnType<typeof townWith>>) {
  const place = town.exchange.bridge(town.exchangeId, BY_INTERFACE);
  await town.until("the interface waits too", () => town.board.gate().waiting === 2);
  return { place };
}
