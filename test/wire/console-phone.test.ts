import type { Browser, BrowserContext, Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { expectNoBarriers } from "../console/console-browser.ts";
import { eventually } from "../ground/eventually.ts";
import { shows } from "../ground/interop.ts";
import type { Baresip } from "../phones/baresip.ts";
import { type Network, openNetwork } from "../phones/cut-network.ts";
import { openContext, talkingBrowser, WebPhone } from "../phones/web-phone.ts";
import { onlyCall, picksUp, soonHears } from "../phones/webphone-story.ts";
import { talking } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

const EMAIL = "ann@example.com";
const PASSWORD = "a password of my own";
const AWAY_MS = 5_000;

/** Before the page's own script: notes are written down, and nobody looks at the page. */
const NOTES = `
  window.notes = [];
  window.Notification = class {
    static permission = "granted";
    constructor(title, { body }) { window.notes.push(title + ": " + body); }
    close() {}
  };
  document.hasFocus = () => false;
`;

let town: RealTown;
let browser: Browser;
let network: Network;
let context: BrowserContext;
let url: string;
let page: Page;
let web: WebPhone;
let bob: Baresip;
/** Questions that the browser put before it left a page. */
let warnings = 0;

beforeAll(async () => {
  [town, browser] = await Promise.all([realTown(), talkingBrowser(1_000)]);
  await town.command(
    "staff",
    "create",
    EMAIL,
    "Ann",
    "--role",
    "administrator",
    "--extension",
    "1000",
    "--password",
    PASSWORD,
  );
  await town.command("extension", "set", "1001", "name=Bob Çelik");
  [bob, network] = await Promise.all([town.phone("1001", 660), openNetwork({ to: town.santral.run.http })]);
  url = `http://127.0.0.1:${network.port}/console`;
  context = await openContext(browser, { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  await context.addInitScript(NOTES);
  await openTab();
  await page.locator('input[type="email"]').fill(EMAIL);
  await page.locator('input[type="password"]').fill(PASSWORD);
  await page.locator('button[type="submit"]').click();
  await heading("Live board").waitFor();
});

beforeEach(() => bob.forget());

async function openTab(path = ""): Promise<void> {
  page = await context.newPage();
  web = new WebPhone(page, () => phoneFrame() ?? page.mainFrame());
  page.on("dialog", (dialog) => {
    warnings += 1;
    void dialog.accept();
  });
  await page.goto(`${url}${path}`);
}

const phoneFrame = () => page.frames().find((frame) => frame.url().includes("/webphone"));

/** The panel stands open, with the phone in it. */
async function panelIsOpen(): Promise<void> {
  await page.locator(".phone:not([hidden]) iframe").waitFor();
  await eventually("the phone is in its frame", async () => phoneFrame() !== undefined);
}

const heading = (name: string) => page.getByRole("heading", { name, exact: true });
const goTo = (name: string) => page.getByRole("link", { name, exact: true }).click();
const lostBar = () => page.getByText("Connection lost, trying again…");

test("a page that was not loaded yet waits for a server that is away, and everything is back by itself", async () => {
  await page.locator('[data-extension="1001"]').waitFor();
  network.tear();
  await lostBar().waitFor();
  await goTo("Queues");
  network.mend();
  await heading("Queues").waitFor();
  await lostBar().waitFor({ state: "detached" });
  await page.getByRole("cell", { name: "200", exact: true }).first().waitFor();
  await goTo("Live board");
  await page.locator('[data-extension="1001"]').waitFor();
});

test("a script that is gone loads the page anew once, and then says so", async () => {
  let loads = 0;
  const count = () => {
    loads += 1;
  };
  page.on("load", count);
  await page.route("**/assets/contacts-*.js", (route) => route.fulfill({ status: 404, body: "Not Found" }));
  await goTo("Contacts");
  await page.getByText("This page could not be shown").waitFor();
  expect(loads).toBe(1);
  await expectNoBarriers({ page }, "a page that is gone");
  await page.unroute("**/assets/contacts-*.js");
  await page.getByRole("button", { name: "Load again" }).click();
  await heading("Contacts").waitFor();
  page.off("load", count);
});

test("the phone's field finds people by name, and Enter never puts another number in its place", async () => {
  await page.getByRole("button", { name: "Open the web phone" }).click();
  await panelIsOpen();
  await web.isReady();
  const frame = page.frameLocator(".phone iframe");
  const field = frame.getByRole("combobox", { name: "Number or name" });
  await field.fill("celik");
  await frame.getByRole("option", { name: "Bob Çelik" }).waitFor();
  await expectNoBarriers({ page }, "people that are offered");
  await field.press("Enter");
  await picksUp(bob);
  await web.isTalking();
  await web.press("Hang up");
  await bob.event("CALL_CLOSED");
  await web.isIdle();

  // Now there is a last number: it stands ready while the field is empty, and nowhere else.
  const go = frame.locator("button.go");
  await eventually("it would be dialled again", async () => (await go.textContent())?.trim() === "Redial");
  const asked = page.waitForResponse((answer) => answer.url().includes("/webphone/people?search=Nobody"));
  await field.fill("Nobody at all");
  await asked;
  await field.press("Enter");
  expect(await field.inputValue()).toBe("Nobody at all");
  expect(await go.isDisabled()).toBe(true);
  await web.isIdle();
  await field.fill("");
  await field.press("Enter");
  expect(await field.inputValue(), "offered to look at, and not called").toBe("1001");
  await field.fill("");
  expect((await town.command("calls", "list")).includes("1001"), "nobody was called").toBe(false);
});

test(
  "a call that comes is seen with the panel closed, answered by the keyboard, and survives F5, another tab and a loss of network",
  shows("calls: web phone in the console, over reload, reopened tab and torn network", "Chromium", "baresip"),
  async () => {
    await page.getByRole("button", { name: "Hide the web phone" }).click();
    await goTo("Queues");
    await heading("Queues").waitFor();
    await bob.dial("1000");
    await panelIsOpen();
    await eventually("the title says who calls", async () => (await page.title()) === "☎ Bob Çelik · Incoming call");
    expect(await page.frameLocator(".phone iframe").locator("body").evaluate("window.notes")).toEqual([
      "Bob Çelik: Incoming call · 1001",
    ]);
    await page.keyboard.press("Alt+Shift+KeyA");
    await bob.event("CALL_ESTABLISHED");
    await bothHear();
    expect(await page.title()).toBe("Queues · Santral");
    const call = await onlyCall(town);

    await page.reload();
    expect(warnings, "the browser asks before it leaves a call").toBe(1);
    await panelIsOpen();
    await bothHear();

    await page.close();
    await openTab("/contacts");
    await panelIsOpen();
    await bothHear();

    network.tear();
    await lostBar().waitFor();
    await talking(AWAY_MS);
    network.mend();
    await lostBar().waitFor({ state: "detached" });
    await bothHear();
    expect(await onlyCall(town)).toBe(call);

    // Nobody who types in a field hangs up by it.
    await page.getByPlaceholder("Name, company or number").press("Alt+Shift+KeyH");
    await page.locator("h1").first().click();
    await page.keyboard.press("Alt+Shift+KeyM");
    await web.shows("Unmute");
    await page.keyboard.press("Alt+Shift+KeyH");
    await bob.event("CALL_CLOSED");
    await web.isIdle();
    await page.locator(".phone[hidden]").waitFor({ state: "attached" }); // it came with the call, and goes with it
  },
);

async function bothHear(): Promise<void> {
  await web.isTalking();
  await web.soonHears(660);
  await soonHears(bob, 1_000);
}

/** Before the page's own script: a browser that would ask, and where each bell and voice is told to sound. */
const UNASKED = `
  window.questions = 0;
  window.Notification = class {
    static permission = "default";
    static async requestPermission() {
      window.questions += 1;
      return "default";
    }
  };
  window.sinks = [];
  const choose = AudioContext.prototype.setSinkId;
  AudioContext.prototype.setSinkId = function (id) {
    window.sinks.push(id);
    return choose.call(this, id);
  };
`;

test("calls ring on the device that was chosen for it, and the wish to tell of them is asked for once", async () => {
  const fresh = await openContext(browser, { storageState: await context.storageState(), reducedMotion: "reduce" });
  await page.close();
  await fresh.addInitScript(UNASKED);
  const tab = await fresh.newPage();
  await tab.goto(url);
  const opens = () => tab.getByRole("button", { name: "Open the web phone" }).click();
  await opens();
  const frame = tab.frameLocator(".phone iframe");
  const asked = frame.getByText("Show calls on the desktop?");
  await asked.waitFor();
  expect(await frame.locator("body").evaluate("window.questions"), "nobody was asked by the browser yet").toBe(0);
  await expectNoBarriers({ page: tab }, "the question");
  await frame.getByRole("button", { name: "Show them", exact: true }).click();
  await asked.waitFor({ state: "detached" });
  expect(await frame.locator("body").evaluate("window.questions")).toBe(1);

  await frame.getByRole("button", { name: "Settings", exact: true }).click();
  const ringer = frame.locator("label", { hasText: "Rings on" }).locator("select");
  await eventually("the devices are listed", async () => (await ringer.locator("option").count()) > 2);
  const device = (await ringer.locator("option").last().getAttribute("value")) ?? "";
  await ringer.selectOption(device);
  await tab.reload();
  await frame.locator('.phone[data-link="registered"]').waitFor();
  expect(await asked.count(), "not asked again").toBe(0);
  await bob.dial("1000");
  await eventually("it rings there", async () =>
    Boolean(await frame.locator("body").evaluate(`window.sinks.includes(${JSON.stringify(device)})`)),
  );
  await bob.hangUp();
  await fresh.close();
});

test("the console can be installed: its manifests and icons are what they say", async () => {
  const html = await (await fetch(url)).text();
  expect(html).toMatch(/<link rel="manifest" href="\/console\/manifest\.(en|tr)\.webmanifest"/);
  const origin = new URL(url).origin;
  for (const language of ["tr", "en"]) {
    const answer = await fetch(`${origin}/console/manifest.${language}.webmanifest`);
    expect(answer.headers.get("content-type")).toContain("application/manifest+json");
    const manifest = (await answer.json()) as Record<string, string> & {
      icons: Record<"src" | "sizes" | "type" | "purpose", string>[];
    };
    expect(manifest).toMatchObject({ lang: language, start_url: "/console", scope: "/console", display: "standalone" });
    for (const field of ["id", "name", "short_name", "theme_color", "background_color"])
      expect(manifest[field], field).toBeTruthy();
    const begin = await fetch(origin + manifest.start_url);
    expect([begin.status, begin.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
    expect(manifest.icons.map(({ sizes, purpose = "any" }) => `${sizes} ${purpose}`).sort()).toEqual([
      ...["192x192 any", "512x512 any", "512x512 maskable", "any any"],
    ]);
    for (const { src, sizes, type } of manifest.icons) {
      const icon = await fetch(origin + src);
      expect([icon.status, icon.headers.get("content-type")], src).toEqual([200, type]);
      const bytes = Buffer.from(await icon.arrayBuffer());
      // The first chunk of a PNG says how wide and high it is.
      if (type === "image/png") expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes);
    }
  }
});
