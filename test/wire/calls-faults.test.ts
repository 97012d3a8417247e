import { beforeAll, expect, test } from "vitest";
import { seededChance } from "../../src/sip/transport/memory.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { eventually } from "../ground/eventually.ts";
import type { Baresip } from "../phones/baresip.ts";
import { earOf, talked } from "../phones/ear.ts";
import { softPhone } from "../phones/soft-phone.ts";
import { endOf, expectHeard, recordOf } from "../town/call-story.ts";
import { CLEAR, type RealTown, realTown } from "../town/real-town.ts";

let town: RealTown;
let events: EventReceiver;
let ann: Baresip;
let bob: Baresip;

beforeAll(async () => {
  town = await realTown(PRIVATE_WEBHOOKS);
  events = await reportedEvents(town);
  [ann, bob] = await Promise.all([
    town.phone("1000", 440),
    town.phone("1001", 660, { answerMode: "auto", codecs: "g722/16000/1" }),
  ]);
});

test("a receiver that hangs, fails or resets delays no call, and gets every event once it is back", async () => {
  let isGivenUp = false;
  const behaviours: EventReceiver["answers"][] = [
    (response) => void response.once("close", () => (isGivenUp = true)),
    (response) => void response.writeHead(500).end(),
    (response) => void response.destroy(),
  ];
  for (const answers of behaviours) {
    events.answers = answers;
    await ann.dial("1001");
    await ann.event("CALL_ESTABLISHED");
    if (answers === behaviours[0]) expect(isGivenUp, "the receiver hangs, and is still waited for").toBe(false);
    await talked([ann, 660]);
    await ann.hangUp();
    await bob.event("CALL_CLOSED");
    await expectHeard(ann, 660);
  }
  events.answers = (response) => response.end("OK");
  events.events.length = 0;
  // A record is written right after its call; the last one may be on its way.
  const listed = await eventually("every call has its record", async () => {
    const found = JSON.parse(await town.ask("/cdrs")) as { cdrs: { call_uuid: string }[] };
    return found.cdrs.length === behaviours.length && found;
  });
  for (const { call_uuid } of listed.cdrs) {
    await events.event({ event_type: "hangup", call_uuid }, 120_000);
    const told = events.of(call_uuid);
    expect(told.indexOf("ringing")).toBeLessThan(told.indexOf("hangup"));
    expect(told.at(-1)).toBe("hangup");
  }
}, 300_000);

test("5 % of a voice lost and much of it out of order: it is heard all the same, in another codec too", async () => {
  const chance = seededChance(7);
  const dora = await softPhone(town, "1003", 1000, { voice: { loses: () => chance() < 0.05, reorders: true } });
  const bobs = await earOf(bob);
  const call = await dora.call("1001");
  if ("refused" in call) throw new Error(`refused: ${call.refused}`);
  await bobs.hears(1000, { forMs: 2_000 });
  expect(await call.voice.soonHears(660)).toBeGreaterThan(CLEAR);
  await call.hangUp();
  await bob.event("CALL_CLOSED");
  const { call_uuid: uuid = "" } = await endOf(events, { caller_id_number: "1003" });
  expect((await recordOf(town, uuid)).cdr.result).toBe("Cevaplandı");
});
