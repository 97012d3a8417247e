// Calls that end while the database is away: whatever happens to the process meanwhile, each has its record, its events
// and its recording once the database is back, and only once.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { pause, realClock, since } from "../../src/clock.ts";
import { askServer } from "../../src/server/control-client.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { takeDatabaseAway } from "../ground/embedded-database.ts";
import { eventually } from "../ground/eventually.ts";
import { santral } from "../ground/santral-process.ts";
import { recordingOf, recordOf } from "../town/call-story.ts";
import { CLEAR, channelOf, type RealTown, realTown, stereo, strongest } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 300_000 });

const CALLS = 8;
const [CALLER, CALLEE] = ["905000000002", "905000000001"];
const TALK_WITHOUT_MS = 5_000;
/** As long as a stop may take while the database is away, on a machine that does much else. */
const STOPS_WITHIN_MS = 20_000;

let town: RealTown;
let events: EventReceiver;

beforeAll(async () => {
  town = await realTown({ ...PRIVATE_WEBHOOKS });
  events = await reportedEvents(town);
}, 300_000);

const control = () => join(town.data, "control.sock");
const onDisk = () => (existsSync(join(town.data, "arrears")) ? readdirSync(join(town.data, "arrears")) : []);
const isGone = async (uuid: string) =>
  !((await askServer(control(), "calls")) as { callUuid: string }[]).some(({ callUuid }) => callUuid === uuid);

/** One of the sandbox says a tone, the other echoes it; it is answered, and that was told. */
async function talks(): Promise<string[]> {
  const uuids = await Promise.all(
    Array.from({ length: CALLS }, () => town.ask("/bridge", { source: CALLER, destination: CALLEE })),
  );
  await Promise.all(uuids.map((call_uuid) => events.event({ event_type: "answer", call_uuid }, 120_000)));
  await pause(realClock, 1_500); // something to hear
  return uuids;
}

/** As an operator ends them: it needs no database. */
async function end(uuids: string[]): Promise<void> {
  for (const call of uuids) expect(await askServer(control(), "end", { call })).toBe(true);
}

async function expectOnce(uuids: string[], cause: string): Promise<void> {
  for (const uuid of uuids) {
    const hangup = await events.event({ event_type: "hangup", call_uuid: uuid }, 120_000);
    expect(hangup).toMatchObject({ hangup_cause: cause });
    expect((await recordOf(town, uuid)).cdr).toMatchObject({ call_uuid: uuid, recording_present: "true" });
    expect(events.of(uuid)).toEqual(["ringing", "answer", "hangup"]);
    const recording = await recordingOf(town, uuid);
    const { rate } = stereo(recording);
    expect(strongest(channelOf(recording, "left"), 440, { rate })).toBeGreaterThan(CLEAR);
  }
  const { cdrs } = JSON.parse(await town.ask("/cdrs", { limit: "100" })) as { cdrs: { call_uuid: string }[] };
  expect(cdrs.filter(({ call_uuid }) => uuids.includes(call_uuid))).toHaveLength(uuids.length);
  await eventually("nothing is left on disk", async () => onDisk().length === 0);
}

test("kill -9 after calls have ended without a database", async () => {
  const uuids = await talks();
  const { giveBack } = takeDatabaseAway(town.data);
  await end(uuids);
  await eventually("they are over", async () => (await Promise.all(uuids.map(isGone))).every(Boolean));
  expect(onDisk()).toContain("calls.arrears");
  await town.restart(giveBack);
  await expectOnce(uuids, "NORMAL_CLEARING");
});

test("a database that comes back by itself is given what it missed", async () => {
  const uuids = await talks();
  const { giveBack } = takeDatabaseAway(town.data);
  await end(uuids);
  await eventually("they are over", async () => (await Promise.all(uuids.map(isGone))).every(Boolean));
  const metrics = await (await town.santral.get("/metrics")).text();
  expect(Number(/^santral_arrears_entries (\d+)/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(CALLS);
  const doctor = await santral(town.data, ["doctor"]);
  expect(doctor.stdout + doctor.stderr).toMatch(/\d+ entries wait on disk for the database/);
  giveBack();
  await expectOnce(uuids, "NORMAL_CLEARING");
  expect(town.santral.output()).toContain("what lay on disk is in the database");
});

test("a call that is up when the process is killed has lasted until then, though the database was away", async () => {
  const uuids = await talks();
  const { giveBack } = takeDatabaseAway(town.data);
  await eventually("signs of life go to disk", async () => onDisk().includes("calls.arrears"));
  await pause(realClock, TALK_WITHOUT_MS);
  await town.restart(giveBack);
  await expectOnce(uuids, "SYSTEM_SHUTDOWN");
  for (const uuid of uuids) {
    const { duration } = await events.event({ event_type: "hangup", call_uuid: uuid });
    expect(Number(duration)).toBeGreaterThanOrEqual(TALK_WITHOUT_MS / 1_000);
  }
});

test("a stop while the database is away takes seconds and loses nothing", async () => {
  const uuids = await talks();
  const { giveBack } = takeDatabaseAway(town.data);
  const asked = realClock.ticks();
  expect(await town.santral.end("SIGTERM")).toBe(0);
  expect(since(realClock, asked)).toBeLessThan(STOPS_WITHIN_MS);
  await town.restart(giveBack);
  await expectOnce(uuids, "SYSTEM_SHUTDOWN");
});
