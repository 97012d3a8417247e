// What stories of the web phone have in common: a desk phone picks up, the two talk, and what was heard is looked at.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { askServer } from "../../src/server/control-client.ts";
import { eventually } from "../ground/eventually.ts";
import { lastHeard } from "../town/call-story.ts";
import { ABSENT, CLEAR, type RealTown } from "../town/real-town.ts";
import type { Baresip } from "./baresip.ts";
import { toneLevel } from "./tone-level.ts";
import type { WebPhone } from "./web-phone.ts";

export async function picksUp(phone: Baresip): Promise<void> {
  await phone.event("CALL_INCOMING");
  await phone.command("accept");
}

/** A call of the web phone to a desk phone that says this tone. */
export async function callsDesk(web: WebPhone, desk: Baresip, { number, hz }: { number: string; hz: number }) {
  await web.dial(number);
  await picksUp(desk);
  await web.isTalking();
  await web.soonHears(hz);
}

const LAST_MS = 800;

/**
 * How strongly a tone is in the last moments that a phone has heard so far. Asked while the call goes on, and again until
 * it is as it should be: a machine that stands still for a second takes that second out of every voice.
 */
export async function hearsNow(phone: Baresip, hz: number): Promise<number> {
  const samples = await heardSoFar(phone);
  const last = samples.subarray(-(LAST_MS * RATE) / 1_000);
  return last.length * 1_000 < LAST_MS * RATE ? 0 : toneLevel(last, hz, RATE);
}

/** Whether it was there at any time, for a quarter of a second. */
export async function hasHeard(phone: Baresip, hz: number): Promise<boolean> {
  const samples = await heardSoFar(phone);
  const length = RATE / 4;
  for (let at = 0; at + length <= samples.length; at += length)
    if (toneLevel(samples.subarray(at, at + length), hz, RATE) > CLEAR) return true;
  return false;
}

/** In what comes from now on. */
export async function hearsAnew(phone: Baresip, hz: number): Promise<void> {
  const { length: before } = await heardSoFar(phone);
  await eventually(`the desk phone hears ${hz} Hz again`, async () => {
    const samples = (await heardSoFar(phone)).subarray(before);
    return samples.length >= RATE / 4 && toneLevel(samples.subarray(-RATE / 4), hz, RATE) > CLEAR;
  });
}

export function soonHears(phone: Baresip, hz: number): Promise<boolean> {
  return eventually(`the desk phone hears ${hz} Hz`, async () => (await hearsNow(phone, hz)) > CLEAR);
}

export function soonHearsNo(phone: Baresip, hz: number): Promise<boolean> {
  return eventually(`the desk phone hears ${hz} Hz no more`, async () => (await hearsNow(phone, hz)) < ABSENT);
}

/** The two hear each other to the end. */
export async function hangsUpWell(web: WebPhone, desk: Baresip, hz: number): Promise<void> {
  await soonHears(desk, hz);
  await web.press("Hang up");
  await desk.event("CALL_CLOSED");
  await web.isIdle();
}

const RATE = 8_000;
const BEFORE_THE_SOUND = "data....".length;

/** Its file grows while it listens; how long it is the header tells only in the end. */
async function heardSoFar(phone: Baresip): Promise<Int16Array> {
  const file = readFileSync(await lastHeard(phone));
  const from = file.indexOf("data") + BEFORE_THE_SOUND;
  return new Int16Array(Uint8Array.from(file.subarray(from, file.length - ((file.length - from) % 2))).buffer);
}

/** Names of the calls that are up, as the operator sees them. */
async function liveCalls(town: RealTown): Promise<string[]> {
  const calls = (await askServer(join(town.data, "control.sock"), "calls")) as { callUuid: string }[];
  return calls.map(({ callUuid }) => callUuid);
}

/** The only call that is up, once those before it are put away. */
export function onlyCall(town: RealTown): Promise<string> {
  return eventually("one call is up, and no other", async () => {
    const [call, another] = await liveCalls(town);
    return another === undefined && call;
  });
}
