// The console in a real browser: opened, signed in, looked over for errors, overflow and barriers.

import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { expect } from "vitest";
import { pause, realClock, within } from "../../src/clock.ts";
import { eventually } from "../ground/eventually.ts";

export type Width = 1440 | 1280 | 1024 | 390;
export type Seen = {
  page: Page;
  context: BrowserContext;
  complaints: string[];
  /** What the page has asked the server and not heard back yet. */
  asked: ReadonlySet<Request>;
};

export const HEIGHT = 900;
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** A browser of one's own, with its own cookies; whatever its console says in anger is kept. */
export async function openConsole(browser: Browser, url: string, language: "tr" | "en"): Promise<Seen> {
  const locale = language === "tr" ? "tr-TR" : "en-GB";
  const viewport = { width: 1440, height: HEIGHT };
  // Nothing slides or fades, so that what is looked at stands still.
  const context = await browser.newContext({ locale, viewport, reducedMotion: "reduce" });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(NOTES);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  const asked = followRequests(page);
  await page.goto(url);
  return { page, context, complaints, asked };
}

function followRequests(page: Page): ReadonlySet<Request> {
  const asked = new Set<Request>();
  page.on("request", (request) => request.url().includes("/console/api/") && asked.add(request));
  page.on("requestfinished", (request) => void asked.delete(request));
  page.on("requestfailed", (request) => void asked.delete(request));
  return asked;
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

const MOMENT_MS = 25;
const PATIENCE_MS = 90_000;
const PATIENCE_SECONDS = 30;

/** A note goes by itself after a moment, and whoever looks late must still know of it: the page writes them down. */
const NOTES = `
  window.noted = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const added of addedNodes)
        if (added instanceof Element && (added.matches(".mantine-Notification-root") || added.querySelector(".mantine-Notification-root")))
          window.noted.push(added.textContent);
  }).observe(document, { childList: true, subtree: true });
`;

/** Since the page was loaded it has told this in a note. */
export async function hasNoted({ page }: Pick<Seen, "page">, text: string): Promise<void> {
  await eventually(`the page notes: ${text}`, () =>
    page.evaluate<boolean>(`window.noted.some((note) => note.includes(${JSON.stringify(text)}))`),
  );
}

/** Waits until the page has its heading, has all it asked for, and shows no wheel. */
export async function settled({ page, asked }: Seen): Promise<void> {
  const isReady = () =>
    page.evaluate<boolean>(
      `!!document.querySelector("h1") && !document.querySelector('[role="status"] .mantine-Loader-root, main > [role="progressbar"]')`,
    );
  for (const endMs = within(realClock, PATIENCE_MS); realClock.ticks() < endMs; await pause(realClock, MOMENT_MS))
    if (asked.size === 0 && (await isReady()) && asked.size === 0) return;
  throw new Error(`never settled: ${page.url()}`);
}

/** A page may take a moment to find its new shape. Asked from outside: its policy lets no string become a script. */
export async function expectNoOverflow({ page }: Pick<Seen, "page">, width: number, what: string): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  let faults: string[] = [];
  const isRight = async () => {
    faults = await page.evaluate<string[]>(OUT_OF_SIGHT);
    return faults.length === 0;
  };
  await eventually("it fits", isRight, PATIENCE_SECONDS).catch(() => undefined); // told below, by name
  expect.soft(faults, `${what} at ${width} px does not fit the screen`).toEqual([]);
}

/**
 * The page itself, and whatever can be pressed or filled in. A table may scroll sideways for those who read it, but what
 * its rows can do is in sight; pictures, and links to further reading, may be anywhere in what scrolls.
 */
const OUT_OF_SIGHT = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const scroller = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement)
      if (at.scrollWidth > at.clientWidth && /auto|scroll/.test(getComputedStyle(at).overflowX)) return at;
  };
  const seen = (element, around) => {
    if (around.matches(".flow, .heat, .ladder") || element.matches("a")) return { left: -Infinity, right: Infinity };
    const { left, right } = around.getBoundingClientRect();
    const cell = element.closest("tr")?.querySelector("td.stays");
    const isCovered = cell && !cell.contains(element) && getComputedStyle(cell).position === "sticky";
    return { left, right: isCovered ? cell.getBoundingClientRect().left : right };
  };
  const lost = [...document.querySelectorAll("main :is(a, button, input, select, textarea), [role=dialog] :is(a, button, input)")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      const around = scroller(element);
      const within = around ? seen(element, around) : { left: 0, right: clientWidth };
      return width > 1 && (left < within.left - 1 || right > within.right + 1);
    })
    .map((element) => element.outerHTML.slice(0, 200));
  return scrollWidth > clientWidth ? ["the page is " + (scrollWidth - clientWidth) + " px too wide", ...lost] : lost;
})()`;

/** A page that is still being drawn is looked at again: a barrier is what stays. `inside`: a part of it, to look there alone. */
export async function expectNoBarriers(seen: Pick<Seen, "page">, what: string, inside = "html"): Promise<void> {
  let barriers = await barriersOf(seen, inside);
  const areGone = async () => {
    if (barriers.length > 0) barriers = await barriersOf(seen, inside);
    return barriers.length === 0;
  };
  await eventually("nothing stands in the way", areGone, PATIENCE_SECONDS).catch(() => undefined); // told below, by name
  expect.soft(barriers, `${what}: barriers`).toEqual([]);
}

/** What axe finds but in tooltips, which are said with what they are about; evaluated as the tool's own script, which no page policy forbids. */
async function barriersOf({ page }: Pick<Seen, "page">, inside: string): Promise<string[]> {
  const isThere = await page.evaluate<boolean>("'axe' in window");
  const session = await page.context().newCDPSession(page);
  if (!isThere) await session.send("Runtime.evaluate", { expression: AXE });
  const { result } = await session.send("Runtime.evaluate", {
    awaitPromise: true,
    returnByValue: true,
    expression: `axe.run(${JSON.stringify({ include: [inside], exclude: ['[role="tooltip"]'] })}, { resultTypes: ["violations"], preload: false }).then(({ violations }) => violations
      .map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, failureSummary }) =>
        html.slice(0, 200) + " " + (failureSummary ?? "").slice(0, 300)).join(" | ")))`,
  });
  await session.detach();
  return (result.value as string[] | undefined) ?? ["the page could not be looked at"];
}
