import { join } from "node:path";
import type { Browser } from "playwright-core";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { realClock } from "../../src/clock.ts";
import { askServer } from "../../src/control-client.ts";
import type { WebphoneSession } from "../../src/http/webphone/desk.ts";
import type { Baresip } from "../baresip.ts";
import { lastHeard, talking } from "./call-story.ts";
import { eventually } from "./eventually.ts";
import { ABSENT, CLEAR, type RealTown, realTown, toneIn } from "./real-town.ts";
import { openWebPhone, pageUrl, servePageAround, talkingBrowser, tokenFor, WebPhone } from "./web-phone.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Five seconds are promised for a machine of its own; one that tests much else besides may take longer. */
const SOON_MS = process.env.SANTRAL_TEST_TIMES === "strict" ? 5_000 : 18_000;

let town: RealTown;
let browser: Browser;
let web: WebPhone;
let bob: Baresip;
let carol: Baresip;

beforeAll(async () => {
  [town, browser] = await Promise.all([realTown(), talkingBrowser(1_000)]);
  await town.command("staff", "create", "ann@example.com", "Ann", "--extension", "1000");
  [web, bob, carol] = await Promise.all([
    openWebPhone(town, browser, "1000"),
    town.phone("1001", 660),
    town.phone("1002", 850),
  ]);
});

beforeEach(() => {
  for (const phone of [bob, carol]) phone.forget();
});

/** What a phone heard in the last moments of its call, once the call is over. */
async function heardLast(phone: Baresip, hz: number, lastMs = 800): Promise<number> {
  await phone.event("CALL_CLOSED");
  return toneIn(await lastHeard(phone), hz, { lastMs });
}

async function callsBob(): Promise<void> {
  await web.dial("1001");
  await bob.event("CALL_INCOMING");
  await bob.command("accept");
  await web.isTalking();
  await web.soonHears(660);
}

/** Names of the calls that are up, as the operator sees them. */
async function liveCalls(): Promise<string[]> {
  const calls = (await askServer(join(town.data, "control.sock"), "calls")) as { callUuid: string }[];
  return calls.map(({ callUuid }) => callUuid);
}

test("it calls a desk phone: each hears the other, keys arrive, mute and hold do what they say", async () => {
  await callsBob();
  await web.press("Keypad");
  await web.press("5");
  expect((await bob.event("CALL_DTMF_START")).param).toBe("5");
  await web.press("Hold");
  await web.shows("On hold");
  await eventually("it hears nothing while it holds", async () => (await web.hears(660)) < ABSENT);
  await web.press("Resume");
  await web.soonHears(660);
  await talking();
  await web.press("Hang up");
  expect(await heardLast(bob, 1_000), "the desk phone hears the browser again").toBeGreaterThan(CLEAR);
  await web.isIdle();

  await callsBob();
  await web.press("Mute");
  await talking();
  await web.press("Hang up");
  expect(await heardLast(bob, 1_000), "nothing of a muted phone").toBeLessThan(ABSENT);
  await web.isIdle();
});

test("it is called, says who calls, answers, and is hung up on", async () => {
  await bob.dial("1000");
  await web.shows("Incoming call");
  await web.shows("1001");
  await web.press("Answer");
  await bob.event("CALL_ESTABLISHED");
  await web.soonHears(660);
  await talking();
  await bob.hangUp();
  await web.isIdle();
  expect(await heardLast(bob, 1_000)).toBeGreaterThan(CLEAR);

  await bob.dial("1000");
  await web.press("Reject");
  expect((await bob.event("CALL_CLOSED")).param).toContain("486");
  await web.isIdle();
});

test("it sends a call on, at once or after having asked, and the other two hear each other", async () => {
  await callsBob();
  await web.press("Transfer");
  await web.type("Transfer to whom?", "1002");
  await web.press("Transfer now");
  await carol.event("CALL_INCOMING");
  await carol.command("accept");
  await web.isIdle();
  await talking();
  await bob.hangUp();
  expect(await heardLast(carol, 660), "after a transfer at once").toBeGreaterThan(CLEAR);

  bob.forget();
  carol.forget();
  await callsBob();
  await web.press("Transfer");
  await web.type("Transfer to whom?", "1002");
  await web.press("Ask first");
  await carol.event("CALL_INCOMING");
  await carol.command("accept");
  await web.soonHears(850);
  await web.shows("On hold");
  await web.press("Complete transfer");
  await web.isIdle();
  await talking();
  await bob.hangUp();
  expect(await heardLast(carol, 660), "after having asked").toBeGreaterThan(CLEAR);
});

test("with two calls it swaps between them, and hanging one up leaves the other", async () => {
  await callsBob();
  await web.press("Line 2");
  await web.type("Number or name", "1002");
  await web.press("Call");
  await carol.event("CALL_INCOMING");
  await carol.command("accept");
  await web.soonHears(850);
  await web.press("Swap");
  await web.soonHears(660);
  await web.press("Hang up");
  await bob.event("CALL_CLOSED");
  await web.press("Resume");
  await web.soonHears(850);
  await web.press("Hang up");
  await carol.event("CALL_CLOSED");
  await web.isIdle();
});

test("originate answers it by itself; with manual_answer it rings until the interface answers", async () => {
  const uuid = await town.ask("/originate", { extension: "1000", destination: "1001" });
  await bob.event("CALL_INCOMING");
  await bob.command("accept");
  await web.isTalking();
  await web.soonHears(660);
  await town.ask(`/hangup/${uuid}`);
  await web.isIdle();
  await bob.event("CALL_CLOSED");

  const rings = await town.ask("/originate", { extension: "1000", destination: "1001", manual_answer: "true" });
  await web.shows("Incoming call");
  await town.ask(`/answer/${rings}`);
  await bob.event("CALL_INCOMING");
  await bob.command("accept");
  await web.soonHears(660);
  await web.press("Hang up");
  await bob.event("CALL_CLOSED");
  await web.isIdle();
});

test("a reload in the middle of a call soon comes back to the same call", async () => {
  await callsBob();
  const [call] = await liveCalls();
  const since = realClock.now();
  await web.page.reload();
  await web.isTalking();
  expect(realClock.now() - since).toBeLessThan(SOON_MS);
  await web.soonHears(660);
  expect(await liveCalls()).toEqual([call]);
  await talking();
  await web.press("Hang up");
  expect(await heardLast(bob, 1_000), "the desk phone hears the browser again").toBeGreaterThan(CLEAR);
  await web.isIdle();
});

test("when the network is gone in mid-call the other side hears music, and the phone comes back to the same call", async () => {
  await callsBob();
  const [call] = await liveCalls();
  await web.losesNetwork();
  await talking(3_500);
  const since = realClock.now();
  await web.noticesLoss();
  await web.isConnectedAnew();
  expect(realClock.now() - since).toBeLessThan(SOON_MS);
  await web.soonHears(660);
  expect(await liveCalls()).toEqual([call]);
  await talking();
  await web.press("Hang up");
  expect(await heardLast(bob, 1_000), "the desk phone hears the browser again").toBeGreaterThan(CLEAR);
  const heard = await lastHeard(bob);
  const music = Array.from({ length: 120 }, (_, quarter) => toneIn(heard, 392, { fromMs: quarter * 250, forMs: 250 }));
  expect(Math.max(...music)).toBeGreaterThan(CLEAR);
  expect(toneIn(heard, 392, { lastMs: 800 })).toBeLessThan(ABSENT);
  await web.isIdle();
});

test("a second tab waits, takes the phone over with its call, and the first one waits then", async () => {
  await callsBob();
  const second = new WebPhone(await web.page.context().newPage());
  await second.page.goto(pageUrl(town, await tokenFor(town, "1000")));
  await second.shows("The phone is open in another tab.");
  await second.press("Use here");
  await second.isTalking();
  await second.soonHears(660);
  await web.shows("The phone is open in another tab.");
  await second.press("Hang up");
  await bob.event("CALL_CLOSED");
  await second.page.close();
  await web.isReady();
});

test("a wrong, foreign, revoked or missing token opens nothing, and a login is for its own extension only", async () => {
  const { http } = town.santral.run;
  const page = async (query: string) => (await fetch(`http://${http}/webphone${query}`)).status;
  const session = async (token: string) =>
    fetch(`http://${http}/webphone/session`, { method: "POST", headers: { authorization: `Bearer ${token}` } });
  const token = await tokenFor(town, "1000");
  expect(await page(`?token=${token}`)).toBe(200);
  await expect(tokenFor(town, "1001")).rejects.toThrow("400 cannot find employee for extension");
  const { extension, login } = (await (await session(token)).json()) as WebphoneSession;
  expect(extension).toBe("1000");
  expect(JSON.stringify(login)).not.toContain(town.firstRun.extensions[0]?.password);
  for (const wrong of ["W00000000-0000-4000-8000-000000000000", `${token}0`, "", "K1"]) {
    expect(await page(`?token=${wrong}`), wrong).toBe(401);
    expect((await session(wrong)).status, wrong).toBe(401);
  }
  expect(await page("")).toBe(401);
  expect(town.santral.output()).not.toContain(token);
  expect(await town.command("webphone", "revoke", "1000")).toContain("no longer good");
  expect(await page(`?token=${token}`)).toBe(401);
  expect((await session(token)).status).toBe(401);
});

test("only pages that the exchange named may hold it in a frame, and give it orders", async () => {
  const around = await servePageAround();
  const context = web.page.context();
  const embed = async () => {
    const page = await context.newPage();
    const phone = new WebPhone(page, () => page.frames()[1] ?? page.mainFrame());
    await page.goto(around.embed(pageUrl(town, await tokenFor(town, "1000"))));
    return phone;
  };
  await town.command("exchange", "set", "webphone-origins=https://crm.example.com");
  const stranger = await embed();
  await eventually("the browser refuses the frame", async () =>
    stranger.complaints.some((complaint) => /frame-ancestors/.test(complaint)),
  );
  await stranger.page.close();

  await town.command("exchange", "set", `webphone-origins=${around.origin}`);
  await web.page.close();
  const crm = await embed();
  await crm.isReady();
  const order = (order: object) =>
    crm.page.evaluate(`frames[0].postMessage(${JSON.stringify({ to: "santral-webphone", ...order })}, "*")`);
  const told = (event: string) =>
    eventually(`the page is told ${event}`, () =>
      crm.page.evaluate<object | undefined>(`told.find((it) => it.event === ${JSON.stringify(event)})`),
    );
  await order({ command: "dial", number: "1001" });
  await bob.event("CALL_INCOMING");
  await bob.command("accept");
  expect(await told("answered")).toMatchObject({ call: { number: "1001", direction: "out" } });
  await crm.soonHears(660);
  await order({ command: "hangup" });
  expect(await told("ended")).toMatchObject({ from: "santral-webphone", origin: `http://${town.santral.run.http}` });
  await bob.event("CALL_CLOSED");
});
