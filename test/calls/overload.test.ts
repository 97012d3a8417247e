import { expect, test } from "vitest";
import { rungTimes } from "../campaign-town.ts";
import { townWith } from "../town.ts";
import type { TownPhone } from "../town-phone.ts";

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

  for (let calls = 0; calls < 100; calls++) await carl!.calls("1999");
  await town.until("all of them were answered", () => ended(carl!) === 100);
  const openedBefore = town.diary.lines.length;
  await carl!.calls("1001");
  await town.until("he is turned away", () => ended(carl!) === 101);
  expect(town.diary.lines.slice(openedBefore)).toEqual([]);
  const byInterface = { source: "905321112233", destination: "905321112244", seconds: 30, recordingEnabled: true };
  expect(await town.exchange.bridge(town.exchangeId, { ...byInterface, announcements: {} })).toEqual({
    refused: "overloaded",
  });
  expect(town.board.gate()).toMatchObject({ refusing: true, refused: 2 });

  await town.talksWith(ann!, bob!);
  await ann!.hangsUp();
  await town.until("their call has its record", () => town.diary.records.length === 101);

  town.media.pulse = async () => undefined;
  for (const wake of asleep) wake();
  await town.pass({ seconds: 1 });
  await carl!.calls("1001");
  await town.until("Bob is rung again", () => rungTimes(bob!) === 2);
  await bob!.answers();
  await town.talksWith(carl!, bob!);
  await carl!.hangsUp();
  await town.isQuiet();
  expect(town.board.gate().refusing).toBe(false);
});
