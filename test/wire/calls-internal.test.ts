import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { shows } from "../ground/interop.ts";
import type { Baresip } from "../phones/baresip.ts";
import { earOf, talked } from "../phones/ear.ts";
import { endOf, expectHeard, expectStereo, recordOf } from "../town/call-story.ts";
import { CLEAR, type RealTown, realTown } from "../town/real-town.ts";

let town: RealTown;
let events: EventReceiver;
let ann: Baresip;
let bob: Baresip;
let carl: Baresip;

beforeAll(async () => {
  town = await realTown(PRIVATE_WEBHOOKS);
  events = await reportedEvents(town);
  await town.command("exchange", "set", "record-internal=yes");
  await town.command("extension", "set", "1004", "max-calls=1", "no-answer-seconds=5");
  [ann, bob, carl] = await Promise.all([
    town.phone("1000", 440),
    town.phone("1001", 660),
    town.phone("1002", 880, { codecs: "g722/16000/1" }),
  ]);
});

/** Every story begins with phones that rest, and with no events of the story before. */
afterEach(async () => {
  events.events.length = 0;
  for (const phone of [ann, bob, carl]) phone.forget();
});

async function connect(from: Baresip, to: Baresip, number: string): Promise<void> {
  await from.dial(number);
  await to.event("CALL_INCOMING");
  await to.command("accept");
  await from.event("CALL_ESTABLISHED");
}

async function hangUp(phone: Baresip, other: Baresip): Promise<void> {
  await phone.hangUp();
  await other.event("CALL_CLOSED");
}

describe("people inside talk", () => {
  test(
    "each hears the other, and the call leaves its record, its events and its recording",
    shows("calls: talk, voice both ways", "baresip"),
    async () => {
      await connect(ann, bob, "1001");
      await expect.poll(() => town.ask("/user_statuses")).toContain("TALKING");
      await talked([ann, 660], [bob, 440]);
      await hangUp(ann, bob);
      await expectHeard(ann, 660);
      await expectHeard(bob, 440);
      const { call_uuid: uuid = "", ...end } = await endOf(events, { caller_id_number: "1000" });
      expect(events.of(uuid)).toEqual(["ringing", "answer", "hangup"]);
      expect(end).toMatchObject({
        direction: "internal",
        destination_number: "1001",
        dialed_user: "1001",
        connected_user: "1001",
        answered: "true",
        recording_present: "true",
        sip_hangup_disposition: "caller",
        hangup_cause: "NORMAL_CLEARING",
      });
      const { cdr, call_flow: legs } = await recordOf(town, uuid);
      expect(cdr).toMatchObject({
        direction: "Santral içi",
        caller_id_number: "1000",
        destination_number: "1001",
        result: "Cevaplandı",
        missed: false,
        recording_present: "true",
      });
      expect(legs.map((leg) => leg.destination_number).sort()).toEqual(["1000", "1001"]);
      for (const leg of legs)
        expect(leg).toMatchObject({ ip_address: "127.0.0.1", write_codec: "PCMA", read_codec: "PCMA" });
      expect(legs.every((leg) => leg.sip_user_agent?.startsWith("baresip"))).toBe(true);
      await expectStereo(town, uuid, { left: 440, right: 660 });
    },
  );

  test(
    "phones that share no codec hear each other all the same",
    shows("voice: between phones without a common codec (G.711, G.722)", "baresip"),
    async () => {
      await connect(ann, carl, "1002");
      await talked([ann, 880], [carl, 440]);
      await hangUp(carl, ann);
      await expectHeard(ann, 880);
      await expectHeard(carl, 440);
      const { call_uuid: uuid = "", ...end } = await endOf(events, { destination_number: "1002" });
      expect(end.sip_hangup_disposition).toBe("callee");
      const { call_flow: legs } = await recordOf(town, uuid);
      expect(legs.map((leg) => `${leg.destination_number} ${leg.write_codec}`).sort()).toEqual([
        "1000 PCMA",
        "1002 G722",
      ]);
      await expectStereo(town, uuid, { left: 440, right: 880 });
    },
  );

  test(
    "a phone that encrypts talks with one that does not",
    shows("encryption: SRTP with keys in SDP", "baresip"),
    async () => {
      const dora = await town.phone("1003", 1000, { account: "mediaenc=srtp-mand" });
      await connect(dora, bob, "1001");
      await talked([dora, 660], [bob, 1000]);
      await hangUp(dora, bob);
      await expectHeard(dora, 660);
      await expectHeard(bob, 1000);
      const { call_uuid: uuid = "" } = await endOf(events, { caller_id_number: "1003" });
      await expectStereo(town, uuid, { left: 1000, right: 660 });
    },
  );

  test(
    "hold: the one who waits hears music, and after it the other again",
    shows("calls: hold and resume", "baresip"),
    async () => {
      const bobs = await earOf(bob);
      await connect(ann, bob, "1001");
      await bobs.hears(440);
      await ann.command("hold");
      await bobs.hearsWhat(
        "music, neither her nor silence",
        ({ level, loudness }) => level(440) < CLEAR && loudness > AUDIBLE,
      );
      await ann.command("resume");
      await bobs.hears(440);
      await hangUp(ann, bob);
      await endOf(events, { caller_id_number: "1000" });
    },
  );
});

/** A hundredth of full scale: quiet music is louder, comfort noise far below. */
const AUDIBLE = 0.01;

describe("calls that nobody takes", () => {
  const story = async (number: string) => {
    const { call_uuid: uuid = "", ...end } = await endOf(events, { destination_number: number });
    const { cdr } = await recordOf(town, uuid);
    expect(cdr).toMatchObject({ missed: true, answer_stamp: null, recording_present: "false" });
    return { events: events.of(uuid), cause: end.hangup_cause, status: end.failure_status, result: cdr.result };
  };

  test("rejected by the callee", shows("calls: rejected", "baresip"), async () => {
    await ann.dial("1001");
    await bob.event("CALL_INCOMING");
    await bob.hangUp();
    await ann.event("CALL_CLOSED");
    expect(await story("1001")).toMatchObject({ events: ["ringing", "hangup"], status: "486", result: "Meşgul" });
  });

  test("given up by the caller", shows("calls: given up", "baresip"), async () => {
    await ann.dial("1001");
    await bob.event("CALL_INCOMING");
    await ann.hangUp();
    await bob.event("CALL_CLOSED");
    expect(await story("1001")).toMatchObject({ events: ["ringing", "hangup"], result: "Vazgeçildi" });
  });

  test("not to be disturbed", shows("calls: not disturbed", "baresip"), async () => {
    await town.ask("/dnd/1001", { state: "on" });
    expect(await town.ask("/user_statuses")).toContain("SS_DND");
    await ann.dial("1001");
    expect((await ann.event("CALL_CLOSED")).param).toContain("486");
    await town.ask("/dnd/1001", { state: "off" });
    expect(await story("1001")).toMatchObject({ events: ["hangup"], result: "Meşgul" });
  });

  test(
    "busy with as many calls as he may have, and not there in time",
    shows("calls: busy, not answered in time", "baresip"),
    async () => {
      const eve = await town.phone("1004", 1000);
      await connect(carl, eve, "1004");
      await ann.dial("1004");
      expect((await ann.event("CALL_CLOSED")).param).toContain("486");
      const { call_uuid: uuid = "" } = await endOf(events, { caller_id_number: "1000" });
      expect((await recordOf(town, uuid)).cdr).toMatchObject({ result: "Meşgul", missed: true });
      await hangUp(carl, eve);
      await endOf(events, { caller_id_number: "1002" });
      events.events.length = 0;
      await ann.dial("1004");
      await eve.event("CALL_INCOMING");
      expect((await ann.event("CALL_CLOSED")).param).toContain("480");
      expect(await story("1004")).toMatchObject({ events: ["ringing", "hangup"], result: "Cevapsız" });
    },
  );

  test("no phone is registered, and there is no such extension", async () => {
    await ann.dial("1005");
    await ann.event("CALL_CLOSED");
    expect(await story("1005")).toMatchObject({ events: ["hangup"], result: "Ulaşılamıyor" });
    await ann.dial("1099");
    expect((await ann.event("CALL_CLOSED")).param).toMatch(/404|484/);
    await endOf(events, { destination_number: "1099" });
  });
});

test("*8 fetches a call that rings at a colleague's desk", shows("calls: pick-up by a code", "baresip"), async () => {
  await ann.dial("1001");
  await bob.event("CALL_INCOMING");
  await carl.dial("*8");
  await ann.event("CALL_ESTABLISHED");
  await bob.event("CALL_CLOSED");
  await talked([ann, 880], [carl, 440]);
  await hangUp(ann, carl);
  await expectHeard(ann, 880);
  await expectHeard(carl, 440);
  const end = await endOf(events, { caller_id_number: "1000" });
  expect(end).toMatchObject({ dialed_user: "1001", connected_user: "1002", answered: "true" });
});

// The last one: it brings the exchange down.
test(
  "a stop that waits lets people talk to their end, turns others away, and is done when they have hung up",
  shows("calls: an exchange that stops when they are over", "baresip"),
  async () => {
    await connect(ann, bob, "1001");
    const stopped = town.command("stop", "--drain");
    await expect.poll(async () => (await town.santral.get("/readyz")).text()).toBe("draining");
    await carl.dial("1000");
    expect((await carl.event("CALL_CLOSED")).param).toContain("503");
    await talked([ann, 660], [bob, 440]);
    await hangUp(ann, bob);
    expect(await stopped).toBe("stopped\n");
    await expect.poll(() => town.santral.child.exitCode).not.toBe(null);
    const { child, output } = town.santral;
    expect(child.exitCode === 0 ? "" : output().slice(-4_000)).toBe("");
  },
);
