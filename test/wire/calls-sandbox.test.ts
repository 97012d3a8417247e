import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { shows } from "../ground/interop.ts";
import type { Baresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { endOf, expectHeard, expectStereo, recordOf, talking } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

let town: RealTown;
let events: EventReceiver;
let ann: Baresip;
let carl: Baresip;
/** Begun first and looked at last: it takes longer than all the others together. */
let vanished: Promise<unknown>;

const number = (suffix: string) => `0500000${suffix}`;

beforeAll(async () => {
  town = await realTown(PRIVATE_WEBHOOKS);
  events = await reportedEvents(town);
  [ann, carl] = await Promise.all([town.phone("1000", 660), town.phone("1002", 1000)]);
  await carl.dial(number("0015"));
  await carl.event("CALL_ESTABLISHED");
  vanished = carl.event("CALL_CLOSED", 180_000);
  vanished.catch(() => undefined);
});

afterEach(() => ann.forget());

async function storyOf(suffix: string) {
  const { call_uuid: uuid = "", ...end } = await endOf(events, { destination_number: number(suffix) });
  const { cdr } = await recordOf(town, uuid);
  expect(cdr.direction).toBe("Giden");
  return { uuid, events: events.of(uuid), end, result: cdr.result, cdr };
}

describe("the telephone network in a box", () => {
  test("0001 answers and echoes: the caller hears himself", async () => {
    await ann.dial(number("0001"));
    await ann.event("CALL_ESTABLISHED");
    await talked([ann, 660]);
    await ann.hangUp();
    await expectHeard(ann, 660);
    expect(await storyOf("0001")).toMatchObject({ events: ["answer", "hangup"], result: "Cevaplandı" });
  });

  test("0002 rings, answers and plays a tone, which stands on its own side of the recording", async () => {
    await ann.dial(number("0002"));
    await ann.event("CALL_RINGING");
    await ann.event("CALL_ESTABLISHED");
    await talked([ann, 440]);
    await ann.hangUp();
    await expectHeard(ann, 440);
    const story = await storyOf("0002");
    expect(story).toMatchObject({ events: ["ringing", "answer", "hangup"], result: "Cevaplandı" });
    await expectStereo(town, story.uuid, { left: 660, right: 440 });
  });

  test.each([
    ["0003", "is busy", "486", "Meşgul"],
    ["0005", "rejects", "603", "Reddedildi"],
    ["0006", "does not exist", "404", "Hatalı Numara"],
  ])("%s %s", async (suffix, _does, status, result) => {
    await ann.dial(number(suffix));
    expect((await ann.event("CALL_CLOSED")).param).toContain(status);
    expect(await storyOf(suffix)).toMatchObject({ events: ["hangup"], result, end: { failure_status: status } });
  });

  test("0004 never answers: the caller gives up", async () => {
    await ann.dial(number("0004"));
    await ann.event("CALL_RINGING");
    await talking(500);
    await ann.hangUp();
    expect(await storyOf("0004")).toMatchObject({ events: ["ringing", "hangup"], result: "Vazgeçildi" });
  });

  test("0007 presses a key, which the phone sees", shows("keys: in RTP (RFC 4733), received", "baresip"), async () => {
    await ann.dial(number("0007"));
    await ann.event("CALL_ESTABLISHED");
    expect((await ann.event("CALL_DTMF_START")).param).toBe("1");
    await ann.hangUp();
    expect(await storyOf("0007")).toMatchObject({ result: "Cevaplandı" });
  });

  test("0008 hangs up after five seconds", async () => {
    await ann.dial(number("0008"));
    await ann.event("CALL_ESTABLISHED");
    await ann.event("CALL_CLOSED");
    const { end, cdr } = await storyOf("0008");
    expect(end).toMatchObject({ sip_hangup_disposition: "callee", hangup_cause: "NORMAL_CLEARING" });
    expect(Number(end.duration)).toBeGreaterThanOrEqual(5);
    expect(cdr.sip_hangup_disposition).toBe("callee");
  });

  test("one of its people calls in", async () => {
    await town.command("number", "create", "908505321111", "user/1000");
    await town.command("sandbox", "call", "--from", "905000000002", "--to", "908505321111");
    await ann.event("CALL_INCOMING");
    await ann.command("accept");
    await ann.event("CALL_ESTABLISHED");
    await talked([ann, 440]);
    await ann.hangUp();
    await expectHeard(ann, 440);
    const { call_uuid: uuid = "", ...end } = await endOf(events, { direction: "inbound" });
    expect(end).toMatchObject({ caller_id_number: number("0002"), connected_user: "1000", answered: "true" });
    expect((await recordOf(town, uuid)).cdr).toMatchObject({ direction: "Gelen", result: "Cevaplandı" });
  });

  test("0015 vanishes: the call ends when nothing has been heard of it for half a minute", async () => {
    await vanished;
    const { uuid, end, result } = await storyOf("0015");
    expect(end).toMatchObject({ answered: "true", hangup_cause: "MEDIA_TIMEOUT", recording_present: "true" });
    expect(result).toBe("Cevaplandı");
    expect(events.of(uuid)).toEqual(["answer", "hangup"]);
  }, 240_000);
});
