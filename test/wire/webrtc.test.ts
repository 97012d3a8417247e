import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { pause, realClock, since, within } from "../../src/clock.ts";
import { type EventReceiver, PRIVATE_WEBHOOKS, reportedEvents } from "../customer/event-receiver.ts";
import { shows } from "../ground/interop.ts";
import type { Baresip } from "../phones/baresip.ts";
import { type BrowserPhone, browserPhone, openBrowser, servePage } from "../phones/browser-phone.ts";
import { talked } from "../phones/ear.ts";
import { hearsAnew, soonHears } from "../phones/webphone-story.ts";
import { A_TALK_MS, endOf, expectStereo, recordOf, talking } from "../town/call-story.ts";
import { ABSENT, CLEAR, type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

let town: RealTown;
let events: EventReceiver;
let web: BrowserPhone;
let bob: Baresip;

beforeAll(async () => {
  const [opened, browser, url] = await Promise.all([realTown(PRIVATE_WEBHOOKS), openBrowser(), servePage()]);
  town = opened;
  events = await reportedEvents(town);
  await town.command("exchange", "set", "record-internal=yes");
  [web, bob] = await Promise.all([browserPhone(town, { browser, url }, "1000", 1_000), town.phone("1001", 660)]);
});

afterEach(() => {
  events.events.length = 0;
  bob.forget();
});

/** As the gateway itself counts them. */
async function browsersUp(): Promise<number> {
  const metrics = await (await town.santral.get("/metrics")).text();
  return Number(/^santral_web_peers (\d+)/m.exec(metrics)?.[1]);
}

async function until(holds: () => Promise<boolean>, what: string, patienceMs = 60_000): Promise<void> {
  for (const end = within(realClock, patienceMs); !(await holds()); await pause(realClock, 100))
    if (realClock.ticks() > end) throw new Error(`${what}: not after ${patienceMs} ms`);
}

const webHears = (hz: number) => until(async () => (await web.hears(hz)) > CLEAR, `the browser hears ${hz} Hz`);
const noBrowserUp = () => until(async () => (await browsersUp()) === 0, "no browser is left in the gateway");

test(
  "a browser calls a phone: each hears the other, keys arrive, hold and resume do what they say",
  shows(
    [
      "calls: talk, voice both ways",
      "calls: hold and resume",
      "keys: in RTP (RFC 4733), sent",
      "keys: by INFO",
      "encryption: DTLS-SRTP with ICE",
    ],
    "JsSIP",
    "Chromium",
  ),
  async () => {
    await web.dial("1001");
    await bob.event("CALL_INCOMING");
    await bob.command("accept");
    await web.event("confirmed");
    await webHears(660);
    expect(await web.codecs()).toEqual(expect.arrayContaining(["audio/PCMA"]));
    expect(await browsersUp()).toBe(1);
    await web.press("5");
    expect((await bob.event("CALL_DTMF_START")).param).toBe("5");
    await web.press("6", "INFO");
    expect((await bob.event("CALL_DTMF_START")).param).toBe("6");

    await web.hold();
    await web.event("hold");
    await until(async () => (await web.hears(660)) < ABSENT, "the browser hears nothing while it holds");
    await talking();
    await web.resume();
    await web.event("unhold");
    await webHears(660);
    await soonHears(bob, 1_000);

    const way = await web.way();
    await web.findAnew();
    await until(async () => ![way, ""].includes(await web.way()), "the browser has found a new way");
    await webHears(660);
    await hearsAnew(bob, 1_000);

    await web.hangUp();
    await bob.event("CALL_CLOSED");
    await noBrowserUp();
    const { call_uuid: uuid = "", ...end } = await endOf(events, { caller_id_number: "1000" });
    expect(end).toMatchObject({ answered: "true", sip_hangup_disposition: "caller", hangup_cause: "NORMAL_CLEARING" });
    expect((await recordOf(town, uuid)).cdr).toMatchObject({ caller_id_number: "1000", destination_number: "1001" });
  },
);

test(
  "a browser is called by a phone, and the recording has each on its own channel",
  shows("calls: recording with each side on its own channel", "JsSIP", "baresip"),
  async () => {
    await bob.dial("1000");
    await web.event("incoming");
    await web.answer();
    const began = realClock.ticks();
    await bob.event("CALL_ESTABLISHED");
    await webHears(660);
    await soonHears(bob, 1_000);
    // Most of the recording shall have both voices, however long the browser took to find its way.
    await talking(A_TALK_MS + since(realClock, began));
    await bob.hangUp();
    await bob.event("CALL_CLOSED");
    await web.event("ended");
    await noBrowserUp();
    const { call_uuid: uuid = "" } = await endOf(events, { caller_id_number: "1001" });
    await expectStereo(town, uuid, { left: 660, right: 1_000 });
  },
);

test(
  "a browser puts two of its calls together, and the two phones hear each other",
  shows("transfers: attended (REFER with Replaces)", "JsSIP"),
  async () => {
    const carl = await town.phone("1002", 880);
    await bob.dial("1000");
    await web.event("incoming");
    await web.answer();
    await web.event("confirmed");
    await webHears(660);
    await web.hold();
    await web.event("hold");
    await web.dial("1002");
    await carl.event("CALL_INCOMING");
    await carl.command("accept");
    await web.event("confirmed");
    await webHears(880);
    await web.join();
    await talked([bob, 880], [carl, 660]);
    await noBrowserUp();
    await bob.hangUp();
    await carl.event("CALL_CLOSED");
    const consulted = await endOf(events, { caller_id_number: "1000" });
    expect(consulted.hangup_cause).toBe("ATTENDED_TRANSFER");
  },
);

test("a call that is not taken leaves nothing in the gateway", async () => {
  await bob.dial("1000");
  await web.event("incoming");
  expect(await browsersUp()).toBe(1);
  await bob.hangUp();
  await bob.event("CALL_CLOSED");
  await web.event("failed: Canceled");
  await noBrowserUp();
});

test("where a process of its own speaks with browsers and dies, its calls end and nothing else: the next one works", async () => {
  await town.restart(undefined, "SIGTERM", { SANTRAL_WEB_MEDIA: "process" });
  await web.event("registered");
  const call = async () => {
    await web.dial("1001");
    await bob.event("CALL_INCOMING");
    await bob.command("accept");
    await web.event("confirmed");
  };
  await call();
  const [, pid] = [...town.santral.output().matchAll(/"pid":(\d+),"msg":"the WebRTC gateway runs"/g)].at(-1) ?? [];
  process.kill(Number(pid), "SIGKILL");
  await bob.event("CALL_CLOSED");
  await web.event("ended");
  expect(await endOf(events, { caller_id_number: "1000" })).toMatchObject({
    hangup_cause: "NORMAL_TEMPORARY_FAILURE",
  });
  await call();
  await webHears(660);
  await bob.hangUp();
  await web.event("ended");
  await noBrowserUp();
});

test("an exchange that stops for good hangs up on its browsers and does not wait for them to leave", async () => {
  await bob.dial("1000");
  await web.event("incoming");
  await web.answer();
  await bob.event("CALL_ESTABLISHED");
  // Whoever it waits for in vain makes it end otherwise.
  expect(await town.santral.end("SIGINT")).toBe(0);
  await web.event("ended");
  expect(town.santral.output()).not.toContain("not stopped in time");
});
