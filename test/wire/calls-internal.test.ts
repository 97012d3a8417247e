import { expect, test } from "vitest";
import { pause, realClock } from "../../src/clock.ts";
import { CLEAR, realTown, toneIn } from "./real-town.ts";

test("two phones talk through the exchange and hear each other", async () => {
  const town = await realTown();
  const ann = await town.phone("1000", 440);
  const bob = await town.phone("1001", 660, { answerMode: "auto" });
  await ann.dial("1001");
  await ann.event("CALL_ESTABLISHED");
  await pause(realClock, 2_000);
  await ann.hangUp();
  await bob.event("CALL_CLOSED");
  const [atAnn] = await ann.recordings("dec");
  const [atBob] = await bob.recordings("dec");
  expect(toneIn(atAnn!, 660)).toBeGreaterThan(CLEAR);
  expect(toneIn(atBob!, 440)).toBeGreaterThan(CLEAR);
}, 30_000);
