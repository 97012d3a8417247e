// What is left of a call once it is over, as a customer sees it: its record, its events and its recording.

import { execFileSync } from "node:child_process";
import { expect } from "vitest";
import { pause, realClock, within } from "../../src/clock.ts";
import type { EventReceiver } from "../customer/event-receiver.ts";
import type { Baresip } from "../phones/baresip.ts";
import { toneLevel } from "../phones/tone-level.ts";
import { ABSENT, CLEAR, channelOf, type RealTown, stereo, strongest, strongestIn } from "./real-town.ts";

export type CallRecord = {
  cdr: Record<string, string | boolean | null>;
  call_flow: Record<string, string | null>[];
};

/** Long enough for a tone to be found in it, short enough for many stories. */
export const A_TALK_MS = 1_300;

export const talking = (ms = A_TALK_MS) => pause(realClock, ms);

/** Records are written a moment after the call. */
export async function recordOf(town: RealTown, uuid: string, patienceMs = 60_000): Promise<CallRecord> {
  for (const end = within(realClock, patienceMs); ; await pause(realClock, 100)) {
    const { status, text } = await town.tell(`/cdrs/${uuid}`);
    if (status === 200) return JSON.parse(text) as CallRecord;
    if (realClock.ticks() > end) throw new Error(`no record of ${uuid}: ${status} ${text}`);
  }
}

/** Fetched as a customer would, by its temporary URL; whatever it is stored as, it comes back as WAV. */
export async function recordingOf(town: RealTown, uuid: string): Promise<Buffer> {
  const url = await town.post("/recording_url", { call_uuid: uuid });
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.headers.get("content-type")?.startsWith("audio/wav")) return bytes;
  return execFileSync("ffmpeg", ["-v", "error", "-i", "-", "-f", "wav", "-c:a", "pcm_s16le", "-bitexact", "-"], {
    input: bytes,
  });
}

/** Each side's tone is on its own channel and on no other. */
export async function expectStereo(town: RealTown, uuid: string, { left, right }: { left: number; right: number }) {
  const recording = await recordingOf(town, uuid);
  const { rate, channels } = stereo(recording);
  expect(channels).toBe(2);
  const level = (side: "left" | "right", hz: number) => toneLevel(channelOf(recording, side), hz, rate);
  const best = (side: "left" | "right", hz: number) => strongest(channelOf(recording, side), hz, { rate });
  const long = `${Math.round((channelOf(recording, "left").length * 1_000) / rate)} ms recorded`;
  expect(best("left", left), `the caller on the left, ${long}`).toBeGreaterThan(CLEAR);
  expect(best("right", right), `the callee on the right, ${long}`).toBeGreaterThan(CLEAR);
  expect(level("left", right), "the callee on the left").toBeLessThan(ABSENT);
  expect(level("right", left), "the caller on the right").toBeLessThan(ABSENT);
}

/** What a phone heard in its last call. */
export async function lastHeard(phone: Baresip): Promise<string> {
  const heard = (await phone.recordings("dec")).at(-1);
  if (heard === undefined) throw new Error("the phone heard nothing at all");
  return heard;
}

export async function expectHeard(phone: Baresip, hz: number): Promise<void> {
  expect(strongestIn(await lastHeard(phone), hz), `${hz} Hz`).toBeGreaterThan(CLEAR);
}

/** The call that this caller made last, once its end was told. */
export async function endOf(events: EventReceiver, fits: Record<string, string>) {
  return events.event({ event_type: "hangup", ...fits });
}
