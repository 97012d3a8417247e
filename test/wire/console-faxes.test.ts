// Faxes and trunks in the console, in a real browser: with a fax that a machine has sent, and carriers that others wrote.

import type { Page } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { type Sipp, startSipp } from "../carriers/sipp.ts";
import { saysNothing } from "../carriers/sipp-carriers.ts";
import { refuses, takesCall } from "../carriers/sipp-scenarios.ts";
import {
  expectNoBarriers,
  expectNoOverflow,
  hasNoted,
  openConsole,
  type Seen,
  signIn,
} from "../console/console-browser.ts";
import { whenOver } from "../ground/when-over.ts";
import { openBrowser } from "../phones/browser-phone.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then, and a fax takes as long as it takes.
vi.setConfig({ testTimeout: 100_000, hookTimeout: 240_000 });

const PASSWORD = "a password of my own";
const BOSS = "boss@example.com";
const AGENT = "deniz@example.com";
const FAX_NUMBER = "908505323333";
const MACHINE = "905000000009";
const BUSY_MACHINE = "905000000020";

let town: RealTown;
let url: string;
let boss: Seen;
let agent: Seen;
let page: Page;

beforeAll(async () => {
  const opening = openBrowser();
  town = await realTown({ SANTRAL_FAX_RETRY_SECONDS: "600,600" });
  url = `http://${town.santral.run.http}/console`;
  await town.command("number", "create", FAX_NUMBER, "fax");
  await town.command("sandbox", "call", "--from", MACHINE, "--to", FAX_NUMBER);
  await town.command("staff", "create", BOSS, "Patron", "--role", "administrator", "--password", PASSWORD);
  await town.command(
    "staff",
    "create",
    AGENT,
    "Deniz",
    "--role",
    "agent",
    "--extension",
    "1001",
    "--password",
    PASSWORD,
  );
  const browser = await opening;
  [boss, agent] = [await openConsole(browser, url, "en"), await openConsole(browser, url, "tr")];
  page = boss.page;
  await signIn(boss, BOSS, PASSWORD);
  await signIn(agent, AGENT, PASSWORD);
  await page.getByRole("heading", { name: "Live board" }).waitFor();
  await agent.page.locator("nav a").first().waitFor();
});

const button = (name: string, inside: Page = page) => inside.getByRole("button", { name, exact: true });

async function fits(what: string): Promise<void> {
  await expectNoBarriers(boss, what);
  for (const width of [390, 1440]) await expectNoOverflow(boss, width, what);
}

test("a fax that came is looked at, turned, assigned to a colleague, who alone sees it beside us, and sent on", async () => {
  await agent.page.goto(`${url}/faxes`);
  await agent.page.getByText("Böyle bir faks yok.").waitFor();
  await page.goto(`${url}/faxes`);
  await page.getByText("Unread").nth(1).waitFor(); // beside the filter
  await fits("faxes that came");
  await page.getByRole("button", { name: `Look at the pages: 0${MACHINE.slice(2)}`, exact: false }).click();
  const picture = page.getByRole("img", { name: "Page 1 of 2" });
  await picture.waitFor();
  expect(await picture.evaluate((it) => (it as unknown as { naturalWidth: number }).naturalWidth)).toBeGreaterThan(500);
  await button("Next page").click();
  await page.getByRole("img", { name: "Page 2 of 2" }).waitFor();
  await button("Previous page").click();
  await picture.waitFor();
  await button("Rotate").click();
  await button("Zoom in").click();
  expect(await picture.getAttribute("style")).toContain("rotate(90deg)");
  await fits("the pages of a fax");
  const [document] = await Promise.all([page.waitForEvent("download"), page.getByText("Download PDF").click()]);
  expect(document.suggestedFilename()).toMatch(/^received-.*\.pdf$/);
  await page.locator('input[aria-label="Assign to"]').first().click();
  await page.getByRole("option", { name: "Deniz" }).click();
  await hasNoted(boss, "The fax is assigned.");
  await agent.page.reload();
  await agent.page.getByRole("cell", { name: "Deniz" }).waitFor();
  await button("Send to another number").click();
  await page.getByLabel("To", { exact: false }).last().fill(BUSY_MACHINE);
  await button("Send fax").click();
  await hasNoted(boss, "The fax is on its way.");
});

test("a fax that does not go is seen with why and when it is tried again, and is taken back", async () => {
  await page.goto(`${url}/faxes?tab=outbox`);
  const row = page.getByRole("row").filter({ hasText: BUSY_MACHINE });
  await row.getByText("Busy", { exact: true }).waitFor();
  await row.getByText("Waiting", { exact: true }).waitFor();
  await fits("faxes that go out");
  await row.getByRole("button", { name: "Details", exact: false }).click();
  await page.getByText(/^Next try: .*\d\d:\d\d/).waitFor();
  await page.getByRole("img", { name: "Page 1 of 2" }).waitFor();
  await fits("a fax that goes out");
  await button("Do not send").click();
  await hasNoted(boss, "The fax will not be sent.");
  await row.getByText("Taken back", { exact: true }).waitFor();
  expect(await button("Send now").count()).toBe(0);
});

const NUMBER = "05321234567";

test.each([
  ["forbids", refuses(403), "forbids refuses the call: it is forbidden: the carrier bars the account"],
  ["silent", saysNothing, "silent said nothing to the call: the address, the port, a firewall"],
  ["takes", takesCall, "takes works: the place called answered"],
])("a test call by the trunk that %s says so, with its SIP messages", async (name, scenario, words) => {
  const carrier: Sipp = await startSipp({ address: CARRIER_ADDRESS, calls: 1, scenario });
  whenOver(carrier.end);
  const way = [`port=${carrier.port}`, `source-addresses=${CARRIER_ADDRESS}`, "health-check=no", "silent-seconds=1"];
  await town.command("trunk", "create", name, CARRIER_ADDRESS, ...way);
  await town.trunkIsUp(name);
  await page.goto(`${url}/trunks`);
  await button(`Test the trunk: ${name}`).click();
  await page.getByLabel("Number to call").fill("112");
  await button("Call").click();
  await hasNoted(boss, "112 is an emergency number. No test call goes there.");
  await page.getByLabel("Number to call").fill(NUMBER);
  await button("Call").click();
  await page.getByRole("status").filter({ hasText: words }).waitFor();
  await carrier.meanwhile(page.locator(".ladder").getByText("INVITE").first().waitFor());
  if (name === "takes") await fits("a trunk that is tried");
  // Only then may the next one begin.
  await page.getByText("the call is over", { exact: false }).waitFor();
});
