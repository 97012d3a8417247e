import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import type { FirstRun } from "../../src/first-run/credentials.ts";
import type { ConsoleApi } from "../../src/http/console/api.ts";
import type { Gives } from "../../src/http/console/operation/operation.ts";
import {
  expectNoBarriers,
  HEIGHT,
  hasNoted,
  openConsole,
  prefer,
  type Seen,
  settled,
  signIn,
} from "../console/console-browser.ts";
import { everyLook, looksByTurns, Walk } from "../console/console-walk.ts";
import { readWordTable } from "../console/console-words.ts";
import { eventually } from "../ground/eventually.ts";
import type { Baresip } from "../phones/baresip.ts";
import { openBrowser } from "../phones/browser-phone.ts";
import { WebPhone } from "../phones/web-phone.ts";
import { talking } from "../town/call-story.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 240_000 });

/** Where pictures of every page are put, for whoever wants to look at them. */
const SHOTS = process.env.SANTRAL_TEST_SHOTS;

/** `all`: every page is looked over for barriers at every width, in both languages and both lights. */
const EVERYTHING = process.env.SANTRAL_TEST_PAGES === "all";

const PASSWORD = "a password of my own";

/** As the console's own table has them. Those about one thing need one, and the servers' page has a test of its own. */
const PAGES = [...readFileSync("console/app/pages.ts", "utf8").matchAll(/(\.\.\.)?page\(\["([^"]+)"/g)].flatMap(
  ([, isChanged, path = ""]) => (isChanged || path.includes(":") ? [] : [path]),
);

let town: RealTown;
let browser: Browser;
let url: string;
let boss: Seen;
let credentials: FirstRun;
let walk: Walk;
let ann: Baresip;

beforeAll(async () => {
  [town, browser] = await Promise.all([realTown(), openBrowser()]);
  url = `http://${town.santral.run.http}/console`;
  credentials = JSON.parse(readFileSync(join(town.data, "first-run.json"), "utf8")) as FirstRun;
  await town.command("demo", "--cdrs", "300", "--contacts", "30");
  await furnish();
  ann = await town.phone("1000", 1_000);
  if (SHOTS) mkdirSync(SHOTS, { recursive: true });
});

/** Rows as long as people's are, where the demo has none. */
async function furnish(): Promise<void> {
  const colleague = ["zeynep.karaosmanoglu@muhasebe.example.com", "Zeynep Nur Karaosmanoğlu"];
  await town.command("staff", "create", ...colleague, "--role", "agent", "--extension", "1003", "--password", PASSWORD);
  await town.command("trunk", "create", "Yedek hat", "sip.carrier.example.com", "active=no");
  await town.post("/blocked_numbers", { number: "05321234567", direction: "inbound" });
}

async function shot({ page }: Seen, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name.replace(/\W+/g, "-") || "board"}.png`) });
}

test("a stranger signs in with the first password, must change it, is led to the first steps and on to the live board", async () => {
  boss = await openConsole(browser, url, "tr");
  const { page } = boss;
  await page.locator('button[type="submit"]').waitFor();
  walk = new Walk(boss, {
    url,
    table: readWordTable("console", "src/nouns", "src/words", "src/exchange/plan"),
    looks: EVERYTHING ? everyLook : looksByTurns,
    mostForms: EVERYTHING ? 100 : 2,
    shot: (name) => shot(boss, name),
  });
  await walk.lookAt("sign-in");
  await signIn(boss, credentials.console.email, "wrong");
  await page.getByText("E-posta veya parola yanlış.").waitFor();
  // The browser's console counts a refused request as an error; this one was meant.
  boss.complaints.length = 0;
  await signIn(boss, credentials.console.email, credentials.console.password);
  await page.getByRole("heading", { name: "Yeni parola belirleyin" }).waitFor();
  await walk.lookAt("first password");
  await page.getByLabel("Şimdiki parola").fill(credentials.console.password);
  await page.getByLabel("Yeni parola", { exact: false }).first().fill(PASSWORD);
  await page.getByLabel("Yeni parola (tekrar)").fill(PASSWORD);
  await page.getByRole("button", { name: "Parolayı değiştir" }).click();
  await page.setViewportSize({ width: 1440, height: HEIGHT });
  await page.getByRole("heading", { name: "Kurulum", exact: true }).waitFor();
  await page.getByRole("link", { name: "Sonra, canlı panoya git" }).click();
  await page.getByRole("heading", { name: "Canlı pano" }).waitFor();
  await page.locator('[data-extension="1000"]').waitFor();
});

test("every page at every width in both languages: no errors, nothing out of sight, no barriers, no text missing", async () => {
  expect(PAGES.length).toBeGreaterThan(25);
  for (const path of PAGES) await walk.visit(path);
  await boss.page.goto(`${url}/calls`);
  const one = await boss.page.locator('main a[href*="/calls/"]').first().getAttribute("href");
  await walk.visit(one?.replace(/^.*(?=\/calls)/, "") ?? "");
  await boss.page.setViewportSize({ width: 1440, height: HEIGHT });
  await boss.page.emulateMedia({ colorScheme: "light" });
  await prefer(boss, { language: "en" });
});

test("a figure of the response-time report leads to as many calls as it says", async () => {
  const { page } = boss;
  const from = new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10);
  await page.goto(`${url}/response-times?promise=30&from=${from}`);
  await settled(boss);
  const band = page.getByRole("row").filter({ hasText: "10–20 s" }).getByRole("link").first();
  const said = Number(await band.textContent());
  expect(said).toBeGreaterThan(0);
  await band.click();
  await page.getByRole("button", { name: "Take away: Waited up to 20 s" }).waitFor();
  await page.getByText(`${said} row`, { exact: false }).waitFor();
  await shot(boss, "calls behind a figure");
  await walk.lookAt("calls behind a figure");
});

test("a figure of the reports leads to as many calls as it says", async () => {
  const { page } = boss;
  const from = new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10);
  await page.goto(`${url}/reports?from=${from}`);
  await settled(boss);
  const missed = page.locator('a[href*="direction=inbound"][href*="result=missed"]').first();
  const said = (await missed.textContent()) ?? "";
  expect(Number(said)).toBeGreaterThan(0);
  await missed.click();
  await page.getByText(new RegExp(`^${said} (rows?|kayıt)`)).waitFor();
  await settled(boss);
  // The answer rate is a share of calls that are listed as well.
  await page.goto(`${url}/reports?from=${from}`);
  await page.locator('a[href*="result=wanted-person"]').click();
  await page.getByText(/^[1-9][\d,.]* (rows?|kayıt)/).waitFor();
});

test("the heat map and the bars of the reports show what the exchange answered, and lead to exactly these calls", async () => {
  const { page } = boss;
  const from = new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10);
  const answer = page.waitForResponse(/\/reports\.calls/);
  await page.goto(`${url}/reports?from=${from}`);
  const { week, days } = (await (await answer).json()) as Gives<ConsoleApi, "reports.calls">;
  await settled(boss);
  const shown = (count: number) => (count === 0 ? "" : String(count));
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  const inboundAt = (weekday: number, hour: number) =>
    week.find((it) => it.weekday === weekday && it.hour === hour)?.inbound ?? 0;
  const cells = [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) => hours.map((hour) => shown(inboundAt(weekday, hour))));
  expect(await page.locator("td.heat-cell").allTextContents()).toEqual(cells);

  const drawn = (chart: number) => page.locator("svg.chart").nth(chart).locator("title").allTextContents();
  const values = (titles: string[]) => titles.map((title) => Number(title.split(": ").at(-1)));
  const sums = (of: typeof week) =>
    (["inbound", "outbound", "internal"] as const).map((which) => of.reduce((sum, it) => sum + it[which], 0));
  const byHour = await drawn(0);
  expect(values(byHour)).toEqual(hours.flatMap((hour) => sums(week.filter((it) => it.hour === hour))));
  expect(byHour[3 * 7]).toMatch(/^07 · /);
  expect(values(await drawn(1))).toEqual(
    days.flatMap(({ inbound, outbound, internal }) => [inbound, outbound, internal]),
  );

  const most = week.reduce((best, it) => (it.inbound > best.inbound ? it : best));
  await page.locator(`a.heat-calls[href$="weekday=${most.weekday}&hour=${most.hour}"]`).click();
  await page.getByText(new RegExp(`^${most.inbound} (rows?|kayıt)`)).waitFor();
  await settled(boss);
  await page.goBack();
  const busiest = Math.max(...hours.map((hour) => total(week.filter((it) => it.hour === hour))));
  const bar = page.locator("svg.chart").first().locator(`a[aria-label*=": ${busiest} "]`).first();
  await bar.click();
  await page.getByText(new RegExp(`^${busiest} (rows?|kayıt)`)).waitFor();
  await settled(boss);

  function total(of: typeof week): number {
    return sums(of).reduce((sum, it) => sum + it, 0);
  }
});

test("paper says which days a report is about, and has neither buttons nor the phone", async () => {
  const { page } = boss;
  await page.goto(`${url}/reports?from=2026-05-04&to=2026-05-10`);
  await settled(boss);
  await page.emulateMedia({ media: "print" });
  const period = page.getByText("04/05/2026 – 10/05/2026, compared with 27/04/2026 – 03/05/2026");
  await period.waitFor({ state: "visible" });
  expect(await page.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
  const isShown = await page.evaluate<string>(
    `(() => { const phone = document.body.appendChild(document.createElement("div")); phone.className = "phone";
      const shown = getComputedStyle(phone).display; phone.remove(); return shown; })()`,
  );
  expect(isShown).toBe("none");
  await page.emulateMedia({ media: null });
});

test("a key is shown once, copied and works, and an extension is made in the browser", async () => {
  const { page } = boss;
  await page.goto(`${url}/settings?tab=keys`);
  await page.getByRole("button", { name: "Make a key" }).click();
  await page.getByLabel("Label").fill("stranger");
  await page.getByRole("button", { name: "Create key" }).click();
  const shown = await page.getByTestId("once-Key").textContent();
  await boss.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("dialog").getByRole("button", { name: "Copy: Key" }).click();
  const key = await eventually("the key is in the clipboard", async () => {
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    return copied === shown && copied;
  });
  expect((await town.tell("/queues", { key })).status).toBe(200);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  await page.goto(`${url}/extensions`);
  await page.getByRole("button", { name: "Add an extension" }).click();
  await page.getByLabel("Number", { exact: false }).first().fill("1006");
  await page.getByLabel("Name", { exact: true }).fill("Yeni Dahili");
  await page.getByRole("button", { name: "Create extension" }).click();
  expect(await page.getByTestId("once-SIP password").textContent()).toMatch(/^\w{24}$/);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("cell", { name: "Yeni Dahili", exact: true }).waitFor();
});

/** The phone is nobody's yet: its account is made on the way. */
async function webPhoneOfNewExtension(): Promise<WebPhone> {
  const { page, context } = boss;
  await context.grantPermissions(["microphone"]);
  await page.goto(`${url}/extensions`);
  await page.getByRole("button", { name: "Open the web phone: 1006" }).click();
  await page.getByLabel("E-mail address").fill("yeni@example.com");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByTestId("once-Password for the console").waitFor();
  const opening = context.waitForEvent("page", { timeout: 90_000 });
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  const tab = await opening;
  tab.setDefaultTimeout(90_000);
  const web = new WebPhone(tab);
  await web.isReady();
  return web;
}

test("the new extension's web phone calls 1000 from a second tab; the live board shows it, and its recording plays", async () => {
  const { page } = boss;
  await page.goto(`${url}/settings`);
  await page.getByRole("switch", { name: "Internal calls" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await hasNoted(boss, "Saved");
  const web = await webPhoneOfNewExtension();
  await page.goto(url);
  await page.locator('[data-extension="1006"][data-state="available"]').waitFor();
  await web.dial("1000");
  await ann.event("CALL_INCOMING");
  await page.locator('[data-extension="1000"][data-state="ringing"]').waitFor();
  await ann.command("accept");
  await web.isTalking();
  await page.locator('[data-extension="1000"][data-state="on a call"]').waitFor();
  await page.getByText("Talking", { exact: true }).first().waitFor();
  await shot(boss, "board-with-a-call");
  await talking();
  // Somebody who hangs up from the console ends it for both.
  await page.getByRole("button", { name: "Hang up: 1006" }).click();
  await Promise.all([ann.event("CALL_CLOSED"), web.isIdle()]);
  await page.locator('[data-extension="1000"][data-state="available"]').waitFor();
  const uuid = await eventually("the call is in the list", async () => {
    const { cdrs } = JSON.parse(await town.ask("/cdrs", { caller_id_number: "1006", direction: "internal" })) as {
      cdrs: { call_uuid: string; recording_present: string }[];
    };
    return cdrs.find(({ recording_present }) => recording_present === "true")?.call_uuid;
  });
  await page.goto(`${url}/calls/${uuid}`);
  await settled(boss);
  const sound = (what: "duration" | "currentTime") =>
    page.evaluate<boolean>(`document.querySelector("audio")?.${what} > 0`);
  await eventually("the recording's length is known", () => sound("duration"));
  await page.getByRole("button", { name: "Play" }).click();
  await eventually("it plays", () => sound("currentTime"));
  await page.getByText("INVITE").first().waitFor();
  await shot(boss, "one-call");
  await walk.lookAt("one call");
});

test("the phone in the console's own corner makes a call, keeps it while pages change, and ends it", async () => {
  await town.command(
    ...["staff", "create", "cem@example.com", "Cem", "--extension", "1002", "--role", "standard"],
    ...["--password", PASSWORD],
  );
  const cem = await openConsole(browser, url, "en");
  const { page } = cem;
  await cem.context.grantPermissions(["microphone"]);
  await signIn(cem, "cem@example.com", PASSWORD);
  await page.getByRole("button", { name: "Open the web phone", exact: true }).click();
  await page.locator('iframe[title="Web phone"]').waitFor();
  const panel = new WebPhone(page, () => page.frames()[1] ?? page.mainFrame());
  await panel.isReady();
  // Before anybody signs in, the browser's console counts the question who it is as an error.
  cem.complaints.length = 0;
  ann.forget();
  await panel.dial("1000");
  await ann.event("CALL_INCOMING");
  await ann.command("accept");
  await panel.isTalking();
  await page.locator('[data-extension="1002"][data-state="on a call"]').waitFor();
  await shot(cem, "board-with-the-phone");
  await page.getByRole("button", { name: "Hide the web phone", exact: true }).click();
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("heading", { name: "Contacts" }).waitFor();
  await page.getByRole("button", { name: "Open the web phone", exact: true }).click();
  await panel.isTalking();
  await panel.press("Hang up");
  await ann.event("CALL_CLOSED");
  await panel.isIdle();
  expect(cem.complaints).toEqual([]);
  await cem.context.close();
});

test("a campaign is begun from its page, and a fax that cannot be sent says why", async () => {
  const { page } = boss;
  await page.setViewportSize({ width: 1440, height: HEIGHT });
  await page.goto(`${url}/campaigns`);
  await page.getByRole("button", { name: "Begin a campaign" }).click();
  await page.getByLabel("Name", { exact: false }).first().fill("Anket");
  await page.getByLabel("Numbers").fill("0532 123 45 67\n0532 123 45 68");
  for (const day of ["Last day", "First day"]) await page.getByLabel(day).fill("2099-01-05");
  await page.locator('input[aria-label="Key 1"]').first().click();
  await page.getByRole("option", { name: "Hang up" }).click();
  await expectNoBarriers(boss, "a campaign's form");
  await shot(boss, "new-campaign");
  await page.getByRole("button", { name: "Start campaign" }).click();
  await page.getByText("0 / 2").waitFor();
  await page.goto(`${url}/faxes`);
  await page.getByRole("button", { name: "Send a fax" }).click();
  await page.getByRole("dialog").getByLabel("To", { exact: false }).first().fill("12");
  const document = { name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Merhaba") };
  await page.locator('input[type="file"]').setInputFiles(document);
  await expectNoBarriers(boss, "a fax's form");
  await shot(boss, "new-fax");
  await page.getByRole("button", { name: "Send fax" }).click();
  await hasNoted(boss, "“Recipient's number” does not fit: 12");
});

test("a figure of the wall board leads to as many calls as it says", async () => {
  const { page } = boss;
  await page.goto(`${url}/wallboard`);
  const today = page.locator('a[href*="/calls?"]').first();
  const calls = (await today.textContent()) ?? "";
  await today.click();
  await page.getByText(new RegExp(`^${calls} (rows?|kayıt)`)).waitFor();
});

test("who may only read finds the buttons grey, with the reason", async () => {
  await town.command("staff", "create", "reader@example.com", "Okur", "--role", "read-only", "--password", PASSWORD);
  const reader = await openConsole(browser, `${url}/extensions`, "en");
  await signIn(reader, "reader@example.com", PASSWORD);
  const button = reader.page.getByRole("button", { name: "Add an extension" });
  await button.waitFor();
  expect(await button.getAttribute("aria-disabled")).toBe("true");
  await button.hover();
  await reader.page.getByText("Your role does not let you set the exchange up. Ask ").waitFor();
  await reader.context.close();
});
