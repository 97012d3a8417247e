// What stories of the web phone have in common: a desk phone picks up, the two talk, and what was heard is looked at.

import { join } from "node:path";
import { expect } from "vitest";
import { askServer } from "../../src/control-client.ts";
import type { Baresip } from "../baresip.ts";
import { lastHeard, talking } from "./call-story.ts";
import { CLEAR, type RealTown, toneIn } from "./real-town.ts";
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

/** What a phone heard in the last moments of its call, once the call is over. */
export async function heardLast(phone: Baresip, hz: number, lastMs = 800): Promise<number> {
  await phone.event("CALL_CLOSED");
  return toneIn(await lastHeard(phone), hz, { lastMs });
}

/** Until here the two heard each other: the desk phone heard the browser's tone to the end. */
export async function hangsUpWell(web: WebPhone, desk: Baresip, hz: number): Promise<void> {
  await talking();
  await web.press("Hang up");
  expect(await heardLast(desk, hz), "the desk phone hears the browser").toBeGreaterThan(CLEAR);
  await web.isIdle();
}

/** Names of the calls that are up, as the operator sees them. */
export async function liveCalls(town: RealTown): Promise<string[]> {
  const calls = (await askServer(join(town.data, "control.sock"), "calls")) as { callUuid: string }[];
  return calls.map(({ callUuid }) => callUuid);
}
