import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { eventually } from "../ground/eventually.ts";
import type { Baresip } from "../phones/baresip.ts";
import { earOf, talked } from "../phones/ear.ts";
import { softPhone } from "../phones/soft-phone.ts";
import { seededChance } from "../sip/memory-network.ts";
import { endOf, expectHeard, expectStereo, recordingOf, recordOf } from "../town/call-story.ts";
import { CLEAR, type RealTown, realTown, stereo } from "../town/real-town.ts";

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

test("a recording that the disk does not take costs that recording alone: the call ends, and all who should are told", async () => {
  await town.command("exchange", "set", "record-internal=yes");
  const carla = await town.phone("1002", 880);
  // A device in its place cannot be synced, as a disk that fails cannot.
  const unsynced = await talkWith(carla, (uuid) =>
    symlinkSync("/dev/null", join(town.data, "recordings", `${uuid}.wav`)),
  );
  expect(unsynced.cdr).toMatchObject({ result: "Cevaplandı", recording_present: "false" });
  expect(await town.command("call", unsynced.uuid)).toMatch(/its recording could not be written: .*EINVAL/);
  // No file of the server may be longer than a second of a talk is, until the limit is lifted.
  const limitFiles = (octets: string) =>
    execFileSync("prlimit", ["--pid", String(town.santral.run.pid), `--fsize=${octets}`]);
  limitFiles("40000:unlimited");
  const cut = await talkWith(carla, () => undefined, { untilMs: 2_500 });
  limitFiles("unlimited");
  expect(cut.cdr).toMatchObject({ result: "Cevaplandı", recording_present: "true" });
  expect(await town.command("call", cut.uuid)).toContain("it is as large as a file may be (EFBIG)");
  const { samples, rate } = stereo(await recordingOf(town, cut.uuid));
  expect(samples.length / 2 / rate, "what was written is kept").toBeGreaterThanOrEqual(0.5);
  const whole = await talkWith(carla, () => undefined);
  expect(whole.cdr).toMatchObject({ recording_present: "true" });
  await expectStereo(town, whole.uuid, { left: 440, right: 880 });

  expect(town.santral.output()).toContain(`"path":"${join(town.data, "recordings", `${unsynced.uuid}.wav`)}"`);
  const metrics = await (await town.santral.get("/metrics")).text();
  expect(metrics).toMatch(/^santral_recording_faults_total\{step="sync"\} 1$/m);
  expect(metrics).toMatch(/^santral_recording_faults_total\{step="write"\} 1$/m);
  expect(metrics).toMatch(/^santral_recordings_uncompressed \d+$/m);
  expect(await town.command("doctor")).toMatch(/recordings: 2 could not be written since the start, the last .*EFBIG/);
}, 300_000);

/** Ann calls her; what is to happen before they talk happens while it rings. */
async function talkWith(callee: Baresip, whileRinging: (uuid: string) => void, { untilMs = 0 } = {}) {
  events.events.length = 0;
  for (const phone of [ann, callee]) phone.forget();
  await ann.dial("1002");
  const { call_uuid: uuid = "" } = await events.event({ event_type: "ringing", dialed_user: "1002" });
  await callee.event("CALL_INCOMING");
  whileRinging(uuid);
  const ear = await earOf(ann);
  await callee.command("accept");
  await ear.hears(880, { forMs: Math.max(1_000, untilMs) });
  await ann.hangUp();
  await callee.event("CALL_CLOSED");
  await events.event({ event_type: "hangup", call_uuid: uuid });
  return { uuid, cdr: (await recordOf(town, uuid)).cdr };
}
