// The phone in the console outlives what is around it: its token, the session, and a wish to leave.

import type { Browser, BrowserContext, Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { expectNoBarriers } from "../console/console-browser.ts";
import { eventually } from "../ground/eventually.ts";
import type { Baresip } from "../phones/baresip.ts";
import { openContext, talkingBrowser, WebPhone } from "../phones/web-phone.ts";
import { onlyCall, soonHears } from "../phones/webphone-story.ts";
import { talking } from "../town/call-story.ts";
import { visitorAt } from "../town/console-town.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

const EMAIL = "ann@example.com";
const PASSWORD = "a password of my own";

let town: RealTown;
let browser: Browser;
let context: BrowserContext;
let url: string;
let page: Page;
let web: WebPhone;
let bob: Baresip;

beforeAll(async () => {
  [town, browser] = await Promise.all([realTown(), talkingBrowser(1_000)]);
  const account = ["--role", "administrator", "--extension", "1000", "--password", PASSWORD];
  await town.command("staff", "create", EMAIL, "Ann", ...account);
  bob = await town.phone("1001", 660);
  url = `http://${town.santral.run.http}/console`;
  context = await openContext(browser, { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  await openTab();
  await signsIn();
  await heading("Live board").waitFor();
  await page.getByRole("button", { name: "Open the web phone" }).click();
  await phoneIsThere();
  await web.isReady();
});

beforeEach(() => bob.forget());

async function openTab(path = ""): Promise<void> {
  page = await context.newPage();
  const tab = page;
  web = new WebPhone(tab, () => phoneFrame(tab) ?? tab.mainFrame());
  page.on("dialog", (dialog) => void dialog.accept());
  await page.goto(`${url}${path}`);
}

async function signsIn(password = PASSWORD): Promise<void> {
  await page.locator('input[type="email"]').fill(EMAIL);
  await page.locator('input[type="password"]').fill(password);
  await page.locator('button[type="submit"]').click();
}

const phoneFrame = (tab = page) => tab.frames().find((frame) => frame.url().includes("/webphone"));
const heading = (name: string) => page.getByRole("heading", { name, exact: true });
const goTo = (name: string) => page.getByRole("link", { name, exact: true }).click();

async function phoneIsThere(): Promise<void> {
  await page.locator(".phone:not([hidden]) iframe").waitFor();
  await eventually("the phone is in its frame", async () => phoneFrame() !== undefined);
}

async function talksToBob(): Promise<void> {
  await bob.dial("1000");
  await web.press("Answer");
  await bob.event("CALL_ESTABLISHED");
  await bothHear();
}

async function hangsUp(): Promise<void> {
  await web.press("Hang up");
  await bob.event("CALL_CLOSED");
  await web.isIdle();
}

async function bothHear(): Promise<void> {
  await web.isTalking();
  await web.soonHears(660);
  await soonHears(bob, 1_000);
}

test("a phone whose token is over gets the next one again and again, without being loaded anew, and is called", async () => {
  const frame = phoneFrame()!; // it is there
  await frame.evaluate("window.isTheSame = true");
  for (const time of ["first", "second", "third"]) {
    const asked = page.waitForResponse(/webphone\.open/);
    await town.command("webphone", "revoke", "1000");
    await asked;
    await web.isReady();
    expect(await frame.evaluate("window.isTheSame"), time).toBe(true);
  }
  await talksToBob();
  await hangsUp();
  await page.reload();
  await phoneIsThere();
  await web.isReady();
});

test("a session that ends in a call takes no phone away: one signs in beside it, and is where one was", async () => {
  await goTo("Queues");
  await heading("Queues").waitFor();
  await talksToBob();
  const call = await onlyCall(town);
  await phoneFrame()!.evaluate("window.isTheSame = true"); // it is talked by
  await context.clearCookies();
  await goTo("Contacts");
  await page.locator('input[type="email"]').waitFor();
  await bothHear();
  await expectNoBarriers({ page }, "signing in beside a call");
  await signsIn();
  await heading("Contacts").waitFor();
  await bothHear();
  expect(await phoneFrame()!.evaluate("window.isTheSame")).toBe(true); // as above
  expect(await onlyCall(town)).toBe(call);
  await hangsUp();
});

/** An administrator gives her another password, which ends her session. */
async function passwordByAnother(): Promise<string> {
  const boss = { email: "boss@example.com", password: PASSWORD };
  await town.command("staff", "create", boss.email, "Boss", "--role", "administrator", "--password", PASSWORD);
  const visitor = visitorAt(new URL(url).origin);
  await visitor.signIn(boss);
  const ann = (await visitor.ask("staff.list", {})).find(({ email }) => email === EMAIL);
  return (await visitor.ask("staff.resetPassword", { id: ann?.id ?? 0 })).password;
}

test("who types in a field takes a call by keyboard without leaving it, and hangs up by no letter", async () => {
  await goTo("Contacts");
  const field = page.getByPlaceholder("Name, company or number");
  await field.fill("Ali");
  await bob.dial("1000");
  await web.shows("Incoming call");
  await field.press("Alt+Shift+KeyA");
  await bob.event("CALL_ESTABLISHED");
  await bothHear();
  await field.press("Alt+Shift+KeyH");
  await field.press("End");
  await field.pressSequentially("ye");
  expect(await field.inputValue()).toContain("Ali");
  expect(await field.inputValue()).toContain("ye");
  await bothHear();
  await hangsUp();
});

test("who must change the password at signing in does that beside the call as well", async () => {
  await talksToBob();
  const call = await onlyCall(town);
  const given = await passwordByAnother();
  await goTo("Queues");
  await page.locator('input[type="email"]').waitFor();
  await signsIn(given);
  await heading("Choose a new password").waitFor();
  await bothHear();
  await expectNoBarriers({ page }, "a new password beside a call");
  await page.locator('input[autocomplete="current-password"]').fill(given);
  for (const field of await page.locator('input[autocomplete="new-password"]').all()) await field.fill(PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await heading("Queues").waitFor();
  await bothHear();
  expect(await onlyCall(town)).toBe(call);
  await hangsUp();
});

test("an upgrade in the middle of a call leaves page and call alone, and is there once the call is over", async () => {
  await talksToBob();
  await page.evaluate("window.isTheSame = true");
  await page.route("**/assets/faxes-*.js", (route) => route.fulfill({ status: 404, body: "Not Found" }));
  // The next version calls its script otherwise; the page that is loaded in the end is ours again.
  await page.route(`${url}`, async (route) => {
    if (route.request().resourceType() === "document") return route.fallback();
    const body = (await (await route.fetch()).text()).replaceAll("/assets/index-", "/assets/index-next");
    return route.fulfill({ body, contentType: "text/html" });
  });
  await goTo("Faxes");
  await page.getByText("This page could not be shown").waitFor();
  await bothHear();
  await expectNoBarriers({ page }, "an upgrade beside a call");
  expect(await page.evaluate("window.isTheSame")).toBe(true);
  await page.unrouteAll();
  const loaded = page.waitForEvent("load");
  await web.press("Hang up");
  await bob.event("CALL_CLOSED");
  await loaded;
  await heading("Faxes").waitFor();
  await phoneIsThere();
  await web.isReady();
});

test("a recording plays in its line of the list of calls, and both voices are heard", async () => {
  await town.command("exchange", "set", "record-internal=yes");
  await talksToBob();
  await talking();
  await hangsUp();
  await goTo("Calls and recordings");
  await page.getByRole("button", { name: "Play the recording: 1001" }).first().click();
  await eventually("it plays", () => page.evaluate("document.querySelector('audio')?.currentTime > 0"));
  // It goes round for as long as one listens; what is listened to is what the page plays.
  await page.evaluate(`(() => {
    const audio = document.querySelector("audio");
    audio.loop = true;
    window.tracks.push(audio.captureStream().getAudioTracks()[0]);
  })()`);
  const list = new WebPhone(page);
  await list.soonHears(660);
  await list.soonHears(1_000);
  await page.getByRole("button", { name: "Stop the recording: 1001" }).click();
  await page.locator("audio").waitFor({ state: "detached" });
});

test("another tab says who rings, answers and hangs up by its bar and its keyboard, and is quiet again", async () => {
  const first = page;
  const phoneThere = web;
  await openTab("/queues");
  await page.locator(".phone iframe").waitFor({ state: "attached" }); // it waits, to be the phone when the first tab goes
  await bob.dial("1000");
  const bar = page.locator(".elsewhere");
  await bar.getByText("Mehmet Demir is calling").waitFor();
  await eventually("its title says it too", async () => (await page.title()) === "☎ Mehmet Demir · Incoming call");
  await bar.getByRole("button", { name: "Answer", exact: true }).click();
  await bob.event("CALL_ESTABLISHED");
  await bar.getByText("You are in a call in another tab: Mehmet Demir").waitFor();
  await phoneThere.isTalking();
  await phoneThere.soonHears(660);
  await soonHears(bob, 1_000);
  await expectNoBarriers({ page }, "a call is up in another tab");
  await page.keyboard.press("Alt+Shift+KeyH");
  await bob.event("CALL_CLOSED");
  await bar.waitFor({ state: "detached" });
  expect(await page.title()).toBe("Queues · Santral");

  bob.forget();
  await bob.dial("1000");
  await bar.getByRole("button", { name: "Reject" }).click();
  expect((await bob.event("CALL_CLOSED")).param).toContain("486");
  await bar.waitFor({ state: "detached" });
  await page.close();
  page = first;
  web = phoneThere;
});

test("the tab with the phone is closed while it rings, in the call and afterwards: each time the next tab is the phone", async () => {
  const besideLast = async (path: string) => {
    const last = page;
    await openTab(path);
    await page.locator(".phone iframe").waitFor({ state: "attached" });
    return last;
  };
  const first = await besideLast("/queues");
  await bob.dial("1000");
  await page.locator(".elsewhere").getByText("Mehmet Demir is calling").waitFor();
  await first.close();
  await web.press("Answer");
  await bob.event("CALL_ESTABLISHED");
  await bothHear();
  const call = await onlyCall(town);
  const second = await besideLast("/contacts");
  await page.locator(".elsewhere").getByText("You are in a call in another tab: Mehmet Demir").waitFor();
  await second.close();
  await bothHear();
  expect(await onlyCall(town)).toBe(call);
  await hangsUp();
  const third = await besideLast("");
  await third.close();
  await web.isReady();
});

test("who rings elsewhere by choice and comes back to his desk in a call has his phone there", async () => {
  await talksToBob();
  await page.evaluate(
    `localStorage.setItem("santral-choices", JSON.stringify({ ...JSON.parse(localStorage.getItem("santral-choices")), staysReady: false }))`,
  );
  await page.close();
  await openTab("/desk");
  await phoneIsThere();
  await bothHear();
});

test("whoever signs out in a call is asked before the session ends, stays signed in, or hangs up and is out", async () => {
  const signOut = async () => {
    await page.getByRole("button", { name: /^My account: / }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  };
  await signOut();
  await page.getByRole("dialog", { name: "You are in a call" }).waitFor();
  await expectNoBarriers({ page }, "the question");
  await page.getByRole("button", { name: "Stay in the call" }).click();
  await goTo("Queues");
  await heading("Queues").waitFor();
  await bothHear();
  await signOut();
  await page.getByRole("button", { name: "Hang up and sign out" }).click();
  await page.locator('input[type="email"]').waitFor();
  await bob.event("CALL_CLOSED");
});
