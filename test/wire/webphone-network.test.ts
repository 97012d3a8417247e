import type { Browser, Frame, Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { WebphoneSession } from "../../src/http/webphone/shown.ts";
import { selfSigned } from "../ground/certificate.ts";
import { eventually } from "../ground/eventually.ts";
import { shows } from "../ground/interop.ts";
import type { Baresip } from "../phones/baresip.ts";
import { type Network, openNetwork } from "../phones/cut-network.ts";
import {
  openContext,
  openWebPhone,
  pageUrl,
  servePagesAround,
  talkingBrowser,
  tokenFor,
  WebPhone,
} from "../phones/web-phone.ts";
import {
  callsDesk,
  hangsUpWell,
  hasHeard,
  hearsAnew,
  onlyCall,
  picksUp,
  soonHearsNo,
} from "../phones/webphone-story.ts";
import { talking } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

/** Real names of real sites, which only this browser finds. */
const NAMES = "--host-resolver-rules=MAP *.example 127.0.0.1, MAP *.test 127.0.0.1";
const MUSIC_HZ = 392;
/** Longer than the exchange waits before it plays music. */
const AWAY_MS = 4_500;
/** Longer than a browser needs to ask for its call. */
const LOGIN_TAKES_MS = 1_500;

let town: RealTown;
let browser: Browser;
let bob: Baresip;

beforeAll(async () => {
  [town, browser] = await Promise.all([
    realTown({ SANTRAL_HTTP_HOSTS: "santral.example" }),
    talkingBrowser(1_000, [NAMES]),
  ]);
  await town.command("staff", "create", "ann@example.com", "Ann", "--extension", "1000");
  bob = await town.phone("1001", 660);
});

beforeEach(() => bob.forget());

/** The page, its SIP and its voice by way of a network that can be cut. */
async function phoneBehind(network: Network): Promise<WebPhone> {
  return openWebPhone(town, browser, "1000", { at: `http://127.0.0.1:${network.port}` });
}

/** Waits for a SIP socket that was not there when this was called. */
function openedAnew(network: Network): () => Promise<boolean> {
  const before = network.sockets();
  return () => eventually("it takes a new way", async () => network.sockets() > before);
}

test("when the network is cut in mid-call the other side hears music, and the phone comes back to the same call by a new way", async () => {
  const network = await openNetwork({ to: town.santral.run.http });
  const web = await phoneBehind(network);
  await callsDesk(web, bob, { number: "1001", hz: 660 });
  const call = await onlyCall(town);
  const isOnNewWay = openedAnew(network);
  network.cut();
  // So long nothing passes at all; what was open before is dead for good.
  await Promise.all([talking(AWAY_MS), eventually("Bob hears music meanwhile", () => hasHeard(bob, MUSIC_HZ))]);
  network.mend();
  await isOnNewWay();
  await web.isTalking();
  await web.soonHears(660);
  expect(await onlyCall(town)).toBe(call);
  await soonHearsNo(bob, MUSIC_HZ);
  await hangsUpWell(web, bob, 1_000);

  // While nobody talks nothing tells that the socket is dead, except the browser that has a network again.
  const isBack = openedAnew(network);
  network.cut();
  await web.page.context().setOffline(true);
  network.mend();
  await web.page.context().setOffline(false);
  await isBack();
  await web.isReady();
  await bob.dial("1000");
  await web.press("Reject");
  await bob.event("CALL_CLOSED");
  await web.isIdle();
  await web.page.context().close();
});

test.each([
  ["stopped", "SIGTERM"],
  ["killed", "SIGKILL"],
] as const)(
  "when the exchange is %s and started again the phone comes back to the same call, and is hung up on",
  shows("calls: web phone goes on over a restart", "Chromium", "baresip"),
  async (_, signal) => {
    const web = await openWebPhone(town, browser, "1000");
    await callsDesk(web, bob, { number: "1001", hz: 660 });
    const call = await onlyCall(town);
    // The exchange that was started again knows no login of before: the page has to ask for a new one first, which takes a while.
    await web.page.route("**/webphone/session", async (route) => {
      await talking(LOGIN_TAKES_MS);
      await route.continue();
    });
    await town.restart(undefined, signal);
    await hearsAnew(bob, 1_000);
    await web.isTalking();
    await web.soonHears(660);
    expect(await onlyCall(town)).toBe(call);
    await soonHearsNo(bob, MUSIC_HZ);
    await bob.hangUp();
    await web.isIdle();
    await eventually("it is written", async () => (await town.tell(`/cdrs/${call}`)).status === 200);
    await web.page.context().close();
  },
);

/** The phone in a frame of a page that is open, or opens. */
function framed(page: Page): WebPhone {
  return new WebPhone(page, () => page.frames()[1] ?? page.mainFrame());
}

const post = (from: Page | Frame | undefined, frame: string, order: object) =>
  from?.evaluate(`${frame}.postMessage(${JSON.stringify({ to: "santral-webphone", ...order })}, "*")`);

/** The first that the page around the phone is told of this kind, from now on or since the last time. */
async function told(page: Page, event: string): Promise<object> {
  const found = await eventually(`the page is told ${event}`, () =>
    page.evaluate<object | undefined>(`told.find((it) => it.event === ${JSON.stringify(event)})`),
  );
  await page.evaluate("told.length = 0");
  return found;
}

test("only pages that the exchange named may hold it in a frame and give it orders, whatever site they are of", async () => {
  const certificate = selfSigned("santral.example");
  const [network, pages] = await Promise.all([
    openNetwork({ to: town.santral.run.http, certificate }),
    servePagesAround(certificate),
  ]);
  const phoneOrigin = `https://santral.example:${network.port}`;
  const around = async (host: string, ...others: string[]) =>
    pages.around(host, pageUrl(town, await tokenFor(town, "1000"), phoneOrigin), ...others);
  const context = await openContext(browser);
  await town.command("exchange", "set", `webphone-origins=${pages.originOf("crm.example")}`);
  for (const host of ["stranger.test", "shop.crm.example"]) {
    const stranger = framed(await context.newPage());
    await stranger.page.goto(await around(host));
    await eventually(`the browser refuses the frame in a page of ${host}`, async () =>
      stranger.complaints.some((complaint) => /frame-ancestors/.test(complaint)),
    );
    await stranger.page.close();
  }

  // A page of another site that stands beside it in the CRM's page can reach it, too.
  const crm = framed(await context.newPage());
  await crm.page.goto(await around("crm.example", pages.around("stranger.test")));
  await crm.isReady();
  await crm.noticesPosts();
  await post(crm.page.frames()[2], "parent.frames[0]", { command: "dial", number: "1001" });
  await crm.wasPostedBy(pages.originOf("stranger.test"));
  await crm.page.evaluate("told.length = 0");
  await post(crm.page, "frames[0]", { command: "state" });
  expect(await told(crm.page, "state"), "a stranger is not obeyed").toMatchObject({ registered: true, calls: [] });

  await post(crm.page, "frames[0]", { command: "dial", number: "1001" });
  await picksUp(bob);
  expect(await told(crm.page, "answered")).toMatchObject({ call: { number: "1001", direction: "out" } });
  await crm.soonHears(660);
  await post(crm.page, "frames[0]", { command: "hangup" });
  expect(await told(crm.page, "ended")).toMatchObject({ from: "santral-webphone", origin: phoneOrigin });
  await bob.event("CALL_CLOSED");
  await crm.page.close();

  // Where no page was named every safe one may show the phone, and none may give it orders.
  await town.command("exchange", "set", "webphone-origins=");
  const shown = framed(await context.newPage());
  await shown.page.goto(await around("stranger.test"));
  await shown.isReady();
  await shown.noticesPosts();
  await post(shown.page, "frames[0]", { command: "dial", number: "1001" });
  await shown.wasPostedBy(pages.originOf("stranger.test"));
  await bob.dial("1000");
  await shown.shows("Incoming call");
  await onlyCall(town); // Bob's own
  expect(await shown.page.evaluate("told")).toEqual([]);
  await shown.press("Reject");
  await bob.event("CALL_CLOSED");
  await context.close();
});

test("tokens that are taken back end the phone at once: its call, its registration and its socket", async () => {
  const web = await openWebPhone(town, browser, "1000");
  await callsDesk(web, bob, { number: "1001", hz: 660 });
  await town.command("webphone", "revoke", "1000");
  await bob.event("CALL_CLOSED");
  await web.shows("The token is invalid or has expired. Open the page again.");
  bob.forget();
  await bob.dial("1000");
  expect((await bob.event("CALL_CLOSED")).param, "no phone is registered").toContain("408");
  await web.page.context().close();
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
