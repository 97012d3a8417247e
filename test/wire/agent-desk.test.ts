import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { expectNoBarriers, expectNoOverflow } from "../console/console-browser.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import { openContext, talkingBrowser, WebPhone } from "../phones/web-phone.ts";
import { onlyCall } from "../phones/webphone-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

const EMAIL = "ann@example.com";
const PASSWORD = "a password of my own";
/** By what is pushed, and not by the next look after some minutes. */
const SOON_MS = 30_000;
const CALLER = "905000000002";
const WRITTEN = "Wants an offer by Friday";

let town: RealTown;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let web: WebPhone;
let url: string;
let crm: string;

beforeAll(async () => {
  [town, browser] = await Promise.all([realTown(), talkingBrowser(1_000)]);
  crm = await customersProgram();
  for (const words of [
    ["queue", "members", "200", "1000"],
    ["queue", "set", "200", "dispositions=Sold,No interest", "disposition-required=yes"],
    ["exchange", "set", `screen-pop=${crm}/?tel={number}&queue={queue}`, "screen-pop-in=frame"],
    ["staff", "create", EMAIL, "Ann", "--role", "agent", "--extension", "1000", "--password", PASSWORD],
  ])
    await town.command(...words);
  url = `http://${town.santral.run.http}/console`;
  context = await openContext(browser, { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  context.setDefaultTimeout(90_000);
  page = await context.newPage();
  page.on("dialog", (dialog) => void dialog.accept());
  web = new WebPhone(page, () => page.frames().find((frame) => frame.url().includes("/webphone")) ?? page.mainFrame());
  await page.goto(url);
  await page.locator('input[type="email"]').fill(EMAIL);
  await page.locator('input[type="password"]').fill(PASSWORD);
  await page.locator('button[type="submit"]').click();
});

/** What a caller's number opens at the customer's: a page that says it. */
async function customersProgram(): Promise<string> {
  const server = createServer((request, reply) => {
    reply.setHeader("content-type", "text/html");
    reply.end(`<title>CRM</title><p>Record of ${new URL(request.url ?? "", "http://crm").searchParams.get("tel")}</p>`);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  whenOver(() => new Promise<void>((done) => server.close(() => done())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function phoneIsThere(): Promise<void> {
  await page.locator(".phone.docked:not([hidden]) iframe").waitFor();
  await eventually("the phone is in its frame", async () => page.frames().some((it) => it.url().includes("/webphone")));
}

const button = (name: string) => page.getByRole("button", { name, exact: true });
const note = () => page.getByRole("textbox", { name: "Note", exact: true });
const status = (text: string) => page.locator('.mantine-Badge-root[role="status"]', { hasText: text }).waitFor();
const callsIn = () => town.command("sandbox", "call", "--from", CALLER, "--to", "908505320001");
/** By its label: the field itself is only there for those who do not see it. */
const choose = (disposition: string) => page.locator("label.mantine-Chip-label", { hasText: disposition }).click();

test("an agent takes a call at his desk, and neither a reload nor a kill loses what he wrote or owes", async () => {
  await page.getByRole("heading", { name: "My desk" }).waitFor();
  await phoneIsThere();
  await web.isReady();
  await status("Available");

  await callsIn();
  await page.getByRole("heading", { name: "05000000002" }).waitFor();
  await web.press("Answer");
  await web.isTalking();
  await page.frameLocator("iframe.pop").frameLocator("iframe").getByText("Record of 05000000002").waitFor();
  await note().fill(`${WRITTEN} \n`);
  await page.reload();
  await phoneIsThere();
  await web.isTalking();
  await status("Talking");
  await page.getByText("Not saved").waitFor();
  expect((await note().inputValue()).trim()).toBe(WRITTEN);
  await expectNoBarriers({ page }, "a desk with a call");
  for (const width of [390, 1280]) await expectNoOverflow({ page }, width, "a desk with a call");
  await page.getByRole("checkbox", { name: "To be followed up (open note)" }).check();
  await button("Save").click();
  await page.getByText(/^Saved \d/).waitFor();

  await web.press("Hang up");
  await status("Wrapping up");
  await town.restart();
  await web.isReady();
  await status("Wrapping up");
  expect((await note().inputValue()).trim()).toBe(WRITTEN);
  await button("Available").click();
  await page.getByText("First say what became of your last call.").waitFor();
  await choose("Sold");
  await button("Save and be available").click();
  await status("Available");
});

test("a break is taken by its name at the desk or at the phone, both show it at once, and either ends it", async () => {
  const phone = page.frameLocator(".phone iframe");
  const chip = (shown: string) => phone.getByRole("button", { name: `Status: ${shown}`, exact: true });
  const choice = (name: string) => phone.getByRole("menuitemradio", { name, exact: true });
  await button("Break").click();
  await page.getByRole("menuitem", { name: "Kahve" }).click();
  await status("Kahve");
  await chip("On break").click();
  expect(await choice("Available").getAttribute("aria-checked"), "he is not").toBe("false");
  await choice("Available").click();
  await status("Available");
  await chip("Available").click();
  await expectNoBarriers({ page }, "the phone's menu");
  await choice("Yemek").click();
  await status("Yemek");
  await town.command("agent", "resume", "1000");
  await chip("Available").waitFor({ timeout: SOON_MS });
  await town.command("agent", "break", "1000", "Kahve");
  await chip("On break").waitFor({ timeout: SOON_MS });
});

test("callers whom nobody took on a break are called back, and then off the list; in a call nobody is taken", async () => {
  await callsIn();
  await town.command("calls", "end", await onlyCall(town));
  const missed = page.getByRole("region", { name: "To call back" });
  await missed.getByText("05000000002").waitFor();
  await button("Available").click();
  await status("Available");

  await web.dial("05000000001");
  await web.isTalking();
  await missed.getByRole("button", { name: "Call back" }).click();
  await page.getByText("End the call you are in first.").waitFor();
  await web.press("Hang up");
  await web.isIdle();
  expect(await missed.getByRole("button", { name: /^Leave to others/ }).count(), "nobody is kept from it").toBe(0);
  await missed.getByRole("button", { name: "Call back" }).click();
  await web.isTalking();
  const card = page.getByRole("region", { name: "Caller" });
  await card.getByText(WRITTEN).first().waitFor();
  await card.getByRole("button", { name: "Done" }).click();
  await card.getByText("Open notes").waitFor({ state: "detached" });
  await web.press("Hang up");
  await missed.getByText("There is nobody to call back.").waitFor();
});

test("what was written is found again, and the way to it is short", async () => {
  await page.getByRole("link", { name: "Calls and recordings" }).click();
  await page.locator(".phone[hidden]").waitFor({ state: "attached" }); // it stays on the desk
  await page.getByLabel("Words in a note").fill("friday");
  await page.getByLabel("Words in a note").press("Enter");
  await eventually("one call", async () => (await page.locator("tbody tr").count()) === 1);
  await page.locator("tbody tr").first().getByText("Sold").waitFor();
  await page.locator("tbody tr").first().click();
  await page.getByText(WRITTEN).waitFor();
});

test("the link opens in a tab, once for each call; a browser that lets none open shows it instead", async () => {
  for (const hostile of ["javascript:alert({number})", "data:text/html,{number}", "https://{number}.example.com/"])
    await expect(town.command("exchange", "set", `screen-pop=${hostile}`)).rejects.toThrow(/screen-pop|link/i);
  const template = `${crm}/of{queue}?tel={number}&call={uuid}`;
  await town.command("exchange", "set", `screen-pop=${template}`, "screen-pop-in=tab");
  await page.goto(url);
  await phoneIsThere();
  await web.isReady();
  await status("Available");
  const tabs: Page[] = [];
  context.on("page", (tab) => tabs.push(tab));
  const answered = async () => {
    await callsIn();
    const uuid = await onlyCall(town);
    await web.press("Answer");
    await web.isTalking();
    return { uuid, link: `${crm}/of200?tel=05000000002&call=${uuid}` };
  };
  const over = async () => {
    await web.press("Hang up");
    await status("Wrapping up");
    await choose("Sold");
    await button("Save and be available").click();
    await status("Available");
  };

  const first = await answered();
  const tab = await eventually("a tab opens", async () => tabs[0]);
  await tab.getByText("Record of 05000000002").waitFor();
  expect(tab.url()).toBe(first.link);
  expect(await tab.evaluate("window.opener === null && document.referrer === ''")).toBe(true);
  await page.reload();
  await phoneIsThere();
  await web.isTalking();
  await status("Talking");
  await page.getByRole("link", { name: "Open the link" }).waitFor();
  expect(tabs).toHaveLength(1);
  await over();

  await page.evaluate("window.open = () => null");
  const second = await answered();
  const heldBack = page.getByRole("alert").getByRole("link", { name: "Open the link" });
  await heldBack.waitFor();
  expect(await heldBack.getAttribute("href")).toBe(second.link);
  await expectNoBarriers({ page }, "a desk whose tab was held back");
  for (const width of [390, 1280]) await expectNoOverflow({ page }, width, "a desk whose tab was held back");
  expect(tabs).toHaveLength(1);
  await heldBack.click();
  const opened = await eventually("it opens by hand", async () => tabs[1]);
  await opened.waitForURL(second.link);
  await over();
});

test("on a small screen the phone is ready, and does not lie on the desk before it is wanted", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${url}/desk`);
  await page.getByRole("heading", { name: "My desk" }).waitFor();
  await page.locator(".phone[hidden] iframe").waitFor({ state: "attached" });
  await web.isReady();
  await callsIn();
  await page.locator(".phone:not([hidden]) iframe").waitFor();
  await web.press("Answer");
  await web.isTalking();
  await button("Hide the web phone").click();
  await page.locator(".phone[hidden]").waitFor({ state: "attached" });
  await web.isTalking();
});
