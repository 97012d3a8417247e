// Draws the pictures of the documentation: npm run pictures [-- name …]
//
// Nothing in them is painted: an office is opened, its phones are plugged in, people call, and its pages are looked at.

import { join } from "node:path";
import { type Browser, chromium, type FrameLocator, type Page } from "playwright-core";
import sharp from "sharp";
import { pause, realClock } from "../src/clock.ts";
import { callers, type Office, openOffice, PASSWORD, people } from "./office.ts";

const SIZE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 800 };
const PATIENCE_MS = 60_000;
const [SUPPORT, FAX] = ["908505320001", "908505320003"];
const folder = process.argv[2] ?? "docs";

const office = await openOffice({ calls: 12_000, contacts: 400 });
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  ignoreDefaultArgs: ["--headless", "--mute-audio"],
  args: [
    ...["--headless=new", "--no-sandbox", "--disable-gpu", "--use-fake-ui-for-media-stream"],
    ...["--use-fake-device-for-media-stream", "--autoplay-policy=no-user-gesture-required"],
  ],
});
try {
  await office.callIn(callers.fax, FAX);
  await office.ask("backups.plan", { every: "day", at: "02:30", keep: 14 });
  await office.ask("backups.make", {});
  const boss = await enter(browser, office, people.boss.email);
  const agent = await enter(browser, office, people.agent.email);
  await stillPages(boss, office);
  const spoken = await formerCall(agent, office);
  await busyFloor(boss, agent, office);
  await oneCall(boss, office, spoken);
  await afterwards(boss, office);
} finally {
  await browser.close();
  await office.close();
}

async function enter(browser: Browser, { url }: Office, email: string): Promise<Page> {
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: SIZE,
    reducedMotion: "reduce",
    permissions: ["microphone"],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('input[type="email"]').fill(email);
  await page.locator('input[type="password"]').fill(PASSWORD);
  await page.locator('button[type="submit"]').click();
  await page
    .locator("h1")
    .filter({ hasText: /board|desk/ })
    .waitFor();
  return page;
}

/** As small as it gets without a difference that anybody sees. */
async function draw(page: Page, name: string): Promise<void> {
  await page.evaluate("document.activeElement?.blur()");
  await page.mouse.move(0, 0);
  await page.locator(".mantine-Loader-root").first().waitFor({ state: "detached" });
  await page.locator(".mantine-Notification-root").first().waitFor({ state: "detached" });
  const path = join(folder, `${name}.png`);
  const { size } = await sharp(await page.screenshot())
    .png({ palette: true, colours: 128, effort: 10 })
    .toFile(path);
  console.log(`${path}: ${Math.round(size / 1_000)} kB`);
}

/** What does not change while it is looked at. */
async function stillPages(page: Page, { url }: Office): Promise<void> {
  await page.goto(`${url}/setup`);
  await page.getByRole("heading", { name: "Set up" }).waitFor();
  await draw(page, "console-setup");
  await page.goto(`${url}/menus`);
  await page.locator(".flow .station").first().waitFor();
  await draw(page, "console-flow");
  await page.goto(`${url}/reports`);
  await page.locator("main table").first().waitFor();
  await draw(page, "console-reports");
  await page.setViewportSize(PHONE);
  await page.goto(`${url}/calls`);
  await page.locator("tbody tr").first().waitFor();
  await draw(page, "console-phone");
  await page.setViewportSize(SIZE);
}

function phoneOf(page: Page): FrameLocator {
  return page.frameLocator(".phone iframe");
}

async function answers(page: Page): Promise<void> {
  await phoneOf(page).getByRole("button", { name: "Answer", exact: true }).click();
  await phoneOf(page).locator('.person[data-at="talking"]').waitFor();
}

/** Somebody has called before, and something was written about it. The call's uuid. */
async function formerCall(page: Page, office: Office): Promise<string> {
  await phoneOf(page).locator('.phone[data-link="registered"]').waitFor();
  await office.callIn(callers.late, SUPPORT);
  await answers(page);
  await page.getByRole("textbox", { name: "Note", exact: true }).fill("Asked for an offer: 40 pallets, by Friday");
  await page.getByRole("checkbox", { name: "To be followed up (open note)" }).check();
  await page.locator("label.mantine-Chip-label", { hasText: "Question" }).click();
  await phoneOf(page).getByRole("button", { name: "Hang up", exact: true }).click();
  const free = page.getByRole("button", { name: "Save and be available", exact: true });
  await free.click();
  await free.waitFor({ state: "detached" });
  return new URL(page.url()).searchParams.get("call") ?? "";
}

/** Agents talk, somebody waits, and a supervisor whispers. */
async function busyFloor(boss: Page, agent: Page, office: Office): Promise<void> {
  const { ask, command, url, callIn, plugIn } = office;
  await boss.goto(url);
  const talks = (extension: string) =>
    boss.locator(`[data-extension="${extension}"][data-state="on a call"]`).waitFor();
  for (const extension of ["1000", "1001", "1003", "1004", "1005"]) await plugIn(extension);
  command("agent", "login", "1003");
  await callIn(callers.echo, SUPPORT);
  await talks("1000");
  await callIn(callers.tone, SUPPORT);
  await talks("1001");
  await callIn(callers.late, SUPPORT);
  await answers(agent);
  await ask("calls.begin", { extension: "1005", destination: callers.echo });
  await talks("1005");
  await callIn(callers.waiting, SUPPORT);
  await boss.getByRole("button", { name: "Put through:", exact: false }).waitFor();
  await pause(realClock, 20_000); // so that clocks show that something goes on
  await draw(boss, "console-board");
  await draw(agent, "console-desk");
  await wallScreen(boss, office);
  await boss.getByRole("button", { name: /^Actions: .*Aydın|^Actions: 05000000002/ }).click();
  await boss.getByRole("menuitem", { name: "Listen", exact: true }).first().click();
  await boss.getByText("Whisper", { exact: true }).click();
  await boss.getByText(/^You whisper to/).waitFor();
  await draw(boss, "console-whisper");
}

async function wallScreen(page: Page, { ask, url }: Office): Promise<void> {
  const tiles = ["waiting", "longest-wait", "agents-free", "agents-busy", "queues", "agents"] as const;
  const changes = { tiles, language: "en", look: "light", size: "normal" } as const;
  const made = (await ask("walls.create", { name: "Support floor", changes })) as { id: number };
  const { path } = (await ask("walls.link", { id: made.id })) as { path: string };
  const screen = await page.context().newPage();
  await screen.goto(new URL(path, url).href);
  await screen.getByRole("heading", { name: "Support floor" }).waitFor();
  await draw(screen, "console-wall");
  await screen.close();
}

/** Its ladder is written down a moment after it was over. */
async function oneCall(page: Page, { url }: Office, uuid: string): Promise<void> {
  await page.goto(`${url}/calls/${uuid}`);
  await page.locator(".ladder").waitFor();
  await draw(page, "console-call");
  await page.locator(".ladder").evaluate((it) => it.scrollIntoView({ block: "center" }));
  await draw(page, "console-ladder");
}

async function afterwards(page: Page, { url }: Office): Promise<void> {
  await page.goto(`${url}/faxes`);
  await page.getByRole("button", { name: "Look at the pages:", exact: false }).click();
  await page.getByRole("img", { name: "Page 1 of 2" }).waitFor();
  await draw(page, "console-fax");
  await page.goto(`${url}/system`);
  await page.locator("main tbody tr").first().waitFor();
  await draw(page, "console-system");
}
