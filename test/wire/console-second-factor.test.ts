// A second factor that an exchange requires, as whoever lacks it meets it in a browser.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { totpCode } from "../../src/store/totp.ts";
import {
  expectNoBarriers,
  expectNoOverflow,
  openConsole,
  type Seen,
  settled,
  signIn,
} from "../console/console-browser.ts";
import { openBrowser } from "../phones/browser-phone.ts";
import { realTown } from "../town/real-town.ts";

// A browser shares its machine with whatever else is tested just then.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const EMAIL = "boss@example.com";
const PASSWORD = "a password of my own";
const SHOTS = process.env.SANTRAL_TEST_SHOTS;

const [town, browser] = await Promise.all([realTown(), openBrowser()]);
const url = `http://${town.santral.run.http}/console`;
await town.command("staff", "create", EMAIL, "Patron", "--role", "administrator", "--password", PASSWORD);

/** Looked at as others see it; pictures of it for whoever wants to see them. */
async function look(seen: Seen, what: string): Promise<void> {
  await expectNoBarriers(seen, what);
  for (const width of [1280, 390] as const) {
    await expectNoOverflow(seen, width, what);
    if (SHOTS === undefined) continue;
    mkdirSync(SHOTS, { recursive: true });
    await seen.page.screenshot({ path: join(SHOTS, `${what.replaceAll(" ", "-")}-${width}.png`), fullPage: true });
  }
}

test("who must have a second factor sets it up before he comes in, and keeps his codes first", async () => {
  const seen = await openConsole(browser, url, "en");
  const { page } = seen;
  await signIn(seen, EMAIL, PASSWORD);
  await page.getByRole("heading", { name: "Live board" }).waitFor();
  await town.command("exchange", "set", "second-factor=administrators");
  await page.goto(`${url}/extensions`);
  await page.getByText("Your exchange requires a second factor.", { exact: false }).waitFor();
  await look(seen, "a second factor is required");
  await page.getByRole("button", { name: "Switch on" }).click();
  const secret = (await page.locator("text=/^[A-Z2-7]{32}$/").textContent()) ?? "";
  await look(seen, "a second factor is set up");
  await page.getByLabel("The code your app shows").fill(totpCode(secret, Math.floor(Date.now() / 30_000)));
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Confirm" }).click();
  // Whatever is asked of the door meanwhile, the codes stay until he says that he has them.
  await page.getByTestId("recovery-codes").waitFor();
  await settled(seen);
  await look(seen, "recovery codes before coming in");
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.getByRole("heading", { name: "Extensions" }).waitFor();
  expect(seen.complaints.filter((it) => !it.includes("401") && !it.includes("403"))).toEqual([]);
  await seen.context.close();
});

test("before a key is made, somebody who signed in a while ago shows again who he is, in place", async () => {
  await town.command("exchange", "set", "second-factor=none");
  await town.command("staff", "password", EMAIL, "--password", PASSWORD);
  const seen = await openConsole(browser, `${url}/settings?tab=keys`, "en");
  const { page } = seen;
  await signIn(seen, EMAIL, PASSWORD);
  // As it answers a quarter of an hour later.
  let proven = false;
  await page.route("**/keys.create", (route) =>
    proven ? route.continue() : route.fulfill({ status: 403, json: { refused: "prove-yourself" } }),
  );
  await page.route("**/session.prove", async (route) => {
    const response = await route.fetch();
    proven = response.ok();
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Make a key" }).click();
  await page.getByLabel("Label").fill("for the shop");
  await page.getByRole("button", { name: "Create key" }).click();
  const question = page.getByRole("dialog", { name: "Is this you?" });
  await question.waitFor();
  await look(seen, "who are you");
  await question.getByLabel("Your password").fill("a wrong password");
  await question.getByRole("button", { name: "Continue" }).click();
  await question.getByRole("alert").waitFor();
  await question.getByLabel("Your password").fill(PASSWORD);
  await question.getByRole("button", { name: "Continue" }).click();
  await page.locator('[data-testid^="once-"]').first().waitFor();
  await question.waitFor({ state: "detached" });
  await seen.context.close();
});
