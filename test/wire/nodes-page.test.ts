// The console's page of nodes in a real browser, before two real nodes: who sees it, what it shows, drain and resume.

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import {
  expectNoBarriers,
  expectNoOverflow,
  HEIGHT,
  hasNoted,
  openConsole,
  type Seen,
  settled,
  signIn,
} from "../console/console-browser.ts";
import { eventually } from "../ground/eventually.ts";
import { type NodeTown, nodeTown } from "../ground/nodes.ts";
import type { SantralProcess } from "../ground/santral-process.ts";
import { openBrowser } from "../phones/browser-phone.ts";
import type { FirstRun } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Where pictures of the page are put, for whoever wants to look at them. */
const SHOTS = process.env.SANTRAL_TEST_SHOTS;
const PASSWORD = "a password of my own";
/** What an empty database numbers its first exchange with. */
const OPERATORS = 101;
const operators = { SANTRAL_OPERATORS: String(OPERATORS) };

let town: NodeTown;
let one: SantralProcess;
let two: Promise<SantralProcess>;
let boss: Seen;
let credentials: FirstRun & { console: { email: string; password: string } };
const pageOf = ({ run }: SantralProcess) => `http://${run.http}/console/nodes`;

beforeAll(async () => {
  town = await nodeTown();
  let browser: Browser;
  [one, browser] = await Promise.all([town.start("one"), openBrowser()]);
  credentials = JSON.parse(readFileSync(join(town.folderOf("one"), "first-run.json"), "utf8")) as typeof credentials;
  expect(credentials.exchange.id).toBe(OPERATORS);
  await livesOn("one");
  two = town.start("two", operators);
  boss = await openConsole(browser, pageOf(one), "en");
  if (SHOTS) mkdirSync(SHOTS, { recursive: true });
});

function livesOn(node: string): Promise<boolean> {
  return eventually(`it lives on ${node}`, async () => (await town.nodeOf(OPERATORS)) === node);
}

async function shot(name: string): Promise<void> {
  if (SHOTS) await boss.page.screenshot({ path: join(SHOTS, `nodes-${name}.png`) });
}

/** The row of a node, or the one that says where the exchange lives. */
const row = (list: string, text: string) =>
  boss.page.getByRole("group", { name: list, exact: true }).getByRole("row").filter({ hasText: text });

async function metricsOf(node: SantralProcess): Promise<string> {
  return (await node.get("/metrics")).text();
}

/** Exchanges that came to live on this node from another. */
async function takeovers(node: SantralProcess): Promise<number> {
  return Number(/^santral_node_takeovers_total\{.*\} (\d+)$/m.exec(await metricsOf(node))?.[1]);
}

test("without SANTRAL_OPERATORS no administrator finds the page, and its address says whose it is", async () => {
  const { page, complaints } = boss;
  await signIn(boss, credentials.console.email, credentials.console.password);
  await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
  const passwords = page.locator('input[type="password"]');
  await passwords.first().fill(credentials.console.password);
  for (const at of [1, 2]) await passwords.nth(at).fill(PASSWORD);
  // Before anybody signs in, the browser's console counts the question who it is as an error.
  complaints.length = 0;
  await page.locator('button[type="submit"]').click();
  await page.getByText("Only those who run the servers see this page").waitFor();
  await settled(boss);
  await page.getByRole("link", { name: "Audit trail" }).waitFor();
  expect(await page.getByRole("link", { name: "Nodes" }).count()).toBe(0);
  expect(await page.getByText("Something went wrong").count()).toBe(0);
  await expectNoBarriers(boss, "the page of nodes for others");
  await shot("not-yours");
  expect(complaints).toEqual([]);
});

test("with it the page shows every node and where the exchange lives, on narrow and wide screens in both languages", async () => {
  const { page, complaints } = boss;
  const second = await two;
  await one.end("SIGKILL");
  // Nobody has the exchange now: what is opened meanwhile comes by itself, once somebody has.
  const opened = await page.goto(pageOf(second));
  expect(opened?.headers()["content-type"]).toContain("text/html");
  await page.getByRole("link", { name: "Nodes" }).waitFor();
  expect(complaints.filter((it) => !it.includes("503"))).toEqual([]);
  complaints.length = 0;
  await livesOn("two");
  const back = town.start("one", operators);
  one = await back;
  await row("Nodes", "one").filter({ hasText: one.run.http }).getByText("up", { exact: true }).waitFor();
  expect(await row("Nodes", "two").textContent()).toContain("serves this page");
  expect(await row("Exchanges", String(OPERATORS)).textContent()).toContain("two");
  for (const language of ["en", "tr"] as const) {
    if (language === "tr") await page.locator('button[lang="tr"]').click();
    await page.locator(`html[lang="${language}"]`).waitFor();
    for (const width of language === "en" ? [1280, 390] : [390, 1280]) {
      await page.emulateMedia({ colorScheme: (language === "en") === (width === 390) ? "dark" : "light" });
      await expectNoOverflow(boss, width, `nodes in ${language}`);
      await expectNoBarriers(boss, `nodes in ${language} at ${width} px`);
      await shot(`${language}-${width}`);
    }
  }
  // A button that one must scroll for is a button that one does not find.
  const isWhole = (at: number) =>
    page.evaluate<boolean>(
      `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelectorAll("section.rows")[${at}])`,
    );
  expect([await isWhole(0), await isWhole(1)]).toEqual([true, true]);
  await page.locator('button[lang="en"]').click();
  expect(complaints).toEqual([]);
});

test("a page that is open asks again while it is told to come again, says so quietly, and goes on by itself", async () => {
  const { page, complaints } = boss;
  const away = page.getByText("The exchange cannot be reached right now. Trying again…");
  let refusals = 0;
  const everything = "**/console/api/*";
  await page.route(everything, (route) => {
    refusals += 1;
    return route.fulfill({ status: 503, headers: { "retry-after": "1" }, body: "Service Unavailable" });
  });
  await page.reload();
  await away.waitFor();
  await expectNoBarriers(boss, "a page whose exchange is away");
  await eventually("it asks again and again", async () => refusals > 3);
  await page.unroute(everything);
  await row("Nodes", "two").waitFor();
  await away.waitFor({ state: "detached" });
  expect(complaints.filter((it) => !it.includes("503"))).toEqual([]);
  complaints.length = 0;
});

test("drain asks first, moves the exchange, and the page says so by itself; resume lets the node take again", async () => {
  const { page, complaints } = boss;
  const second = await two;
  const before = await takeovers(one);
  const dialog = page.getByRole("dialog");
  await page.setViewportSize({ width: 1280, height: HEIGHT });
  await page.getByRole("button", { name: "Drain: two" }).click();
  await dialog.getByText("two gives its exchanges to the other nodes").waitFor();
  await expectNoBarriers(boss, "the question before a drain");
  await shot("question");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await town.nodeOf(OPERATORS)).toBe("two");
  await page.getByRole("button", { name: "Drain: two" }).click();
  await dialog.getByRole("button", { name: "Drain", exact: true }).click();
  await hasNoted(boss, "two is being drained");
  await row("Nodes", "two").getByText("drained", { exact: true }).waitFor();
  await row("Exchanges", String(OPERATORS)).getByRole("cell", { name: "one", exact: true }).waitFor();
  await row("Nodes", "one").getByText("serves this page").waitFor();
  await shot("drained");
  await livesOn("one");
  expect(await takeovers(one)).toBe(before + 1);
  await page.getByRole("button", { name: "Resume: two" }).click();
  await dialog.getByRole("button", { name: "Resume", exact: true }).click();
  await row("Nodes", "two").getByText("up", { exact: true }).waitFor();
  const isUp = /^santral_node_state\{.*state="up".*\} 1$/m;
  await eventually("the node has heard it", async () => isUp.test(await metricsOf(second)));
  await shot("resumed");
  expect(complaints).toEqual([]);
});
