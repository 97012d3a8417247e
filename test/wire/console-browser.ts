// The console in a real browser: opened, signed in, looked over for errors, overflow and barriers.

import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { eventually } from "./eventually.ts";

export type Width = 1440 | 1024 | 390;
export type Seen = { page: Page; context: BrowserContext; complaints: string[] };

const HEIGHT = 900;
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** A browser of one's own, with its own cookies; whatever its console says in anger is kept. */
export async function openConsole(browser: Browser, url: string, language: "tr" | "en"): Promise<Seen> {
  const locale = language === "tr" ? "tr-TR" : "en-GB";
  const viewport = { width: 1440, height: HEIGHT };
  // Nothing slides or fades, so that what is looked at stands still.
  const context = await browser.newContext({ locale, viewport, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, context, complaints };
}

export async function signIn({ page }: Seen, email: string, password: string): Promise<void> {
  await page.locator('input[type="email"]').fill(email);
  await page.locator('input[type="password"]').fill(password);
  await page.locator('button[type="submit"]').click();
}

/** Takes effect when the page is opened anew. */
export async function prefer(
  { page }: Seen,
  kept: { language?: "tr" | "en"; scheme?: "light" | "dark" },
): Promise<void> {
  const names = { language: "santral.language", scheme: "mantine-color-scheme-value" };
  for (const [what, value] of Object.entries(kept))
    await page.evaluate(`localStorage.setItem("${names[what as keyof typeof names]}", "${value}")`);
}

/** Waits until nothing is being fetched any more and the page has its heading. */
export async function settled({ page }: Seen): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.locator('[role="status"] .mantine-Loader-root').first().waitFor({ state: "detached" });
}

/** A page may take a moment to find its new shape. Asked from outside: its policy lets no string become a script. */
export async function expectNoOverflow({ page }: Seen, width: Width, what: string): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  const excess = () =>
    page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  await eventually("it fits", async () => (await excess()) <= 0, 10).catch(() => undefined); // told below, with its width
  expect.soft(await excess(), `${what} at ${width} px is wider than the screen`).toBeLessThanOrEqual(0);
}

/** A page that is still being drawn is looked at again: a barrier is what stays. */
export async function expectNoBarriers(seen: Seen, what: string): Promise<void> {
  let barriers = await barriersOf(seen);
  const areGone = async () => {
    if (barriers.length > 0) barriers = await barriersOf(seen);
    return barriers.length === 0;
  };
  await eventually("nothing stands in the way", areGone, 10).catch(() => undefined); // told below, by name
  expect.soft(barriers, `${what}: barriers`).toEqual([]);
}

/** What axe calls serious or critical; evaluated as the tool's own script, which no page policy forbids. */
async function barriersOf({ page }: Seen): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: AXE });
  const { result } = await session.send("Runtime.evaluate", {
    awaitPromise: true,
    returnByValue: true,
    expression: `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, failureSummary }) =>
        html.slice(0, 200) + " " + (failureSummary ?? "").slice(0, 300)).join(" | ")))`,
  });
  await session.detach();
  return (result.value as string[] | undefined) ?? ["the page could not be looked at"];
}
