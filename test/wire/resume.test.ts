// Calls outlive the process that carries them: it is killed, started again, and nobody on the line is told a word.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { shows } from "../ground/interop.ts";
import type { Baresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { endOf, expectStereo, recordOf } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";
import { type Span, saidIn } from "../town/said-in-calls.ts";

let town: RealTown;
let events: EventReceiver;
let ann: Baresip;
let bob: Baresip;
let carl: Baresip;

beforeAll(async () => {
  town = await realTown(PRIVATE_WEBHOOKS);
  events = await reportedEvents(town, { repeats: "are one" });
  await town.command("exchange", "set", "record-internal=yes");
  [ann, bob] = await Promise.all([town.phone("1000", 440), town.phone("1001", 660)]);
});

afterEach(() => {
  events.events.length = 0;
  for (const phone of [ann, bob]) phone.forget();
});

async function connect(from: Baresip, to: Baresip, number: string): Promise<void> {
  await from.dial(number);
  await to.event("CALL_INCOMING");
  await to.command("accept");
  await from.event("CALL_ESTABLISHED");
  await talked([from, 660], [to, 440]);
}

/** A phone, and whoever wants to know has been told. */
async function rings(called = bob, number = "1001"): Promise<void> {
  await ann.dial(number);
  await called.event("CALL_INCOMING");
  await ann.event("CALL_RINGING");
  await events.event({ event_type: "ringing" });
}

/** Killed and started again; when that was, and when both heard each other again. */
async function killed(called = bob, between?: () => void): Promise<Span> {
  const fromMs = realClock.wall();
  await town.restart(between);
  await talked([ann, 660], [called, 440]);
  return { fromMs, toMs: realClock.wall() };
}

test.each([
  ["the caller", 0],
  ["the called", 1],
])(
  "two who talk hear each other again after the exchange was killed, without a word of SIP, and %s hangs up",
  shows("calls: go on after the exchange was killed", "baresip"),
  async (_, who) => {
    await connect(ann, bob, "1001");
    const silence = await killed();
    console.log(`heard again ${silence.toMs - silence.fromMs} ms after the kill`);
    const phones = [ann, bob] as const;
    await phones[who === 0 ? 0 : 1].hangUp();
    await phones[who === 0 ? 1 : 0].event("CALL_CLOSED");
    const { call_uuid: uuid = "", ...end } = await endOf(events, { caller_id_number: "1000" });
    expect(end).toMatchObject({ hangup_cause: "NORMAL_CLEARING", recording_present: "true", answered: "true" });
    expect(events.of(uuid)).toEqual(["ringing", "answer", "hangup"]);
    await recordOf(town, uuid);
    expect(await saidIn(town, uuid, silence)).toEqual([]);
    expect(await town.command("call", uuid)).toContain("goes on with the call after");
    await expectStereo(town, uuid, { left: 440, right: 660 });
  },
);

test(
  "whose voice cannot be where it was, because nothing is known of it, is told where it is, and hears on",
  shows("calls: go on after the exchange was killed, with their voice elsewhere", "baresip"),
  async () => {
    await connect(ann, bob, "1001");
    const { fromMs } = await killed(bob, () => rmSync(join(town.data, "streams"), { recursive: true }));
    await bob.hangUp();
    await ann.event("CALL_CLOSED");
    const { call_uuid: uuid = "", ...end } = await endOf(events, { caller_id_number: "1000" });
    expect(end).toMatchObject({ hangup_cause: "NORMAL_CLEARING", recording_present: "true", answered: "true" });
    expect(events.of(uuid)).toEqual(["ringing", "answer", "hangup"]);
    await recordOf(town, uuid);
    const said = await saidIn(town, uuid, { fromMs, toMs: realClock.wall() });
    expect(said.filter((line) => line.startsWith("INVITE "))).toHaveLength(2);
    expect(said.filter((line) => line.startsWith("BYE "))).toHaveLength(2); // both of the hanging up
    await expectStereo(town, uuid, { left: 440, right: 660 });
  },
);

test(
  "a phone that rings rings on after the exchange was killed, and whoever answers it talks to the caller",
  shows("calls: ring on after the exchange was killed", "baresip"),
  async () => {
    await rings();
    const fromMs = realClock.wall();
    await town.restart();
    const toMs = realClock.wall();
    await bob.command("accept");
    await ann.event("CALL_ESTABLISHED");
    await talked([ann, 660], [bob, 440]);
    await bob.hangUp();
    await ann.event("CALL_CLOSED");
    const { call_uuid: uuid = "", ...end } = await endOf(events, { caller_id_number: "1000" });
    expect(end).toMatchObject({ hangup_cause: "NORMAL_CLEARING", recording_present: "true", answered: "true" });
    expect(events.of(uuid)).toEqual(["ringing", "answer", "hangup"]);
    await recordOf(town, uuid);
    expect(await saidIn(town, uuid, { fromMs, toMs })).toEqual([]);
    expect(await town.command("call", uuid)).toContain("while it rings");
    await expectStereo(town, uuid, { left: 440, right: 660 });
  },
);

test(
  "a caller who gives up after the exchange was killed stops the phone that rings for him",
  shows("calls: ring on after the exchange was killed", "baresip"),
  async () => {
    await rings();
    await town.restart();
    await ann.hangUp();
    await bob.event("CALL_CLOSED");
    const { call_uuid: uuid = "", ...end } = await endOf(events, { caller_id_number: "1000" });
    expect(end).toMatchObject({ hangup_cause: "ORIGINATOR_CANCEL", answered: "false" });
    expect(events.of(uuid)).toEqual(["ringing", "hangup"]);
  },
);

test(
  "a phone on a TCP connection talks on, and either side hangs up once it has connected again",
  shows("calls: go on after the exchange was killed, over TCP", "baresip"),
  async () => {
    carl = await town.phone("1002", 660, { transport: "tcp", registerSeconds: 10 });
    for (const hangsUp of [ann, carl]) {
      await connect(ann, carl, "1002");
      const silence = await killed(carl);
      const other = hangsUp === ann ? carl : ann;
      await hangsUp.hangUp();
      await other.event("CALL_CLOSED");
      const { call_uuid: uuid = "", ...end } = await endOf(events, { destination_number: "1002" });
      expect(end).toMatchObject({ hangup_cause: "NORMAL_CLEARING" });
      expect(await saidIn(town, uuid, silence)).toEqual([]);
      events.events.length = 0;
      for (const phone of [ann, carl]) phone.forget();
    }
  },
);

test(
  "a phone on a TCP connection rings on, and its answer over a new one is taken",
  shows("calls: ring on after the exchange was killed, over TCP", "baresip"),
  async () => {
    await rings(carl, "1002");
    await town.restart();
    await carl.command("accept");
    await ann.event("CALL_ESTABLISHED");
    await talked([ann, 660], [carl, 440]);
    await ann.hangUp();
    await carl.event("CALL_CLOSED");
    const { call_uuid: uuid = "", ...end } = await endOf(events, { destination_number: "1002" });
    expect(end).toMatchObject({ answered: "true" });
    expect(events.of(uuid)).toEqual(["ringing", "answer", "hangup"]);
  },
);
