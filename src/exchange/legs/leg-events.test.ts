import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import type { Leg } from "../calls/leg.ts";
import { ringPhones } from "../calls/ring.ts";
import { legEvents } from "./leg-events.ts";

test("a phone that is lost between answering and being taken over is missed by whoever takes it over", async () => {
  const events = legEvents();
  // Ringing asks nothing of a leg but to be listened to.
  const leg = { listen: events.listen, end: () => undefined } as unknown as Leg;
  const ringing = ringPhones([leg], { clock: testClock(), seconds: 30, signal: new AbortController().signal });
  events.say({ is: "answered" });
  events.say({ is: "ended", ending: { cause: "NORMAL_TEMPORARY_FAILURE" } });
  expect(await ringing).toEqual({ answered: leg });

  const heard: string[] = [];
  leg.listen((event) => heard.push(event.is));
  expect(heard).toEqual(["ended"]);
});
