import type { Page } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import {
  expectNoBarriers,
  expectNoOverflow,
  openConsole,
  type Seen,
  settled,
  signIn,
} from "../console/console-browser.ts";
import { eventually } from "../ground/eventually.ts";
import { openBrowser } from "../phones/browser-phone.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const EMAIL = "boss@example.com";
const PASSWORD = "a password of my own";
const CALLER = "905000000002";

let town: RealTown;
let page: Page;
let seen: Seen;
let url: string;

beforeAll(async () => {
  const [opened, browser] = await Promise.all([realTown(), openBrowser()]);
  town = opened;
  url = `http://${town.santral.run.http}/console`;
  await town.command("staff", "create", EMAIL, "Patron", "--role", "administrator", "--password", PASSWORD);
  seen = await openConsole(browser, url, "en");
  page = seen.page;
  await signIn(seen, EMAIL, PASSWORD);
  await page.getByRole("heading", { name: "Live board" }).waitFor();
});

const field = () => page.getByRole("combobox", { name: "Search everywhere" });

async function look(text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await field().fill(text);
}

const shots = process.env.SANTRAL_TEST_SHOTS;
const picture = async (name: string) => void (shots && (await page.screenshot({ path: `${shots}/${name}.png` })));

test("Ctrl+K leads by keyboard to a page and an extension, and remembers where one went", async () => {
  await look("trunks");
  await page.getByRole("option", { name: /Trunks and rules/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Trunks and rules" }).waitFor();

  await look("1003");
  await page.getByRole("option", { name: /1003/ }).first().waitFor();
  await expectNoBarriers({ page }, "search");
  await picture("search");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /show all/ }).waitFor();
  expect(await page.locator("tbody tr").count()).toBe(1);

  await page.keyboard.press("Control+k");
  const recent = page.getByRole("option");
  await eventually("both are remembered, the last one first", async () => {
    const names = await recent.allTextContents();
    return names.length === 2 && names[0]?.includes("1003") && names[1]?.includes("Trunks");
  });
  await page.keyboard.press("Escape");
});

test("a call is found by a part of its number; its ladder unfolds, and says with the record who hung up", async () => {
  await town.command("sandbox", "call", "--from", CALLER, "--to", "908505320001");
  const uuid = await eventually("the call is up", async () => {
    const listed = await town.command("calls", "list", "--json");
    return /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(listed)?.[0];
  });
  await town.command("calls", "end", uuid);
  await eventually("it has its record", async () => {
    await page.goto(`${url}/calls?about=00000002`);
    await settled(seen);
    return (await page.locator("tbody tr").count()) === 1;
  });

  await look("00000002");
  await page
    .getByRole("option", { name: new RegExp(CALLER.slice(2)) })
    .first()
    .click();
  await page.getByText("an operator hung up", { exact: true }).waitFor();
  // It is written down after the record: the page that stands there asks on.
  await page
    .getByRole("button", { name: /BYE to/ })
    .first()
    .waitFor();
  await page
    .getByRole("button", { name: /INVITE sdp from/ })
    .first()
    .click();
  await page.getByText("m=audio").first().waitFor();
  await expectNoBarriers({ page }, "one call");
  await picture("ladder");
  for (const width of [390, 1440]) await expectNoOverflow({ page }, width, "one call");
});

test("recordings play in the list of calls, one at a time", async () => {
  await page.route("**/console/api/calls.list", async (route) => {
    const answer = await (await route.fetch()).json();
    const [row] = answer.rows;
    const rows = [1, 2].map((at) => ({ ...row, callUuid: row.callUuid.slice(0, -1) + at, recording: "present" }));
    await route.fulfill({ json: { rows, total: 2 } });
  });
  // Nothing comes, so that the players stand still.
  await page.route("**/console/sound/recording/*", () => undefined);
  await page.goto(`${url}/calls`);
  await page
    .getByRole("button", { name: /Play the recording/ })
    .first()
    .click();
  await page.getByRole("button", { name: /Play the recording/ }).click();
  expect(await page.locator("audio").count()).toBe(1);
  expect(await page.getByRole("button", { name: /Stop the recording/ }).count()).toBe(1);
  await picture("calls");
});
