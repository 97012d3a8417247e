import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { eventually } from "../ground/eventually.ts";
import { toneLevel } from "../phones/tone-level.ts";
import { recordingOf, recordOf } from "../town/call-story.ts";
import { CLEAR, channelOf, type RealTown, realTown, stereo } from "../town/real-town.ts";

// SANTRAL_TEST_KILLS=10 SANTRAL_TEST_CALLS=50 plays the whole drill.
const KILLS = Number(process.env.SANTRAL_TEST_KILLS ?? 2);
const CALLS = Number(process.env.SANTRAL_TEST_CALLS ?? 15);
const TALK_MS = 3_000;
/** Longer than a job stays with a worker that was killed. */
const PATIENCE_MS = 120_000;
/** On a machine with work of its own beside the drill, voice itself may come late; alone it may not. */
const ALONE = KILLS >= 10;
const [CALLER, CALLEE] = ["905000000002", "905000000001"];

let town: RealTown;
let events: EventReceiver;
const lostMs: number[] = [];
const shortMs: number[] = [];

beforeAll(async () => {
  town = await realTown({ ...PRIVATE_WEBHOOKS, SANTRAL_LOG: "warn" });
  events = await reportedEvents(town);
}, 240_000);

afterAll(() =>
  console.log(
    `recordings end ${Math.max(...lostMs)} ms before the kill at most (${lostMs.length} calls), ` +
      `and are ${Math.max(...shortMs)} ms shorter than the talk`,
  ),
);

test.each(Array.from({ length: KILLS }, (_, round) => round + 1))(
  "kill -9 with calls up, round %i",
  async (round) => {
    const uuids = await Promise.all(Array.from({ length: CALLS }, () => connect()));
    const answeredMs = new Map<string, number>();
    const hearAnswer = async (call_uuid: string) => {
      await events.event({ event_type: "answer", call_uuid }, PATIENCE_MS);
      answeredMs.set(call_uuid, realClock.wall());
    };
    await Promise.all(uuids.map(hearAnswer));
    await talksAreOnDisk(uuids);
    // In every other round nobody listens when the exchange dies: what is owed then must come after the restart.
    if (round % 2 === 0) events.answers = (response) => response.destroy();
    // Some hang up in that very moment: their recordings are just being taken into keeping.
    const leaving = new Map(uuids.slice(0, CALLS / 3).map((uuid) => [uuid, statSync(recordedAt(uuid)).size]));
    const hangingUp = [...leaving.keys()].map((uuid) => town.tell(`/hangup/${uuid}`).catch(() => undefined));
    await Promise.race(hangingUp);
    const killedMs = realClock.wall();
    const written = new Map<string, { atMs: number; octets: number }>();
    await town.restart(() => {
      for (const uuid of uuids.filter((it) => !leaving.has(it))) {
        const { mtimeMs: atMs, size: octets } = statSync(recordedAt(uuid));
        written.set(uuid, { atMs, octets });
      }
    });
    events.answers = (response) => response.end("OK");
    await Promise.all(uuids.map((call_uuid) => events.event({ event_type: "hangup", call_uuid }, PATIENCE_MS)));
    for (const uuid of uuids) {
      expect(new Set(events.of(uuid))).toEqual(new Set(["ringing", "answer", "hangup"]));
      expect(events.of(uuid).at(-1)).toBe("hangup");
      const { cdr } = await recordOf(town, uuid, PATIENCE_MS);
      expect(cdr).toMatchObject({ result: "Cevaplandı", recording_present: "true", call_uuid: uuid });
    }
    const ends = events.events.filter(({ event_type }) => event_type === "hangup");
    for (const { hangup_cause, call_uuid = "" } of ends.slice(-CALLS))
      if (!leaving.has(call_uuid)) expect(hangup_cause).toBe("SYSTEM_SHUTDOWN");
    for (const [uuid, octets] of leaving) await expectPlayable(uuid, octets);
    for (const [uuid, { atMs, octets }] of written) {
      lostMs.push(Math.round(killedMs - atMs));
      expect(killedMs - atMs, "written until a second before the kill").toBeLessThan(1_000);
      const lengthMs = await expectPlayable(uuid, octets);
      shortMs.push(Math.round(killedMs - answeredMs.get(uuid)! - lengthMs)); // heard above
    }
    // Of this round: one that fails says nothing about those after it.
    if (ALONE) expect(Math.max(...shortMs.slice(-CALLS)), "as long as the talk, but for a second").toBeLessThan(1_000);
    expect(await listed(uuids)).toBe(CALLS);
    events.events.length = 0;
  },
  3 * PATIENCE_MS,
);

test(
  "a clean stop with calls up, and others about to begin, cuts nothing off",
  async () => {
    const uuids = await Promise.all(Array.from({ length: CALLS }, () => connect()));
    await Promise.all(uuids.map((call_uuid) => events.event({ event_type: "answer", call_uuid }, PATIENCE_MS)));
    const begun = Promise.allSettled(Array.from({ length: CALLS }, () => connect()));
    expect(await town.santral.end("SIGTERM")).toBe(0);
    await begun;
    await town.restart();
    expect(town.santral.output()).not.toContain("a crash cut off");
    await Promise.all(uuids.map((call_uuid) => events.event({ event_type: "hangup", call_uuid }, PATIENCE_MS)));
    for (const { hangup_cause } of events.events.filter(({ event_type }) => event_type === "hangup"))
      expect(["SYSTEM_SHUTDOWN", "NORMAL_CLEARING", "ORIGINATOR_CANCEL"]).toContain(hangup_cause);
    expect(await town.command("call", uuids[0]!)).not.toContain("the exchange stopped while the call was up"); // of a crash
    expect(await listed(uuids)).toBe(CALLS);
  },
  3 * PATIENCE_MS,
);

const recordedAt = (uuid: string) => join(town.data, "recordings", `${uuid}.wav`);

/**
 * Each is long enough, was written twice within a second, the last time just now, and has the voice to its end: a machine
 * that stood still for a moment has written nothing then, and afterwards the silence it missed.
 */
async function talksAreOnDisk(uuids: string[]): Promise<void> {
  const seen = new Map<string, { atMs: number; oftenAtMs: number }>();
  await eventually("the talks are on disk, and more of them every second", async () => {
    for (const uuid of uuids) {
      const atMs = existsSync(recordedAt(uuid)) ? statSync(recordedAt(uuid)).mtimeMs : 0;
      const last = seen.get(uuid);
      if (last?.atMs === atMs) continue;
      seen.set(uuid, { atMs, oftenAtMs: last && atMs - last.atMs < 1_000 ? atMs : 0 });
    }
    return uuids.every((uuid) => realClock.wall() - seen.get(uuid)!.oftenAtMs < 700 && isTalk(uuid)); // all were seen above
  });
}

function isTalk(uuid: string): boolean {
  const octets = readFileSync(recordedAt(uuid));
  if ((octets.length - LONGEST_HEADER) / OCTETS_A_MS < TALK_MS) return false;
  // From the end, where nothing else than sound is.
  const left = Int16Array.from({ length: 8_000 }, (_, at) => octets.readInt16LE(octets.length - 4 * (8_000 - at)));
  return toneLevel(left, 440, 8_000) > CLEAR;
}

/** One of the sandbox says a tone, the other echoes it: voice both ways without a phone. */
async function connect(): Promise<string> {
  return town.ask("/bridge", { source: CALLER, destination: CALLEE });
}

/** All that was written is there, with the tone to its very end. How long it is, in milliseconds. */
async function expectPlayable(uuid: string, octets: number): Promise<number> {
  const wav = await recordingOf(town, uuid);
  const { rate, channels, samples } = stereo(wav);
  expect(channels).toBe(2);
  const writtenSamples = (octets - LONGEST_HEADER) / 2;
  expect(samples.length, "all that was written").toBeGreaterThan(writtenSamples - (rate * channels) / 10);
  const left = channelOf(wav, "left");
  expect(toneLevel(left.subarray(-2 * rate), 440, rate), "to its very end").toBeGreaterThan(CLEAR);
  return (left.length * 1_000) / rate;
}

const LONGEST_HEADER = 128;
/** Two channels of 8000 samples a second, two octets each. */
const OCTETS_A_MS = 32;

/** Exactly one record a call. */
async function listed(uuids: string[]): Promise<number> {
  let found = 0;
  for (let page = 1; ; page++) {
    const { cdrs } = JSON.parse(await town.ask("/cdrs", { limit: "100", page: String(page) })) as {
      cdrs: { call_uuid: string }[];
    };
    found += cdrs.filter(({ call_uuid }) => uuids.includes(call_uuid)).length;
    if (cdrs.length < 100) return found;
  }
}
