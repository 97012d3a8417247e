// A desk that takes nothing new and waits for the end of what is up.

import { expect, test } from "vitest";
import { townWith } from "../town/town.ts";

const desks = { "1000": {}, "1001": {}, "1002": {}, "1003": {} };
const order = { extension: "1002", destination: "1003", manualAnswer: true, seconds: 10, announcements: {} };

async function drainedTown() {
  const town = await townWith({ desks });
  const [ann, bob, carl] = [town.phone("1000"), town.phone("1001"), town.phone("1002")];
  town.phone("1003");
  await ann.calls("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  const state = { isDrained: false };
  void town.board.drain().then(() => {
    state.isDrained = true;
  });
  return { town, ann, bob, carl, state };
}

test("who talks talks on, and who calls is told to try again, until the last has hung up", async () => {
  const { town, ann, bob, carl, state } = await drainedTown();
  await carl.calls("1003");
  await town.until("he is turned away", () => carl.seen.includes("ended NORMAL_TEMPORARY_FAILURE"));
  expect(await town.exchange.originate(town.exchangeId, order)).toEqual({ refused: "closing" });
  await town.pass({ seconds: 600 });
  await town.talksWith(ann, bob);
  expect(state.isDrained).toBe(false);
  await ann.hangsUp();
  await town.until("nobody is up any more", () => state.isDrained);
  expect(town.diary.records).toHaveLength(1);
});

test("a call for help is taken and waited for, by phone and by the interface", async () => {
  const { town, ann, carl, state } = await drainedTown();
  const help = town.phone("112");
  await carl.calls("112");
  await help.answers();
  await town.talksWith(carl, help);
  await ann.hangsUp();
  await town.pass({ seconds: 60 });
  expect(state.isDrained).toBe(false);
  const asked = await town.exchange.originate(town.exchangeId, { ...order, extension: "1003", destination: "112" });
  expect(asked).not.toHaveProperty("refused");
  await carl.hangsUp();
  await town.pass({ seconds: 60 });
  await town.until("nobody is up any more", () => state.isDrained);
});

test("with no call up it is drained at once", async () => {
  const town = await townWith({ desks });
  await town.board.drain();
});
