import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { totpCode } from "../../src/store/totp.ts";
import {
  expectNoBarriers,
  expectNoOverflow,
  openConsole,
  prefer,
  type Seen,
  settled,
  signIn,
} from "../console/console-browser.ts";
import { CLIENT, openIdentityProvider } from "../customer/identity-provider.ts";
import { whenOver } from "../ground/when-over.ts";
import { openBrowser } from "../phones/browser-phone.ts";
import { realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const EMAIL = "boss@example.com";
const PASSWORD = "a password of my own";
const SHOTS = process.env.SANTRAL_TEST_SHOTS;

const [town, browser] = await Promise.all([realTown({ SANTRAL_PRIVATE_WEBHOOKS: "true" }), openBrowser()]);
const url = `http://${town.santral.run.http}/console`;
const { exchange } = town.firstRun;
// Another site than the console's: what comes back from there comes from a stranger.
const provider = await openIdentityProvider(url, exchange.id, "localhost");
whenOver(() => provider.close());
provider.people.ayla = { email: "ayla@example.org", email_verified: true, name: "Ayla", groups: ["chefs"] };
await town.command("staff", "create", EMAIL, "Patron", "--role", "administrator", "--password", PASSWORD);

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Looked at as others see it; pictures of it for whoever wants to see them. */
async function look(seen: Seen, what: string): Promise<void> {
  await expectNoBarriers(seen, what);
  if (SHOTS === undefined) return expectNoOverflow(seen, 390, what);
  mkdirSync(SHOTS, { recursive: true });
  for (const width of [1280, 390]) {
    await expectNoOverflow(seen, width, what);
    await seen.page.screenshot({ path: join(SHOTS, `${what}-${width}.png`), fullPage: true });
  }
}

async function fillSettings(page: Page): Promise<void> {
  const facts = { Issuer: provider.issuer, "Client ID": CLIENT.id, "Client secret": CLIENT.secret };
  for (const [label, value] of Object.entries({ ...facts, "Name on the button": "Example" }))
    await page.getByLabel(label, { exact: false }).first().fill(value);
  await page.getByLabel("Claim that holds the role").fill("groups");
  await page.getByRole("combobox", { name: "Values and their roles" }).fill("chefs:administrator");
  await page.keyboard.press("Enter");
  await page.getByLabel("Who may come in").first().click();
  await page.getByRole("option", { name: "Everybody" }).click();
}

test("an administrator sets the provider, tries it, and somebody signs in and out by its own pages", async () => {
  const boss = await openConsole(browser, url, "en");
  await signIn(boss, EMAIL, PASSWORD);
  await boss.page.getByRole("heading", { name: "Live board" }).waitFor();
  await boss.page.goto(`${url}/settings?tab=sign-on`);
  await fillSettings(boss.page);
  await button(boss.page, "Try it").click();
  await boss.page.getByText("It knows the exchange by its client ID and secret.").waitFor();
  await button(boss.page, "Save").click();
  await boss.page.getByText("On", { exact: true }).first().waitFor();
  await settled(boss);
  await look(boss, "sign-on-settings");

  const ayla = await openConsole(browser, `${url}/staff`, "en");
  const { page } = ayla;
  // The provider's pages ask the world for a font.
  await ayla.context.route(/googleapis/, (route) => route.abort());
  await button(page, "Sign in with Example").waitFor();
  await look(ayla, "sign-on-door");
  await button(page, "Sign in with Example").click();
  await page.locator('input[name="login"]').fill("ayla");
  await page.locator('input[name="password"]').fill("any");
  await button(page, "Sign-in").click();
  await button(page, "Continue").click();
  await page.getByRole("heading", { name: "Staff" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/console/staff");
  await page.goto(`${url}/account`);
  await page.getByText("signed in by single sign-on, from 127.0.0.1").first().waitFor();
  await page.getByRole("button", { name: /^My account/ }).click();
  await page.getByText(/ayla@example\.org · Administrator/).waitFor();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await button(page, "Yes, sign me out").click();
  await button(page, "Sign in with Example").waitFor();
  expect(page.url()).toBe(url);

  // There, too, she is signed out; and who says no comes back with a sentence.
  await button(page, "Sign in with Example").click();
  await page.getByText("[ Cancel ]").click();
  await page.getByText("The sign-in was declined at the provider.").waitFor();
  expect(ayla.complaints.filter((it) => !/401|ERR_FAILED|googleapis|font|style/i.test(it))).toEqual([]);
  await Promise.all([boss.context.close(), ayla.context.close()]);
});

test("who switches a second factor on keeps ten codes, and one of them opens once", async () => {
  const boss = await openConsole(browser, `${url}/account`, "en");
  const { page } = boss;
  await signIn(boss, EMAIL, PASSWORD);
  await button(page, "Switch on").click();
  const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? "";
  await page.getByLabel("The code your app shows").fill(totpCode(secret, Math.floor(Date.now() / 30_000)));
  await page.getByLabel("Your password").fill(PASSWORD);
  await button(page, "Confirm").click();
  await page.getByTestId("recovery-codes").waitFor();
  const codes = await page.getByTestId("recovery-codes").locator("code").allTextContents();
  expect(codes).toHaveLength(10);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByText("Download").click()]);
  expect(saved.suggestedFilename()).toBe("santral-recovery-codes.txt");
  await look(boss, "recovery-codes");
  await button(page, "I have kept them").click();
  await page.getByText("10 of your codes are unused.", { exact: false }).waitFor();
  await settled(boss);
  await look(boss, "account");
  if (SHOTS !== undefined) {
    await prefer(boss, { language: "tr", scheme: "dark" });
    await page.reload();
    await settled(boss);
    await look(boss, "account-tr-dark");
    await page.goto(`${url}/settings?tab=sign-on`);
    await settled(boss);
    await look(boss, "sign-on-settings-tr-dark");
    await prefer(boss, { language: "en", scheme: "light" });
  }

  const guest = await openConsole(browser, `${url}/account`, "en");
  await signIn(guest, EMAIL, PASSWORD);
  await guest.page.getByLabel("Code of your authenticator app").fill(codes[0]?.toUpperCase() ?? "");
  await guest.page.locator('button[type="submit"]').click();
  await guest.page.getByText("9 of your codes are unused.", { exact: false }).waitFor();
  await guest.page.getByText("signed in with a password and a recovery code", { exact: false }).first().waitFor();
  await Promise.all([boss.context.close(), guest.context.close()]);
});
