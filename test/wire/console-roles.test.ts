// Who may open what, as a browser shows it; what is asked before something is lost; and where a first administrator is led.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { pause, realClock } from "../../src/clock.ts";
import type { FirstRun } from "../../src/first-run/credentials.ts";
import { consoleApi } from "../../src/http/console/api.ts";
import { type Right, roles, type StaffRole } from "../../src/nouns/role.ts";
import {
  expectNoBarriers,
  expectNoOverflow,
  openConsole,
  type Seen,
  settled,
  signIn,
} from "../console/console-browser.ts";
import { openBrowser } from "../phones/browser-phone.ts";
import { visitorAt } from "../town/console-town.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const PASSWORD = "a password of my own";
const ADMINISTRATOR = "Ayşe Yılmaz";

/** As the console's own table has them; the page of the servers tells by itself whose it is. */
const PAGES = [
  ...readFileSync("console/app/pages.ts", "utf8").matchAll(/(\.\.\.)?page\(\["([^"]+)", "([^"]+)"\]/g),
].flatMap(([, isChanged, path = "", needs = ""]) =>
  isChanged || path.includes(":") || path === "/account" ? [] : [{ path, right: rightOf(needs) }],
);

function rightOf(operation: string): Right {
  return consoleApi[operation as keyof typeof consoleApi].right;
}

const mayOpen = (role: StaffRole, right: Right) => (roles[role].rights as readonly Right[]).includes(right);

let town: RealTown;
let browser: Browser;
let origin: string;
const made = new Set<StaffRole>();

beforeAll(async () => {
  [town, browser] = await Promise.all([realTown(), openBrowser()]);
  origin = `http://${town.santral.run.http}`;
});

const emailOf = (role: StaffRole) => `${role}@example.com`;

/** Signed in without the form, which has tests of its own. */
async function comesAs(role: StaffRole): Promise<Seen> {
  if (!made.has(role))
    await town.command("staff", "create", emailOf(role), role, "--role", role, "--password", PASSWORD);
  made.add(role);
  const visitor = visitorAt(origin);
  await visitor.signIn({ email: emailOf(role), password: PASSWORD });
  const [name = "", value = ""] = visitor.cookie().split("=");
  const seen = await openConsole(browser, `${origin}/console/help/`, "en");
  await seen.context.addCookies([{ name, value, url: origin }]);
  await seen.page.goto(`${origin}/console/account`);
  await seen.page.locator("nav a").first().waitFor();
  await settled(seen);
  seen.complaints.length = 0;
  return seen;
}

/** As a link would, without loading everything anew. */
async function goTo(seen: Seen, path: string): Promise<void> {
  await seen.page.evaluate(`history.pushState(null, "", ${JSON.stringify(`/console${path}`)})`);
  await settled(seen);
}

test("a first administrator comes by the bare address, is led to the first steps once, and finds nothing done yet", async () => {
  const { console: account } = JSON.parse(readFileSync(join(town.data, "first-run.json"), "utf8")) as FirstRun;
  const seen = await openConsole(browser, `${origin}/`, "en");
  const { page } = seen;
  expect(page.url()).toBe(`${origin}/console`);
  await signIn(seen, account.email, account.password);
  await page.getByLabel("Present password").fill(account.password);
  await page.getByLabel("New password", { exact: false }).first().fill(PASSWORD);
  await page.getByLabel("New password once more").fill(PASSWORD);
  await page.locator('button[type="submit"]').click();
  await page.getByRole("heading", { name: "Set up", exact: true }).waitFor();
  await page.getByText("0 of 7 steps are done").first().waitFor();
  await expectNoBarriers(seen, "the first steps");
  await expectNoOverflow(seen, 390, "the first steps");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole("link", { name: "Later, go to the live board" }).click();
  await page.getByRole("heading", { name: "Live board" }).waitFor();
  await page.goto(`${origin}/console`);
  await page.getByRole("heading", { name: "Live board" }).waitFor();
  await page.goto(`${origin}/console/settings`);
  await page.getByLabel("Name of the exchange", { exact: false }).fill("Deneme A.Ş.");
  // What is read again after saving takes its time: whoever is told that it is saved may go all the same.
  await page.route("**/settings.show", async (route) => {
    await pause(realClock, 300);
    await route.continue();
  });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").first().waitFor();
  await page.getByRole("link", { name: "Set up", exact: true }).click();
  await page.getByText("1 of 7 steps are done").first().waitFor();
  await seen.context.close();
});

test("what was typed is asked about before a link, a tab, the way back or Escape takes it away", async () => {
  const seen = await comesAs("administrator");
  const { page } = seen;
  const question = page.getByRole("dialog", { name: "Changes are not saved" });
  const stay = async () => {
    await question.waitFor();
    await page.getByRole("button", { name: "Back to the form" }).click();
    await question.waitFor({ state: "detached" });
  };
  const leave = async () => {
    await question.waitFor();
    await page.getByRole("button", { name: "Close without saving" }).click();
    await question.waitFor({ state: "detached" });
  };
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  const name = page.getByLabel("Name of the exchange", { exact: false });
  await name.fill("Typed and not saved");
  await page.getByRole("link", { name: "Contacts", exact: true }).click();
  await expectNoBarriers(seen, "the question");
  await stay();
  await page.getByRole("tab", { name: "API keys" }).click();
  await question.waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  await page.goBack();
  await stay();
  expect(page.url()).toBe(`${origin}/console/settings`);
  expect(await name.inputValue()).toBe("Typed and not saved");
  await page.goBack();
  await leave();
  await page.waitForURL(`${origin}/console/account`);

  await goTo(seen, "/forms");
  await page.getByRole("button", { name: "Add a form" }).click();
  const form = page.getByRole("dialog", { name: "Add a form" });
  await form.getByLabel("Name", { exact: false }).first().fill("Anket");
  await page.keyboard.press("Escape");
  await stay();
  await form.getByRole("button", { name: "Cancel" }).click();
  await leave();
  await form.waitFor({ state: "detached" });

  for (const [path, label] of [
    ["/settings?tab=sign-on", "Issuer"],
    ["/settings?tab=events", "Notification URL"],
    ["/sms", "Message"],
  ] as const) {
    await goTo(seen, path);
    await page.getByLabel(label, { exact: false }).first().fill("https://typed.example.com");
    await page.getByRole("link", { name: "Contacts", exact: true }).click();
    await leave();
    await page.waitForURL(`${origin}/console/contacts`);
  }
  expect(seen.complaints).toEqual([]);
  await seen.context.close();
});

/** Each role opens every third page, so that each page is opened by two roles at least; `all`: every one. */
const EVERY = process.env.SANTRAL_TEST_PAGES === "all" ? 1 : 3;

test.for(Object.keys(roles) as StaffRole[])(
  "%s finds in the navigation what he may open, opens it, and is told whom to ask for the rest",
  async (role) => {
    const seen = await comesAs(role);
    const { page } = seen;
    const linked = await page.evaluate<string[]>(
      `[...document.querySelectorAll("nav a")].map((link) => link.pathname)`,
    );
    const open = PAGES.filter(({ right }) => mayOpen(role, right)).map(({ path }) => path);
    expect(linked.map((path) => path.replace(/^\/console\/?/, "/"))).toEqual(open);
    const first = Object.keys(roles).indexOf(role);
    for (const [at, { path, right }] of PAGES.entries()) {
      if ((at + first) % EVERY !== 0) continue;
      await goTo(seen, path);
      const [notYours, faults] = [page.getByTestId("not-yours"), page.locator("[data-fault]")];
      // The first page of all leads on to one's own first page.
      const isOpen = mayOpen(role, right) || path === "/";
      expect([path, await notYours.count(), await faults.count()]).toEqual([path, isOpen ? 0 : 1, 0]);
      if (!isOpen) expect(await notYours.textContent()).toContain(`Ask ${ADMINISTRATOR}`);
    }
    if (mayOpen(role, "see-setup") && !mayOpen(role, "manage-staff")) {
      await goTo(seen, "/settings?tab=keys");
      await page.getByTestId("not-yours").waitFor();
      expect(await page.getByRole("tab").allTextContents()).toEqual(["General", "CRM events", "Deliveries"]);
      await expectNoBarriers(seen, "a tab one may not open");
    }
    // What is refused is a failed request to the browser's own console; nobody asks for what he may not have.
    expect(seen.complaints).toEqual([]);
    await seen.context.close();
  },
);
