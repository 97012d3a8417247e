// Somebody sets the machine's clock under a running exchange: faketime gives the whole of it, its database included, a wall
// that jumps, while ticks go on as they do.

import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { realClock, stopwatch } from "../../src/clock.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { eventually } from "../ground/eventually.ts";
import { temporaryFolder } from "../ground/santral-process.ts";
import { recordOf, talking } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

const LIBRARIES = "/usr/lib";
const [CALLER, CALLEE] = ["905000000002", "905000000001"];
const HOUR = 3_600;
/** Far below the step, far above what a loaded machine takes. */
const SOON_MS = 60_000;

const library = libraryOfFaketime();
const offset = join(temporaryFolder(), "offset");

let town: RealTown;
let events: EventReceiver;

beforeAll(async () => {
  setClock(0);
  const faketime = {
    LD_PRELOAD: library ?? "",
    FAKETIME_TIMESTAMP_FILE: offset,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  town = await realTown({ ...PRIVATE_WEBHOOKS, ...faketime });
  events = await reportedEvents(town);
}, 240_000);

test.each([
  ["back", -HOUR],
  ["forward", HOUR],
])("the clock is set %s by an hour while calls are up", { timeout: 300_000 }, async (_, seconds) => {
  setClock(0);
  await noticed(0);
  const up = await connect();
  await events.event({ event_type: "answer", call_uuid: up });
  const talked = stopwatch(realClock);
  setClock(seconds);
  await noticed(seconds);

  const took = stopwatch(realClock);
  const begun = await connect();
  for (const event_type of ["ringing", "answer"]) await events.event({ event_type, call_uuid: begun }, SOON_MS);
  await talking();
  for (const uuid of [up, begun]) await town.ask(`/hangup/${uuid}`);
  const longest = Math.ceil(talked() / 1_000) + 1;
  for (const uuid of [up, begun]) {
    await events.event({ event_type: "hangup", call_uuid: uuid }, SOON_MS);
    const { cdr } = await recordOf(town, uuid, SOON_MS);
    const talkedSeconds = secondsOf(String(cdr.talk_duration));
    expect(talkedSeconds, uuid).toBeGreaterThan(0);
    expect(talkedSeconds, uuid).toBeLessThanOrEqual(longest);
  }
  expect(took()).toBeLessThan(SOON_MS);
});

test("metrics and the doctor tell of it", { timeout: 120_000 }, async () => {
  const metrics = await (await town.santral.get("/metrics")).text();
  for (const direction of ["back", "forward"])
    expect(metrics).toMatch(new RegExp(`santral_clock_steps_total\\{clock="server",direction="${direction}"\\} [1-9]`));
  expect(await town.command("doctor").catch((error: Error) => error.message)).toMatch(/clocks were set \d+ times/);
});

/** By so much the exchange's clock is ahead of ours from now on. */
function setClock(seconds: number): void {
  writeFileSync(offset, `${seconds < 0 ? "" : "+"}${seconds}`);
}

/** The server lives by the new time, as the stamps of its log say. */
async function noticed(seconds: number): Promise<void> {
  await eventually("the server's clock is set", async () => {
    const { headers } = await town.santral.get("/healthz");
    const aheadMs = Date.parse(headers.get("date") ?? "") - realClock.wall();
    return Math.abs(aheadMs - seconds * 1_000) < 30_000;
  });
}

/** HH:MM:SS */
function secondsOf(duration: string): number {
  return duration.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** Two of the sandbox, without a phone. */
function connect(): Promise<string> {
  return town.ask("/bridge", { source: CALLER, destination: CALLEE });
}

function libraryOfFaketime(): string | undefined {
  const places = readdirSync(LIBRARIES).map((place) => join(LIBRARIES, place, "faketime", "libfaketimeMT.so.1"));
  return places.find((path) => existsSync(path));
}
