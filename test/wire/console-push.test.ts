// The console is closed in the browser, somebody calls, and its owner is told and takes the call.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, CDPSession, Page, Worker } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import type { ShownPhone } from "../../src/exchange/signalling/registrar/shown-phone.ts";
import { askServer } from "../../src/server/control-client.ts";
import { eventually } from "../ground/eventually.ts";
import { temporaryFolder } from "../ground/santral-process.ts";
import type { Baresip } from "../phones/baresip.ts";
import { type ListeningBrowser, openPushService } from "../phones/push-service.ts";
import { openContext, talkingBrowser, WebPhone } from "../phones/web-phone.ts";
import { soonHears } from "../phones/webphone-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

const PASSWORD = "a password of my own";

let town: RealTown;
let browser: Browser;
let context: BrowserContext;
let pushed: ListeningBrowser;
let url: string;
let bob: Baresip;

/** The browser's maker is far away: what its own push service would have given. */
const subscribing = ({ endpoint, p256dh, auth }: ListeningBrowser["address"]) => `
  const given = ${JSON.stringify({ endpoint, keys: { p256dh, auth } })};
  PushManager.prototype.subscribe = async () => ({ endpoint: given.endpoint, toJSON: () => given });
`;

beforeAll(async () => {
  const service = await openPushService();
  const trusted = join(temporaryFolder(), "push.pem");
  writeFileSync(trusted, service.certificate);
  pushed = service.browser();
  const env = { SANTRAL_PRIVATE_WEBHOOKS: "true", NODE_EXTRA_CA_CERTS: trusted };
  [town, browser] = await Promise.all([realTown(env), talkingBrowser(1_000)]);
  const account = ["ann@example.com", "Ann", "--role", "agent", "--extension", "1000", "--password", PASSWORD];
  await town.command("staff", "create", ...account);
  await town.command("extension", "set", "1001", "name=Bob Çelik");
  bob = await town.phone("1001", 660);
  url = `http://${town.santral.run.http}/console`;
  context = await openContext(browser, { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  await context.grantPermissions(["notifications", "microphone"], { origin: new URL(url).origin });
  await context.addInitScript(subscribing(pushed.address));
});

const isTold = async (count: number) => {
  await eventually(`${count} messages came`, async () => pushed.pushed.length >= count);
  return pushed.pushed[count - 1]!.text; // as many as that have come
};

/** Beside the console: the browser's own tools, and the worker that it runs for us. `deliver` ends once it is shown. */
async function openTools(): Promise<{ deliver(text: string): Promise<void>; worker: Worker }> {
  const page = await context.newPage();
  const tools: CDPSession = await context.newCDPSession(page);
  let registrationId = "";
  tools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    registrationId = registrations[0]?.registrationId ?? registrationId;
  });
  await tools.send("ServiceWorker.enable");
  await eventually("the browser knows our worker", async () => registrationId !== "");
  const worker = await eventually("it runs", async () => context.serviceWorkers()[0]);
  // Before that a browser drops what is pushed; ours has subscribed without asking it.
  await eventually("it is awake", () => worker.evaluate<boolean>(`registration.active?.state === "activated"`));
  await worker.evaluate(COUNTING);
  const count = () => worker.evaluate<number>("shownSoFar");
  const { origin } = new URL(url);
  return {
    worker,
    async deliver(data) {
      const before = await count();
      await tools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
      await eventually("the browser shows it", async () => (await count()) > before);
    },
  };
}

/** Whoever asks a browser for its notes while it is showing one makes it forget that one: so nobody asks before. */
const COUNTING = `
  globalThis.shownSoFar = 0;
  const show = registration.showNotification.bind(registration);
  registration.showNotification = (...note) => show(...note).then(() => void shownSoFar++);
  0`;

const shown = (worker: Worker) =>
  worker.evaluate<string[]>(
    `registration.getNotifications().then((notes) => notes.map(({ title, body }) => title + ": " + body))`,
  );

/** A click by hand may open a window, one by a script may not: the window is opened by whoever asks here. */
const clicked = (worker: Worker) =>
  worker.evaluate<string>(`new Promise(async (tell) => {
    clients.openWindow = async (address) => tell(address);
    const [notification] = await registration.getNotifications();
    dispatchEvent(new NotificationEvent("notificationclick", { notification }));
  })`);

async function openConsole(path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(new URL(path, url).href);
  return page;
}

test("a closed console tells who calls, a click opens it and the call still rings; a call that nobody took is told too", async () => {
  const first = await openConsole(url);
  await first.locator('input[type="email"]').fill("ann@example.com");
  await first.locator('input[type="password"]').fill(PASSWORD);
  const offered = first.waitForResponse(/push\.subscribe/, { timeout: 90_000 });
  await first.locator('button[type="submit"]').click();
  expect((await offered).status()).toBe(200);
  const { worker, deliver } = await openTools();
  await first.close();

  await bob.dial("1000");
  await bob.event("CALL_RINGING");
  await deliver(await isTold(1));
  expect(await shown(worker)).toEqual(["Bob Çelik: Is calling you · 1001"]);
  const page = await openConsole(await clicked(worker));
  await page.locator(".phone:not([hidden]) iframe").waitFor({ timeout: 90_000 });
  const web = new WebPhone(
    page,
    () => page.frames().find((frame) => frame.url().includes("/webphone")) ?? page.mainFrame(),
  );
  await web.shows("Bob Çelik");
  await eventually("the page around it knows", async () => (await page.title()).includes("Bob Çelik"));
  await page.keyboard.press("Alt+Shift+KeyA");
  await bob.event("CALL_ESTABLISHED");
  await web.isTalking();
  await web.soonHears(660);
  await soonHears(bob, 1_000);
  expect(await shown(worker)).toEqual([]);
  await page.keyboard.press("Alt+Shift+KeyH");
  await bob.event("CALL_CLOSED");
  await page.close();

  await isTold(2);
  await eventually("the phone is closed", async () => {
    const phones = await askServer(join(town.data, "control.sock"), "contacts", {
      exchange: String(town.firstRun.exchange.id),
    });
    return !(phones as ShownPhone[]).some(({ extension, state }) => extension === "1000" && state !== "disconnected");
  });
  // The documentation is open beside it, and is no console that could show a call.
  await openConsole("/console/help/webphone.html");
  const before = pushed.pushed.length;
  bob.forget();
  await bob.dial("1000");
  await bob.event("CALL_RINGING");
  await deliver(await isTold(before + 1));
  expect(await shown(worker)).toEqual(["Bob Çelik: Is calling you · 1001"]);
  await bob.command("hangup");
  await deliver(await isTold(before + 2));
  expect(await shown(worker)).toEqual(["Bob Çelik: Missed call · 1001"]);
  expect(await clicked(worker)).toMatch(/^\/console\/calls\/[0-9a-f-]{36}$/);
});
