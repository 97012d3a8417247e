import { afterAll, beforeAll, expect, test } from "vitest";
import { pause, realClock } from "../../src/clock.ts";
import { toneLevel } from "../rtp-phone.ts";
import { recordingOf, recordOf } from "./call-story.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "./event-receiver.ts";
import { CLEAR, channelOf, type RealTown, realTown, stereo } from "./real-town.ts";

// SANTRAL_TEST_KILLS=10 SANTRAL_TEST_CALLS=50 plays the whole drill.
const KILLS = Number(process.env.SANTRAL_TEST_KILLS ?? 2);
const CALLS = Number(process.env.SANTRAL_TEST_CALLS ?? 15);
const TALK_MS = 3_000;
const [CALLER, CALLEE] = ["905000000002", "905000000001"];

let town: RealTown;
let events: EventReceiver;
const lostMs: number[] = [];

beforeAll(async () => {
  town = await realTown({ ...PRIVATE_WEBHOOKS, SANTRAL_LOG: "warn" });
  events = await reportedEvents(town);
});

afterAll(() =>
  console.log(`recordings end ${Math.max(...lostMs)} ms before the kill at most (${lostMs.length} calls)`),
);

test.each(Array.from({ length: KILLS }, (_, round) => round + 1))(
  "kill -9 with calls up, round %i",
  async (round) => {
    const uuids = await Promise.all(Array.from({ length: CALLS }, () => connect()));
    await Promise.all(uuids.map((call_uuid) => events.event({ event_type: "answer", call_uuid }, 20_000)));
    await pause(realClock, TALK_MS);
    // In every other round nobody listens when the exchange dies: what is owed then must come after the restart.
    if (round % 2 === 0) events.answers = (response) => response.destroy();
    const killedMs = realClock.now();
    await town.restart();
    events.answers = (response) => response.end("OK");
    await Promise.all(uuids.map((call_uuid) => events.event({ event_type: "hangup", call_uuid }, 20_000)));
    for (const uuid of uuids) {
      expect(new Set(events.of(uuid))).toEqual(new Set(["ringing", "answer", "hangup"]));
      expect(events.of(uuid).at(-1)).toBe("hangup");
      const { cdr } = await recordOf(town, uuid);
      expect(cdr).toMatchObject({ result: "Cevaplandı", recording_present: "true", call_uuid: uuid });
    }
    const ends = events.events.filter(({ event_type }) => event_type === "hangup");
    for (const { hangup_cause } of ends.slice(-CALLS)) expect(hangup_cause).toBe("SYSTEM_SHUTDOWN");
    for (const uuid of uuids) await expectPlayable(uuid, killedMs);
    expect(await listed(uuids)).toBe(CALLS);
    events.events.length = 0;
  },
  120_000,
);

/** One of the sandbox says a tone, the other echoes it: voice both ways without a phone. */
async function connect(): Promise<string> {
  return town.ask("/bridge", { source: CALLER, destination: CALLEE });
}

async function expectPlayable(uuid: string, killedMs: number): Promise<void> {
  const [answer] = events.events.filter((it) => it.call_uuid === uuid && it.event_type === "answer");
  const wav = await recordingOf(town, uuid);
  const { rate, channels } = stereo(wav);
  const left = channelOf(wav, "left");
  expect(channels).toBe(2);
  const durationMs = (left.length * 1_000) / rate;
  const answeredMs = Date.parse(`${answer?.answer_stamp?.slice(0, 19).replace(" ", "T")}+03:00`);
  const lost = killedMs - answeredMs - durationMs;
  lostMs.push(Math.round(lost));
  expect(durationMs).toBeGreaterThan(TALK_MS - 1_000);
  expect(lost, "until a second before the kill").toBeLessThan(1_000 + WHOLE_SECOND_MS);
  expect(toneLevel(left.subarray(left.length - rate), 440, rate), "to its very end").toBeGreaterThan(CLEAR);
}

/** Stamps are told in whole seconds. */
const WHOLE_SECOND_MS = 1_000;

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
