// How long a call of the interface rings: as long as the interface was asked to, at both ends.

import { describe, expect, test } from "vitest";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

const SECONDS = 7;
type Town = Awaited<ReturnType<typeof townWith>>;

const ends = [
  ["an extension", "1001", "1001"],
  ["an outside number", "05321234567", "905321234567"],
] as const;

async function originated(town: Town, destination: string): Promise<void> {
  const started = await town.exchange.originate(town.exchangeId, {
    extension: "1000",
    destination,
    manualAnswer: true,
    seconds: SECONDS,
    announcements: {},
  });
  expect(started).toHaveProperty("callUuid");
}

/** From the first ring to the last. */
async function secondsRung(town: Town, phone: TownPhone): Promise<number> {
  await phone.rings();
  const fromMs = town.clock.wall();
  const isOver = () => phone.seen.some((line) => line.startsWith("ended"));
  await town.until(`${phone.number} rings no more`, isOver, 120_000);
  return Math.round((town.clock.wall() - fromMs) / 100) / 10;
}

describe.each(ends)("originate to %s", (_, dialled, number) => {
  const desks = { "1000": { noAnswerSeconds: 20 }, "1001": { noAnswerSeconds: 20 } };

  test("rings the extension for the time that was asked for", async () => {
    const town = await townWith({ desks });
    const [ann] = [town.phone("1000"), town.phone(number)];
    await originated(town, dialled);
    expect(await secondsRung(town, ann)).toBe(SECONDS);
    await town.isQuiet();
    expect(town.diary.records[0]).toMatchObject({ end: { cause: "NO_ANSWER" } });
  });

  test("rings the destination for the same time", async () => {
    const town = await townWith({ desks });
    const [ann, bob] = [town.phone("1000"), town.phone(number)];
    await originated(town, dialled);
    await ann.answers();
    expect(await secondsRung(town, bob)).toBe(SECONDS);
    await town.isQuiet();
    expect(town.diary.records[0]).toMatchObject({ end: { cause: "NO_ANSWER" } });
  });
});

test("the time of a call between two outside numbers holds for both of them", async () => {
  const town = await townWith({ desks: {} });
  const [one, other] = [town.phone("905321234567"), town.phone("905329876543")];
  const bridged = town.exchange.bridge(town.exchangeId, {
    source: "05321234567",
    destination: "05329876543",
    seconds: SECONDS,
    announcements: {},
    recordingEnabled: false,
  });
  await one.answers();
  expect(await secondsRung(town, other)).toBe(SECONDS);
  await town.isQuiet();
  expect(await bridged).toHaveProperty("callUuid");
  expect(town.diary.records[0]).toMatchObject({ end: { cause: "NO_ANSWER" } });
});
